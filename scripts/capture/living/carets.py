"""The caret of a field whose toolkit shows one that stands still: what it looks like, and where it stands behind a
text."""

from itertools import pairwise

import numpy as np

from .. import x11
from ..boxes import Box, shifted
from . import changes
from .letters import UNITS, Caret, Field, Shape, Unfit

# Texts of so many spaces are seen with the focus; the last one's caret is far from the others.
COUNTS = (0, 3, 4, 5, 6, 7, 8, 16)


class Carets:
    def __init__(self, typed, field: Field, shape: Shape):
        self.typed, self.field, self.shape = typed, field, shape

    def measure(self, own: str) -> None:
        """Tells a field of its caret. `own` is the page's text."""
        typed, place = self.typed, self.field.place
        ground = typed.shows("")
        typed.enter()
        # What shows where the focus is may fade in.
        typed.put("")
        typed._at_rest()
        seen = {count: self._with_spaces(count) for count in COUNTS}
        boxes = {count: self._box(seen[count], seen[COUNTS[-1]]) for count in COUNTS[:-1]}
        # In the empty field it may stand higher or lower.
        caret = self._ruled({count: box for count, box in boxes.items() if count})
        x0, y0, x1, y1 = shifted(boxes[COUNTS[1]], -typed.offset[0], -typed.offset[1])
        place.caret = Caret(caret[0], caret[1], seen[COUNTS[1]][y0:y1, x0:x1].copy())
        self.field.own_caret = self._behind(own) if own else boxes[0]
        x0, y0, x1, y1 = shifted(boxes[0], -typed.offset[0], -typed.offset[1])
        mask = np.ones((y1 - y0, x1 - x0), bool)
        self.field.empty_caret = changes.Piece(boxes[0], mask, seen[0][y0:y1, x0:x1].copy(),
                                               ground[y0:y1, x0:x1].copy())  # fmt: skip
        typed.put("")

    def _with_spaces(self, count: int) -> np.ndarray:
        self.typed.put(" " * count)
        x11.press("End")
        self.typed.desk.settle()
        return self.typed.seen().copy()

    def _box(self, seen: np.ndarray, far: np.ndarray) -> Box:
        """Where the caret is: what differs from a picture in which it is far away, on the left."""
        clip = self.field.place.clip
        off = changes.changed(self.typed._cut(seen, clip), self.typed._cut(far, clip))
        columns = np.flatnonzero(off.any(axis=0))
        if not len(columns):
            raise Unfit("no caret shows")
        wide = next((n for n in range(1, len(columns)) if columns[n] != columns[0] + n), len(columns))
        rows = np.flatnonzero(off[:, columns[0]])
        x, y = clip[:2]
        return x + int(columns[0]), y + int(rows[0]), x + int(columns[0]) + wide, y + int(rows[-1]) + 1

    def _ruled(self, boxes: dict[int, Box]) -> tuple[Box, int]:
        """The caret's box as seen from the end of a text, and its shift: it is rounded to the nearest px (Qt), or to
        the nearest 1/64 px and then down (Chromium)."""
        place, parts = self.field.place, self.shape.parts
        for shift in (-place.shift, -place.shift - parts // 2 + parts // (2 * UNITS)):
            found = {shifted(box, -self._end(" " * count, shift), -place.origin[1]) for count, box in boxes.items()}
            if len(found) == 1:
                return found.pop(), shift
        raise Unfit("the caret is not where letters tell")

    def _end(self, text: str, shift: int) -> int:
        """The px at the end of a text, from which its caret is seen."""
        place, parts, shape = self.field.place, self.shape.parts, self.shape
        pen = sum(shape.advances[c] for c in text) + sum(shape.kerning.get(pair, 0) for pair in pairwise(text))
        return (2 * (place.origin[0] * parts + place.shift + pen + shift) + parts) // (2 * parts)

    def _behind(self, text: str) -> Box:
        """Where the caret is behind a text, on the page."""
        place = self.field.place
        return shifted(place.caret.rect, self._end(text, place.caret.shift), place.origin[1])
