"""From a raw accessibility tree to the elements a pack records: visible, hit by the pointer, named cleanly."""

import re
from dataclasses import dataclass

import gi
import numpy as np

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

from . import gtk4_offsets, roles  # noqa: E402
from .boxes import Box, alike, area, centre, covered_share, grown, height, holds, intersection, width  # noqa: E402
from .corrections import correct  # noqa: E402
from .frame_buttons import FramePart  # noqa: E402
from .tree import Node, Tree  # noqa: E402
from .x11 import Popup  # noqa: E402

MIN_SIDE_PX = 5
MIN_VISIBLE_SHARE = 0.5
BLANK_CONTRAST = 24
INK_CONTRAST = 60
CUT_TEXT_PX = 30
WORD_GAP_PX = 4
PAGE_PX = 60
CLASS_NAME = re.compile(r"^(Gtk|Adw|Gd|Hdy|Gimp|Ggc|Ephy|Nautilus|Q|K)[A-Z][A-Za-z0-9]+$")
MACHINE_NAME = re.compile(r"^\S{60,}$")
KEEP_UNNAMED = (
    roles.SURFACES | roles.ACTIONABLE - {"menu", "table cell", "table row", "list item"} | {"check box", "image"}
)
# Default names that toolkits give to everything of a kind say nothing about the element.
EMPTY_NAMES = {"Switch", "unnamed", "Unnamed"}
FRAME_BUTTON_NAMES = {
    "minimise": "Minimize",
    "minimize": "Minimize",
    "maximise": "Maximize",
    "maximize": "Maximize",
    "restore": "Restore",
    "close": "Close",
}


@dataclass
class Element:
    role: str
    name: str
    description: str
    box: Box  # visible part, on the screen
    interactive: bool
    popup: int | None
    state: dict
    parent: int | None  # index into the list of elements
    node: Node | None


def collect(
    tree: Tree, frame: Box, popups: list[Popup], parts: list[FramePart], pixels: np.ndarray, origin: tuple[int, int]
) -> list[Element]:
    """`pixels` and `origin` are the picture of this very moment (picture.Picture)."""
    if gtk4_offsets.is_gtk4(*tree.toolkit.partition(" ")[::2]):
        gtk4_offsets.pad(tree, pixels, origin)
    out = [
        Element(part.role, part.name, "", part.box, part.role == "push button", None, {}, None, None) for part in parts
    ]
    judge = _Judge(tree, frame, [p.box for p in popups], pixels, origin)
    kept: dict[int, int] = {}
    uneven = _cells_of_uneven_rows(tree)
    for index, node in enumerate(tree.nodes):
        verdict = judge.visible_part(index)
        if verdict is None:
            continue
        box, popup = verdict
        role = _role(tree, index)
        if index in uneven:
            if any(tree.nodes[other].parent == node.parent for other in kept):
                continue
            box = judge.own[node.parent] or box
        elif role in ("table cell", "list item") and tree.toolkit.lower().startswith(("gtk", "gail")):
            box = judge.with_cut_text(box)
        name, description = clean_name(node.name), clean_name(node.description)
        if role in ("toggle button", "check box") and node.name == "Switch":
            role = "switch"
        if name in EMPTY_NAMES:
            name = ""
        ancestor = next((a for a in tree.ancestors(index) if a in kept), None)
        if not _worth_keeping(
            role, name, description, box, frame, out[kept[ancestor]] if ancestor is not None else None, judge
        ):
            continue
        state = _state(role, node, tree)
        parent = kept.get(ancestor)
        kept[index] = len(out)
        acts = (role in roles.ACTIONABLE and not _is_static(tree, index, role)) or bool(state.get("editable"))
        out.append(
            Element(role, name, description if description != name else "", box, acts, popup, state, parent, node)
        )
    _name_frame_buttons(out, frame, bool(parts))
    correct(out, tree.toolkit, pixels, origin)
    return _without_hidden(_without_duplicates(out), tree, frame)


