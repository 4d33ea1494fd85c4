"""How each sort of control is driven: what of it is clicked or dragged, and what that sets."""

import itertools

from ..boxes import Box, grown, intersection
from .dial import dial
from .live_page import LivePage
from .measure import (
    BEYOND,
    Failed,
    Measured,
    Probe,
    apart,
    last_true,
    middle,
    parted,
    region,
    regions,
    spot_of,
    stops,
    stops_map,
    without_gaps,
)
from .order import order

# Most values of a control that are visited.
MOST_VALUES = 45
# How wide a gap between a mark and its label may be before it is seen, layout px.
GAP = 5
# How long a dragged item is held over its place before it is dropped.
HOLD_MS = 90


def measure(page: LivePage, told: dict) -> list[Measured]:
    """The controls that one annotation stands for: one, or one per dragged item of a list."""
    by = {"toggle": toggle, "pick": pick, "cycle": cycle, "track": track, "step": step, "dial": dial}
    if told["manner"] == "order":
        return order(page, told)
    return [by[told["manner"]](page, told)]


def toggle(page: LivePage, told: dict) -> Measured:
    """On and off by clicks; each point is tried both ways."""
    probe, base = Probe(page, told["id"]), bool(told["value"])
    now = [page.value(told["id"])]

    def flips(point) -> bool:
        before, now[0] = now[0], probe.click(point)
        return now[0] is (not before)

    def both(point) -> bool:
        return flips(point) and flips(point)

    box, start = told["box"], middle(told["target"] or told["box"])
    found = regions(box, start, both)
    if not found:
        raise Failed("a click does not flip it")
    found = _up_to_gaps(found, start, GAP * page.scale, both)
    if now[0] != base:
        flips(middle(found[0]))
    out = Measured(told["id"], told["type"], told, [base, not base], {"kind": "choices", "values": [False, True]})
    out.click_map = {"kind": "regions", "regions": [{"rect": list(rect), "value": not base} for rect in found]}
    places = [(told["uid"], None if tuple(rect) == tuple(box) else list(rect)) for rect in found]
    # The row that it lies in may answer too, as the arrow before the name of a tree's node.
    row = told.get("row")
    beside = regions(row["box"], start, both) if row else []
    places += [(row["uid"], list(rect)) for rect in beside if intersection(rect, box) != tuple(rect)]
    if now[0] != base:
        flips(middle(found[0]))
    for value in (False, True):
        to = {"kind": "value", "control": told["id"], "to": not value}
        for uid, part in places:
            out.transitions.append({"uid": uid, "when": {told["id"]: value}, "part": part, "outcomes": [to]})
    out.reach = {repr(value): ("click", middle(found[0])) for value in (False, True)}
    return out


def _up_to_gaps(found: list[Box], start, pace: int, holds) -> list[Box]:
    """Boxes without what lies beyond a gap in the first one."""
    first = without_gaps(found[0], start, pace, holds)
    limits = first[0], min(box[1] for box in found), first[2], max(box[3] for box in found)
    rest = (intersection(box, limits) for box in found[1:])
    return [first, *(box for box in rest if box and box[2] - box[0] > 1)]


