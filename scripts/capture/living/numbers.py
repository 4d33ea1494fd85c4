"""Spin buttons and sliders: stepped through the values beside theirs, and clicked along their tracks."""

from itertools import pairwise

from . import domains, maps
from .context import Context
from .matching import lasting
from .page import Control
from .page_crawl import PageCrawl
from .records import changes_others, with_focus
from .spots import spin_buttons, spot, track_points

TRACK_POINTS = 7
# The first and the last of so many lie well inside of a track's ends.
END_POINTS = 20


def drive_spin(page: PageCrawl, context: Context, element: dict) -> None:
    # Qt tells no step.
    state = {**element["state"], "step": element["state"].get("step") or 1}
    if not domains.is_scale(state):
        page.page.unknown(element["id"], "it does not tell its range", context.when)
        return
    focus, layer, first = _focus(page, context, element)
    name = f"c-{element['id']}"
    low, high, step = state["min"], state["max"], state["step"]
    buttons = spin_buttons(tuple(element["bbox"]), page.shot.toolkit)
    control = Control(name, element["id"], "stepper", state["value"], range=(low, high, step))
    reached = {state["value"]}
    worked = set()
    for way, button in ((1, buttons[0]), (-1, buttons[1])):
        point = (button[0] + button[2]) // 2, (button[1] + button[3]) // 2
        value = state["value"]
        coupled = False
        for _ in range(domains.STEPS_ASIDE):
            if page.late or not low <= value + way * step <= high:
                break
            seen = page.click(point)
            if seen.kind != "seen":
                break
            difference = page.differ(context, seen)
            now = _value(seen, difference, element["id"])
            if now is None or now == value or now in reached:
                break
            coupled = changes_others(context.elements, difference.changes, element["id"])
            if coupled:
                # What else has changed stays so when this number goes back.
                page.reopen(context)
                break
            if abs(now - value - way * step) > 1e-6:
                control.range = (low, high, round(abs(now - value), 6))
                step = control.range[2]
            value = now
            reached.add(value)
            control = page.page.controls.setdefault(name, control)
            _visit(page, context, control, value, difference, seen, focus, layer)
            count = len([v for v in reached if (v - state["value"]) * way > 0])
            page.can_set(context, name, value, _clicks(page, buttons, way, count), _clicks(page, buttons, -way, count))
            worked.add(way)
        gone = len([v for v in reached if (v - state["value"]) * way > 0])
        if gone:
            worked.add(-way)
        if not coupled:
            _return(page, context, gone, -way, buttons)
    if not worked:
        page.back(context)
        page.page.unknown(element["id"], "its buttons do not answer", context.when)
        return
    for way, button in zip((1, -1), buttons, strict=True):
        outcome = [{"kind": "value", "control": name, "by": way}]
        if way in worked:
            page.page.tell(element["id"], "click", with_focus(outcome, focus), context.when, list(button))
    text = [element["bbox"][0], element["bbox"][1], min(b[0] for b in buttons), element["bbox"][3]]
    told = first or [{"kind": "inert"}]
    page.page.tell(element["id"], "click", told, context.when, text)
    page.back(context)


def _focus(page: PageCrawl, context: Context, element: dict):
    """What a click on its text does."""
    seen = page.click(spot(element["role"], element["bbox"]))
    if seen.kind != "seen":
        page.crawler.led_away(page, context, element, seen)
        return None, [], None
    difference = page.differ(context, seen)
    focus = page.focus_of(difference, seen) or page.ring_at(element["id"], context, context.active, seen.active)
    layer = page.add_focus(context.when, context.active, context.inactive, focus, seen.active)
    page.back(context)
    return focus, layer, None if focus is None else [{"kind": "focus", "element": focus}]


def _value(seen, difference, element: str) -> float | None:
    found = (r for r, i in zip(seen.records, difference.ids, strict=True) if i == element)
    return next((r["state"].get("value") for r in found), None)


def _visit(page: PageCrawl, context: Context, control: Control, value, difference, seen, focus, layer) -> None:
    found, active, inactive = page.look(context)
    difference.changes = [c if "state" not in c else {**c, "state": lasting(c["state"])} for c in difference.changes]
    page.add_patch(context, control.id, value, found, difference)
    page.focus_variant({**context.when, control.id: value}, active, inactive, focus, seen.active, layer)


def _return(page: PageCrawl, context: Context, count: int, way: int, buttons) -> None:
    _clicks(page, buttons, way, count)()
    page.back(context)