class _Judge:
    def __init__(self, tree, frame, popups, pixels, origin):
        self.tree, self.frame, self.popups, self.pixels, self.origin = tree, frame, popups, pixels, origin
        self.own: dict[int, Box | None] = {}

    def visible_part(self, index: int) -> tuple[Box, int | None] | None:
        """The part of a node that the screen shows, and the popup it lies in; None if it shows nothing of it."""
        node = self.tree.nodes[index]
        popup = self._popup_of(index)
        self.own[index] = self._clip(index, popup)
        box = self.own[index]
        # A tab that is not drawn has no box of its own.
        if node.box is None or box is None or width(box) < MIN_SIDE_PX or height(box) < MIN_SIDE_PX or node.parent < 0:
            return None
        role = _role(self.tree, index)
        if popup is None and _inside_menu(self.tree, index):
            return None
        if "showing" not in node.states and popup is None:
            return None
        if role not in roles.SURFACES and role != "panel" and area(box) < MIN_VISIBLE_SHARE * area(node.box):
            return None
        if popup is None and self._under_popup(box, role):
            return None
        if popup is not None and any(
            covered_share(box, above) > 0.1 for above in self.popups[popup + 1 :] if not alike(above, box, 3)
        ):
            return None
        return box, popup

    def _popup_of(self, index: int) -> int | None:
        node = self.tree.nodes[index]
        if node.popup is not None:
            return node.popup
        if node.box is None or not self.popups:
            return None
        root = index
        belongs = _role(self.tree, index) in roles.MENU_ITEMS
        for ancestor in self.tree.ancestors(index):
            root = ancestor
            belongs = belongs or _role(self.tree, ancestor) in ("menu", "combo box", "menu item")
        belongs = belongs or root != self.tree.main_root
        if not belongs or _in_menu_bar(self.tree, index):
            return None
        for number in reversed(range(len(self.popups))):
            if covered_share(node.box, self.popups[number]) > 0.85:
                return number
        return None

    def _clip(self, index: int, popup: int | None) -> Box | None:
        node = self.tree.nodes[index]
        if node.box is None:
            # A box of nothing still holds its children's clip.
            return self.own.get(node.parent) if node.parent >= 0 else self.frame
        limit = self.popups[popup] if popup is not None else self.frame
        box = intersection(node.box, limit)
        if box is None:
            return None
        if popup is not None:
            return box
        for ancestor in self.tree.ancestors(index):
            outer = self.own.get(ancestor)
            # A page's content is the child of its tab in GTK, though it lies beside it.
            if self.tree.nodes[ancestor].role == "page tab":
                continue
            if self.tree.nodes[ancestor].box is not None and self._popup_of(ancestor) is None:
                # Focus rings and frames of children may stand out by two pixels.
                return intersection(box, grown(outer, 2)) if outer else None
        return box

    def _under_popup(self, box: Box, role: str) -> bool:
        limit = 0.1 if role in roles.ACTIONABLE or role == "label" else 0.5
        return any(covered_share(box, popup) > limit for popup in self.popups)

    def with_cut_text(self, box: Box) -> Box:
        """GTK 3 puts cells of an expander column too far right: a text that crosses the
        left edge belongs to the cell."""
        x, y = self.origin
        left = max(0, box[0] - x - CUT_TEXT_PX)
        band = self.pixels[box[1] - y + 2 : box[3] - y - 2, left : box[0] - x + 2, :3].astype(int)
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

    def blank(self, box: Box) -> bool:
        x, y = self.origin
        part = self.pixels[box[1] - y : box[3] - y, box[0] - x : box[2] - x, :3]
        if part.size == 0:
            return True
        flat = part.reshape(-1, 3)
        return int((flat.max(axis=0).astype(int) - flat.min(axis=0)).max()) < BLANK_CONTRAST


def _role(tree: Tree, index: int) -> str:
    node = tree.nodes[index]
    role = roles.pack_role(node.role)
    if role == "icon" and not node.states & {"selectable", "focusable"}:
        return "image"
    if role == "menu item" and node.parent >= 0 and tree.nodes[node.parent].role == "menu bar":
        return "menu"
    if (
        role == "text"
        and "multi_line" not in node.states
        and "editable" in node.states
        and node.box
        and height(node.box) < 48
    ):
        return "entry"
    if role == "table cell" and node.parent >= 0 and tree.nodes[node.parent].role in ("list", "list box"):
        return "list item"
    if (
        role == "page tab"
        and clean_name(node.name) in EMPTY_NAMES | {""}
        and node.box
        and min(width(node.box), height(node.box)) > PAGE_PX
    ):
        # Where a notebook hides its tabs, GTK gives the page's box.
        return "panel"
    if (
        role == "check box"
        and tree.toolkit.lower().startswith("qt")
        and node.box
        and roles.is_tool_button(width(node.box), height(node.box))
    ):
        return "toggle button"
    return role