def pick(page: LivePage, told: dict) -> Measured:
    """One of several by a click on it."""
    probe, base = Probe(page, told["id"]), told["value"]
    parts = told["parts"][:MOST_VALUES]
    if len(parts) < 2:
        raise Failed(f"found {len(parts)} parts to click, expected two and more")
    out = Measured(told["id"], told["type"], told, [base], {})
    spots: dict[str, tuple[int, int]] = {}
    areas, again = [], {}
    for part in parts:
        value = part["value"]
        others = [p for p in parts if p["value"] != value]
        if probe.click(middle(part["box"])) != value:
            # A page that was busy with something else gets a second chance.
            page.load()
            if probe.click(middle(part["box"])) != value:
                out.notes.append(f"a click on {value!r} does not choose it")
                page.load()
                continue
        now = [value]

        def chooses(point, value=value, others=others, now=now) -> bool:
            # From the nearest other one: of two that touch, the chosen one may lie over the edge of the other.
            for other in sorted(others, key=lambda each: apart(each["box"], point))[:2]:
                if now[0] != other["value"]:
                    now[0] = probe.click(middle(other["box"]))
                if now[0] != value:
                    break
            else:
                return False
            now[0] = probe.click(point)
            return now[0] == value

        boxes = regions(part["box"], middle(part["box"]), chooses)
        if not boxes:
            out.notes.append(f"no box of {value!r} holds")
            continue
        if told["type"] == "radio_group":
            boxes = parted(boxes, 2 * page.scale, chooses)
        found = boxes[0]
        spots[repr(value)] = middle(found)
        areas += [{"rect": list(box), "value": value} for box in boxes]
        if now[0] != value:
            now[0] = probe.click(middle(found))
        after = probe.click(middle(found))
        if after != value:
            again[repr(value)] = (part, after)
        out.transitions.append({"uid": part["uid"], "outcomes": [{"kind": "mapped", "control": told["id"]}]})
        out.reach[repr(value)] = ("click", middle(found))
        if value not in out.values:
            out.values.append(value)
    if len(spots) < 2:
        raise Failed("fewer than two values can be chosen")
    for part, after in again.values():
        known = after in out.values or after == base
        to = {"kind": "value", "control": told["id"], "to": after} if known else {
            "kind": "unmodelled", "why": "a second click was not captured"}  # fmt: skip
        out.transitions.append({"uid": part["uid"], "when": {told["id"]: part["value"]}, "outcomes": [to]})
    order = [p["value"] for p in told["parts"] if p["value"] in out.values]
    out.values = [base] + [v for v in order if v != base]
    if repr(base) not in out.reach:
        clears = next((part for part, after in again.values() if after == base), None)
        if clears:
            out.reach[repr(base)] = ("again", middle(clears["box"]), clears["value"])
    whole = order if base in order else [base, *order]
    out.domain = {"kind": "choices", "values": whole}
    if all(isinstance(v, int | float) and not isinstance(v, bool) for v in whole):
        out.domain["values"] = sorted(whole)
    out.click_map = {"kind": "regions", "regions": areas}
    return out


def cycle(page: LivePage, told: dict) -> Measured:
    """A click goes to the next value, and from the last to the first."""
    probe, base = Probe(page, told["id"]), told["value"]
    box = told["box"]
    values, point = [base], middle(told["target"] or box)
    while (value := probe.click(point)) != base:
        if value in values or len(values) > 6:
            raise Failed("clicks do not lead back")
        values.append(value)
    if len(values) < 2:
        raise Failed("a click changes nothing")
    now = [base]

    def goes_on(at) -> bool:
        before, now[0] = now[0], probe.click(at)
        return now[0] == values[(values.index(before) + 1) % len(values)]

    found = region(box, point, goes_on)
    if not found:
        raise Failed("no box of it holds")
    out = Measured(told["id"], told["type"], told, values, {"kind": "choices", "values": values})
    part = None if tuple(found) == tuple(box) else list(found)
    out.click_map = {"kind": "regions", "regions": [{"rect": list(found), "value": values[1]}]}
    out.transitions = [
        {"uid": told["uid"], "part": part, "when": {told["id"]: value},
         "outcomes": [{"kind": "value", "control": told["id"], "to": values[(n + 1) % len(values)]}]}
        for n, value in enumerate(values)
    ]  # fmt: skip
    out.steps = {1: middle(found)}
    return out


def step(page: LivePage, told: dict) -> Measured:
    """A value that two buttons move."""
    probe, base = Probe(page, told["id"]), told["value"]
    less, more = sorted(told["parts"], key=lambda part: part["value"])
    points = {-1: middle(less["box"]), 1: middle(more["box"])}
    values = [base]
    for way in (-1, 1):
        while len(values) < MOST_VALUES:
            before = page.value(told["id"])
            value = probe.click(points[way])
            if value == before:
                break
            if value not in values:
                values.append(value)
    values = sorted(values)
    if len(values) < 2:
        raise Failed("its buttons change nothing")
    steps = {round(b - a, 6) for a, b in itertools.pairwise(values)}
    out = Measured(told["id"], told["type"], told, [base] + [v for v in values if v != base], {})
    if len(steps) == 1:
        out.domain = {"kind": "range", "min": values[0], "max": values[-1], "step": steps.pop()}
    else:
        out.domain = {"kind": "choices", "values": values}
    now = [page.value(told["id"])]

    def moves(way, point) -> bool:
        index = values.index(now[0])
        while not 0 <= index + way < len(values):
            now[0] = probe.click(points[-way])
            index = values.index(now[0])
        before, now[0] = values[index], probe.click(point)
        return now[0] == values[index + way] and before != now[0]

    for way, part in ((-1, less), (1, more)):
        found = region(part["box"], points[way], lambda point, way=way: moves(way, point))
        if not found:
            raise Failed("no box of a button holds")
        points[way] = middle(found)
        box = None if tuple(found) == tuple(part["box"]) else list(found)
        by = {"kind": "value", "control": told["id"], "by": way}
        out.transitions.append({"uid": part["uid"], "part": box, "outcomes": [by]})
    out.steps = points
    return out


