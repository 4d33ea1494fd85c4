"""Databases and the files of programs with formats of their own: SQLite library, passwords, household money, and
ready-made files of text/programs."""

import contextlib
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess

TEXT = pathlib.Path(__file__).parent / "text"

BOOKS = [
    ("The Salt Ledger", "Maren Holt", 2019, "Fiction"),
    ("Hedges and How to Lay Them", "Owen Thackray", 1987, "Craft"),
    ("A Short History of Tides", "Ines Calloway", 2011, "Science"),
    ("Nine Lamps on Mill Lane", "Peter Quillon", 2003, "Fiction"),
    ("Soil by the Spoonful", "Amara Nwosu", 2022, "Garden"),
    ("The Clockmaker's Winter", "Lotte Verhage", 1996, "Fiction"),
    ("Knots for Every Day", "Silas Pender", 1974, "Craft"),
    ("Birds of the Estuary", "Fiona Rask", 2008, "Nature"),
    ("Bread, Slowly", "Hanne Pryce", 2017, "Cooking"),
    ("Small Boats in Big Weather", "Eskil Norum", 2001, "Travel"),
    ("The Cartographer's Table", "Maren Holt", 2023, "Fiction"),
    ("Pruning Old Apple Trees", "Ruth Ambler", 1992, "Garden"),
    ("Mosses and Where to Find Them", "Tilda Groves", 2014, "Nature"),
    ("Letters from Norrhaven", "Eskil Norum", 1979, "Travel"),
]
READERS = [
    "Priya Anand",
    "Tomas Lindqvist",
    "Ruth Okafor",
    "Jonas Weller",
    "Mei Castellan",
    "Noor Haddon",
    "Bram Oduya",
]


def library(path: pathlib.Path) -> None:
    path.unlink(missing_ok=True)
    rng = random.Random(7)
    # As a context, a connection commits and stays open.
    with contextlib.closing(sqlite3.connect(path)) as base, base:
        base.executescript("""
            CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author TEXT NOT NULL, year INTEGER, \
shelf TEXT);
            CREATE TABLE readers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, joined TEXT);
            CREATE TABLE loans (id INTEGER PRIMARY KEY, book INTEGER REFERENCES books(id), reader INTEGER REFERENCES \
readers(id), lent TEXT, due TEXT, returned TEXT);
            CREATE INDEX loans_by_reader ON loans(reader);
            CREATE VIEW overdue AS SELECT books.title, readers.name, loans.due FROM loans JOIN books ON books.id = \
loans.book
                JOIN readers ON readers.id = loans.reader WHERE loans.returned IS NULL AND loans.due < '2026-11-20';
        """)
        base.executemany("INSERT INTO books (title, author, year, shelf) VALUES (?, ?, ?, ?)", BOOKS)
        base.executemany(
            "INSERT INTO readers (name, joined) VALUES (?, ?)",
            [(name, f"20{rng.randint(18, 26)}-0{rng.randint(1, 9)}-1{rng.randint(0, 9)}") for name in READERS],
        )
        for _ in range(60):
            month, day = rng.randint(1, 10), rng.randint(1, 28)
            returned = f"2026-{month + 1:02}-{rng.randint(1, 28):02}" if rng.random() < 0.8 else None
            base.execute(
                "INSERT INTO loans (book, reader, lent, due, returned) VALUES (?, ?, ?, ?, ?)",
                (
                    rng.randint(1, len(BOOKS)),
                    rng.randint(1, len(READERS)),
                    f"2026-{month:02}-{day:02}",
                    f"2026-{month + 1:02}-{day:02}",
                    returned,
                ),
            )


