"""Where the cells of a board are."""

import pytest

from builders import element
from capture.boards import Board, cell_boxes, tell_cells

THREE = ("...", "...", "...")


@pytest.mark.parametrize(
    ("around", "size", "side", "first"),
    [("halves", 44, 11, (5, 5)), ("cell", 44, 11, (5, 5)), ("halves", 43, 11, (5, 5)), ("cell", 43, 10, (6, 6))],
)
def test_a_drawn_board_is_as_large_as_its_canvas_allows(around, size, side, first):
    boxes = cell_boxes((100, 200, 100 + size, 200 + size), Board("unruly", THREE, around=around))
    assert len(boxes) == 9
    assert boxes[0] == (100 + first[0], 200 + first[1], 100 + first[0] + side, 200 + first[1] + side)
    assert boxes[1][0] == boxes[0][2]
    assert boxes[3][1] == boxes[0][3]


def test_it_lies_in_the_middle_of_a_wide_canvas():
    boxes = cell_boxes((0, 0, 400, 44), Board("unruly", THREE))
    assert boxes[0][0] == 183
    assert 400 - boxes[-1][2] == 184


def test_drawn_cells_become_elements_of_the_largest_canvas():
    found = tell_cells([element("canvas", box=(0, 0, 9, 9)), element("canvas", box=(0, 0, 44, 44))], Board("x", THREE))
    cells = found[2:]
    assert [e.name for e in cells[:4]] == ["Row 1, column 1", "Row 1, column 2", "Row 1, column 3", "Row 2, column 1"]
    assert {(e.role, e.parent, e.interactive) for e in cells} == {("table cell", 1, True)}


def test_a_window_without_a_canvas_has_no_cells():
    assert len(tell_cells([element()], Board("x", THREE))) == 1


def test_a_wall_is_no_cell():
    found = tell_cells([element("canvas", box=(0, 0, 44, 44))], Board("x", (".#.", "...", "...")))
    assert [e.name for e in found[1:3]] == ["Row 1, column 1", "Row 1, column 3"]
