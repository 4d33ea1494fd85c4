"""Spreadsheets with formulas, number formats and a header style, written as flat ODS and converted."""

import csv
import pathlib
import random
import tempfile
from xml.sax.saxutils import escape

import office

MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October"]

STYLES = """
<office:automatic-styles>
 <number:number-style style:name="money"><number:number number:decimal-places="2" number:min-decimal-places="2" \
number:min-integer-digits="1" number:grouping="true"/></number:number-style>
 <style:style style:name="head" style:family="table-cell">\
<style:table-cell-properties fo:background-color="#2f6f5e"/>\
<style:text-properties fo:font-weight="bold" fo:color="#ffffff"/></style:style>
 <style:style style:name="title" style:family="table-cell">\
<style:text-properties fo:font-weight="bold" fo:font-size="14pt"/></style:style>
 <style:style style:name="sum" style:family="table-cell" style:data-style-name="money">\
<style:table-cell-properties fo:background-color="#e3efe9" fo:border-top="0.5pt solid #2f6f5e"/>\
<style:text-properties fo:font-weight="bold"/></style:style>
 <style:style style:name="num" style:family="table-cell" style:data-style-name="money"/>
 <style:style style:name="wide" style:family="table-column">\
<style:table-column-properties style:column-width="4.2cm"/></style:style>
 <style:style style:name="col" style:family="table-column">\
<style:table-column-properties style:column-width="2.5cm"/></style:style>
</office:automatic-styles>"""
NAMESPACES = (
    " ".join(
        f'xmlns:{p}="urn:oasis:names:tc:opendocument:xmlns:{u}:1.0"'
        for p, u in [
            ("office", "office"),
            ("table", "table"),
            ("text", "text"),
            ("style", "style"),
            ("number", "datastyle"),
            ("fo", "xsl-fo-compatible"),
        ]
    )
    + ' xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2"'
)


def cell(value, style=""):
    attribute = f' table:style-name="{style}"' if style else ""
    if isinstance(value, str) and value.startswith("="):
        return f'<table:table-cell{attribute} table:formula="of:{escape(value)}" office:value-type="float"/>'
    if isinstance(value, (int, float)):
        return f'<table:table-cell{attribute} office:value-type="float" office:value="{value}"/>'
    return (
        f'<table:table-cell{attribute} office:value-type="string"><text:p>{escape(value)}</text:p></table:table-cell>'
        if value
        else "<table:table-cell/>"
    )


def sheet(name, rows):
    """`rows`: list of rows, each a list of (value, style)."""
    body = "".join("<table:table-row>" + "".join(cell(*c) for c in row) + "</table:table-row>" for row in rows)
    return (
        f'<table:table table:name="{escape(name)}"><table:table-column table:style-name="wide"/>'
        f'<table:table-column table:style-name="col" table:number-columns-repeated="12"/>{body}</table:table>'
    )


def write(home, place, name, extension, sheets):
    text = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document {NAMESPACES} office:version="1.3" '
        f'office:mimetype="application/vnd.oasis.opendocument.spreadsheet">{STYLES}<office:body><office:spreadsheet>'
        + "".join(sheet(n, rows) for n, rows in sheets)
        + "</office:spreadsheet></office:body></office:document>"
    )
    with tempfile.TemporaryDirectory() as scratch:
        source = pathlib.Path(scratch) / f"{name}.fods"
        source.write_text(text)
        office.convert(source, extension, home / place)


def heads(*names):
    return [(n, "head") for n in names]


def budget_rows(rng):
    items = [
        ("Rent", 780, 0),
        ("Food", 310, 38),
        ("Electricity", 64, 11),
        ("Gas", 72, 24),
        ("Water", 21, 0),
        ("Internet", 29, 0),
        ("Transport", 86, 22),
        ("Books and music", 35, 16),
        ("Garden", 24, 14),
        ("Clothes", 45, 30),
        ("Gifts", 20, 15),
        ("Savings", 250, 40),
    ]
    last = chr(ord("A") + len(MONTHS))
    rows = [[("Household budget 2026", "title")], [], heads("Item", *MONTHS, "Total")]
    for name, base, spread in items:
        line = len(rows) + 1
        values = [(round(base + (rng.uniform(-spread, spread) if spread else 0), 2), "num") for _ in MONTHS]
        rows.append([(name, ""), *values, (f"=SUM([.B{line}:.{last}{line}])", "sum")])
    end = len(rows)
    columns = [chr(ord("B") + i) for i in range(len(MONTHS) + 1)]
    rows.append([("Total", "sum"), *[(f"=SUM([.{c}4:.{c}{end}])", "sum") for c in columns]])
    return rows


