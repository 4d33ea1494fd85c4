"""What toolkits say of rows, tabs and links and the picture or the neighbours refute."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from . import drawn, rows
from .boxes import Box, height, intersection, shifted, width

# A section's first place in KDE's lists of places: its box holds the section's heading as well.
HEADING_PX, LEAST_ROWS = 18, 3
LINK_INK, LINK_BLANK_PX, LINK_MARGIN_PX = 40, 24, 2
# A heading with filters below it: the least height of both, of one, and the line between them.
LEAST_FILTERED_PX, LEAST_HEADING_PX = 44, 16
LINE_CONTRAST, LINE_SHARE = 4, 0.95
# A switch is at most about twice as wide as high.
SWITCH_SHAPE, SWITCH_CONTRAST = 3, 12


def correct(elements: Sequence, toolkit: str, pixels: np.ndarray, origin: tuple) -> None:
    """Elements are changed in place. `origin` is the place of the pixels in the elements' coordinates."""
    if toolkit.lower().startswith("qt"):
        _cut_headings(elements)
        for element in elements:
            if element.role == "column header":
                element.box = _without_filter(element.box, pixels, origin)
    _forget_selection(elements)
    _cut_tabs(elements)
    rows.cut_overlapping(elements)
    if toolkit.lower().startswith("gtk 3"):
        drawn.cut_margins(elements, pixels, origin)
    for element in elements:
        if element.role == "link" and toolkit.lower().startswith(("gtk", "gail")):
            element.box = _around_text(element.box, pixels, origin)
        if element.role == "toggle button" and not element.name and toolkit.lower().startswith("gtk 3"):
            element.box = _around_switch(element.box, pixels, origin)


def _groups(elements: Sequence, role: str) -> list[list]:
    groups: dict[tuple, list] = {}
    for element in elements:
        if element.role == role:
            groups.setdefault((element.parent, element.popup), []).append(element)
    return list(groups.values())


def _cut_headings(elements: Sequence) -> None:
    for items in _groups(elements, "list item"):
        usual, number = Counter(height(e.box) for e in items).most_common(1)[0]
        for e in items if number >= LEAST_ROWS else ():
            if height(e.box) >= usual + HEADING_PX and e.box[:3:2] == items[0].box[:3:2]:
                e.box = (e.box[0], e.box[3] - usual, e.box[2], e.box[3])


def _forget_selection(elements: Sequence) -> None:
    """Some Qt and GTK 2 programs call no tab of a row selected: which one is, nobody knows then."""
    for tabs in _groups(elements, "page tab"):
        if not any(e.state.get("selected") for e in tabs):
            for e in tabs:
                e.state.pop("selected", None)


def _cut_tabs(elements: Sequence) -> None:
    """A row of tabs that is too long scrolls by two buttons, which stand in front of its last tab."""
    for tabs in _groups(elements, "page tab"):
        arrows = [e.box for e in elements if e.role == "push button" and e.parent == tabs[0].parent and not e.name]
        for tab in tabs:
            for arrow in arrows:
                if tab.parent is not None and intersection(tab.box, arrow) and tab.box[0] < arrow[0] < tab.box[2]:
                    tab.box = (*tab.box[:2], arrow[0], tab.box[3])


def _without_filter(box: Box, pixels: np.ndarray, origin: tuple) -> Box:
    """Headings that hold a row of filters, too, end at the line between both."""
    part = _part(box, pixels, origin)
    if height(box) < LEAST_FILTERED_PX or part.shape[:2] != (height(box), width(box)):
        return box
    lines = (np.abs(np.diff(part[:, 1:-1], axis=0)).max(axis=2) > LINE_CONTRAST).mean(axis=1) >= LINE_SHARE
    inside = [int(y) + 1 for y in np.flatnonzero(lines) if LEAST_HEADING_PX <= y + 1 <= len(part) - LEAST_HEADING_PX]
    return (*box[:3], box[1] + inside[0]) if inside else box


def _around_switch(box: Box, pixels: np.ndarray, origin: tuple) -> Box:
    """A switch that is stretched over a column of them is drawn at its end: GTK 3 gives the whole column."""
    part = _part(box, pixels, origin)
    if part.size == 0 or width(box) < SWITCH_SHAPE * height(box):
        return box
    ground = np.median(np.concatenate([part[0], part[-1]]), axis=0)
    columns = np.flatnonzero((np.abs(part - ground).max(axis=2) > SWITCH_CONTRAST).any(axis=0))
    if not len(columns):
        return box
    drawn_px = int(columns[-1]) + 1 - int(columns[0])
    if width(box) - drawn_px <= LINK_BLANK_PX or drawn_px > SWITCH_SHAPE * height(box):
        return box
    return box[0] + int(columns[0]), box[1], box[0] + int(columns[-1]) + 1, box[3]


def _part(box: Box, pixels: np.ndarray, origin: tuple) -> np.ndarray:
    x0, y0, x1, y1 = shifted(box, -origin[0], -origin[1])
    return pixels[max(0, y0) : max(0, y1), max(0, x0) : max(0, x1), :3].astype(int)


def _around_text(box: Box, pixels: np.ndarray, origin: tuple) -> Box:
    """A link that spans its line is only where its text is."""
    part = _part(box, pixels, origin)
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
