"""What toolkits say of rows, tabs and links and the picture or the neighbours refute."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from .boxes import Box, height

# A section's first place in KDE's lists of places: its box holds the section's heading as well.
HEADING_PX, LEAST_ROWS = 18, 3
LINK_INK, LINK_BLANK_PX, LINK_MARGIN_PX = 40, 24, 2
INK_CONTRAST = 60
CUT_TEXT_PX = 30
WORD_GAP_PX = 4


def correct(elements: Sequence, toolkit: str, pixels: np.ndarray, origin: tuple) -> None:
    """Elements are changed in place. `origin` is the place of the pixels in the elements' coordinates."""
    if toolkit.lower().startswith("qt"):
        _cut_headings(elements)
    _forget_selection(elements)
    for element in elements:
        if element.role == "link" and toolkit.lower().startswith(("gtk", "gail")):
            element.box = _around_text(element.box, pixels, origin)


def _groups(elements: Sequence, role: str) -> list[list]:
    groups: dict[tuple, list] = {}
    for element in elements:
        if element.role == role:
            groups.setdefault((element.parent, element.popup), []).append(element)
    return list(groups.values())


def _cut_headings(elements: Sequence) -> None:
    for rows in _groups(elements, "list item"):
        usual, number = Counter(height(e.box) for e in rows).most_common(1)[0]
        for e in rows if number >= LEAST_ROWS else ():
            if height(e.box) >= usual + HEADING_PX and e.box[:3:2] == rows[0].box[:3:2]:
                e.box = (e.box[0], e.box[3] - usual, e.box[2], e.box[3])


def _forget_selection(elements: Sequence) -> None:
    """Some Qt and GTK 2 programs call no tab of a row selected: which one is, nobody knows then."""
    for tabs in _groups(elements, "page tab"):
        if not any(e.state.get("selected") for e in tabs):
            for e in tabs:
                e.state.pop("selected", None)


def _around_text(box: Box, pixels: np.ndarray, origin: tuple) -> Box:
    """A link that spans its line is only where its text is."""
    part = pixels[box[1] - origin[1] : box[3] - origin[1], box[0] - origin[0] : box[2] - origin[0], :3].astype(int)
    if part.size == 0:
        return box
    ink = np.abs(part - np.median(part.reshape(-1, 3), axis=0)).max(axis=2) > LINK_INK
    columns = np.flatnonzero(ink.any(axis=0))
    if not len(columns) or max(columns[0], part.shape[1] - 1 - columns[-1]) <= LINK_BLANK_PX:
        return box
    return (
        max(box[0], box[0] + int(columns[0]) - LINK_MARGIN_PX),
        box[1],
        min(box[2], box[0] + int(columns[-1]) + 1 + LINK_MARGIN_PX),
        box[3],
    )


def with_cut_text(box: Box, pixels: np.ndarray, origin: tuple[int, int]) -> Box:
    """GTK 3 puts cells of an expander column too far right: a text that crosses the left edge belongs to the cell."""
    x, y = origin
    left = max(0, box[0] - x - CUT_TEXT_PX)
    band = pixels[box[1] - y + 2 : box[3] - y - 2, left : box[0] - x + 2, :3].astype(int)
    if band.shape[0] < 6 or band.shape[1] < 8:
        return box
    ink = np.abs(band - np.median(band.reshape(-1, 3), axis=0)).max(axis=2) > INK_CONTRAST
    columns, full = ink.any(axis=0), ink.all(axis=0)
    if full.any() or not columns[-4:].any() or not columns[-10:].sum() >= 5:
        return box
    start = band.shape[1] - 1
    gap = 0
    for at in range(band.shape[1] - 1, -1, -1):
        gap = 0 if columns[at] else gap + 1
        if gap > WORD_GAP_PX:
            break
        if columns[at]:
            start = at
    return x + left + start, box[1], box[2], box[3]