def track(page: LivePage, told: dict) -> Measured:
    """A number along a line, by clicks and by drags of its handle."""
    flags, name, base = told["flags"], told["id"], told["value"]
    if base is None:
        raise Failed("it tells no value")
    probe, axis = Probe(page, name), 0 if told["axis"] == "x" else 1
    box, core = told["box"], told["core"] or told["target"]
    out = Measured(name, told["type"], told, [base], {})
    across = middle(core)[1 - axis]

    def point(position, other=across):
        return (position, other) if axis == 0 else (other, position)

    if "dragOnly" not in flags:
        _click_track(told, probe, out, point, axis, box)
    if "clickOnly" not in flags:
        _drag_track(page, told, probe, out, axis, box)
    if not out.click_map and not out.drag_map:
        raise Failed("; ".join(out.notes) or "nothing sets it")
    found = [stop["value"] for m in (out.click_map, (out.drag_map or {}).get("release")) if m for stop in m["stops"]]
    values = sorted({*found, base})
    out.values = [base] + [v for v in values if v != base]
    gaps = {round(b - a, 6) for a, b in itertools.pairwise(values)}
    if len(gaps) == 1:
        out.domain = {"kind": "range", "min": values[0], "max": values[-1], "step": gaps.pop()}
    else:
        out.domain = {"kind": "choices", "values": values}
    return out


