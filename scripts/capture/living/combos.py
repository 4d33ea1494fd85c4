"""Combo boxes: every entry of the list is chosen once; the list is pictured for every value that it opens with. Where a
list does not fit the screen, entries are chosen as they come into view."""

import time

from .. import x11
from ..boxes import centre, intersection, shifted
from .changes import Piece, alike, pieces
from .context import Context
from .desk import Lost, popup_picture
from .domains import MOST_CHOICES, choices_of
from .groups import ROWS
from .page import Control, LivingPopup
from .page_crawl import PageCrawl
from .records import (
    ITEMS,
    entry_names,
    next_entry,
    place_of,
    value_shown,
    way_to,
    with_field,
    with_focus,
    without_repeats,
)
from .spots import spot

# Hovering all entries of a long list shows nothing new.
MOST_LIT = 12
# Of the entries of a list, how many may open something instead of being chosen.
MOST_LEADING = 2
RESIZED = "the window gets another size"
# How many entries are chosen to get to one that a list does not show, that one counted.
MOST_WAYS = 3
# How long a window has to be still after its list has closed: Qt draws the ring around the box late.
CLOSED_S = 0.35


def drive(page: PageCrawl, context: Context, element: dict) -> None:
    element = with_field(element, context.elements)
    seen = _open(page, element)
    if seen.kind == "seen" and page.crawler.pressed(page, context, element, seen, from_home=True):
        # A list without entries, as of what was searched for, does not open. Its field may have the focus elsewhere.
        return
    if seen.kind != "popup":
        page.crawler.led_away(page, context, element, seen)
        return
    popup, items = picture(page, context, element, seen, {}, "list")
    names = entry_names(items)
    current = _current(element, items, value_shown(element, context.elements))
    if current is None and items and _is_first(page, context, popup):
        current = 0
        seen = _open(page, element)
    if not items or current is None:
        page.page.unknown(element["id"], "its list does not say what is chosen", context.when)
        page.page.notes.append(f"list of {element['name']}: {[item['name'] for item in items]}")
        page.dismiss()
        page.back(context)
        return
    seen = _escape(page, context, element, seen)
    control = Control(f"c-{element['id']}", element["id"], "combo_box", names[current], [names[current]])
    control = page.page.controls.setdefault(control.id, control)
    popup.when = dict(context.when)
    page.page.popups.append(popup)
    opens = [{"kind": "popup", "popup": popup.id}]
    page.page.tell(element["id"], "click", opens, {**context.when, control.id: names[current]})
    lists = {names[current]: popup}
    opened = popup
    focus, ended, leading, inners = None, True, {}, []
    first = names[current]
    tried, begun = [first], time.monotonic()
    while True:
        if len(tried) > MOST_CHOICES + 1:
            page.grant(time.monotonic() - begun)
        begun = time.monotonic()
        ends = page.late or len(tried) > choices_of(len(items)) or (len(tried) > MOST_CHOICES and not page.spare_s)
        name = first if ends else next_entry(entry_names(opened.elements), tried) or first
        if place_of(opened.elements, name) is None:
            page.reopen(context)
            break
        tried.append(name)
        chosen = page.event(_clicker(page, opened, name))
        if chosen.kind != "seen":
            others = [why for why in leading.values() if why != RESIZED]
            if name == first or (chosen.kind != "resized" and len(others) >= MOST_LEADING):
                raise Lost(f"after choosing {name}: {chosen.kind}")
            # An entry such as "Other..." sets nothing.
            leading[name] = RESIZED if chosen.kind == "resized" else f"it leads away: {chosen.kind}"
            page.reopen(context)
            seen = _open(page, element)
            if seen.kind != "popup":
                raise Lost("the list does not open again")
            opened, _ = picture(page, context, element, seen, {}, "list")
            continue
        difference = page.differ(context, chosen)
        focus = page.focus_of(difference, chosen)
        found, active, inactive = page.look(context, difference)
        focus = focus or page.ring_at(element["id"], context, active, chosen.active)
        when = {**context.when, control.id: name}
        page.add_focus(when, active, inactive, focus, chosen.active)
        if name == first:
            break
        control.allow(name)
        page.add_patch(context, control.id, name, found, difference)
        inner = Context(when, active, inactive, page.crawler.elements_in(context, difference))
        inner.home_id, inner.opening, inner.home = page.new_home, page.reopenings, page.desk.home_handle
        inner.enter = list(context.enter)
        again = _choose_again(page, element, name, lists)
        inner.enter.append(again)
        inners.append(inner)
        page.can_set(context, control.id, name, again, _choose_again(page, element, first, lists))
        seen = _open(page, element)
        if seen.kind != "popup":
            ended = False
            break
        here = Context(when, active, inactive, context.elements)
        other, _ = picture(page, here, element, seen, {control.id: name}, "list")
        other.when = when
        page.page.popups.append(other)
        lists[name] = opened = other
        page.page.tell(element["id"], "click", [{"kind": "popup", "popup": other.id}], when)
    for popup in lists.values():
        for name, item in zip(entry_names(popup.elements), popup.elements, strict=True):
            if name in control.values and item["interactive"]:
                to = [{"kind": "popup_closed"}, {"kind": "value", "control": control.id, "to": name}]
                page.page.tell(item["id"], "click", with_focus(to, focus), context.when)
            elif item["interactive"]:
                page.page.unknown(item["id"], leading.get(name, "not tried"))
    _take_focus(page, context, control.id, lists, focus)
    if not ended:
        raise Lost("the list does not open again")
    page.back(context)
    if page.crawler.enter_all(page, context, inners, control.id):
        _choose_again(page, element, first, lists)()
        page.back(context)


