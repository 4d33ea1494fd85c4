"""Where on an element a person points, and which clicks on it are worth knowing. Boxes are px of any one space."""

from ..boxes import Box, centre, height, width

MARK_PX = 10
# A spin button's own two buttons are beside each other in GTK, above each other elsewhere: so high, twice as wide, and
# so far from the edge.
STACKED_PX, RIM_PX = 10, 2


def spot(role: str, box: Box, editable: bool = False) -> tuple[int, int]:
    """Where the element is clicked: a mark on its mark, a field behind its text, the rest in the middle."""
    x, y = centre(box)
    if role in ("check box", "radio button"):
        return min(box[0] + MARK_PX, x), y
    if role == "spin button":
        return box[0] + min(24, width(box) // 3), y
    if role == "combo box" and editable:
        return box[2] - min(12, width(box) // 4), y
    if role in ("entry", "password text", "text"):
        return max(x, box[2] - 14), y
    if role in ("list item", "tree item", "table cell", "table row"):
        return min(x, box[0] + 40), y
    return x, y


def spin_buttons(box: Box, toolkit: str) -> list[Box]:
    """The boxes of a spin button's own two buttons, the one that raises the value first."""
    _, y0, x1, y1 = box
    if toolkit.lower().startswith("gtk") or "libreoffice" in toolkit.lower():
        side = min(height(box), width(box) // 3)
        return [(x1 - side, y0, x1, y1), (x1 - 2 * side, y0, x1 - side, y1)]
    middle, left, right = (y0 + y1) // 2, x1 - 2 * STACKED_PX, x1 - RIM_PX
    top, bottom = max(y0, middle - STACKED_PX), min(y1, middle + STACKED_PX)
    return [(left, top, right, middle), (left, middle, right, bottom)]


def track_points(box: Box, count: int) -> list[tuple[int, int]]:
    """Points along a slider's track, from its first end to its last."""
    x, y = centre(box)
    if width(box) >= height(box):
        return [(box[0] + round((width(box) - 1) * k / (count - 1)), y) for k in range(count)]
    return [(x, box[1] + round((height(box) - 1) * k / (count - 1))) for k in range(count)]
