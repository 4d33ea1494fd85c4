"""A window's accessibility tree as plain data, and what its boxes need before they can be compared with the screen.

Nothing is judged here: what is visible and worth keeping is decided in elements.py.
"""

from dataclasses import dataclass, field

from .boxes import Box, shifted, union
from .edges import edge_distance
from .screen import Popup

POPOVER_MARGIN_PX = 24


@dataclass
class Node:
    role: str
    name: str
    description: str
    states: set[str]
    box: Box | None
    parent: int  # index into the tree, -1 for a root
    depth: int
    handle: object = field(repr=False)
    text: str | None = None
    value: tuple[float, float, float, float] | None = None  # value, min, max, step
    popup: int | None = None  # popup whose surface the node was matched to


@dataclass
class Tree:
    nodes: list[Node]
    toolkit: str  # "gtk 3.24.38"
    app_name: str
    main_root: int  # index of the window's own root

    def ancestors(self, index: int):
        index = self.nodes[index].parent
        while index >= 0:
            yield index
            index = self.nodes[index].parent


def inner_popovers(tree: Tree, first_number: int, grab) -> list[Popup]:
    """GTK 3 draws popovers inside the window: modal panels right below the window's root. Marks what they hold.

    `grab` gives the pixels of a box of the screen.
    """
    out, number_of = [], {}
    for index, node in enumerate(tree.nodes):
        if node.parent in number_of:
            number_of[index] = number_of[node.parent]
        elif (
            node.parent == tree.main_root and node.role == "panel" and node.box and {"showing", "modal"} <= node.states
        ):
            content = [n.box for n in tree.nodes if n.parent == index and n.box and "showing" in n.states]
            box = _popover_border(union(content), node.box, grab) if content else node.box
            number_of[index] = first_number + len(out)
            out.append(Popup(box, node.box, "POPOVER"))
        if index in number_of:
            node.popup = number_of[index]
    return out


def _popover_border(content: Box, outer: Box, grab) -> Box:
    """The visible part of a popover's box, which also holds its arrow and its shadow."""
    pixels, (x0, y0, x1, y1) = grab(outer), shifted(content, -outer[0], -outer[1])
    third = (x1 - x0) // 3
    # The arrow points up or down from anywhere: above and below, the nearer edge of the
    # left and of the right part counts.
    parts = {0: [(x0, y0, x1, y1)], 2: [(x0, y0, x1, y1)], 1: [(x0, y0, x0 + third, y1), (x1 - third, y0, x1, y1)]}
    parts[3] = parts[1]
    found = []
    for side in range(4):
        seen = [edge_distance(pixels, part, side, POPOVER_MARGIN_PX) for part in parts[side]]
        found.append(min((d for d in seen if d is not None), default=None))
    known = [d for d in found if d is not None]
    left, top, right, bottom = (
        (sorted(known)[len(known) // 2] if d is None else d for d in found) if len(known) >= 2 else (2, 2, 2, 2)
    )
    return content[0] - left, content[1] - top, content[2] + right, content[3] + bottom


def shift_libreoffice(tree: Tree) -> None:
    """LibreOffice's root pane forgets the height of the GTK menu bar above it after a resize.

    GTK parts inside of it are right: the side bar below a split pane, and the lists and fields of toolbars, which lie
    as much below their own panels as all of these are too high.
    """
    root = next((i for i, n in enumerate(tree.nodes) if n.role == "root pane" and n.box and n.parent >= 0), None)
    if root is None or tree.nodes[tree.nodes[root].parent].box is None:
        return
    dy = tree.nodes[tree.nodes[root].parent].box[1] - tree.nodes[root].box[1]
    if dy <= 0:
        return
    inside = {root}
    for index, node in enumerate(tree.nodes):
        if node.parent not in inside:
            continue
        outer = tree.nodes[node.parent]
        is_native = outer.role == "split pane" or (node.box and outer.box and node.box == shifted(outer.box, 0, dy))
        if not is_native:
            inside.add(index)
    for index in inside:
        if tree.nodes[index].box:
            tree.nodes[index].box = shifted(tree.nodes[index].box, 0, dy)
