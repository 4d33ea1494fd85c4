"""Finds the scroll areas of a page by turning the wheel over what may scroll, and pictures all that each of them
holds."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..boxes import Box, centre, covered_share, holds, intersection, shifted, union
from . import changes
from .context import Context
from .desk import Lost
from .page_crawl import PageCrawl
from .strips import Refused, ScrollArea, bar_of, merged, shift, step_of, stitched
from .wheels import NOTCHES, holders, spot_in

# A content of more notches than this is not pictured.
MOST_NOTCHES = 40
# A program draws within so long.
LATE_S = 0.5
# How far beside its content a scroll bar begins.
BESIDE_PX = 6


@dataclass
class View:
    """What shows at an offset: the client window with the focus and without, elements in px of the page's picture."""

    active: np.ndarray
    inactive: np.ndarray | None
    records: list[dict]


def find(page: PageCrawl, context: Context) -> None:
    """Adds the scroll areas of a page as it was captured. Where the wheel does nothing, that is told."""
    done: list[Box] = []
    for holder in holders(context.elements):
        point = spot_in(holder, context.elements)
        if point is None or any(holds(box, *point) for box in done):
            continue
        done.append(tuple(holder["bbox"]))
        page.guarded(context, f"the wheel over {holder['role']} {holder['name']}", _try, holder, point)


def _try(page: PageCrawl, context: Context, holder: dict, point) -> None:
    measured = _Measured(page, context, holder, point)
    if measured.is_inert():
        for notches in NOTCHES:
            page.page.tell(holder["id"], {"scroll": [0, notches]}, [{"kind": "inert"}], context.when)
        return
    try:
        page.page.areas.append(measured.area(f"s{len(page.page.areas) + 1}"))
    except Refused as why:
        page.page.notes.append(f"no scroll area {holder['role']} {holder['name']}: {why}")
        page.page.tell(holder["id"], {"scroll": [0, 1]}, [{"kind": "unmodelled", "why": str(why)}], context.when)
    page.back(context, measured.undo)


