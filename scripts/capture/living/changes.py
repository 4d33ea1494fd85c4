"""What differs between two pictures of a window: which pixels, in which boxes, and whether it counts."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ..boxes import Box, intersection, shifted, union

# Parts that are nearer to each other than a cell share a box.
CELL_PX = 8
# Two pictures are the same if no more pixels than this differ by more levels than that.
MOST_PIXELS, MOST_LEVELS = 2, 9
# What a window without the focus may change more than one with it: pixels, and how far from the others.
MOST_BESIDE, BESIDE_PX = 40, 6


@dataclass
class Piece:
    """A part of a window that is replaced. `rect` is in px of the client window until the page is written."""

    rect: Box
    mask: np.ndarray  # height x width, which pixels are replaced
    active: np.ndarray  # height x width x 3 or 4
    inactive: np.ndarray | None  # None where it looks the same

    def on(self, picture: np.ndarray, inactive: bool = False) -> None:
        """Draws it into a picture of the window."""
        x0, y0, x1, y1 = self.rect
        source = self.inactive if inactive and self.inactive is not None else self.active
        picture[y0:y1, x0:x1][self.mask] = source[..., :3][self.mask]

    def within(self, box: Box) -> "Piece | None":
        """The part of it inside a box."""
        part = intersection(self.rect, box)
        if part is None:
            return None
        x0, y0, x1, y1 = shifted(part, -self.rect[0], -self.rect[1])
        cut = (slice(y0, y1), slice(x0, x1))
        inactive = None if self.inactive is None else self.inactive[cut]
        return shrunk(Piece(part, self.mask[cut].copy(), self.active[cut], inactive))

    def without(self, box: Box) -> "Piece | None":
        """The part of it outside a box."""
        part = intersection(self.rect, box)
        if part is None:
            return self
        x0, y0, x1, y1 = shifted(part, -self.rect[0], -self.rect[1])
        mask = self.mask.copy()
        mask[y0:y1, x0:x1] = False
        return shrunk(Piece(self.rect, mask, self.active, self.inactive))


def shrunk(piece: Piece) -> Piece | None:
    """The same without rows and columns at its sides that are not replaced; None if nothing is."""
    rows, columns = np.flatnonzero(piece.mask.any(axis=1)), np.flatnonzero(piece.mask.any(axis=0))
    if not len(rows):
        return None
    y0, y1, x0, x1 = int(rows[0]), int(rows[-1]) + 1, int(columns[0]), int(columns[-1]) + 1
    cut = (slice(y0, y1), slice(x0, x1))
    left, top = piece.rect[:2]
    inactive = None if piece.inactive is None else piece.inactive[cut]
    return Piece((left + x0, top + y0, left + x1, top + y1), piece.mask[cut], piece.active[cut], inactive)


def changed(a: np.ndarray, b: np.ndarray, volatile: Iterable[Box] = ()) -> np.ndarray:
    """Which pixels differ, outside the boxes that change by themselves. Both pictures have one size."""
    mask = (a != b).any(axis=2)
    for x0, y0, x1, y1 in volatile:
        mask[max(0, y0) : max(0, y1), max(0, x0) : max(0, x1)] = False
    return mask


def alike(a: np.ndarray, b: np.ndarray, volatile: Iterable[Box] = ()) -> bool:
    """Whether two pictures show the same: a few px may differ, and all by a little."""
    return a.shape == b.shape and strayed(a, b, volatile) <= MOST_PIXELS


def strayed(a: np.ndarray, b: np.ndarray, volatile: Iterable[Box] = ()) -> int:
    """How many pixels differ by more than a few levels: all of them where the sizes differ."""
    if a.shape != b.shape:
        return max(a.shape[0] * a.shape[1], b.shape[0] * b.shape[1])
    mask = np.abs(a.astype(np.int16) - b).max(axis=2) > MOST_LEVELS
    for x0, y0, x1, y1 in volatile:
        mask[max(0, y0) : max(0, y1), max(0, x0) : max(0, x1)] = False
    return int(mask.sum())


def strays_beside(
    before: np.ndarray, after: np.ndarray, before_focused: np.ndarray, after_focused: np.ndarray, volatile=()
) -> bool:
    """Whether a window without the focus has changed where it has not with the focus."""
    if before.shape != after.shape or before_focused.shape != after_focused.shape:
        return True
    mask = changed(before, after, volatile)
    for x0, y0, x1, y1 in boxes_of(changed(before_focused, after_focused, volatile)):
        mask[max(0, y0 - BESIDE_PX) : y1 + BESIDE_PX, max(0, x0 - BESIDE_PX) : x1 + BESIDE_PX] = False
    return int(mask.sum()) > MOST_BESIDE


def boxes_of(mask: np.ndarray, cell: int = CELL_PX) -> list[Box]:
    """Boxes of the marked parts; parts whose cells touch share one."""
    if not mask.any():
        return []
    high, wide = mask.shape
    rows, columns = -(-high // cell), -(-wide // cell)
    padded = np.zeros((rows * cell, columns * cell), bool)
    padded[:high, :wide] = mask
    left = padded.reshape(rows, cell, columns, cell).any(axis=(1, 3))
    found = []
    for row, column in zip(*np.nonzero(left), strict=True):
        if not left[row, column]:
            continue
        left[row, column] = False
        edge, cells = [(row, column)], []
        while edge:
            y, x = edge.pop()
            cells.append((y, x))
            for other in ((v, u) for v in range(y - 1, y + 2) for u in range(x - 1, x + 2)):
                if 0 <= other[0] < rows and 0 <= other[1] < columns and left[other]:
                    left[other] = False
                    edge.append(other)
        y0, y1 = min(y for y, _ in cells) * cell, (max(y for y, _ in cells) + 1) * cell
        x0, x1 = min(x for _, x in cells) * cell, (max(x for _, x in cells) + 1) * cell
        found.append(tight(mask, (int(x0), int(y0), int(x1), int(y1))))
    return apart(found)


def tight(mask: np.ndarray, box: Box) -> Box:
    """A box without its unmarked rims."""
    x0, y0, x1, y1 = box
    part = mask[y0:y1, x0:x1]
    rows, columns = np.flatnonzero(part.any(axis=1)), np.flatnonzero(part.any(axis=0))
    return x0 + int(columns[0]), y0 + int(rows[0]), x0 + int(columns[-1]) + 1, y0 + int(rows[-1]) + 1


def apart(boxes: list[Box]) -> list[Box]:
    """Boxes that overlap become one."""
    out: list[Box] = []
    for box in boxes:
        merged = box
        while touching := [other for other in out if intersection(other, merged)]:
            out = [other for other in out if other not in touching]
            merged = union([merged, *touching])
        out.append(merged)
    return out


def pieces(
    before: np.ndarray, after: np.ndarray, inactive: tuple[np.ndarray, np.ndarray] | None, volatile: Iterable[Box] = ()
) -> list[Piece]:
    """What has to be replaced to turn one picture into another. `inactive` are the same two pictures of the window
    without the focus."""
    mask = changed(before, after, volatile)
    if inactive is not None:
        mask |= changed(*inactive, volatile)
    out = []
    for box in boxes_of(mask):
        x0, y0, x1, y1 = box
        cut = (slice(y0, y1), slice(x0, x1))
        active, faded = after[cut].copy(), None if inactive is None else inactive[1][cut].copy()
        if faded is not None and np.array_equal(faded[mask[cut]], active[mask[cut]]):
            faded = None
        out.append(Piece(box, mask[cut].copy(), active, faded))
    return out


def drawn(picture: np.ndarray, parts: Iterable[Piece]) -> np.ndarray:
    """A copy of a picture with pieces drawn into it."""
    out = picture.copy()
    for part in parts:
        part.on(out)
    return out


def local(box: Box, whole: Box) -> Box:
    """A box as seen from the top left of another one."""
    return shifted(box, -whole[0], -whole[1])


def cut(pixels: np.ndarray, box: Box, whole: Box) -> np.ndarray:
    """The part of a picture of `whole` inside a box."""
    x0, y0, x1, y1 = local(box, whole)
    return pixels[y0:y1, x0:x1]


def run_lengths(mask: np.ndarray) -> list[int]:
    """Runs over a mask, row by row, beginning with pixels that stay; only the first may be empty."""
    flat = mask.ravel()
    edges = np.flatnonzero(flat[1:] != flat[:-1]) + 1
    runs = np.diff(np.concatenate(([0], edges, [flat.size]))).tolist()
    return [0, *runs] if flat[0] else runs