def savings_rows():
    goals = [("Bicycle", 900, 75), ("Norrhaven 2027", 1400, 120), ("New boiler", 3200, 40), ("Camera lens", 420, 15)]
    rows = [heads("Goal", "Target", "Per month", "Saved by October", "Months left")]
    for name, target, monthly in goals:
        line = len(rows) + 1
        rows.append(
            [
                (name, ""),
                (target, "num"),
                (monthly, "num"),
                (f"=[.C{line}]*{len(MONTHS)}", "num"),
                (f"=MAX(0;ROUNDUP(([.B{line}]-[.D{line}])/[.C{line}];0))", ""),
            ]
        )
    rows.append([("Total", "sum"), *[(f"=SUM([.{c}2:.{c}{len(rows)}])", "sum") for c in "BCD"]])
    return rows


def membership_rows(rng):
    people = [
        ("Priya Anand", 4),
        ("Tomas Lindqvist", 11),
        ("Ruth Okafor", 2),
        ("Jonas Weller", 17),
        ("Mei Castellan", 9),
        ("Ivo Brandt", 21),
        ("Sana Whitlock", 6),
        ("Elin Marsh", 13),
        ("Noor Haddon", 28),
        ("Callum Reyes", 7),
        ("Greta Vance", 30),
        ("Bram Oduya", 15),
        ("Ottilie Farrow", 3),
        ("Dev Kestrel", 19),
        ("Hanne Pryce", 24),
        ("Luca Amberley", 26),
    ]
    rows = [heads("Member", "Plot", "Since", "Hours", "Fee", "Paid")]
    for name, plot in people:
        rows.append(
            [
                (name, ""),
                (plot, ""),
                (rng.randint(2014, 2026), ""),
                (rng.randint(8, 64), ""),
                (48 if plot < 20 else 36, "num"),
                (rng.choice(["yes", "yes", "yes", "no"]), ""),
            ]
        )
    rows.append(
        [
            ("Total", "sum"),
            ("", ""),
            ("", ""),
            (f"=SUM([.D2:.D{len(rows)}])", "sum"),
            (f"=SUM([.E2:.E{len(rows)}])", "sum"),
        ]
    )
    return rows


def rain_rows(rng):
    rows = [heads("Date", "Rain (mm)", "Max (°C)", "Min (°C)", "Wind (km/h)")]
    for month, days, warm in [(4, 30, 13), (5, 31, 17), (6, 30, 22)]:
        for day in range(1, days + 1):
            high = round(warm + rng.gauss(0, 3), 1)
            rows.append(
                [
                    (f"2026-{month:02}-{day:02}", ""),
                    (round(max(0.0, rng.gauss(-1, 4)), 1), ""),
                    (high, ""),
                    (round(high - rng.uniform(5, 11), 1), ""),
                    (rng.randint(3, 38), ""),
                ]
            )
    return rows


def make(home: pathlib.Path) -> None:
    rng = random.Random(2026)
    budget, members, rain = budget_rows(rng), membership_rows(rng), rain_rows(rng)
    write(home, "Documents", "Household budget 2026", "ods", [("2026", budget), ("Savings plan", savings_rows())])
    write(home, "Documents", "Garden members", "xlsx", [("Members", members)])
    write(home, "Documents/Weather", "Weather station 2026", "ods", [("Spring", rain)])
    with (home / "Documents/Weather/weather-2026.csv").open("w", newline="") as out:
        csv.writer(out).writerows([[value for value, _ in row] for row in rain])
    with (home / "Documents/budget-2026.csv").open("w", newline="") as out:
        csv.writer(out).writerows([[value for value, _ in row[:-1]] for row in budget[2:-1]])
