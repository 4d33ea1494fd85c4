"""Rows of GTK 4 that stand for the switch inside them, and those around a field."""

from ..boxes import centre, holds
from . import changes
from .context import Context
from .openings import press
from .page_crawl import PageCrawl
from .records import with_focus
from .spots import spot
from .toggles import TYPES

FIELDS = ("spin button", "entry", "password text")


def drive(page: PageCrawl, context: Context, row: dict) -> None:
    """A click on the row does what one on its switch does, or what any button might."""
    inner = next((e for e in context.elements if e["role"] in TYPES and _inside(e, row)), None)
    control = None if inner is None else page.page.controls.get(f"c-{inner['id']}")
    if control is None:
        if not (_holds_field(context, row) and _leaves_focus(page, context, row)):
            press(page, context, row)
        return
    point = spot("push button", row["bbox"])
    seen = page.click(point)
    if seen.kind != "seen":
        page.crawler.led_away(page, context, row, seen)
        return
    changed = {c["id"] for c in page.differ(context, seen).changes}
    if inner["id"] not in changed:
        page.page.unknown(row["id"], "it does not switch what it shows", context.when)
        page.reopen(context)
        return
    page.back(context, page.clicker(point))
    # A field that had the focus shows no ring any more.
    outcome = with_focus([{"kind": "value", "control": control.id, "next": True}], row["id"])
    page.page.tell(row["id"], "click", outcome, context.when)


def _holds_field(context: Context, row: dict) -> bool:
    return any(e["role"] in FIELDS and _inside(e, row) for e in context.elements)


def _leaves_focus(page: PageCrawl, context: Context, row: dict) -> bool:
    """Whether a click beside the field of a row does nothing: then the focus stays where it is, too."""
    seen = page.click(spot("list item", row["bbox"]))
    same = seen.kind == "seen" and changes.alike(context.active, seen.active, page.ignored)
    if same:
        page.page.tell(row["id"], "click", [{"kind": "inert"}], context.when)
    elif seen.kind == "seen":
        page.back(context)
    else:
        page.crawler.led_away(page, context, row, seen)
        return True
    return same


def _inside(element: dict, row: dict) -> bool:
    return holds(tuple(row["bbox"]), *centre(tuple(element["bbox"])))
