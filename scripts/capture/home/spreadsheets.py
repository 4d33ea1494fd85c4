"""Spreadsheets with formulas, number formats and a header style, written as flat ODS and converted."""

import calendar
import csv
import pathlib
import random
import tempfile
from xml.sax.saxutils import escape

import office
from persona import Persona

MONTHS = calendar.month_name[1:]

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


def budget_rows(rng, title, items, months):
    last = chr(ord("A") + len(months))
    rows = [[(title, "title")], [], heads("Item", *months, "Total")]
    for name, base, spread in items:
        line = len(rows) + 1
        values = [(round(base + (rng.uniform(-spread, spread) if spread else 0), 2), "num") for _ in months]
        rows.append([(name, ""), *values, (f"=SUM([.B{line}:.{last}{line}])", "sum")])
    end = len(rows)
    columns = [chr(ord("B") + i) for i in range(len(months) + 1)]
    rows.append([("Total", "sum"), *[(f"=SUM([.{c}4:.{c}{end}])", "sum") for c in columns]])
    return rows


def savings_rows(goals, months):
    rows = [heads("Goal", "Target", "Per month", f"Saved by {months[-1]}", "Months left")]
    for name, target, monthly in goals:
        line = len(rows) + 1
        rows.append(
            [
                (name, ""),
                (target, "num"),
                (monthly, "num"),
                (f"=[.C{line}]*{len(months)}", "num"),
                (f"=MAX(0;ROUNDUP(([.B{line}]-[.D{line}])/[.C{line}];0))", ""),
            ]
        )
    rows.append([("Total", "sum"), *[(f"=SUM([.{c}2:.{c}{len(rows)}])", "sum") for c in "BCD"]])
    return rows


def membership_rows(rng, names, people, year):
    """`people` pay a fee by a number of theirs: a garden plot, a voice."""
    rows = [heads(*names)]
    for name, plot in people:
        rows.append(
            [
                (name, ""),
                (plot, ""),
                (rng.randint(2014, year), ""),
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


def series_rows(rng, names, months, year):
    """A row per day with four measured values. `months` are their numbers, days and mean temperatures."""
    rows = [heads(*names)]
    for month, days, warm in months:
        for day in range(1, days + 1):
            high = round(warm + rng.gauss(0, 3), 1)
            rows.append(
                [
                    (f"{year}-{month:02}-{day:02}", ""),
                    (round(max(0.0, rng.gauss(-1, 4)), 1), ""),
                    (high, ""),
                    (round(high - rng.uniform(5, 11), 1), ""),
                    (rng.randint(3, 38), ""),
                ]
            )
    return rows


def table_rows(table):
    """Rows as persona.toml has them: the first names the columns; formulas name cells as LibreOffice stores them."""
    cells = [[(value, "num" if isinstance(value, float) else "") for value in values] for values in table["rows"]]
    rows = [heads(*table["heads"]), *cells]
    if "total" in table:
        sums = [(f"=SUM([.{c}2:.{c}{len(rows)}])", "sum") for c in table["total"]]
        blank = ord(table["total"][0]) - ord("A") - 1
        rows.append([("Total", "sum"), *[("", "")] * blank, *sums])
    return rows


def write_csv(path, rows):
    with path.open("w", newline="") as out:
        csv.writer(out).writerows([[value for value, _ in row] for row in rows])


def make(home: pathlib.Path, persona: Persona) -> None:
    facts = persona.parts["spreadsheets"]
    budget, members, series = facts["budget"], facts["members"], facts["series"]
    months, rng = MONTHS[: persona.months], random.Random(facts["seed"])
    budget_table = budget_rows(rng, budget["name"], budget["items"], months)
    member_table = membership_rows(rng, members["heads"], members["people"], persona.year)
    series_table = series_rows(rng, series["heads"], series["months"], persona.year)
    goals = savings_rows(budget["goals"], months)
    write(home, "Documents", budget["name"], "ods", [(str(persona.year), budget_table), ("Savings plan", goals)])
    write(home, "Documents", members["name"], "xlsx", [(members["sheet"], member_table)])
    write(home, series["folder"], series["name"], "ods", [(series["sheet"], series_table)])
    write_csv(home / series["folder"] / series["csv"], series_table)
    write_csv(home / budget["csv"], [row[:-1] for row in budget_table[2:-1]])
    for book in facts.get("workbooks", []):
        sheets = [(sheet["name"], table_rows(sheet)) for sheet in book["sheets"]]
        write(home, book["folder"], book["name"], book["format"], sheets)
