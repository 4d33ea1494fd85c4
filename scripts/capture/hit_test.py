"""Asks a toolkit which element lies at a point of the screen."""

from . import gtk4_offsets
from .atspi import Atspi, GLib
from .boxes import Box
from .elements import Element
from .tree import Tree


def is_hit(tree: Tree, element: Element, x: int, y: int, frame: Box) -> bool:
    """Whether the toolkit finds this element at a point of the screen; yes if it cannot tell."""
    kind = Atspi.CoordType.SCREEN
    if gtk4_offsets.is_gtk4(*tree.toolkit.partition(" ")[::2]):
        if element.popup is not None:
            return True
        kind, x, y = Atspi.CoordType.WINDOW, x - frame[0], y - frame[1]
    try:
        found = tree.nodes[_surface_of(tree, element)].handle
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


def _surface_of(tree: Tree, element: Element) -> int:
    """Where the search begins: menus are windows of their own, which the program's window knows nothing of."""
    if element.popup is None:
        return tree.main_root
    own = next(index for index, node in enumerate(tree.nodes) if node is element.node)
    menus = (a for a in tree.ancestors(own) if tree.nodes[a].role in ("menu", "popup menu"))
    return next(menus, tree.main_root)