def is_list(page: PageCrawl) -> bool:
    """Whether what is open holds rows of which one is chosen, and nothing else that is clicked."""
    found, _ = page.read(popup=True)
    roles = {record["role"] for record in found if record["interactive"] and record["role"] != "scroll bar"}
    return bool(roles) and roles <= {*ROWS}


def _take_focus(page: PageCrawl, context: Context, control: str, lists: dict, focus: str | None) -> None:
    """A list that opens has the focus of its box, and the window shows no ring while it is open."""
    if focus is None:
        return
    for transition in page.page.transitions:
        first = transition["outcomes"][0]
        if first["kind"] == "popup" and first["popup"] in {p.id for p in lists.values()}:
            transition["outcomes"] = with_focus([first], focus)
    for layer in [la for la in page.page.layers if la.element == focus]:
        for value, popup in lists.items():
            if layer.when not in (context.when, {**context.when, control: value}):
                continue
            for part in layer.pieces:
                x0, y0, x1, y1 = part.rect
                look = popup.behind[y0:y1, x0:x1].copy()
                popup.pieces.append(Piece(part.rect, part.mask.copy(), look, None))


def _open(page: PageCrawl, element: dict):
    point = spot("combo box", element["bbox"], bool(element["state"].get("editable")))

    def act() -> None:
        page.desk.click(*page.screen(point))
        page.desk.wait_for_popup()
        page.desk.settle(awaits=True)

    return page.event(act)


def _clicker(page: PageCrawl, popup: LivingPopup, name: str):
    number = place_of(popup.elements, name)
    if number is None:
        raise Lost(f"the list does not show {name}")

    def act() -> None:
        if number >= len(popup.elements):
            raise Lost("the list has fewer entries than before")
        page.desk.click_popup(*page.screen(centre(tuple(popup.elements[number]["bbox"]))))
        page.desk.settle(awaits=True, still=CLOSED_S)

    return act


def _choose_again(page: PageCrawl, element: dict, name: str, lists: dict[str, LivingPopup]):
    """Chooses an entry; where the list does not show it now, by way of another one. `lists`: those of all values."""

    def step() -> None:
        for _ in range(MOST_WAYS):
            seen = _open(page, element)
            if seen.kind != "popup":
                return
            popup, _ = picture(page, None, element, seen, {}, "list")
            shows = {value: entry_names(known.elements) for value, known in lists.items()}
            chosen = way_to(name, entry_names(popup.elements), shows)
            page.event(_clicker(page, popup, chosen), reads=False)
            if chosen == name:
                return
        raise Lost(f"the list does not show {name}")

    return step


def _escape(page: PageCrawl, context: Context, element: dict, seen):
    """Whether the key closes a list is seen once per page. The list is open again afterwards."""
    key = {"key": "Escape"}
    if any(t["action"] == key and t["outcomes"][0]["kind"] == "popup_closed" for t in page.page.transitions):
        return seen
    page.event(lambda: _leave(page), reads=False)
    page.desk.go_home()
    if not page.desk.popups() and alike(page.desk.grab(), context.active, page.ignored):
        page.page.tell(None, key, [{"kind": "popup_closed"}])
    again = _open(page, element)
    if again.kind != "popup":
        raise Lost("the list does not open again")
    return again


def _leave(page: PageCrawl) -> None:
    x11.press("Escape")
    page.desk.wait_without_popup()
    page.desk.hide_rings()


def _is_first(page: PageCrawl, context: Context, popup: LivingPopup) -> bool:
    """Whether choosing the first entry changes nothing: then it was chosen."""
    page.event(_clicker(page, popup, entry_names(popup.elements)[0]), reads=False)
    page.desk.go_home()
    return alike(page.desk.grab(), context.active, page.ignored)


def _current(element: dict, items: list[dict], labels: list[str]) -> int | None:
    shown = {text.casefold() for text in (element["state"].get("text"), element["name"], *labels) if text}
    by_name = next((n for n, item in enumerate(items) if item["name"].casefold() in shown), None)
    if by_name is not None:
        return by_name
    told = [n for n, i in enumerate(items) if i["state"].get("selected") or i["state"].get("checked")]
    if len(told) == 1:
        return told[0]
    # GTK 3 opens a list so that what is chosen lies over the box. Choosing it at the end shows whether that was right.
    _, middle = centre(tuple(element["bbox"]))
    return next((n for n, i in enumerate(items) if i["bbox"][1] <= middle < i["bbox"][3]), None)


def picture(page: PageCrawl, context: Context | None, opener: dict, seen, when: dict, kind: str):
    """An open popup, and those of its elements that can be chosen."""
    top = seen.popups[-1]
    rect = shifted(top.box, -page.origin[0], -page.origin[1])
    page.popup_count += 1
    name = f"p{page.popup_count}"
    records = []
    found, _ = page.read(popup=True)
    for record in found:
        inside = intersection(tuple(record["bbox"]), rect)
        if inside and (record["role"] in ITEMS or record["interactive"]):
            records.append({**record, "id": f"{name}i{len(records)}", "bbox": list(inside), "popup": None})
    records = without_repeats(records)
    parts = []
    if context is not None and seen.active.shape == context.active.shape:
        parts = pieces(context.active, seen.active, None, page.ignored)
    popup = LivingPopup(name, kind, opener["id"], dict(when), rect, popup_picture(top), parts, records, seen.active)
    return popup, records
