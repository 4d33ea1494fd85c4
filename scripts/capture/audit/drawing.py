"""What the picture says about a box: where controls are drawn, what stands in front of them, what they do not show."""

from collections.abc import Iterator

import numpy as np

from .. import drawn
from ..boxes import area, height, intersection, width
from ..collect import is_faded
from ..viewports import VIEWS, without_bars
from .page import Page, Suspicion, box_of

MARGIN_PX = 5
BUTTONS = frozenset(("push button", "toggle button", "radio button", "entry"))
# Of a row, the share that scroll bars may hide.
HIDDEN_SHARE = 0.12
HIDDEN_PX = 7
BLANK_CONTRAST = 24
BLANK_SHARE = 0.35
TALL = 1.6


def in_margins(page: Page) -> Iterator[Suspicion]:
    """Buttons that are drawn smaller than their boxes."""
    for element in page.interactive():
        if element["role"] not in BUTTONS or height(box_of(element)) > drawn.MOST_HEIGHT_PX:
            continue
        box, inner = box_of(element), drawn.drawn_box(page.pixels, box_of(element))
        if inner and max(abs(a - b) for a, b in zip(box, inner, strict=True)) >= MARGIN_PX:
            yield page.suspicion(element, "margin", f"is drawn in {list(inner)}")


def faded(page: Page) -> Iterator[Suspicion]:
    """Scroll bars that show no handle."""
    for element in page.interactive():
        if element["role"] == "scroll bar" and is_faded(box_of(element), page.pixels, (0, 0)):
            yield page.suspicion(element, "faded", "shows no handle")


def under_bars(page: Page) -> Iterator[Suspicion]:
    """Rows that reach under the scroll bars of their view."""
    if not page.toolkit.lower().startswith("qt"):
        return
    views = {e["id"]: e for e in page.elements if e["role"] in VIEWS}
    rooms = {i: without_bars(page.pixels, box_of(e)) for i, e in views.items()}
    for element in page.interactive():
        view = element["parent"]
        if view not in views or rooms[view] == box_of(views[view]):
            continue
        box, room = box_of(element), rooms[view]
        shown = area(intersection(box, room))
        beyond = max(box[2] - room[2], box[3] - room[3])
        if shown < (1 - HIDDEN_SHARE) * area(box) and beyond >= HIDDEN_PX:
            yield page.suspicion(element, "scroll bar", f"{beyond} px of it lie under a scroll bar")


def half_blank(page: Page) -> Iterator[Suspicion]:
    """Switches and headings whose drawing takes up only one end of their boxes."""
    for element in page.interactive():
        box = box_of(element)
        if element["role"] not in ("toggle button", "switch") or element["name"] or width(box) < TALL * height(box):
            continue
        part = page.part(box)
        ground = np.median(np.concatenate([part[0], part[-1]]), axis=0)
        columns = np.flatnonzero((np.abs(part - ground).max(axis=2) > BLANK_CONTRAST).any(axis=0))
        if len(columns):
            left, right = int(columns[0]), part.shape[1] - 1 - int(columns[-1])
            if abs(left - right) > BLANK_SHARE * width(box):
                yield page.suspicion(
                    element, "half blank", f"nothing is drawn in its {'left' if left > right else 'right'} part"
                )
