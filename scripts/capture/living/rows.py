"""Rows of GTK 4 that stand for the switch inside them."""

from ..boxes import centre, holds
from .context import Context
from .openings import press
from .page_crawl import PageCrawl
from .spots import spot
from .toggles import TYPES


def drive(page: PageCrawl, context: Context, row: dict) -> None:
    """A click on the row does what one on its switch does, or what any button might."""
    inner = next((e for e in context.elements if e["role"] in TYPES and _inside(e, row)), None)
    control = None if inner is None else page.page.controls.get(f"c-{inner['id']}")
    if control is None:
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
    page.page.tell(row["id"], "click", [{"kind": "value", "control": control.id, "next": True}], context.when)


def _inside(element: dict, row: dict) -> bool:
    return holds(tuple(row["bbox"]), *centre(tuple(element["bbox"])))
