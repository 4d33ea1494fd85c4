"""Check boxes, switches and toggle buttons: clicked on and off again."""

from . import combos, exclusive
from .carried import Switch
from .context import Context
from .groups import is_on
from .page import Control
from .page_crawl import PageCrawl
from .records import moved_to, rivals, with_focus
from .spots import spot

TYPES = {"check box": "check_box", "switch": "switch", "toggle button": "toggle_button"}


def state_of(element: dict) -> bool:
    return bool(element["state"].get("pressed" if element["role"] == "toggle button" else "checked"))


def drive(page: PageCrawl, context: Context, element: dict) -> None:
    point = spot(element["role"], element["bbox"])
    seen = page.click(point)
    if seen.kind == "popup" and combos.is_list(page):
        # LibreOffice says of a combo box that it is a toggle button.
        page.dismiss()
        page.back(context)
        combos.drive(page, context, element)
        return
    if seen.kind != "seen":
        page.crawler.led_away(page, context, element, seen)
        return
    difference = page.differ(context, seen)
    own = element["id"]
    one_of = rivals(element, context.elements, difference.changes)
    # GTK 4 says of a radio button that it is a check box.
    if one_of and (page.desk.gtk4 or element["role"] == "toggle button"):
        page.grouped |= {e["id"] for e in one_of}
        on = next(e for e in one_of if is_on(e))
        page.back(context, page.clicker(spot(on["role"], on["bbox"])))
        exclusive.drive(page, context, one_of)
        return
    now = next((r for r, i in zip(seen.records, difference.ids, strict=True) if i == own), None)
    focus = page.focus_of(difference, seen)
    if now is not None and state_of(now) == state_of(element):
        found, *_ = page.look(context)
        if not found and not difference.changes and not difference.added:
            focus = focus or page.ring_at(own, context, context.active, seen.active)
            page.add_focus(context.when, context.active, context.inactive, focus, seen.active)
            page.page.tell(own, "click", with_focus([], focus) or [{"kind": "inert"}], context.when)
            return
        if now["role"] != "toggle button":
            page.page.unknown(own, "it does not tell its value", context.when)
            page.back(context, lambda: page.desk.click(*page.screen(point)))
            return
    before = state_of(element)
    found, active, inactive = page.look(context, difference)
    focus = focus or page.ring_at(own, context, active, seen.active)
    focus = moved_to(focus, element, page.home_of(context), page.shy)
    control = Control(f"c-{own}", own, TYPES[element["role"]], before, [False, True])
    control = page.page.controls.setdefault(control.id, control)
    page.add_patch(context, control.id, not before, found, difference)
    outcome = [{"kind": "value", "control": control.id, "next": True}]
    page.page.tell(own, "click", with_focus(outcome, focus), context.when)
    inner = Context(
        {**context.when, control.id: not before},
        active,
        inactive,
        page.crawler.elements_in(context, difference),
        page.new_home,
        page.reopenings,
        page.desk.home_handle,
        [*context.enter, page.clicker(point)],
    )
    page.crawler.enter(page, context, inner, control.id)
    page.can_set(context, control.id, not before, page.clicker(point), page.clicker(point))
    page.switches.append(Switch(control.id, context, inner, page.clicker(point), page.clicker(point)))
    again = page.event(lambda: page.desk.click(*page.screen(point)), reads=False)
    if again.kind != "seen":
        page.crawler.undo_window(again)
    page.back(context)
    layer = page.add_focus(context.when, context.active, context.inactive, focus, again.active)
    page.focus_variant(inner.when, active, inactive, focus, seen.active, layer)