class _Measured:
    def __init__(self, page: PageCrawl, context: Context, holder: dict, point):
        self.page, self.context, self.holder, self.point = page, context, holder, point
        self.notches = MOST_NOTCHES  # from one end to the other

    def is_inert(self) -> bool:
        """Whether the wheel does nothing, either way."""
        for notches in NOTCHES:
            seen = self._turn(notches)
            if not changes.alike(seen.active, self.context.active, self.page.ignored):
                return False
        return True

    def _turn(self, notches: int, point=None, across: bool = False) -> View:
        page = self.page
        before = page.desk.grab()
        seen = page.event(lambda: page.desk.turn(*page.screen(point or self.point), notches, across))
        if seen.kind != "seen":
            raise Lost(f"the wheel: {seen.kind}")
        if abs(notches) == 1 and not np.array_equal(before, seen.active):
            return View(seen.active, None, seen.records)
        # What seems to be an end may not be drawn yet.
        page.desk.settle(still=LATE_S)
        return View(page.desk.grab(), None, page.read()[0])

    def undo(self) -> None:
        """Back to where the page's picture shows it: one of the ends."""
        for notches in (-self.notches, self.notches):
            if self._same(self._turn(notches).active):
                return

    def _same(self, seen: np.ndarray) -> bool:
        return changes.alike(seen, self.context.active, self.page.ignored)

    def _run(self, notches: int) -> list[View]:
        """What shows notch by notch up to an end, beginning with what shows now."""
        out = [View(self.page.desk.grab(), None, self.page.read()[0])]
        while len(out) <= MOST_NOTCHES:
            if notches > 0:
                out[-1].inactive = self.page.desk.inactive(out[-1].active)
            seen = self._turn(notches)
            if np.array_equal(seen.active, out[-1].active):
                self.notches = len(out)
                return out
            out.append(seen)
        raise Refused(f"it is longer than {MOST_NOTCHES} notches")

    def area(self, name: str) -> ScrollArea:
        self._run(-1)
        down = self._run(1)
        up = self._run(-1)
        if not np.array_equal(self._turn(1, across=True).active, up[-1].active):
            raise Refused("it moves sideways, too")
        if not any(self._same(view.active) for view in (down[0], down[-1])):
            raise Refused("the page shows neither end of it")
        bar = self._bar()
        box = self._viewport([view.active for view in down], bar)
        pictures = [self._cut(view.active, box) for view in down]
        offsets = [0]
        for before, now in pairwise(down):
            offsets.append(
                offsets[-1] + shift(*(self._cut(v.active, box) for v in (before, now)), self._told(before, now))
            )
        back = [offsets[-1]]
        for before, now in pairwise(up):
            told = self._told(now, before)
            back.append(back[-1] - shift(self._cut(now.active, box), self._cut(before.active, box), told))
        step = step_of(offsets, back)
        content = stitched(zip(offsets, pictures, strict=True))
        # Notches down and up meet different offsets.
        stitched(
            [
                *zip(offsets, pictures, strict=True),
                *((at, self._cut(v.active, box)) for at, v in zip(back, up, strict=True)),
            ]
        )
        faded = stitched((at, self._cut(v.inactive, box)) for at, v in zip(offsets, down, strict=True))
        offset = 0 if self._same(down[0].active) else offsets[-1]
        viewport = shifted(box, *self.page.offset)
        bars = []
        if bar is not None:
            own = shifted(tuple(bar["bbox"]), -self.page.offset[0], -self.page.offset[1])
            looks = [
                (at, self._cut(v.active, own), self._cut(v.inactive, own)) for at, v in zip(offsets, down, strict=True)
            ]
            bars = [bar_of(bar["id"], own, looks, offset)]
            bars[0].turns = self._turns_over(centre(tuple(bar["bbox"])), [view.active for view in down])
        views = ((at, self._inside(v.records, viewport)) for at, v in zip(offsets, down, strict=True))
        elements = merged(views, viewport[3] - viewport[1])
        for number, element in enumerate(elements):
            # Their parent is the area: those that show only in the content have no other that always does.
            element |= {"id": f"{name}-{number}", "parent": None}
        inactive = None if np.array_equal(content, faded) else faded
        return ScrollArea(name, self.holder["id"], viewport, content, inactive, offset, step, elements, bars)

    def _turns_over(self, point, down: list[np.ndarray]) -> bool:
        """Whether the wheel over a bar does what it does over the content, which shows its beginning now."""
        for notches in NOTCHES:
            to = min(notches, len(down) - 1) if notches > 0 else 0
            if not np.array_equal(self._turn(notches, point).active, down[to]):
                return False
        return True

    def _bar(self) -> dict | None:
        """The scroll bar beside the content."""
        _, y0, x1, y1 = self.holder["bbox"]
        for element in self.context.elements:
            left, top, right, bottom = element["bbox"]
            beside = x1 - BESIDE_PX <= left <= x1 + BESIDE_PX and min(bottom, y1) - max(top, y0) > (y1 - y0) / 2
            if element["role"] == "scroll bar" and beside and bottom - top > right - left:
                return element
        return None

    def _viewport(self, pictures: list[np.ndarray], bar: dict | None) -> Box:
        """Where the content shows, in px of the client window: the element, without what the bar takes of it. Nothing
        else may change."""
        page = self.page
        mask = np.zeros(pictures[0].shape[:2], bool)
        for picture in pictures[1:]:
            mask |= changes.changed(pictures[0], picture, page.ignored)
        box = shifted(tuple(self.holder["bbox"]), -page.offset[0], -page.offset[1])
        if bar is not None:
            x0, y0, x1, y1 = shifted(tuple(bar["bbox"]), -page.offset[0], -page.offset[1])
            mask[y0:y1, x0:x1] = False
            box = (*box[:2], min(box[2], x0), box[3])
        found = changes.boxes_of(mask)
        if not found or covered_share(union(found), box) < 1:
            raise Refused(f"it changes {union(found) if found else 'nothing'}, which is not {box}")
        return box

    @staticmethod
    def _cut(picture: np.ndarray, box: Box) -> np.ndarray:
        x0, y0, x1, y1 = box
        return picture[y0:y1, x0:x1]

    def _told(self, before: View, now: View) -> int | None:
        """How far elements say that the content has moved up."""
        places = {}
        for element in before.records:
            if element["name"]:
                places.setdefault((element["role"], element["name"], element["bbox"][0]), []).append(element["bbox"])
        moves: dict[int, int] = {}
        for element in now.records:
            old = places.get((element["role"], element["name"], element["bbox"][0]), ())
            if len(old) != 1 or intersection(tuple(element["bbox"]), tuple(self.holder["bbox"])) is None:
                continue
            # What is cut off at one side has moved at the other one.
            if old[0][3] - old[0][1] == element["bbox"][3] - element["bbox"][1]:
                by = old[0][1] - element["bbox"][1]
                moves[by] = moves.get(by, 0) + 1
        moves.pop(0, None)
        return max(moves, key=lambda by: moves[by]) if moves else None

    def _inside(self, records: list[dict], viewport: Box) -> list[dict]:
        """Elements of the content, as far as they show, in px of the viewport."""
        out = []
        for record in records:
            box = tuple(record["bbox"])
            part = intersection(box, viewport)
            if part is None or covered_share(viewport, box) == 1 or record["role"] == "scroll bar":
                continue
            if covered_share(box, viewport) < 1:
                continue
            state = {key: value for key, value in record["state"].items() if key != "focused"}
            out.append(
                {**record, "bbox": list(shifted(part, -viewport[0], -viewport[1])), "state": state, "popup": None}
            )
        return out
