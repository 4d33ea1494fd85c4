"""Entries: clicked into, and typed into with a few texts per kind of field."""

from .. import x11
from ..boxes import centre
from . import changes, domains
from .context import Context
from .page import Control
from .page_crawl import PageCrawl
from .records import with_focus
from .spots import spot

MOST_CHARS = 200


def drive(page: PageCrawl, context: Context, element: dict) -> None:
    point = spot(element["role"], element["bbox"])
    seen = page.click(point)
    if seen.kind != "seen":
        page.crawler.led_away(page, context, element, seen)
        return
    focus, part = _focus(page, context, element, seen), None
    if focus is None and changes.alike(seen.active, context.active, page.ignored):
        # Its end may be an icon's, that is not drawn: what the middle does is another matter.
        (x0, y0, x1, y1), middle = element["bbox"], centre(tuple(element["bbox"]))
        end = [point[0] - 1, y0, x1, y1]
        seen = page.click(middle)
        if seen.kind != "seen":
            page.crawler.led_away(page, context, element, seen)
            return
        focus = _focus(page, context, element, seen)
        if focus is not None and middle[0] + 1 < end[0]:
            page.page.tell(element["id"], "click", [{"kind": "inert"}], context.when, end)
            point, part = middle, [x0, y0, middle[0] + 1, y1]
    layer = page.add_focus(context.when, context.active, context.inactive, focus, seen.active)
    told = with_focus([], focus) or [{"kind": "inert"}]
    page.page.tell(element["id"], "click", told, context.when, part)
    text = element["state"].get("text") or ""
    if focus is None or element["role"] == "password text" or not element["state"].get("editable"):
        page.back(context)
        return
    control = Control(f"c-{element['id']}", element["id"], "text_entry", text, max_chars=MOST_CHARS)
    for words in domains.TEXTS[domains.kind_of_text(element["name"], text)]:
        if page.late or len(text) > 60:
            break
        page.event(lambda: page.desk.click(*page.screen(point)), reads=False)
        seen = page.event(lambda words=words: _type(page, words))
        if seen.kind != "seen":
            page.crawler.undo_window(seen)
            break
        difference = page.differ(context, seen)
        value = _text(seen, difference, element["id"])
        if value is not None and value != text:
            control = page.page.controls.setdefault(control.id, control)
            found, active, inactive = page.look(context)
            page.add_patch(context, control.id, value, found, difference)
            page.focus_variant({**context.when, control.id: value}, active, inactive, focus, seen.active, layer)
            outcome = [{"kind": "value", "control": control.id, "to": value}]
            when = {**context.when, control.id: text}
            page.page.tell(element["id"], {"type": words}, with_focus(outcome, focus), when)
            page.can_set(context, control.id, value, _typed(page, point, value), _typed(page, point, text))
        page.event(lambda: page.desk.click(*page.screen(point)), reads=False)
        page.event(lambda: _replace(page, text), reads=False)
        page.back(context)
    page.back(context)


def _focus(page: PageCrawl, context: Context, element: dict, seen) -> str | None:
    """The element that has the focus after a click."""
    difference = page.differ(context, seen)
    return page.focus_of(difference, seen) or page.ring_at(element["id"], context, context.active, seen.active)


def _type(page: PageCrawl, words: str) -> None:
    x11.press("End")
    x11.type_text(words)
    page.desk.ping()
    page.desk.hide_rings()


def _typed(page: PageCrawl, point, words: str):
    """The field holding these words alone."""

    def act() -> None:
        page.clicker(point)()
        page.event(lambda: _replace(page, words), reads=False)

    return act


def _replace(page: PageCrawl, text: str) -> None:
    """What is typed takes the place of all that is selected."""
    x11.press("ctrl+a")
    if text:
        x11.type_text(text)
    else:
        x11.press("Delete")
    page.desk.ping()
    page.desk.hide_rings()


def _text(seen, difference, element: str) -> str | None:
    found = (r for r, i in zip(seen.records, difference.ids, strict=True) if i == element)
    return next((r["state"].get("text") or "" for r in found), None)