ENTRIES = [  # group (empty: the top one, which the program shows first), title, user name, address
    ("", "Router", "admin", "http://192.0.2.1/"),
    ("", "Electricity meter portal", "alex.morgan", "https://meter.wrenpower.example/"),
    ("", "Library card", "204417", "https://library.wrenfield.example/"),
    ("", "Boiler service", "alex", "https://service.heronboilers.example/"),
    ("Garden", "Member list", "committee", "https://members.hollowmere.example/"),
    ("Garden", "Seed shop", "hollowmere", "https://shop.seedling.example/"),
    ("Garden", "Shed alarm", "keypad", ""),
    ("Mail", "Wrenmail", "alex.morgan@wrenmail.example", "https://wrenmail.example/"),
    ("Mail", "Mailing list", "hollowmere-list", "https://lists.hollowmere.example/"),
    ("Travel", "Ferry bookings", "alex.morgan", "https://norrferry.example/"),
    ("", "Rail card", "WF-88120", "https://rail.wrenfield.example/"),
    ("", "Bicycle insurance", "alex.morgan", "https://greenfield.example/"),
    ("", "Tax office", "33-88120", "https://tax.wrenfield.example/"),
    ("Code", "Git server", "alex", "https://git.hollowmere.example/"),
]
DATABASE_PASSWORD = "wrenfield-orchard-17"  # of a file that holds nothing real


def passwords(path: pathlib.Path) -> None:
    path.unlink(missing_ok=True)
    secret = f"{DATABASE_PASSWORD}\n"

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
    for group in dict.fromkeys(entry[0] for entry in ENTRIES if entry[0]):
        cli("mkdir", str(path), group)
    for number, (group, title, user, address) in enumerate(ENTRIES):
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


def household_accounts(path: pathlib.Path) -> None:
    """A HomeBank file: accounts, categories, payees and a year's transactions. Dates are days since year 1."""
    rng = random.Random(11)
    from datetime import date

    day = date(2026, 1, 1).toordinal()
    payees = [
        "Corner bakery",
        "Wrenpower",
        "Mill Lane Grocer",
        "Station Bookshop",
        "Norrferry",
        "Hollowmere Garden",
        "Tidemark Instruments",
        "Greenfield Bikes",
    ]
    categories = [
        ("Food", -60),
        ("Energy", -75),
        ("Food", -25),
        ("Books", -18),
        ("Travel", -140),
        ("Garden", -12),
        ("Wages", 1890),
        ("Transport", -35),
    ]
    names = list(dict.fromkeys(name for name, _ in categories))
    lines = [
        '<?xml version="1.0"?>',
        '<homebank v="1.4" d="050504">',
        '<properties title="Alex and Jonas" curr="1" auto_smode="1" auto_weekday="1"/>',
        '<cur key="1" flags="0" iso="EUR" name="Euro" symb="€" syprf="0" dchar="." gchar="," frac="2" rate="0" '
        'mdate="0"/>',
        '<account key="1" pos="1" type="1" curr="1" name="Current account" number="4417" bankname="Wrenfield Mutual" '
        'initial="1240.5" minimum="0"/>',
        '<account key="2" pos="2" type="3" curr="1" name="Savings" number="9023" bankname="Wrenfield Mutual" '
        'initial="6350" minimum="0"/>',
        '<account key="3" pos="3" type="2" curr="1" name="Purse" initial="420" minimum="0"/>',
    ]
    lines += [f'<pay key="{key}" name="{name}"/>' for key, name in enumerate(payees, 1)]
    lines += [
        f'<cat key="{key}" flags="{2 if name == "Wages" else 0}" name="{name}"/>' for key, name in enumerate(names, 1)
    ]
    for offset in range(0, 320, 3):
        kind = 6 if offset % 30 == 0 else rng.choice([0, 0, 1, 2, 2, 3, 4, 5, 7])
        category, typical = categories[kind]
        amount = typical if category == "Wages" else round(typical * rng.uniform(0.5, 1.5), 2)
        lines.append(
            f'<ope date="{day + offset}" amount="{amount}" account="{3 if kind == 2 and offset % 4 == 0 else 1}" '
            f'paymode="{rng.choice([1, 3, 6])}" st="1" flags="{2 if amount > 0 else 0}" payee="{kind + 1}" '
            f'category="{names.index(category) + 1}" wording=""/>'
        )
    path.write_text("\n".join([*lines, "</homebank>"]) + "\n")


def make(home: pathlib.Path) -> None:
    documents = home / "Documents"
    documents.mkdir(parents=True, exist_ok=True)
    library(documents / "Library.sqlite")
    passwords(documents / "Passwords.kdbx")
    household_accounts(documents / "Household.xhb")
    for source in sorted((TEXT / "programs").iterdir()):
        if source.is_dir():
            shutil.copytree(source, documents / source.name, dirs_exist_ok=True)
        else:
            shutil.copyfile(source, documents / source.name)
