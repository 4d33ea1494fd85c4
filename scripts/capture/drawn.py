"""Where buttons are drawn. GTK 3 counts the margin that a theme puts around a button, or the place that it leaves
empty, into its box."""

from collections.abc import Sequence

import numpy as np

from .boxes import Box, height, intersection, shifted, width

ROLES = ("push button", "toggle button", "radio button", "entry")
# What differs from the ground: a button's background is hardly lighter than the bar it stands in.
CONTRAST = 4
# A margin is flat, a drawn side is straight, and what lies right inside of it is flat again: shares of pixels.
FLAT_SHARE, SIDE_SHARE, INNER_SHARE = 0.97, 0.7, 0.8
# The part of a side that is no rounded corner begins here; how far a side may fade in; where its inside is looked at.
CORNER_PX, FADE_PX, INNER_PX = 8, 2, 4
LEAST_MARGIN_PX = 3
# Bars have a line of light at their upper edge, and one of shadow at the lower.
SKIPPED_PX = 2
# Smaller things with straight sides are icons, higher ones are no buttons of a bar.
LEAST_SIDE_PX, MOST_HEIGHT_PX = 24, 90
# With a margin on all sides, it is a button only if it is so much wider than high.
LABELLED = 1.3


def cut_margins(elements: Sequence, pixels: np.ndarray, origin: tuple[int, int]) -> None:
    """Boxes of GTK 3's buttons become what is drawn. Flat buttons show no edge: they have the margins of the drawn ones
    that fill the same bar."""
    buttons = [e for e in elements if e.role in ROLES and e.node is not None and height(e.box) <= MOST_HEIGHT_PX]
    before = [e.box for e in buttons]
    margins: dict[tuple[int, int], tuple[int, int]] = {}
    for button in buttons:
        drawn = drawn_box(pixels, shifted(button.box, -origin[0], -origin[1]))
        if drawn is not None:
            outer, button.box = button.box, shifted(drawn, *origin)
            if width(button.box) == width(outer):
                margins.setdefault((outer[1], outer[3]), (button.box[1] - outer[1], outer[3] - button.box[3]))
    for button, box in zip(buttons, before, strict=True):
        if button.box == box and (margin := margins.get((box[1], box[3]))):
            inner = box[0], box[1] + margin[0], box[2], box[3] - margin[1]
            if _is_flat_outside(pixels, shifted(box, -origin[0], -origin[1]), margin):
                button.box = inner


def drawn_box(pixels: np.ndarray, box: Box) -> Box | None:
    """The rectangle that is drawn within a box of the picture with a margin on some side of it; None if there is
    none."""
    whole = (0, 0, pixels.shape[1], pixels.shape[0])
    if intersection(box, whole) != box or min(width(box), height(box)) < LEAST_SIDE_PX:
        return None
    part = pixels[box[1] : box[3], box[0] : box[2], :3].astype(int)
    top, bottom = _margin(part), _margin(part[::-1])
    if top is None or bottom is None or top + bottom > height(box) - LEAST_SIDE_PX:
        return None
    band = part[top : len(part) - bottom].swapaxes(0, 1)
    left, right = (_margin(side, part[SKIPPED_PX]) for side in (band, band[::-1]))
    if left is None or right is None or left + right > width(box) - LEAST_SIDE_PX:
        return None
    inner = part[top : len(part) - bottom, left : part.shape[1] - right]
    is_icon = min(left, top, right, bottom) > 0 and inner.shape[1] < LABELLED * inner.shape[0]
    if max(left, top, right, bottom) < LEAST_MARGIN_PX or is_icon or not _is_flat_inside(inner):
        return None
    return box[0] + left, box[1] + top, box[2] - right, box[3] - bottom


def _margin(lines: np.ndarray, ground: np.ndarray | None = None) -> int | None:
    """The number of flat lines before a straight side; None if what comes after them is no straight side. The ground is
    the colour of these lines, or of one given."""
    colour = np.median(lines[SKIPPED_PX] if ground is None else ground, axis=0)
    differs = np.abs(lines - colour).max(axis=2) > CONTRAST
    if ground is None:
        differs[:SKIPPED_PX] = False
    shares = differs[:, CORNER_PX:-CORNER_PX].mean(axis=1)
    marked = np.flatnonzero(differs.mean(axis=1) > 1 - FLAT_SHARE)
    if not len(marked):
        return None
    first = int(marked[0])
    return first if shares[first : first + FADE_PX + 1].max() >= SIDE_SHARE else None


def _is_flat_inside(inner: np.ndarray) -> bool:
    """Whether right inside its sides it has one colour, as a button has around its label; an icon is full of lines."""
    d = INNER_PX
    rings = [inner[d, d:-d], inner[-d - 1, d:-d]]
    return all((np.abs(r - np.median(r, axis=0)).max(axis=1) <= 3 * CONTRAST).mean() >= INNER_SHARE for r in rings)


def _is_flat_outside(pixels: np.ndarray, box: Box, margin: tuple[int, int]) -> bool:
    part = pixels[box[1] : box[3], box[0] : box[2], :3].astype(int)
    if not part.size:
        return False
    edges = part[SKIPPED_PX : margin[0]], part[len(part) - margin[1] : len(part) - SKIPPED_PX]
    ground = np.median(part[SKIPPED_PX], axis=0)
    return all(not e.size or np.abs(e - ground).max() <= 2 * CONTRAST for e in edges)
