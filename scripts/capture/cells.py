"""Where the cells of a tree's expander column begin.

GTK places them too far right by the expander's width, so that their boxes begin inside their texts. One cell alone says
little: a number of the column before it may touch its edge. A column's cells say it together.
"""

import numpy as np

from .boxes import Box, intersection
from .node_roles import role_of
from .tree import Tree

CUT_TEXT_PX = 30
WORD_GAP_PX = 3
INK_CONTRAST = 60
# Letters begin at different distances from the place where texts do.
SAME_SHIFT_PX = 2
LEAST_SHARE = 0.5
# A column of fewer cells says too little by itself: what the window's other columns say counts.
FEW_CELLS = 3


def cell_starts(tree: Tree, pixels: np.ndarray, origin: tuple[int, int]) -> dict[int, int]:
    """The left edges of cells (indexes into the tree) whose texts begin before their boxes."""
    if not tree.toolkit.lower().startswith(("gtk", "gail")):
        return {}
    rows = _outer_cells(tree)
    columns = [[(i, _crossing_shifts(tree, i, rows, pixels, origin)) for i in c] for c in _columns(tree).values()]
    shifts = [_common_shift([found for _, found in column]) for column in columns]
    told = [shift for column, shift in zip(columns, shifts, strict=True) if shift and len(column) >= FEW_CELLS]
    usual = max(set(told), key=told.count) if told else 0
    out: dict[int, int] = {}
    for column, own in zip(columns, shifts, strict=True):
        shift = own
        if own and usual and len(column) < FEW_CELLS:
            shift = usual if any(_is_near(s, usual) for _, found in column for s in found) else 0
        out |= {i: tree.nodes[i].box[0] - shift for i, _ in column if shift}
    return out


def _common_shift(rows: list[list[int]]) -> int:
    """By how much a column lies too far right, as most of its cells say; 0 if fewer than half of them agree."""
    candidates = sorted({shift for found in rows for shift in found})
    votes = {s: sum(any(_is_near(other, s) for other in found) for found in rows) for s in candidates}
    if not votes or max(votes.values()) < LEAST_SHARE * len(rows):
        return 0
    agreed = [s for s, number in votes.items() if number == max(votes.values())]
    # Of shifts a pixel apart, the largest leaves no letter out; an icon's place, farther off, is not the text's.
    return max(s for s in agreed if s - agreed[0] <= SAME_SHIFT_PX)


def _is_near(a: int, b: int) -> bool:
    return abs(a - b) <= SAME_SHIFT_PX


def _columns(tree: Tree) -> dict[tuple, list[int]]:
    """Named cells by table and column. A cell may consist of cells, which have their own places in it."""
    out: dict[tuple, list[int]] = {}
    for index, node in enumerate(tree.nodes):
        if not node.name or node.box is None or "showing" not in node.states:
            continue
        if role_of(tree, index) not in ("table cell", "list item"):
            continue
        top = _outermost(tree, index)
        outer = tree.nodes[top]
        place = sum(n.parent == node.parent for n in tree.nodes[node.parent + 1 : index]) if top != index else None
        out.setdefault((outer.parent, outer.box[2] if outer.box else 0, place), []).append(index)
    return out


def _outermost(tree: Tree, index: int) -> int:
    while tree.nodes[index].parent >= 0 and tree.nodes[tree.nodes[index].parent].role == "table cell":
        index = tree.nodes[index].parent
    return index


def _outer_cells(tree: Tree) -> dict[tuple[int, int], list[int]]:
    """The cells of each row, by table and upper edge."""
    out: dict[tuple[int, int], list[int]] = {}
    for index, node in enumerate(tree.nodes):
        if node.role == "table cell" and node.box and "showing" in node.states and _outermost(tree, index) == index:
            out.setdefault((node.parent, node.box[1]), []).append(index)
    return out


def _crossing_shifts(tree: Tree, index: int, rows: dict, pixels: np.ndarray, origin: tuple[int, int]) -> list[int]:
    """How far before the cell words begin, the last of which crosses its left edge, in room that is no other cell's."""
    box, top = tree.nodes[index].box, _outermost(tree, index)
    outer = tree.nodes[top].box
    row = rows.get((tree.nodes[top].parent, outer[1]), []) if outer else []
    others = [tree.nodes[other].box for other in row if other != top]
    starts = _words_into(box, pixels, origin)
    return [box[0] - x for x in starts if all(intersection(o, (x, box[1], box[0], box[3])) is None for o in others)]


def _words_into(box: Box, pixels: np.ndarray, origin: tuple[int, int]) -> list[int]:
    """Where words begin in front of a box, if a text crosses its left edge."""
    x, y = origin
    left = max(0, box[0] - x - CUT_TEXT_PX)
    band = pixels[max(0, box[1] - y + 2) : max(0, box[3] - y - 2), left : max(0, box[0] - x + 2), :3].astype(int)
    if band.shape[0] < 6 or band.shape[1] < 8:
        return []
    ink = np.abs(band - np.median(band.reshape(-1, 3), axis=0)).max(axis=2) > INK_CONTRAST
    columns, full = ink.any(axis=0), ink.all(axis=0)
    if full.any() or not columns[-4:].any() or columns[-10:].sum() < 5:
        return []
    words = [at for at in np.flatnonzero(columns) if not columns[max(0, at - WORD_GAP_PX) : at].any()]
    return [x + left + int(at) for at in words if at >= WORD_GAP_PX]
