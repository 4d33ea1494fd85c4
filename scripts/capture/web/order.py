"""Items that are dragged to other places of a list: where drags begin, where they end, and the order that follows."""

from dataclasses import dataclass
from itertools import pairwise

from ..boxes import Box
from .live_page import LivePage
from .measure import Failed, Measured, Probe, middle

# Of a list in any order, how many items are dragged.
DRAGGED_ITEMS = 2
# How long a dragged item is held over its place before it is dropped, while a map is measured: lists that are dragged
# look where the pointer is every 50 ms.
HOLD_MS = 60
# How many times a slow drag rests on its way, and for how long.
RESTS, REST_MS = 5, 55
# At how many points along the list each place is tried, and how well the border of two outcomes is known, layout px.
PARTS = 2
FINE = 4
# By how much a box is drawn in from the edges, layout px, until drags at its corners agree.
INSETS = (1, 2, 4, 8)
# How many corners a box has.
CORNERS = 4


@dataclass
class Zone:
    """Where drags end in one order, along the list."""

    first: int
    last: int
    value: list


def order(page: LivePage, told: dict) -> list[Measured]:
    """Each of the first items is a control of its own."""
    base, items = told["value"], told["parts"]
    out = []
    indices = [int(n) for n in told["flags"].get("drags", "").split()] or list(range(min(DRAGGED_ITEMS, len(items))))
    for index in indices:
        item = items[index]
        own = Measured(item_id(told, item), told["type"], told, [base], {})
        own.element_uid = item["uid"]
        found = Dragging(page, told, index).map()
        if not found:
            continue
        handle, regions = found
        own.values = [base]
        own.values += [value for n, (_, value) in enumerate(regions) if value not in [v for _, v in regions[:n]]]
        own.domain = {"kind": "order", "items": list(base)}
        release = {"kind": "regions", "regions": [{"rect": list(rect), "value": value} for rect, value in regions]}
        own.drag_map = {"handle": list(handle), "keeps_distance": False, "release": release}
        largest = sorted(regions, key=lambda region: -area(region[0]))
        for rect, value in largest:
            own.reach.setdefault(repr(value), ("drag_from", middle(handle), middle(rect)))
        out.append(own)
    if not out:
        raise Failed("no drag moves an item")
    return out


def item_id(told: dict, item: dict) -> str:
    return f"{told['id']}-{item['value']}".lower().replace(" ", "-")


def area(box: Box) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])


def corners(box: Box) -> list[tuple[int, int]]:
    x0, y0, x1, y1 = box[0], box[1], box[2] - 1, box[3] - 1
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def inset(box: Box, by: int) -> Box:
    return box[0] + by, box[1] + by, box[2] - by, box[3] - by


class Dragging:
    """Drags of one item; after each the list is as it was."""

    def __init__(self, page: LivePage, told: dict, index: int):
        self.page, self.base, self.scale = page, told["value"], page.scale
        self.probe, self.axis = Probe(page, told["id"]), 0 if told["axis"] == "x" else 1
        self.name = self.base[index]
        self.boxes = [item["box"] for item in told["parts"]]
        self.item = self.boxes[index]
        self.others = [box for n, box in enumerate(self.boxes) if n != index]

    def after(self, start, end, slow: bool = False):
        """The order after a drag."""
        pace = {"steps": RESTS, "rest": REST_MS} if slow else {}
        value = self.probe.drag(start, end, HOLD_MS, **pace)
        if value != self.base:
            now = self.boxes[value.index(self.name)] if value and self.name in value else self.item
            if self.probe.drag(middle(now), middle(self.item), HOLD_MS) != self.base:
                self.page.load()
        return value

    def map(self) -> tuple[Box, list[tuple[Box, list]]] | None:
        """The box of all starts that behave alike, and per order where drags end."""
        far = sorted(self.others, key=lambda box: -abs(box[self.axis] - self.item[self.axis]))
        # At the middle of a place beside the item, an order may give way to another one.
        tried = ((middle(box), self.after(middle(self.item), middle(box))) for box in far)
        goal, moved = next(((goal, value) for goal, value in tried if value not in (None, self.base)), (None, None))
        if goal is None:
            return None
        handle = self._drawn_in(self.item, lambda box: all(self.after(at, goal) == moved for at in corners(box)))
        if not handle:
            return None
        regions = []
        for zone in self.zones():
            rect = self._region(zone, handle)
            if rect:
                regions.append((rect, zone.value))
        return (handle, regions) if regions else None

    def zones(self) -> list[Zone]:
        """Along the middle of the list: where the order changes, to a few px."""
        ends = [box[self.axis] for box in self.boxes], [box[self.axis + 2] for box in self.boxes]
        # What a drag beyond the list does depends on how one got there.
        places = {min(ends[0]), max(ends[1]) - 1}
        for box in self.boxes:
            low, high = box[self.axis], box[self.axis + 2] - 1
            places |= {low + (high - low) * (2 * part + 1) // (2 * PARTS) for part in range(PARTS)}
        seen = {position: self._at(position) for position in sorted(places)}
        for a, b in pairwise(sorted(places)):
            self._refine(seen, a, b)
        zones: list[Zone] = []
        for position in sorted(seen):
            if zones and zones[-1].value == seen[position]:
                zones[-1].last = position
            else:
                zones.append(Zone(position, position, seen[position]))
        return [zone for zone in zones if zone.value not in (None, self.base) and zone.last > zone.first]

    def _at(self, position: int):
        across = middle(self.item)[1 - self.axis]
        return self.after(middle(self.item), (position, across) if self.axis == 0 else (across, position))

    def _refine(self, seen: dict, a: int, b: int) -> None:
        if seen[a] == seen[b] or b - a <= FINE * self.scale:
            return
        half = (a + b) // 2
        seen[half] = self._at(half)
        self._refine(seen, a, half)
        self._refine(seen, half, b)

    def _region(self, zone: Zone, handle: Box) -> Box | None:
        """A zone as wide as drags from corners of the handle to its own corners agree, quick and slow."""
        first, last = zone.first, zone.last + 1
        low, high = self.item[1 - self.axis], self.item[3 - self.axis]

        starts = corners(handle)

        def agrees(box: Box) -> bool:
            # At each corner a quick drag ends and a slow one, from two corners of the handle.
            ends = corners(box)
            both = [(starts[(n + 2 + slow) % CORNERS], ends[n], slow) for n in range(CORNERS) for slow in (False, True)]
            return all(self.after(start, end, slow) == zone.value for start, end, slow in both)

        return self._drawn_in((first, low, last, high) if self.axis == 0 else (low, first, high, last), agrees)

    def _drawn_in(self, box: Box, holds) -> Box | None:
        for by in INSETS:
            smaller = inset(box, by * self.scale)
            if smaller[2] - smaller[0] < self.scale or smaller[3] - smaller[1] < self.scale:
                return None
            if holds(smaller):
                return smaller
        return None
