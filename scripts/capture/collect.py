"""From a raw accessibility tree to the elements a pack records: visible, hit by the pointer, named cleanly."""

from collections.abc import Callable

import numpy as np

from . import gtk4_offsets, pages, roles
from .boxes import Box, area, centre, covered_share
from .cells import cell_starts
from .corrections import correct
from .duplicates import without, without_duplicates, without_hidden
from .elements import Element, state_of
from .icons import CHECKED, begin_at_icons
from .names import EMPTY_NAMES, clean_name
from .node_roles import cells_of_uneven_rows, heading_of, is_size_of_folder, is_static, role_of
from .opened import cut_opened
from .screen import FramePart, Popup
from .tree import Tree
from .viewports import viewports
from .visibility import Visibility

BLANK_CONTRAST = 24
# A scroll bar without its rim, where the window's own border may be: the least share of it that its handle is.
RIM_PX, FADED_CONTRAST, LEAST_HANDLE_SHARE = 2, 8, 0.01
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
    hidden: set[int] = set()
    if gtk4_offsets.is_gtk4(*tree.toolkit.partition(" ")[::2]):
        hidden = pages.hidden_nodes(tree, lambda index: _is_found(tree, index, frame, is_hit))
        gtk4_offsets.pad(tree, pixels, origin)
    out = [
        Element(part.role, part.name, "", part.box, part.role == "push button", None, {}, None, None) for part in parts
    ]
    visibility = Visibility(tree, frame, [p.box for p in popups], viewports(tree, pixels, origin))
    kept: dict[int, int] = {}
    uneven, starts = cells_of_uneven_rows(tree), cell_starts(tree, pixels, origin)
    for index, node in enumerate(tree.nodes):
        verdict = visibility.visible_part(index)
        if verdict is None or index in hidden or is_size_of_folder(tree, index):
            continue
        box, popup = verdict
        role = role_of(tree, index)
        if index in uneven:
            if any(tree.nodes[other].parent == node.parent for other in kept):
                continue
            box = visibility.own[node.parent] or box
        elif index in starts:
            box = (starts[index], *box[1:])
        name = clean_name(heading_of(tree, index) if index in uneven else node.name)
        description = clean_name(node.description)
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
    checks = [n.box for n in tree.nodes if n.box and (n.role == "check box" or n.states & CHECKED)]
    begin_at_icons(out, tree.toolkit, checks, pixels, origin)
    out = without(out, cut_opened(out, pixels, origin))
    return without_hidden(without_duplicates(out), lambda element, x, y: is_hit(tree, element, x, y, frame))


def _is_found(tree: Tree, index: int, frame: Box, is_hit: HitTest) -> bool:
    node = tree.nodes[index]
    asked = Element(node.role, node.name, "", node.box, False, node.popup, {}, None, node)
    return is_hit(tree, asked, *centre(node.box), frame)


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
    if role == "scroll bar" and is_faded(box, pixels, origin):
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


def is_faded(box: Box, pixels: np.ndarray, origin: tuple[int, int]) -> bool:
    """Whether a scroll bar shows no handle: overlay scroll bars of GTK 4 fade out where the pointer is not."""
    x, y = origin
    part = pixels[box[1] - y + RIM_PX : box[3] - y - RIM_PX, box[0] - x + RIM_PX : box[2] - x - RIM_PX, :3].astype(int)
    if part.size == 0:
        return True
    unlike = np.abs(part - np.median(part.reshape(-1, 3), axis=0)).max(axis=2) > FADED_CONTRAST
    return bool(unlike.mean() < LEAST_HANDLE_SHARE)


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
