"""Databases and the files of programs with formats of their own: SQLite library, passwords, household money, and
ready-made files of text/programs."""

import contextlib
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
from datetime import date
from xml.sax.saxutils import escape

from persona import Persona


def library(path: pathlib.Path, persona: Persona) -> None:
    facts = persona.parts["library"]
    books, people, today = facts["books"], facts["readers"], facts["today"]
    path.unlink(missing_ok=True)
    rng = random.Random(7 + persona.seed)
    # As a context, a connection commits and stays open.
    with contextlib.closing(sqlite3.connect(path)) as base, base:
        base.executescript(f"""
            CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author TEXT NOT NULL, year INTEGER, \
shelf TEXT);
            CREATE TABLE readers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, joined TEXT);
            CREATE TABLE loans (id INTEGER PRIMARY KEY, book INTEGER REFERENCES books(id), reader INTEGER REFERENCES \
readers(id), lent TEXT, due TEXT, returned TEXT);
            CREATE INDEX loans_by_reader ON loans(reader);
            CREATE VIEW overdue AS SELECT books.title, readers.name, loans.due FROM loans JOIN books ON books.id = \
loans.book
                JOIN readers ON readers.id = loans.reader WHERE loans.returned IS NULL AND loans.due < '{today}';
        """)
        base.executemany("INSERT INTO books (title, author, year, shelf) VALUES (?, ?, ?, ?)", books)
        base.executemany(
            "INSERT INTO readers (name, joined) VALUES (?, ?)",
            [(name, f"20{rng.randint(18, 26)}-0{rng.randint(1, 9)}-1{rng.randint(0, 9)}") for name in people],
        )
        for _ in range(60):
            month, day = rng.randint(1, facts.get("lent_months", persona.months)), rng.randint(1, 28)
            returned = f"{persona.year}-{month + 1:02}-{rng.randint(1, 28):02}" if rng.random() < 0.8 else None
            base.execute(
                "INSERT INTO loans (book, reader, lent, due, returned) VALUES (?, ?, ?, ?, ?)",
                (
                    rng.randint(1, len(books)),
                    rng.randint(1, len(people)),
                    f"{persona.year}-{month:02}-{day:02}",
                    f"{persona.year}-{month + 1:02}-{day:02}",
                    returned,
                ),
            )


def passwords(path: pathlib.Path, facts: dict) -> None:
    path.unlink(missing_ok=True)
    secret = f"{facts['secret']}\n"

    def cli(*arguments: str, typed: str = secret) -> None:
        run = subprocess.run(
            ["keepassxc-cli", *arguments],
            input=typed,
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        )
        if run.returncode != 0:
            raise RuntimeError(f"{path}: keepassxc-cli {arguments[0]}: {run.stderr.strip()}")

    cli("db-create", "--set-password", str(path), typed=secret * 2)
    for group in dict.fromkeys(entry[0] for entry in facts["entries"] if entry[0]):
        cli("mkdir", str(path), group)
    for number, (group, title, user, address) in enumerate(facts["entries"]):
        cli(
            "add",
            "--username",
            user,
            "--url",
            address,
            "--password-prompt",
            str(path),
            f"{group}/{title}".lstrip("/"),
            typed=f"{secret}plum-{number}-lantern\n",
        )


def household_accounts(path: pathlib.Path, persona: Persona) -> None:
    """A HomeBank file: accounts, categories, payees and a year's transactions. Dates are days since year 1."""
    facts, rng = persona.parts["household"], random.Random(11 + persona.seed)
    day = date(persona.year, 1, 1).toordinal()
    payees, categories = facts["payees"], facts["categories"]
    names = list(dict.fromkeys(name for name, _ in categories))
    lines = [
        '<?xml version="1.0"?>',
        '<homebank v="1.4" d="050504">',
        f'<properties title="{facts["title"]}" curr="1" auto_smode="1" auto_weekday="1"/>',
        '<cur key="1" flags="0" iso="EUR" name="Euro" symb="€" syprf="0" dchar="." gchar="," frac="2" rate="0" '
        'mdate="0"/>',
        f'<account key="1" pos="1" type="1" curr="1" name="Current account" number="4417" bankname="{facts["bank"]}" '
        'initial="1240.5" minimum="0"/>',
        f'<account key="2" pos="2" type="3" curr="1" name="Savings" number="9023" bankname="{facts["bank"]}" '
        'initial="6350" minimum="0"/>',
        '<account key="3" pos="3" type="2" curr="1" name="Purse" initial="420" minimum="0"/>',
    ]
    lines += [f'<pay key="{key}" name="{escape(name)}"/>' for key, name in enumerate(payees, 1)]
    lines += [
        f'<cat key="{key}" flags="{2 if name == "Wages" else 0}" name="{name}"/>' for key, name in enumerate(names, 1)
    ]
    for offset in range(0, facts["days"], 3):
        kind = 6 if offset % 30 == 0 else rng.choice([0, 0, 1, 2, 2, 3, 4, 5, 7])
        category, typical = categories[kind]
        amount = typical if category == "Wages" else round(typical * rng.uniform(0.5, 1.5), 2)
        lines.append(
            f'<ope date="{day + offset}" amount="{amount}" account="{3 if kind == 2 and offset % 4 == 0 else 1}" '
            f'paymode="{rng.choice([1, 3, 6])}" st="1" flags="{2 if amount > 0 else 0}" payee="{kind + 1}" '
            f'category="{names.index(category) + 1}" wording=""/>'
        )
    path.write_text("\n".join([*lines, "</homebank>"]) + "\n")


def make(home: pathlib.Path, persona: Persona) -> None:
    documents = home / "Documents"
    documents.mkdir(parents=True, exist_ok=True)
    library(documents / "Library.sqlite", persona)
    passwords(documents / "Passwords.kdbx", persona.parts["passwords"])
    household_accounts(documents / "Household.xhb", persona)
    for source in sorted((persona.folder / "programs").iterdir()):
        if source.is_dir():
            shutil.copytree(source, documents / source.name, dirs_exist_ok=True)
        else:
            shutil.copyfile(source, documents / source.name)
