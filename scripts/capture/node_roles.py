"""What a node of an accessibility tree is, judged from its role, its states and where in the tree it lies."""

from . import roles
from .boxes import height, width
from .names import EMPTY_NAMES, clean_name
from .tree import Tree

PAGE_PX = 60


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