def _click_track(told, probe, out, point, axis, box) -> None:
    first, last = box[axis], box[axis + 2] - 1
    ends = probe.click(point(first + (last - first) // 4)), probe.click(point(last - (last - first) // 4))
    if ends[0] == ends[1]:
        out.notes.append("clicks set nothing")
        return
    # Where clicks begin to count, from either end: another value is set before each try.
    quarter = {-1: point(first + (last - first) // 4), 1: point(last - (last - first) // 4)}

    def counts(at, far) -> bool:
        before = probe.click(far)
        return probe.click(at) != before

    low = first if counts(point(first), quarter[1]) else last_true(
        first + (last - first) // 4, first, lambda v: counts(point(v), quarter[1]))  # fmt: skip
    high = last if counts(point(last), quarter[-1]) else last_true(
        last - (last - first) // 4, last, lambda v: counts(point(v), quarter[-1]))  # fmt: skip
    found = stops(low, high, lambda v: probe.click(point(v)))
    if not _are_enough(found, out, "clicks"):
        return
    spots = spot_of(found, high + 1)
    (low_value, high_value) = (found[0][1], found[-1][1])
    ends = spots[repr(low_value)], spots[repr(high_value)]
    centre = point(0)[1 - axis]

    def across(other) -> bool:
        probe.click(point(ends[1]))
        if probe.click(point(ends[0], other)) != low_value:
            return False
        return probe.click(point(ends[1], other)) == high_value

    sides = box[1 - axis], box[3 - axis] - 1
    edges = [end if across(end) else last_true(centre, end, across) for end in sides]
    area = (low, edges[0], high + 1, edges[1] + 1) if axis == 0 else (edges[0], low, edges[1] + 1, high + 1)
    out.click_map = stops_map(area, told["axis"], found)
    out.transitions.append({"uid": told["uid"], "outcomes": [{"kind": "mapped", "control": told["id"]}]})
    for value, position in spots.items():
        out.reach[value] = ("click", point(position))


def _are_enough(found, out, acts: str) -> bool:
    """Whether stops make a map; a track with too many is a fault of its page."""
    if not found or len(found) < 2:
        out.notes.append(f"{acts} set no values that only grow or fall")
        return False
    if len(found) > MOST_VALUES:
        raise Failed(f"{len(found)} values of {acts}, expected at most {MOST_VALUES}: give it a larger step")
    return True


def _drag_track(page, told, probe, out, axis, box) -> None:
    name = told["id"]

    def drag_to(position, other=None, off=(0, 0)):
        core = page.control(name)["core"]
        start = middle(core)
        start = start[0] + off[0], start[1] + off[1]
        side = start[1 - axis] if other is None else other
        return probe.drag(start, (position, side) if axis == 0 else (side, position))

    flags = told["flags"]
    beyond = int(flags.get("beyond", BEYOND)) * page.scale
    wide = intersection(grown(box, beyond), (0, 0, *page.size))
    first, last = wide[axis], wide[axis + 2] - 1
    first = max(first, round(float(flags.get("low", 0)) * page.scale))
    last = min(last, round(float(flags.get("high", 1e6)) * page.scale))
    # Of two handles on one line, each goes up to the other.
    for end, other in (("-from", "-to"), ("-to", "-from")):
        if told["type"] == "range_selection" and name.endswith(end):
            stop = middle(page.control(name.removesuffix(end) + other)["core"])[axis]
            # Short of the other one's value by more than half a step.
            a, b = (page.control(name.removesuffix(end) + side) for side in ("-from", "-to"))
            apart = middle(b["core"])[axis] - middle(a["core"])[axis]
            room = round(0.6 * apart * (told["step"] or 1) / max(1, b["value"] - a["value"])) + page.scale
            first, last = (first, stop - room) if end == "-from" else (stop + room, last)
    if out.click_map and _agrees(out.click_map, drag_to, (first, last)):
        found = [(stop["from"], stop["value"]) for stop in out.click_map["stops"]]
        found[0] = (first, found[0][1])
    else:
        found = stops(first, last, drag_to)
    if not _are_enough(found, out, "drags"):
        return
    spots = spot_of(found, last + 1)
    edges = sorted(spots.values())
    expected = {position: next(v for v in (p for _, p in found) if repr(v) == key) for key, position in spots.items()}
    # How far beside the line a drag may end.
    area = None
    for room in (wide, intersection(grown(box, 20 * page.scale), wide), box):
        sides = room[1 - axis], room[3 - axis] - 1
        tried = edges[0], edges[-1], edges[len(edges) // 2]
        if all(drag_to(at, side) == expected[at] for side in sides for at in tried):
            ends = (first, sides[0], last + 1, sides[1] + 1)
            area = ends if axis == 0 else (sides[0], first, sides[1] + 1, last + 1)
            break
    if area is None:
        out.notes.append("drags beside the line set something else")
        return
    core = page.control(name)["core"]
    reach = max(1, min(core[2] - core[0], core[3] - core[1]) // 4)
    keeps = None
    tries = [edges[len(edges) // 2], edges[-2 if len(edges) > 2 else -1], edges[0]]
    if min(core[2] - core[0], core[3] - core[1]) >= 3:
        off = (reach, 0) if axis == 0 else (0, reach)
        for answer in (True, False):
            if all(drag_to(at + (reach if answer else 0), off=off) == expected[at] for at in tries) and all(
                drag_to(at - (reach if answer else 0), off=(-off[0], -off[1])) == expected[at] for at in tries
            ):
                keeps = answer
                break
        # Both look alike where a stop is wider than the offset: one px beside a stop tells them apart.
        for position, value in found[1:]:
            near = drag_to(position, off=off)
            if (keeps and near == value) or (keeps is False and near != value):
                keeps = not keeps
            break
    if keeps is None:
        out.notes.append("drags that begin beside the handle's middle set something else")
        return
    out.drag_map = {"handle": None, "keeps_distance": keeps, "release": stops_map(area, told["axis"], found)}
    for value, position in spots.items():
        at = (position, middle(area)[1]) if axis == 0 else (middle(area)[0], position)
        line = (position, middle(core)[1]) if axis == 0 else (middle(core)[0], position)
        out.reach.setdefault(value, ("drag", line if area[1 - axis] <= line[1 - axis] < area[3 - axis] else at))


def _agrees(click_map: dict, drag_to, ends: tuple[int, int]) -> bool:
    """Whether drags end where clicks do, at both sides of three stops and at the ends."""
    told = click_map["stops"]
    for number, (before, after) in enumerate(itertools.pairwise(told)):
        if number not in (0, len(told) // 2, len(told) - 2):
            continue
        if drag_to(after["from"]) != after["value"] or drag_to(after["from"] - 1) != before["value"]:
            return False
    return drag_to(ends[0]) == told[0]["value"] and drag_to(ends[1]) == told[-1]["value"]
