"""Icons in front of the cells of GTK's lists: they belong to the row, but their renderer has no name and is not kept.

A person who is asked for a file may click its icon. Its cell's box begins at the icon therefore.
"""

from collections.abc import Sequence

import numpy as np

from .boxes import Box, height, intersection

ROLES = ("table cell", "list item", "tree item")
# Renderers that a click acts on.
CHECKED = {"checkable", "checked"}
# From an icon to its text; an icon's least side; how much wider than its row it may be.
GAP_PX, LEAST_PX, OVER_PX = 11, 13, 6
ROOM_PX, INSIDE_PX, INK_CONTRAST, RULE_SHARE = 48, 8, 24, 0.97
LEAST_ROW_PX, MOST_ROW_PX = 12, 60


def begin_at_icons(
    elements: Sequence, toolkit: str, checks: Sequence[Box], pixels: np.ndarray, origin: tuple[int, int]
) -> None:
    """Elements are changed in place. `checks` are boxes of check marks, which are no icons."""
    if not toolkit.lower().startswith(("gtk", "gail")):
        return
    columns: dict[tuple, dict[int, int]] = {}
    for index, element in enumerate(elements):
        if element.role in ROLES and element.interactive and element.name:
            start = _icon_start(elements, index, checks, pixels, origin)
            if start is not None:
                columns.setdefault((element.parent, element.box[0]), {})[index] = start
    for starts in columns.values():
        left = min(starts.values())
        for index in starts:
            elements[index].box = (left, *elements[index].box[1:])


def _icon_start(
    elements: Sequence, index: int, checks: Sequence[Box], pixels: np.ndarray, origin: tuple[int, int]
) -> int | None:
    box = elements[index].box
    high = height(box)
    if not LEAST_ROW_PX <= high <= MOST_ROW_PX:
        return None
    left = _room(elements, index, max(ROOM_PX, high + LEAST_PX))
    x, y = origin
    band = pixels[box[1] + 1 - y : box[3] - 1 - y, max(0, left - x) : max(0, min(box[0] + INSIDE_PX, box[2]) - x), :3]
    before = box[0] - max(left, x)
    if before < LEAST_PX or band.size == 0:
        return None
    band = band.astype(int)
    ink = np.abs(band - np.median(band.reshape(-1, 3), axis=0)).max(axis=2) > INK_CONTRAST
    ink[:, ink.mean(axis=0) >= RULE_SHARE] = False
    runs = [r for r in _runs(ink.any(axis=0)) if r[0] < before - 1]
    if not runs:
        return None
    start, end = runs[-1]
    # Text that begins before its cell is cells.py's matter.
    if start < 1 or before - end > GAP_PX or end == band.shape[1]:
        return None
    rows = np.flatnonzero(ink[:, start:end].any(axis=1))
    if not LEAST_PX <= end - start <= high + OVER_PX or rows[-1] - rows[0] + 1 < LEAST_PX - 3:
        return None
    icon = (max(left, x) + start, box[1], max(left, x) + end, box[3])
    return None if any(intersection(icon, c) for c in checks) else icon[0] - 1


def _room(elements: Sequence, index: int, most: int) -> int:
    """How far to the left of a cell nothing else begins or ends."""
    box, left, above = elements[index].box, elements[index].box[0] - most, set()
    at = elements[index].parent
    while at is not None:
        above.add(at)
        if elements[at].role in ("table", "tree", "list", "panel"):
            left = max(left, elements[at].box[0])
        at = elements[at].parent
    for number, other in enumerate(elements):
        o = other.box
        beside = o[1] < box[3] - 3 and o[3] > box[1] + 3 and o[0] < box[0] - 1 and left < o[2] < box[2]
        if number != index and number not in above and beside:
            left = max(left, min(o[2], box[0]))
    return left


def _runs(columns: np.ndarray) -> list[tuple[int, int]]:
    """Columns of ink with gaps of at most two pixels."""
    out: list[tuple[int, int]] = []
    for at in (int(a) for a in np.flatnonzero(columns)):
        if out and at - out[-1][1] <= 2:
            out[-1] = (out[-1][0], at + 1)
        else:
            out.append((at, at + 1))
    return out
