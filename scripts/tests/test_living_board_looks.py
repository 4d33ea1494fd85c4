"""What pictures of a board teach."""

import numpy as np

from capture.living.board_looks import BoardLooks, rectangles
from capture.living.changes import Piece
from capture.living.games import NOTHING, Game, Mark, cell, equal, settled

BOXES = {(0, 0): (0, 0, 20, 20), (0, 1): (20, 0, 40, 20)}
A, B = (cell(place) for place in BOXES)
MARK = "mark-1-1"


def game():
    marks = [Mark("mark", place, [("on", equal(B, True))]) for place in BOXES]
    return Game([False, True], dict.fromkeys(BOXES, False), {place: [place] for place in BOXES}, marks)


def picture(cells):
    """The program: a cell that is on is lighter, and both have a dot while the second one is on."""
    out = np.zeros((20, 44, 3), np.uint8)
    for place, (x0, y0, x1, y1) in BOXES.items():
        if cells[place]:
            out[y0:y1, x0:x1] = 100
        if cells[0, 1]:
            out[y0 + 5 : y0 + 8, x0 + 5 : x0 + 8] = 200
    return out


def looks():
    own = game()
    return BoardLooks(own, BOXES, picture(own.start), settled(own, own.start))


def seen(known, first, second):
    cells = {(0, 0): first, (0, 1): second}
    return known.learn(picture(cells), settled(known.game, cells))


def test_a_look_is_learned_where_it_is_alone():
    known = looks()
    assert seen(known, first=True, second=False) == []
    assert set(known.known) == {((0, 0), (A, True))}
    assert seen(known, first=True, second=True) == []
    # The mark over a value that is known; the second cell shows two things that are not.
    assert set(known.known) == {((0, 0), (A, True)), ((0, 0), (MARK, "on"))}


def test_what_looks_different_is_told():
    known = looks()
    seen(known, first=True, second=False)
    wrong = picture({(0, 0): True, (0, 1): False})
    wrong[2:9, 2:9] = 30
    (fault,) = known.learn(wrong, settled(known.game, {(0, 0): True, (0, 1): False}))
    assert fault.startswith(f"{A}: 49 px differ")


def test_a_board_shows_if_all_of_it_is_known_and_looks_so():
    known = looks()
    seen(known, first=True, second=False)

    def shows(cells, drawn):
        return known.is_composed(picture(drawn), settled(known.game, cells))

    first, both = {(0, 0): True, (0, 1): False}, {(0, 0): True, (0, 1): True}
    assert shows(first, first)
    assert not shows(first, known.game.start)
    assert not shows(both, both), "nobody knows what it looks like"


def test_a_look_that_shows_nothing_is_not_learned():
    known = looks()
    nothing = picture({(0, 0): False, (0, 1): False})
    (fault,) = known.learn(nothing, settled(known.game, {(0, 0): True, (0, 1): False}))
    assert "shows nothing" in fault


def test_a_look_may_be_taken_from_another_cell():
    known = looks()
    seen(known, first=True, second=False)
    assert known.lend((0, 1), (B, True))
    assert not known.lend((0, 1), ("other-1-2", "on"))
    assert not known.is_proved((0, 1), (B, True))
    # The second cell shows its own value below a mark; the mark is learned there, so that the value counts as seen.
    assert seen(known, first=False, second=True) == []
    assert known.is_proved((0, 1), (B, True))
    assert not known.is_proved((0, 1), ("mark-1-2", "on"))


def test_a_look_that_another_cell_has_differently_is_taken_back():
    known = looks()
    seen(known, first=False, second=True)
    assert known.lend((0, 1), ("mark-1-2", "on"))
    known.known[(0, 1), (B, True)] = [Piece((20, 0, 40, 20), np.ones((20, 20), bool), np.full((20, 20, 3), 50), None)]
    assert seen(known, first=False, second=True) == []
    assert ((0, 1), ("mark-1-2", "on")) not in known.known
    assert not known.lend((0, 1), ("mark-1-2", "on"))


def test_what_is_wanted_is_all_that_may_show():
    assert len(looks().wanted()) == 4
    assert looks().first[MARK] == NOTHING


def test_frames_are_bars():
    mask = np.zeros((20, 20), bool)
    mask[2:18, 2:18] = True
    mask[5:15, 5:15] = False
    parts = rectangles(Piece((10, 10, 30, 30), mask, np.zeros((20, 20, 3), np.uint8), None))
    assert [p.rect for p in parts] == [(12, 12, 28, 15), (12, 15, 15, 25), (25, 15, 28, 25), (12, 25, 28, 28)]
    assert all(p.mask.all() for p in parts)
