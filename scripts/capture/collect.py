"""From a raw accessibility tree to the elements a pack records: visible, hit by the pointer, named cleanly."""

from collections.abc import Callable

import numpy as np

from . import gtk4_offsets, roles
from .boxes import Box, area, covered_share
from .corrections import correct, with_cut_text
from .duplicates import without_duplicates, without_hidden
from .elements import Element, state_of
from .names import EMPTY_NAMES, clean_name
from .node_roles import cells_of_uneven_rows, is_static, role_of
from .screen import FramePart, Popup
from .tree import Tree
from .visibility import Visibility

BLANK_CONTRAST = 24
KEEP_UNNAMED = (
    roles.SURFACES | roles.ACTIONABLE - {"menu", "table cell", "table row", "list item"} | {"check box", "image"}
)
FRAME_BUTTON_NAMES = {
    "minimise": "Minimize",
    "minimize": "Minimize",
    "maximise": "Maximize",
    "maximize": "Maximize",
    "restore": "Restore",
    "close": "Close",
}

HitTest = Callable[[Tree, Element, int, int, Box], bool]


def collect(
    tree: Tree,
    frame: Box,
    popups: list[Popup],
    parts: list[FramePart],
    pixels: np.ndarray,
    origin: tuple[int, int],
    is_hit: HitTest,
) -> list[Element]:
    """`pixels` and `origin` are the picture of this very moment (picture.Picture), in which `is_hit` asks the toolkit
    (hit_test.py)."""
    if gtk4_offsets.is_gtk4(*tree.toolkit.partition(" ")[::2]):
        gtk4_offsets.pad(tree, pixels, origin)
    out = [
        Element(part.role, part.name, "", part.box, part.role == "push button", None, {}, None, None) for part in parts
    ]
    visibility = Visibility(tree, frame, [p.box for p in popups])
    kept: dict[int, int] = {}
    uneven = cells_of_uneven_rows(tree)
    for index, node in enumerate(tree.nodes):
        verdict = visibility.visible_part(index)
        if verdict is None:
            continue
        box, popup = verdict
        role = role_of(tree, index)
        if index in uneven:
            if any(tree.nodes[other].parent == node.parent for other in kept):
                continue
            box = visibility.own[node.parent] or box
        elif role in ("table cell", "list item") and tree.toolkit.lower().startswith(("gtk", "gail")):
            box = with_cut_text(box, pixels, origin)
        name, description = clean_name(node.name), clean_name(node.description)
        if role in ("toggle button", "check box") and node.name == "Switch":
            role = "switch"
        if name in EMPTY_NAMES:
            name = ""
        ancestor = next((a for a in tree.ancestors(index) if a in kept), None)
        parent = kept.get(ancestor)
        state = state_of(role, node)
        acts = (role in roles.ACTIONABLE and not is_static(tree, index, role)) or bool(state.get("editable"))
        description = description if description != name else ""
        element = Element(role, name, description, box, acts, popup, state, parent, node)
        if _is_worth_keeping(element, None if parent is None else out[parent], frame, pixels, origin):
            kept[index] = len(out)
            out.append(element)
    _name_frame_buttons(out, frame, bool(parts))
    correct(out, tree.toolkit, pixels, origin)
    return without_hidden(without_duplicates(out), lambda element, x, y: is_hit(tree, element, x, y, frame))


def _is_worth_keeping(
    element: Element, parent: Element | None, frame: Box, pixels: np.ndarray, origin: tuple[int, int]
) -> bool:
    role, box, named = element.role, element.box, bool(element.name or element.description)
    if role == "separator":
        return True
    if not named and (role not in KEEP_UNNAMED or role in ("panel", "image", "label")):
        return False
    if role == "panel" and area(box) > 0.9 * area(frame):
        return False
    if role not in roles.SURFACES and role != "panel" and is_blank(box, pixels, origin):
        return False
    if parent is None:
        return True
    if parent.role in roles.BUTTONS and role in ("label", "image", "panel", "icon"):
        return covered_share(box, parent.box) <= 0.8
    return named or parent.role != "combo box" or role not in ("push button", "toggle button")


def is_blank(box: Box, pixels: np.ndarray, origin: tuple[int, int]) -> bool:
    x, y = origin
    part = pixels[box[1] - y : box[3] - y, box[0] - x : box[2] - x, :3]
    if part.size == 0:
        return True
    flat = part.reshape(-1, 3)
    return int((flat.max(axis=0).astype(int) - flat.min(axis=0)).max()) < BLANK_CONTRAST


def _name_frame_buttons(elements: list[Element], frame: Box, server_side: bool) -> None:
    """The buttons of a client-side title bar belong to the frame like those of the window manager."""
    if server_side:
        return
    for element in elements:
        plain = FRAME_BUTTON_NAMES.get(element.name.lower())
        if (
            plain
            and element.role == "push button"
            and element.popup is None
            and element.box[1] - frame[1] < 60
            and frame[2] - element.box[2] < 140
        ):
            element.name, element.parent = plain, None
