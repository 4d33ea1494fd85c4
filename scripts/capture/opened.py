"""Controls whose boxes hold what they have opened: the control is its first row alone."""

from collections.abc import Sequence

import numpy as np

from .boxes import height, shifted

# A row is at least this high: what begins higher up leaves no room for one.
LEAST_ROW_PX = 12
# The blank part below a title that makes a row higher than its title.
BLANK_PX = 8
BLANK_CONTRAST = 24
OPENED = ("tree item", "toggle button")


def cut_opened(elements: Sequence, pixels: np.ndarray, origin: tuple[int, int]) -> set[int]:
    """Cuts tree items and expanders where their content begins. Returns the indexes of those that show nothing of their
    own: a nameless item around all rows."""
    gone = set()
    for index, element in enumerate(elements):
        if element.role not in OPENED or "expanded" not in element.state:
            continue
        content = (i for i in range(len(elements)) if element.state["expanded"] and _is_content(elements, i, index))
        tops = [elements[i].box[1] for i in content]
        if tops and min(tops) - element.box[1] >= LEAST_ROW_PX:
            element.box = (*element.box[:3], min(tops))
        elif tops and not element.name:
            gone.add(index)
        if element.role == "toggle button":
            _cut_below_title(element, pixels, origin)
    return gone


def _is_content(elements: Sequence, index: int, owner: int) -> bool:
    element, at = elements[index], elements[index].parent
    while at is not None and at != owner:
        at = elements[at].parent
    if at is None or element.role in ("label", "image"):
        return False
    box = elements[owner].box
    return box[1] <= element.box[1] < box[3]


def _cut_below_title(element, pixels: np.ndarray, origin: tuple[int, int]) -> None:
    """GTK stretches an expander to the height of its neighbours, with its title at the upper edge."""
    x0, y0, x1, y1 = shifted(element.box, -origin[0], -origin[1])
    part = pixels[max(0, y0) : y1, max(0, x0) : x1, :3].astype(int)
    if not part.size:
        return
    ink = np.abs(part - np.median(part.reshape(-1, 3), axis=0)).max(axis=2) > BLANK_CONTRAST
    rows = np.flatnonzero(ink.any(axis=1))
    if not len(rows):
        return
    above, below = int(rows[0]), height(element.box) - 1 - int(rows[-1])
    if below - above > BLANK_PX:
        element.box = (*element.box[:3], element.box[3] - below + above)
