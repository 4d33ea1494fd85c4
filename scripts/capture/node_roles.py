"""What a node of an accessibility tree is, judged from its role, its states and where in the tree it lies."""

import re

from . import roles
from .boxes import height, width
from .names import EMPTY_NAMES, clean_name
from .tree import Tree

PAGE_PX = 60
# A field that does not say how many lines it has has one if it is no higher than this.
FIELD_PX = 48
SIZE = re.compile(r"[\d.,]+ ([KMGT]i?)?B")


def role_of(tree: Tree, index: int) -> str:
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
        and (height(node.box) < FIELD_PX or "single_line" in node.states)
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


def is_static(tree: Tree, index: int, role: str) -> bool:
    """Whether it is part of a table in a text or a page: nothing there answers a click, though its role says so."""
    if role not in roles.OF_TABLES:
        return False
    outer = {tree.nodes[a].role for a in tree.ancestors(index)}
    return roles.TEXT in outer or (
        bool(outer & roles.PAGES) and not tree.nodes[index].states & {"selectable", "focusable"}
    )


def cells_of_uneven_rows(tree: Tree) -> set[int]:
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


def heading_of(tree: Tree, index: int) -> str:
    """The name of a cell of an uneven row. A part that a row hides keeps the text of the last row that showed it: in a
    row that opens others, and whose hidden part says something new, that part is the heading; the visible one is
    stale."""
    node = tree.nodes[index]
    outer = tree.nodes[node.parent]
    if "expandable" not in outer.states:
        return node.name
    hidden = _hidden_text(tree, node.parent)
    before = next(
        (
            _hidden_text(tree, i)
            for i in range(node.parent - 1, outer.parent, -1)
            if tree.nodes[i].parent == outer.parent and tree.nodes[i].role == "table cell"
        ),
        "",
    )
    return hidden if hidden and hidden != before else node.name


def _hidden_text(tree: Tree, row: int) -> str:
    return next((n.name for n in tree.nodes[row + 1 :] if n.parent == row and n.box is None and n.name), "")


def is_size_of_folder(tree: Tree, index: int) -> bool:
    """KDE's file lists draw the number of items where they tell the size that the folder itself has on the disk."""
    node = tree.nodes[index]
    return (
        node.role == "table cell"
        and tree.toolkit.lower().startswith("qt")
        and "expandable" in node.states
        and not node.states & {"selectable", "focusable"}
        and SIZE.fullmatch(node.name) is not None
    )


def in_menu_bar(tree: Tree, index: int) -> bool:
    parent = tree.nodes[index].parent
    return parent >= 0 and tree.nodes[parent].role == "menu bar"


def inside_menu(tree: Tree, index: int) -> bool:
    """Whether the node belongs to a menu, and so shows only while that menu is open."""
    if in_menu_bar(tree, index):
        return False
    if tree.nodes[index].role in roles.MENU_ITEMS:
        return True
    return any(tree.nodes[a].role in ("menu", "popup menu", "menu item") for a in tree.ancestors(index))
