"""Boards of games: which boxes of a window are the cells of a board. Nothing here touches the screen.

A program that draws its board on one canvas tells nothing of its cells. The recipe says what the board is like; whether
the boxes are right is proved by the crawl (living/board.py): what a click changes has to lie in the boxes of the cells
that the game's rules name.
"""

from dataclasses import dataclass

from .boxes import Box, area, height, width
from .elements import Element

# Cells that a program draws: what they are to a reader of the screen.
DRAWN_ROLE = "table cell"
# What is in the place of a cell where there is none: it shows nothing, and nobody clicks it.
WALL = "#"


@dataclass(frozen=True)
class Board:
    game: str  # whose rules hold (living/games.py)
    cells: tuple[str, ...]  # a line per row, a character per cell, as the game begins; `#`: a wall, which is none
    around: str = "halves"  # what is free around it: two halves of a cell, rounded down, or one `cell`
    solved: tuple[str, ...] = ()  # the same cells once the puzzle is solved, where the program solves it by itself

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.cells), len(self.cells[0])

    def places(self) -> list[tuple[int, int]]:
        rows, columns = self.size
        return [(row, column) for row in range(rows) for column in range(columns)]


def name_of(row: int, column: int) -> str:
    """What a person would call a cell; rows and columns count from 1 at the top left."""
    return f"Row {row + 1}, column {column + 1}"


def tell_cells(elements: list[Element], board: Board) -> list[Element]:
    """The elements of a window with the cells of its board, if it shows a canvas."""
    canvas = max(
        (n for n, e in enumerate(elements) if e.role == "canvas" and e.popup is None),
        key=lambda n: area(elements[n].box),
        default=None,
    )
    if canvas is None:
        return elements
    boxes = cell_boxes(elements[canvas].box, board)
    own = [
        Element(DRAWN_ROLE, name_of(*place), "", box, True, None, {}, canvas, None)
        for place, box in zip(board.places(), boxes, strict=True)
        if board.cells[place[0]][place[1]] != WALL
    ]
    return elements + own


def cell_boxes(canvas: Box, board: Board) -> list[Box]:
    """The boxes of a board's cells, row by row: squares, as large as the canvas allows, in its middle, with half a cell
    free on each side. So Simon Tatham's puzzles lay out boards without clues beside them."""
    rows, columns = board.size

    def needed(side: int, count: int) -> int:
        return count * side + (side if board.around == "cell" else 2 * (side // 2))

    side = 1
    while needed(side + 1, columns) <= width(canvas) and needed(side + 1, rows) <= height(canvas):
        side += 1
    left = canvas[0] + (width(canvas) - needed(side, columns)) // 2 + side // 2
    top = canvas[1] + (height(canvas) - needed(side, rows)) // 2 + side // 2
    return [
        (x, y, x + side, y + side)
        for y in range(top, top + rows * side, side)
        for x in range(left, left + columns * side, side)
    ]
