"""What may scroll on a page, and where the wheel is turned over it. Nothing here touches the screen."""

from ..boxes import Box, area, centre, holds

# What may hold more than it shows, and how large it is at least.
HOLDERS = ("table", "tree", "tree table", "list", "text")
LEAST_PX = 50
# What the wheel sets, instead of scrolling what lies around it.
TURNED = ("spin button", "combo box", "slider", "page tab", "scroll bar")
# Notches of one turn: above 0 down. So many are tried where they do nothing, and so many turn in walks.
NOTCHES = (1, -1, 2, -2, 3, -3)
# How far from the left edge there is still a place, where the middle is taken.
RIM_PX = 6


def holders(elements: list[dict]) -> list[dict]:
    """What may scroll, the smallest first."""
    boxes = [(e, e["bbox"]) for e in elements if e["role"] in HOLDERS and e["popup"] is None]
    large = [e for e, (x0, y0, x1, y1) in boxes if x1 - x0 >= LEAST_PX and y1 - y0 >= LEAST_PX]
    return sorted(large, key=lambda e: area(tuple(e["bbox"])))


def spot_in(holder: dict, elements: list[dict]) -> tuple[int, int] | None:
    """Where the wheel is turned over an element: not over what it sets."""
    box: Box = tuple(holder["bbox"])
    x, y = centre(box)
    turned = [tuple(e["bbox"]) for e in elements if e["role"] in TURNED]
    points = [(x, y), (x, (box[1] + y) // 2), (x, (y + box[3]) // 2), (box[0] + RIM_PX, y)]
    return next((p for p in points if not any(holds(t, *p) for t in turned)), None)


def is_wheel(action) -> bool:
    """Whether an action of a transition turns the wheel."""
    return isinstance(action, dict) and "scroll" in action
