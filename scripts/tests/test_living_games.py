"""What the rules of games say, against a count that shares no code with them."""

import random

import pytest

from capture import programs
from capture.living.games import (
    GAMES,
    NOTHING,
    after,
    before_the_end,
    every,
    flip,
    light_up,
    settled,
    some,
    unruly,
    written,
)

WALLS = ("..1.", ".#..", "...2", "0...")
GIVEN = ("..w.", "....", "b..b", "....")


def boards(game, count=60):
    chance = random.Random(7)
    for _ in range(count):
        yield {place: chance.choice(game.values) for place in game.start}


def test_lamps_light_what_they_see():
    game = light_up(WALLS)
    for lamps in boards(game):
        values = settled(game, lamps)
        lit = {}
        for (r, c), on in lamps.items():
            for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)) if on else ():
                y, x = r + dy, c + dx
                while 0 <= y < 4 and 0 <= x < 4 and WALLS[y][x] == ".":
                    lit[y, x] = lit.get((y, x), 0) + 1
                    y, x = y + dy, x + dx
        for (r, c), on in lamps.items():
            expected = ("clash" if lit.get((r, c)) else "lamp") if on else ("lit" if lit.get((r, c)) else NOTHING)
            assert values[f"light-{r + 1}-{c + 1}"] == expected
        for r, c in ((0, 2), (2, 3), (3, 0)):
            beside = [at for at in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)) if at in lamps]
            on = sum(lamps[at] for at in beside)
            possible = on + sum(not lamps[at] and at not in lit for at in beside)
            wrong = not on <= int(WALLS[r][c]) <= possible
            assert values.get(f"number-{WALLS[r][c]}-{r + 1}-{c + 1}", NOTHING) == ("wrong" if wrong else NOTHING)


def test_three_in_a_row_and_too_many_of_a_colour_are_marked():
    game = unruly(GIVEN)
    given = {(0, 2): "white", (2, 0): "black", (2, 3): "black"}
    for squares in boards(game):
        values = settled(game, squares)
        grid = {**squares, **given}
        for r, c in grid:
            for name, dy, dx in (("across", 0, 1), ("down", 1, 0)):
                places = set()
                for first in range(3):
                    three = [grid.get((r + (n - first) * dy, c + (n - first) * dx)) for n in range(3)]
                    if None not in three and len(set(three)) == 1 and three[0] != "empty":
                        places.add(first)
                begins, ends = bool(places & {0, 1}), bool(places & {1, 2})
                expected = {(True, True): "middle", (True, False): "first", (False, True): "last"}
                mark = values.get(f"{name}-{r + 1}-{c + 1}", NOTHING)
                assert mark == expected.get((begins, ends), NOTHING)
            own = grid[r, c]
            lines = [grid[r, x] for x in range(4)], [grid[y, c] for y in range(4)]
            full = own != "empty" and any(line.count(own) > 2 for line in lines)
            assert values.get(f"many-{r + 1}-{c + 1}", NOTHING) == (own if full else NOTHING)


def test_a_square_goes_round_its_values():
    game = unruly(GIVEN)
    squares = game.start
    seen = []
    for _ in range(3):
        squares = after(game, squares, (0, 0))
        seen.append(squares[0, 0])
    assert seen == ["black", "white", "empty"]
    assert squares == game.start


def test_a_click_on_what_was_given_changes_nothing():
    game = unruly(GIVEN)
    assert after(game, game.start, (0, 2)) == game.start


def test_a_square_is_turned_with_its_neighbours():
    game = flip(("...", ".*.", "..."))
    squares = after(game, game.start, (1, 1))
    assert {place for place, light in squares.items() if light} == {(0, 1), (1, 0), (1, 2), (2, 1)}
    assert {place for place, light in after(game, game.start, (0, 0)).items() if light} == {
        (0, 0), (0, 1), (1, 0), (1, 1)
    }  # fmt: skip


def test_the_last_click_solves_the_puzzle():
    game = flip(("...", ".*.", "..."))
    for place in game.presses:
        assert after(game, before_the_end(game, place), place) == game.solution


@pytest.mark.parametrize(("join", "empty"), [(every, True), (some, False)])
def test_what_is_given_decides_tests(join, empty):
    test = {"is": "equal", "control": "a", "value": True}
    assert join([]) is empty
    assert join([test, empty]) == test
    assert join([test, not empty]) is (not empty)


def test_what_a_recipe_calls_solved_breaks_no_rule():
    board = programs.load("sgt-unruly").board
    game = GAMES[board.game](board.cells)
    cells = written(board.game, game, board.solved)
    assert set(cells) == set(game.start)
    assert set(cells.values()) == {"black", "white"}
    values = settled(game, cells)
    assert {values[mark.id] for mark in game.marks} == {NOTHING}
