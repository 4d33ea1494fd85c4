"""Which part of a table, tree or list shows its rows: without the scroll bars that Qt draws in its box and tells nobody
of, and without the headings above the rows."""

import numpy as np

from .boxes import Box, height, shifted
from .roles import pack_role
from .tree import Tree

VIEWS = frozenset(("table", "tree", "list"))
# How far from a side a scroll bar may reach, the frame of a view with what is drawn along it, and how wide a handle is.
REACH_PX, FRAME_PX, MOST_HANDLE_PX = 30, 3, 18
# A side of a bar is a line along this share of the view: what is written in rows is not.
LINE_SHARE, LINE_CONTRAST = 0.45, 6
WRITTEN_SHARE = 0.08
LEAST_SIDE_PX = 60
# Headings begin where their table does.
HEADING_GAP_PX = 6


def viewports(tree: Tree, pixels: np.ndarray, origin: tuple[int, int]) -> dict[int, Box]:
    """The boxes of Qt's views (indexes into the tree) without their scroll bars, for those that have some."""
    if not tree.toolkit.lower().startswith("qt"):
        return {}
    out = {}
    for index, node in enumerate(tree.nodes):
        if node.box is None or "showing" not in node.states or pack_role(node.role) not in VIEWS:
            continue
        box = without_bars(pixels, shifted(node.box, -origin[0], -origin[1]))
        box = shifted(box, *origin)
        if box != node.box:
            out[index] = box
    return out


def without_bars(pixels: np.ndarray, box: Box) -> Box:
    """A box of the picture without the scroll bars at its right and lower side."""
    x0, y0, x1, y1 = box
    x0, y0, x1, y1 = max(0, x0), max(0, y0), min(pixels.shape[1], x1), min(pixels.shape[0], y1)
    if x1 - x0 < LEAST_SIDE_PX or y1 - y0 < LEAST_SIDE_PX:
        return box
    part = pixels[y0:y1, x0:x1, :3].astype(int)
    return box[0], box[1], box[2] - _bar_px(part), box[3] - _bar_px(part.swapaxes(0, 1))


def _bar_px(part: np.ndarray) -> int:
    """The width of the bar along a picture's right side, the view's frame included; 0 if there is none."""
    strip = part[:, -REACH_PX:]
    lines = (np.abs(np.diff(strip, axis=1)).max(axis=2) > LINE_CONTRAST).mean(axis=0) >= LINE_SHARE
    # Distances from the side, the frame's own left out; both edges of a thin line count once.
    found = [at for at in range(FRAME_PX + 1, REACH_PX) if lines[-at]]
    found = [at for at in found if at - 1 not in found]
    if len(found) < 2:
        return 0
    # A line beside the groove is the bar's own edge; a groove or a handle alone lies in its middle.
    wide = found[2] if len(found) > 2 else min(REACH_PX, found[0] + found[1] + 1 - FRAME_PX)
    return wide if found[1] - found[0] <= MOST_HANDLE_PX and _is_unwritten(strip[:, -wide:-FRAME_PX]) else 0


def _is_unwritten(strip: np.ndarray) -> bool:
    """Whether hardly anything changes down a strip, as in a bar with its handle and unlike in a column of texts."""
    changes = (np.abs(np.diff(strip, axis=0)).max(axis=2) > LINE_CONTRAST).mean(axis=0)
    return bool(changes.max(initial=0) <= WRITTEN_SHARE)


def heading_bottoms(tree: Tree) -> dict[int, int]:
    """Where the headings of tables (indexes into the tree) end: no row shows above."""
    out: dict[int, int] = {}
    for node in tree.nodes:
        if node.box is None or "showing" not in node.states or pack_role(node.role) != "column header":
            continue
        outer = tree.nodes[node.parent].box if node.parent >= 0 else None
        if outer and abs(node.box[1] - outer[1]) <= HEADING_GAP_PX and height(node.box) < height(outer):
            out[node.parent] = max(out.get(node.parent, 0), node.box[3])
    return out
