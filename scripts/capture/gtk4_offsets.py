"""GTK 4's coordinates: relative to the surface without its shadow, popovers unpositioned, boxes without padding."""

import numpy as np

from .boxes import Box, height, intersection, shifted, width
from .edges import edge_distance

REACH_PX = (20, 12, 20, 12)
# Flat buttons show no edge: what the default theme puts around text and around an icon.
MENU_ITEM_PADDING_PX = 12
FLAT_PADDING_PX = {True: (9, 5), False: (5, 5)}
FRAME_BUTTONS = ("Minimize", "Maximize", "Restore", "Close")
PADDED_ROLES = ("push button", "toggle button", "entry", "password text", "text", "spin button", "combo box")


def is_gtk4(toolkit: str, version: str) -> bool:
    return toolkit.lower() == "gtk" and version.startswith("4")


def place(tree, frame: Box, popups: list) -> None:
    """Moves the tree's boxes to the screen. Popovers are surfaces of their own and are recognised by their size."""
    offset: dict[int, tuple[int, int]] = {}
    for index, node in enumerate(tree.nodes):
        if node.box is not None:
            node.box = shifted(node.box, frame[0], frame[1])
        if node.parent in offset:
            offset[index] = offset[node.parent]
            node.popup = tree.nodes[node.parent].popup
        elif node.parent >= 0 and node.box is not None:
            for number, popup in enumerate(popups):
                if (
                    abs(width(popup.surface) - width(node.box)) < 3
                    and abs(height(popup.surface) - height(node.box)) < 3
                ):
                    offset[index] = (popup.surface[0] - node.box[0], popup.surface[1] - node.box[1])
                    node.popup = number
        if index in offset and node.box is not None:
            node.box = shifted(node.box, *offset[index])


def visible_popups(tree, popups: list) -> list:
    """The popups without the shadow and the arrow that are part of their surfaces."""
    contents: dict[int, Box] = {}
    for node in tree.nodes:
        if node.popup is not None and node.name == "GtkPopoverContent" and node.box:
            contents.setdefault(node.popup, node.box)
    return [
        type(popup)(intersection(contents[number], popup.surface), popup.surface, "POPOVER")
        if number in contents
        else popup
        for number, popup in enumerate(popups)
    ]


def pad(tree, pixels: np.ndarray, origin: tuple[int, int]) -> None:
    """GTK 4 reports the content of a control; the control ends at the edge that its background draws around it."""
    for index, node in enumerate(tree.nodes):
        if node.popup is not None and node.box is not None and node.role.endswith("menu item"):
            node.box = (
                node.box[0] - MENU_ITEM_PADDING_PX,
                node.box[1],
                node.box[2] + MENU_ITEM_PADDING_PX,
                node.box[3],
            )
        if node.role not in PADDED_ROLES or node.box is None or "multi_line" in node.states:
            continue
        if node.name in FRAME_BUTTONS:
            # Their round background is the content itself.
            continue
        outer = tree.nodes[node.parent] if node.parent >= 0 else None
        if outer is not None and outer.role == node.role and outer.box:
            # A menu button holds its toggle button: the outer box is the whole control.
            node.box = outer.box
            continue
        x, y = origin
        local = shifted(node.box, -x, -y)
        found = [edge_distance(pixels, local, side, REACH_PX[side]) for side in range(4)]
        if _symmetric(found[0], found[2]) and _symmetric(found[1], found[3]):
            left, top, right, bottom = found
        else:
            has_text = (
                any(n.parent == index and n.role == "label" for n in tree.nodes[index : index + 8])
                or width(node.box) > height(node.box) + 8
            )
            left, top = FLAT_PADDING_PX[has_text]
            right, bottom = left, top
        node.box = (node.box[0] - left, node.box[1] - top, node.box[2] + right, node.box[3] + bottom)


def _symmetric(a: int | None, b: int | None) -> bool:
    return a is not None and b is not None and abs(a - b) <= 2
