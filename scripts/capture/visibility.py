"""Which part of a node the screen shows, judged from the boxes of its ancestors and of the open popups."""

from . import roles
from .boxes import Box, alike, area, covered_share, grown, height, intersection, width
from .node_roles import in_menu_bar, inside_menu, role_of
from .tree import Tree
from .viewports import heading_bottoms

MIN_SIDE_PX = 5
MIN_VISIBLE_SHARE = 0.5
ROWS = frozenset(("table cell", "table row", "list item", "tree item", "row header"))


class Visibility:
    """Nodes are asked for in the order of the tree: a node's part lies within its parent's."""

    def __init__(self, tree: Tree, frame: Box, popups: list[Box], views: dict[int, Box] | None = None):
        """`views` are the parts of nodes in which their children show, where these are smaller than the nodes."""
        self.tree, self.frame, self.popups = tree, frame, popups
        self.views, self.headings = views or {}, heading_bottoms(tree)
        # What shows of each node asked for so far, and what may show of its children.
        self.own: dict[int, Box | None] = {}
        self.inner: dict[int, Box | None] = {}

    def visible_part(self, index: int) -> tuple[Box, int | None] | None:
        """The part of a node that the screen shows, and the popup it lies in; None if it shows nothing of it."""
        node = self.tree.nodes[index]
        popup = self._popup_of(index)
        self.own[index] = self._clip(index, popup)
        box = self.own[index]
        # A tab that is not drawn has no box of its own.
        if node.box is None or box is None or width(box) < MIN_SIDE_PX or height(box) < MIN_SIDE_PX or node.parent < 0:
            return None
        role = role_of(self.tree, index)
        if popup is None and (inside_menu(self.tree, index) or self._in_ghost_bar(index)):
            return None
        if "showing" not in node.states and popup is None:
            return None
        if role in ROWS and self._in_closed_list(node.parent):
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

    def _in_ghost_bar(self, index: int) -> bool:
        """LibreOffice keeps a menu bar that it does not draw behind GTK's: it has menus, but no box."""
        return in_menu_bar(self.tree, index) and self.tree.nodes[self.tree.nodes[index].parent].box is None

    def _in_closed_list(self, parent: int) -> bool:
        """Qt says of the rows of a list that was open before where they were: the list itself has no box any more."""
        return self.tree.nodes[parent].role == "list" and self.tree.nodes[parent].box is None

    def _popup_of(self, index: int) -> int | None:
        node = self.tree.nodes[index]
        if node.popup is not None:
            return node.popup
        if node.box is None or not self.popups:
            return None
        root = index
        belongs = role_of(self.tree, index) in roles.MENU_ITEMS
        for ancestor in self.tree.ancestors(index):
            root = ancestor
            belongs = belongs or role_of(self.tree, ancestor) in ("menu", "combo box", "menu item")
        belongs = belongs or root != self.tree.main_root
        if not belongs or in_menu_bar(self.tree, index):
            return None
        for number in reversed(range(len(self.popups))):
            if covered_share(node.box, self.popups[number]) > 0.85:
                return number
        return None

    def _clip(self, index: int, popup: int | None) -> Box | None:
        """Notes what may show of the node's children, too: to the pixel, or else every level would add to it."""
        node = self.tree.nodes[index]
        if node.box is None:
            # A box of nothing still holds its children's clip.
            outer = node.parent if node.parent >= 0 else None
            self.inner[index] = self.frame if outer is None else self.inner.get(outer)
            return self.frame if outer is None else self.own.get(outer)
        box = intersection(node.box, self.popups[popup] if popup is not None else self.frame)
        self.inner[index] = box
        if box is None or popup is not None:
            return box
        for ancestor in self.tree.ancestors(index):
            # A page's content is the child of its tab in GTK, though it lies beside it.
            if self.tree.nodes[ancestor].role == "page tab":
                continue
            if self.tree.nodes[ancestor].box is not None and self._popup_of(ancestor) is None:
                outer = self._room_in(ancestor, index)
                self.inner[index] = intersection(box, outer) if outer else None
                # Focus rings and frames of children may stand out by two pixels.
                box = intersection(box, grown(outer, 2)) if outer else None
                break
        if index in self.views and self.inner[index]:
            self.inner[index] = intersection(self.inner[index], self.views[index])
        return box

    def _room_in(self, ancestor: int, index: int) -> Box | None:
        """What an ancestor leaves for a node: rows show below the headings of their table."""
        room, bottom = self.inner.get(ancestor), self.headings.get(ancestor)
        if room and bottom and role_of(self.tree, index) in ROWS and self.tree.nodes[index].box[3] > bottom:
            return (room[0], max(room[1], bottom), *room[2:]) if bottom < room[3] else None
        return room

    def _under_popup(self, box: Box, role: str) -> bool:
        limit = 0.1 if role in roles.ACTIONABLE or role == "label" else 0.5
        return any(covered_share(box, popup) > limit for popup in self.popups)
