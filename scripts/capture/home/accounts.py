"""Double-entry accounts of a small household and garden as a GnuCash XML book."""

import hashlib
import pathlib
import random
from datetime import date, timedelta
from xml.sax.saxutils import escape

from persona import Persona

SPACES = "gnc act book cd cmdty price slot split trn ts"


def key(text: str) -> str:
    return hashlib.md5(text.encode()).hexdigest()


def account(name: str, kind: str, parent: str | None) -> str:
    currency = (
        ""
        if kind == "ROOT"
        else (
            "<act:commodity><cmdty:space>CURRENCY</cmdty:space><cmdty:id>EUR</cmdty:id></act:commodity>"
            "<act:commodity-scu>100</act:commodity-scu>"
        )
    )
    above = f'<act:parent type="guid">{key(parent)}</act:parent>' if parent else ""
    return (
        f'<gnc:account version="2.0.0"><act:name>{escape(name)}</act:name>'
        f'<act:id type="guid">{key(name)}</act:id><act:type>{kind}</act:type>{currency}{above}</gnc:account>'
    )


def transaction(number: int, day: date, text: str, source: str, target: str, amount: float) -> str:
    cents = round(amount * 100)
    splits = "".join(
        f'<trn:split><split:id type="guid">{key(f"{number}{name}")}</split:id>'
        f"<split:reconciled-state>{'c' if number % 3 else 'n'}</split:reconciled-state>"
        f"<split:value>{value}/100</split:value><split:quantity>{value}/100</split:quantity>"
        f'<split:account type="guid">{key(name)}</split:account></trn:split>'
        for name, value in ((target, cents), (source, -cents))
    )
    return (
        f'<gnc:transaction version="2.0.0"><trn:id type="guid">{key(f"transaction{number}")}</trn:id><trn:currency>'
        "<cmdty:space>CURRENCY</cmdty:space><cmdty:id>EUR</cmdty:id></trn:currency>"
        f"<trn:date-posted><ts:date>{day} 10:59:00 +0000</ts:date></trn:date-posted><trn:date-entered>"
        f"<ts:date>{day} 18:00:00 +0000</ts:date></trn:date-entered>"
        f"<trn:description>{escape(text)}</trn:description><trn:splits>{splits}</trn:splits></gnc:transaction>"
    )


def movements(persona: Persona):
    facts, year = persona.parts["accounts"], persona.year
    rng = random.Random(23 + persona.seed)
    for account_name, amount in zip(("Current account", "Savings"), facts["opening"], strict=True):
        yield date(year, 1, 1), "Opening balance", "Equity", account_name, amount
    payer, wages = facts["wages"]
    for month in range(1, persona.months + 1):
        first = date(year, month, 1)
        yield first, "Rent", "Current account", "Rent", facts["rent"]
        yield first + timedelta(days=26), payer, "Wages", "Current account", wages
        yield first + timedelta(days=2), "Cash machine", "Current account", "Purse", 80.00
        for _ in range(5):
            payee, kind, typical = rng.choice(facts["purchases"])
            yield (
                first + timedelta(days=rng.randint(3, 25)),
                payee,
                "Purse" if typical < 12 else "Current account",
                kind,
                round(typical * rng.uniform(0.6, 1.5), 2),
            )
        yield first + timedelta(days=27), "To savings", "Current account", "Savings", facts["saving"]
    day, text, source, target, amount = facts["last"]
    yield date.fromisoformat(day), text, source, target, amount


def make(home: pathlib.Path, persona: Persona) -> None:
    facts = persona.parts["accounts"]
    posted = sorted(movements(persona), key=lambda movement: movement[0])
    namespaces = " ".join(f'xmlns:{name}="http://www.gnucash.org/XML/{name}"' for name in SPACES.split())
    accounts = account("Root Account", "ROOT", None) + "".join(
        account(name, kind, parent or "Root Account") for name, kind, parent in facts["tree"]
    )
    lines = "".join(transaction(number, *movement) for number, movement in enumerate(posted))
    (home / f"Documents/{facts['name']}.gnucash").write_text(
        f'<?xml version="1.0" encoding="utf-8" ?>\n<gnc-v2 {namespaces}>\n'
        '<gnc:count-data cd:type="book">1</gnc:count-data>\n<gnc:book version="2.0.0">'
        f'<book:id type="guid">{key("book")}</book:id><gnc:count-data '
        f'cd:type="account">{len(facts["tree"]) + 1}</gnc:count-data>'
        f'<gnc:count-data cd:type="transaction">{len(posted)}</gnc:count-data>'
        '<gnc:commodity version="2.0.0"><cmdty:space>CURRENCY</cmdty:space>'
        f"<cmdty:id>EUR</cmdty:id></gnc:commodity>{accounts}{lines}</gnc:book>\n</gnc-v2>\n"
    )