def _is_static(tree: Tree, index: int, role: str) -> bool:
    """Whether it is part of a table in a text or a page: nothing there answers a click, though its role says so."""
    if role not in roles.OF_TABLES:
        return False
    outer = {tree.nodes[a].role for a in tree.ancestors(index)}
    return roles.TEXT in outer or (
        bool(outer & roles.PAGES) and not tree.nodes[index].states & {"selectable", "focusable"}
    )


def _cells_of_uneven_rows(tree: Tree) -> set[int]:
    """Named cells inside cells that hide some of their parts, such as those of side panes, where headings and
    entries share a column. GTK places the parts of every such row as those of the row drawn last: only the
    outer cell's box is to be trusted."""
    inner = [
        i
        for i, n in enumerate(tree.nodes)
        if n.role == "table cell" and n.parent >= 0 and tree.nodes[n.parent].role == "table cell"
    ]
    uneven = {tree.nodes[i].parent for i in inner if tree.nodes[i].box is None}
    return {i for i in inner if tree.nodes[i].name and tree.nodes[i].parent in uneven}


def _in_menu_bar(tree: Tree, index: int) -> bool:
    parent = tree.nodes[index].parent
    return parent >= 0 and tree.nodes[parent].role == "menu bar"


def _inside_menu(tree: Tree, index: int) -> bool:
    """Whether the node belongs to a menu, and so shows only while that menu is open."""
    if _in_menu_bar(tree, index):
        return False
    if tree.nodes[index].role in roles.MENU_ITEMS:
        return True
    for ancestor in tree.ancestors(index):
        if tree.nodes[ancestor].role in ("menu", "popup menu", "menu item"):
            return True
    return False


def clean_name(name: str) -> str:
    name = " ".join(name.split())
    name = re.sub(r"(?<![A-Za-z0-9_])_(?=[A-Za-z])", "", name) if name.count("_") == 1 else name
    half = len(name) // 2
    if len(name) % 2 and name[half] == " " and name[:half] == name[half + 1 :]:
        name = name[:half]
    if CLASS_NAME.match(name) or MACHINE_NAME.match(name):
        return ""
    return name[:200]


def _worth_keeping(role, name, description, box, frame, parent: Element | None, judge: _Judge) -> bool:
    named = bool(name or description)
    if role == "separator":
        return True
    if not named and role not in KEEP_UNNAMED:
        return False
    if role in ("panel", "image", "label") and not named:
        return False
    if role == "panel" and area(box) > 0.9 * area(frame):
        return False
    if role not in roles.SURFACES and role != "panel" and judge.blank(box):
        return False
    if (
        parent is not None
        and parent.role in roles.BUTTONS
        and role in ("label", "image", "panel", "icon")
        and covered_share(box, parent.box) > 0.8
    ):
        return False
    if parent is not None and parent.role == "combo box" and role in ("push button", "toggle button") and not named:
        return False
    return True


def _state(role: str, node: Node, tree: Tree) -> dict:
    states, out = node.states, {}
    acts = role in roles.ACTIONABLE or role == "text"
    if acts and not states & {"sensitive", "enabled"}:
        out["enabled"] = False
    if role in roles.CHECKABLE:
        out["checked"] = "checked" in states
    if role == "toggle button":
        out["pressed"] = bool(states & {"pressed", "checked"})
    if "selectable" in states and role in ("list item", "tree item", "table cell", "table row", "icon", "page tab"):
        out["selected"] = "selected" in states
    elif role == "page tab":
        out["selected"] = bool(states & {"selected", "checked"})
    if "expandable" in states or (role == "combo box" and "expanded" in states):
        out["expanded"] = "expanded" in states
    if role in ("entry", "password text", "spin button") or (role == "text" and "editable" in states):
        out["editable"] = "editable" in states
    if "focused" in states and acts:
        out["focused"] = True
    if "has_popup" in states or role == "menu":
        out["has_popup"] = True
    if "indeterminate" in states and role in roles.CHECKABLE:
        out["mixed"] = True
    if node.value is not None:
        for key, number in zip(("value", "min", "max", "step"), node.value):
            if np.isfinite(number) and abs(number) < 1e12:
                out[key] = round(float(number), 6)
    if node.text and role != "password text":
        # U+FFFC stands for embedded objects.
        text = node.text.replace("\ufffc", "").strip("\n")[:200]
        if text and text != node.name:
            out["text"] = text
    return out


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