def _clicks(page: PageCrawl, buttons, way: int, count: int):
    """So many clicks on one of its buttons."""
    button = buttons[0 if way > 0 else 1]
    point = (button[0] + button[2]) // 2, (button[1] + button[3]) // 2

    def act() -> None:
        for _ in range(count):
            page.clicker(point)()

    return act


def drive_slider(page: PageCrawl, context: Context, element: dict) -> None:
    state = element["state"]
    if not domains.is_scale({**state, "step": state.get("step") or 1}):
        page.page.unknown(element["id"], "it does not tell its range", context.when)
        return
    low, high, step = state["min"], state["max"], state.get("step") or 1
    control = Control(f"c-{element['id']}", element["id"], "slider", state["value"], range=(low, high, step))
    control = page.page.controls.setdefault(control.id, control)
    measured, seen_values, focus = [], {state["value"]}, None
    box = tuple(element["bbox"])
    axis = "x" if box[2] - box[0] >= box[3] - box[1] else "y"
    for point in track_points(box, TRACK_POINTS):
        if page.late:
            break
        seen = page.click(point)
        if seen.kind != "seen":
            page.crawler.led_away(page, context, element, seen)
            break
        difference = page.differ(context, seen)
        focus = page.focus_of(difference, seen)
        value = _value(seen, difference, element["id"])
        if value is None:
            continue
        measured.append((point[0] if axis == "x" else point[1], value))
        if value not in seen_values:
            seen_values.add(value)
            _visit(page, context, control, value, difference, seen, focus, [])
    scale = maps.fitted(measured, low, high, step)
    if len(seen_values) < 2 or scale is None:
        page.page.notes.append(f"slider {element['name']}: no scale fits {measured}")
        page.page.discard(control.id)
        page.crawler.set_value(page, element, state["value"])
        page.back(context)
        if not _by_pages(page, context, element, axis):
            page.page.unknown(element["id"], "no scale fits its clicks", context.when)
        return
    control.click_map = {"kind": "linear", "area": list(box), "axis": axis, "scale": scale}
    outcome = [{"kind": "mapped", "control": control.id}]
    page.page.tell(element["id"], "click", with_focus(outcome, focus), context.when)
    page.crawler.set_value(page, element, state["value"])
    page.back(context)


def _by_pages(page: PageCrawl, context: Context, element: dict, axis: str) -> bool:
    """A slider that each click moves towards the pointer by as much: told at the values that were visited, beside the
    handle. The way back shows that it takes the same steps."""
    state, box = element["state"], tuple(element["bbox"])
    low, high, step = state["min"], state["max"], state.get("step") or 1
    control = Control(f"c-{element['id']}", element["id"], "slider", state["value"], range=(low, high, step))
    _, first, *_, last, _ = track_points(box, END_POINTS)
    told = False
    for away, home in ((last, first), (first, last)):
        path, focus = [state["value"]], None
        for _ in range(domains.STEPS_ASIDE):
            seen = page.click(away)
            if page.late or seen.kind != "seen":
                break
            difference = page.differ(context, seen)
            value = _value(seen, difference, element["id"])
            if value is None or value in path:
                break
            path.append(value)
            focus = page.focus_of(difference, seen) or page.ring_at(element["id"], context, context.active, seen.active)
            page.page.controls.setdefault(control.id, control)
            _visit(page, context, control, value, difference, seen, focus, [])
        back = [path[-1]]
        for _ in path[1:]:
            seen = page.click(home)
            back.append(_value(seen, page.differ(context, seen), element["id"]) if seen.kind == "seen" else None)
        if back[::-1] != path:
            page.page.notes.append(f"slider {element['name']}: {path}, and back {back}")
            if control.id in page.page.controls:
                page.page.discard(control.id)
            page.crawler.set_value(page, element, state["value"])
            page.back(context)
            return False
        page.back(context)
        moves = [(*pair, away) for pair in pairwise(path)] + [(*pair, home) for pair in pairwise(back)]
        for start, end, towards in moves:
            share = (start - low) / (high - low)
            part = maps.beside_handle(box, axis, share, towards is last)
            if part is not None:
                outcome = with_focus([{"kind": "value", "control": control.id, "to": end}], focus)
                page.page.tell(element["id"], "click", outcome, {**context.when, control.id: start}, list(part))
                told = True
    return told
