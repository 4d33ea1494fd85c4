"""A number that a click sets by its direction."""

import itertools

from ..boxes import Box
from .live_page import LivePage
from .measure import Failed, Measured, Probe, middle

# Into how many columns and rows the box of a dial is divided; cells in which it is not the same are divided once more,
# into as many again.
CELLS = 10
FINER = 2


def dial(page: LivePage, told: dict) -> Measured:
    """Boxes at whose corners a click sets the same."""
    box, name = told["core"] or told["box"], told["id"]
    regions = cells(box, Clicks(page, told, box))
    values = sorted({region["value"] for region in regions})
    if len(values) < 3:
        raise Failed(f"clicks set {values}")
    base = told["value"]
    out = Measured(name, told["type"], told, [base] + [v for v in values if v != base], {})
    gaps = {round(b - a, 6) for a, b in itertools.pairwise(values)}
    whole = sorted({*values, base})
    out.domain = (
        {"kind": "range", "min": whole[0], "max": whole[-1], "step": gaps.pop()} if len(gaps) == 1 and base in values
        else {"kind": "choices", "values": whole}
    )  # fmt: skip
    out.click_map = {"kind": "regions", "regions": regions}
    out.transitions = [{"uid": told["uid"], "outcomes": [{"kind": "mapped", "control": name}]}]
    largest = sorted(regions, key=lambda r: -(r["rect"][2] - r["rect"][0]) * (r["rect"][3] - r["rect"][1]))
    for value in values:
        out.reach[repr(value)] = ("click", middle(next(r["rect"] for r in largest if r["value"] == value)))
    return out


class Clicks:
    """What clicks set, each point tried once; null where a click does nothing."""

    def __init__(self, page: LivePage, told: dict, box: Box):
        self.probe, self.now = Probe(page, told["id"]), page.value(told["id"])
        self.known: dict[tuple[int, int], object] = {}
        wide, high = box[2] - box[0], box[3] - box[1]
        # Points that surely set something: beside the middle.
        self.sure = [(box[0] + wide * n // 4, box[1] + high // 2) for n in (1, 3)]

    def __call__(self, point: tuple[int, int]):
        if point not in self.known:
            self.known[point] = self._click(point)
        return self.known[point]

    def _click(self, point):
        before, self.now = self.now, self.probe.click(point)
        if self.now != before:
            return self.now
        # The value that it had: from another one it must come back.
        for other in self.sure:
            away = self.probe.click(other)
            if away != before:
                self.now = self.probe.click(point)
                return self.now if self.now == before else None
        return None


def cells(box: Box, value) -> list[dict]:
    """Boxes that share no pixel, each with the value at its corners and at those of all cells in it."""
    fine = [lines(box[axis], box[axis + 2] - 1, CELLS * FINER) for axis in (0, 1)]
    count = CELLS * FINER
    told: dict[tuple[int, int], object] = {}

    def corner_value(x, y, wide):
        found = {repr(v): v for v in (value((fine[0][a], fine[1][b])) for a in (x, x + wide) for b in (y, y + wide))}
        return next(iter(found.values())) if len(found) == 1 else None

    for y, x in itertools.product(range(0, count, FINER), range(0, count, FINER)):
        whole = corner_value(x, y, FINER)
        for b, a in itertools.product(range(y, y + FINER), range(x, x + FINER)):
            told[a, b] = corner_value(a, b, 1) if whole is None else whole
    out: list[dict] = []
    for y in range(count):
        x = 0
        while x < count:
            found, start = told[x, y], x
            while x < count and told[x, y] == found:
                x += 1
            if found is not None:
                # The last px of a cell is the first of the next one; the outermost belong to the last cells.
                right, low = fine[0][x] + (x == count), fine[1][y + 1] + (y + 1 == count)
                rect = [fine[0][start], fine[1][y], right, low]
                same = (r for r in out if r["value"] == found and r["rect"][3] == rect[1])
                above = next((r for r in same if r["rect"][::2] == rect[::2]), None)
                if above:
                    above["rect"][3] = low
                else:
                    out.append({"rect": rect, "value": found})
    return out


def lines(first: int, last: int, count: int) -> list[int]:
    """Where cells begin, and the last px."""
    return [round(first + (last - first) * n / count) for n in range(count + 1)]