def _without_duplicates(elements: list[Element]) -> list[Element]:
    """Drops what repeats an element at the same place: the label of a button, a wrapper of the same name."""
    drop = set()
    children: dict[int, list[int]] = {}
    for i, element in enumerate(elements):
        if element.parent is not None:
            children.setdefault(element.parent, []).append(i)
    for i, element in enumerate(elements):
        if element.parent is None:
            continue
        parent = elements[element.parent]
        same_place = alike(element.box, parent.box, 4) or covered_share(parent.box, element.box) > 0.9
        if (
            same_place
            and parent.interactive
            and (element.name in ("", parent.name))
            and element.role not in ("check box", "entry")
        ):
            drop.add(i)
        elif (
            same_place
            and element.interactive
            and parent.role in ("panel", "label")
            and parent.name in ("", element.name)
        ):
            drop.add(element.parent)
    return _without(elements, drop)


def _without_hidden(elements: list[Element], tree: Tree, frame: Box) -> list[Element]:
    """Where two unrelated elements claim one place, the pointer decides which of them is there."""
    lines = [_line(elements, i) for i in range(len(elements))]
    inner = [i for i, e in enumerate(elements) if e.node is not None and (e.interactive or e.role == "label")]
    drop = set()
    for position, i in enumerate(inner):
        x, y = centre(elements[i].box)
        rivals = [
            j
            for j in inner
            if j != i
            and holds(elements[j].box, x, y)
            and elements[j].popup == elements[i].popup
            and i not in lines[j]
            and j not in lines[i]
            and area(elements[j].box) < 6 * area(elements[i].box)
        ]
        if rivals and not _hit(tree, elements[i], x, y, frame):
            drop.add(i)
    return _without(elements, drop)


def _line(elements: list[Element], index: int) -> set:
    line, at = set(), elements[index].parent
    while at is not None:
        line.add(at)
        at = elements[at].parent
    return line


def _hit(tree: Tree, element: Element, x: int, y: int, frame: Box) -> bool:
    """Whether the toolkit finds this element at a point of the screen; yes if it cannot tell."""
    kind = Atspi.CoordType.SCREEN
    if gtk4_offsets.is_gtk4(*tree.toolkit.partition(" ")[::2]):
        if element.popup is not None:
            return True
        kind, x, y = Atspi.CoordType.WINDOW, x - frame[0], y - frame[1]
    try:
        found = tree.nodes[tree.main_root].handle
        for _ in range(60):
            if found == element.node.handle:
                return True
            component = found.get_component_iface()
            deeper = Atspi.Component.get_accessible_at_point(component, x, y, kind) if component else None
            if deeper is None or deeper == found:
                break
            found = deeper
        # A deeper child of the element may be what was hit.
        while found is not None:
            if found == element.node.handle:
                return True
            found = found.get_parent()
    except (GLib.Error, AttributeError):
        return True
    return False


def inside(elements: list[Element], box: Box) -> list[Element]:
    """Drops what lies outside a picture, such as a frame part beyond the screen's edge."""
    return _without(elements, {i for i, e in enumerate(elements) if intersection(e.box, box) is None})


def _without(elements: list[Element], drop: set) -> list[Element]:
    new_index, out = {}, []
    for i, element in enumerate(elements):
        if i in drop:
            continue
        parent = element.parent
        while parent is not None and parent in drop:
            parent = elements[parent].parent
        element.parent = new_index.get(parent)
        new_index[i] = len(out)
        out.append(element)
    return out
