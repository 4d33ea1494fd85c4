"""What real clicks and drags set a control to: boxes and stops whose edges were tried, never computed."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

from ..boxes import Box
from .live_page import LivePage

# Which points of a box are tried: its corners, the middles of its sides, and its middle.
SIDES = ((0, 0), (1, 0), (0, 1), (1, 1), (0.5, 0), (0.5, 1), (0, 0.5), (1, 0.5))
# Into how many parts a line is divided at first.
EVEN_TRIES = 8
# How far beyond its box, layout px, a drag may end.
BEYOND = 20


class Failed(RuntimeError):
    """A control does not answer as its sort does."""


@dataclass
class Measured:
    """A control with its values, how it is set, and what it takes to get to a value."""

    id: str
    type: str
    told: dict
    values: list
    domain: dict
    click_map: dict | None = None
    drag_map: dict | None = None
    transitions: list[dict] = field(default_factory=list)  # of uids: {"uid", "action", "when", "part", "outcomes"}
    reach: dict = field(default_factory=dict)  # value -> ("click", point) | ("drag", from, to); keys are repr(value)
    steps: dict | None = None  # value by one: {-1: point, 1: point}
    notes: list[str] = field(default_factory=list)
    element_uid: int | None = None


def points_of(box: Box) -> list[tuple[int, int]]:
    x0, y0, x1, y1 = box[0], box[1], box[2] - 1, box[3] - 1
    return [(round(x0 + (x1 - x0) * u), round(y0 + (y1 - y0) * v)) for u, v in SIDES]


def middle(box: Box) -> tuple[int, int]:
    return (box[0] + box[2]) // 2, (box[1] + box[3]) // 2


def last_true(inside: int, outside: int, holds: Callable[[int], bool]) -> int:
    """The last position, going from one that holds to one that does not, at which it still holds."""
    while abs(outside - inside) > 1:
        between = (inside + outside) // 2
        inside, outside = (between, outside) if holds(between) else (inside, between)
    return inside


def region(box: Box, start: tuple[int, int], holds: Callable[[tuple[int, int]], bool]) -> Box | None:
    """The box around a point, within another, at whose edges and corners something still holds."""
    if not holds(start):
        return None
    if all(holds(point) for point in points_of(box)[:4]):
        return box
    x, y = start
    edges = []
    for axis, end in ((0, box[0]), (1, box[1]), (0, box[2] - 1), (1, box[3] - 1)):

        def at(v, axis=axis):
            return (v, y) if axis == 0 else (x, v)

        if holds(at(end)):
            edges.append(end)
        else:
            edges.append(last_true(start[axis], end, lambda v, at=at: holds(at(v))))
    found = edges[0], edges[1], edges[2] + 1, edges[3] + 1
    # Round corners: the box shrinks towards the point until its corners hold.
    for _ in range(8):
        if all(holds(p) for p in points_of(found)[:4]):
            return found
        centre = x, y, x, y
        found = tuple(v + (1 if v < s else -1) * max(1, abs(v - s) // 6) for v, s in zip(found, centre, strict=True))
        if found[2] - found[0] < 2 or found[3] - found[1] < 2:
            return None
    return None


def reached(inside: int, end: int, holds: Callable[[int], bool]) -> int:
    """How far towards an end something holds."""
    return end if holds(end) else last_true(inside, end, holds)


def regions(box: Box, start: tuple[int, int], holds: Callable[[tuple[int, int]], bool]) -> list[Box]:
    """Boxes that share no pixel, the one around the point first, within another box: at the corners and the middles of
    the sides of each something holds. Where a box has round corners, it is a wide one with one above and one below."""
    if not holds(start):
        return []
    if all(holds(point) for point in points_of(box)):
        return [box]
    x, y = start
    left, right = (reached(x, end, lambda v: holds((v, y))) for end in (box[0], box[2] - 1))
    top, bottom = (reached(y, end, lambda v: holds((x, v))) for end in (box[1], box[3] - 1))
    # How far up and down the outermost columns reach, and how far to the sides the outermost rows.
    up = max(reached(y, top, lambda v, at=at: holds((at, v))) for at in (left, right))
    down = min(reached(y, bottom, lambda v, at=at: holds((at, v))) for at in (left, right))
    found = [(left, up, right + 1, down + 1)]
    for row, first, end in ((top, top, up), (bottom, down + 1, bottom + 1)):
        if first < end:
            ends = (reached(x, side, lambda v, row=row: holds((v, row))) for side in (left, right))
            low, high = ends
            found.append((low, first, high + 1, end))
    kept = (shrunk(part, (x, min(max(y, part[1]), part[3] - 1)), holds) for part in found)
    return [part for part in kept if part]


def shrunk(box: Box, start: tuple[int, int], holds: Callable[[tuple[int, int]], bool]) -> Box | None:
    """A box, drawn in towards a point until its corners and the middles of its sides hold."""
    for _ in range(12):
        if all(holds(point) for point in points_of(box)):
            return box
        ends = zip(box, (*start, start[0] + 1, start[1] + 1), strict=True)
        box = tuple(v + (1 if v < s else -1) * max(1, abs(v - s) // 12) if v != s else v for v, s in ends)
        if box[2] - box[0] < 2 or box[3] - box[1] < 2:
            return None
    return None


def without_gaps(box: Box, start: tuple[int, int], pace: int, holds: Callable[[tuple[int, int]], bool]) -> Box:
    """The part of a box around a point along which something holds, tried every `pace` px: between a mark and its label
    there may be nothing."""
    x, y = start
    edges = []
    for last, step in ((box[0], -pace), (box[2] - 1, pace)):
        inside = x
        for at in (*range(x + step, last, step), last):
            if not holds((at, y)):
                inside = last_true(inside, at, lambda v: holds((v, y)))
                break
            inside = at
        edges.append(inside)
    return edges[0], box[1], edges[1] + 1, box[3]


def parted(found: list[Box], pace: int, holds: Callable[[tuple[int, int]], bool]) -> list[Box]:
    """Boxes as they are or, where along the outermost rows of one something does not hold, tried every `pace` px, a box
    on either side of each gap: a round mark and its label."""
    out: list[Box] = []
    for box in found:
        rows = sorted({box[1], box[3] - 1})

        def column(x: int, rows=rows) -> bool:
            return all(holds((x, y)) for y in rows)

        places = [*range(box[0], box[2] - 1, pace), box[2] - 1]
        held = [column(x) for x in places]
        if all(held):
            out.append(box)
            continue
        start = None
        for n, x in enumerate(places):
            if held[n] and start is None:
                start = last_true(x, places[n - 1], column) if n else x
            if start is not None and (n + 1 == len(places) or not held[n + 1]):
                end = last_true(x, places[n + 1], column) if n + 1 < len(places) else x
                part = start, box[1], end + 1, box[3]
                out += [kept for kept in (shrunk(part, middle(part), holds),) if kept]
                start = None
    return out


def apart(box: Box, point: tuple[int, int]) -> int:
    """How far a point is from a box, px along the axis on which it is farther."""
    return max(box[0] - point[0], point[0] - box[2] + 1, box[1] - point[1], point[1] - box[3] + 1, 0)


def stops(first: int, last: int, value: Callable[[int], object]) -> list[tuple[int, object]] | None:
    """Where along a line the value changes, each to the px: from both ends by halving. None if it is not monotonous."""
    seen: dict[int, object] = {}

    def at(position):
        if position not in seen:
            seen[position] = value(position)
        return seen[position]

    def between(a, b):
        if b - a <= 1 or at(a) == at(b):
            return
        half = (a + b) // 2
        at(half)
        between(a, half)
        between(half, b)

    # A value between two equal ones would not be seen by halving alone.
    places = sorted({first + (last - first) * n // EVEN_TRIES for n in range(EVEN_TRIES + 1)})
    for a, b in pairwise(places):
        between(a, b)
    order = sorted(seen)
    out = [(order[0], seen[order[0]])]
    for position in order[1:]:
        if seen[position] != out[-1][1]:
            if position - 1 not in seen:
                return None
            out.append((position, seen[position]))
    told = [v for _, v in out]
    if None in told or len({repr(v) for v in told}) != len(told):
        return None
    if all(isinstance(v, int | float) for v in told) and told not in (sorted(told), sorted(told, reverse=True)):
        return None
    return out


def stops_map(area: Box, axis: str, found: list[tuple[int, object]]) -> dict:
    told = [{"from": position, "value": value} for position, value in found]
    return {"kind": "stops", "area": list(area), "axis": axis, "stops": told}


def spot_of(found: list[tuple[int, object]], end: int) -> dict:
    """Per value the middle of its stretch; `end` is the first position after the last."""
    out = {}
    for number, (position, value) in enumerate(found):
        until = found[number + 1][0] if number + 1 < len(found) else end
        out[repr(value)] = (position + until - 1) // 2
    return out


class Probe:
    """Clicks and drags on one control."""

    def __init__(self, page: LivePage, control: str):
        self.page, self.id = page, control
        self.clicks = 0

    def click(self, point):
        """The value after a click."""
        self.clicks += 1
        self.page.click(point)
        return self.page.value(self.id)

    def drag(self, start, end, hold: int = 0, **pace):
        self.clicks += 1
        self.page.drag(start, end, hold, **pace)
        return self.page.value(self.id)
