"""What the rules of games say of their boards: what a click on a cell sets, and what each cell then looks like. Nothing
here touches the screen.

A cell that a person sets is a control of its own. What the program marks by itself (a lit square, three in a row) are
*marks*: controls that follow from the cells by tests in the words of a pack's rules (docs/pack.md). Tests are dicts as
the pack has them, or True and False where the cells that can't be set decide.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import combinations

Place = tuple[int, int]
Value = bool | str
Test = dict | bool


@dataclass
class Mark:
    """What a program draws on a cell by itself. The first case that holds decides; if none does, nothing is drawn."""

    name: str
    place: Place | None  # None: it is not drawn, other marks follow from it
    cases: list[tuple[str, Test]]

    @property
    def id(self) -> str:
        return self.name if self.place is None else f"{self.name}-{self.place[0] + 1}-{self.place[1] + 1}"


@dataclass
class Game:
    """`presses`: cells, and those that a click on them sets to their next value. Cells without a value can't be set."""

    values: list[Value]  # of a cell, in the order in which clicks lead from one to the next
    start: dict[Place, Value]
    presses: dict[Place, list[Place]]
    marks: list[Mark] = field(default_factory=list)
    shown: bool = True  # whether a cell's own value has a look; else its marks have
    counts: bool = False  # whether the program shows how often a cell was clicked
    solution: dict[Place, Value] | None = None  # a board that the program says more of


NOTHING = "none"


def cell(place: Place) -> str:
    """The control of a cell."""
    return f"cell-{place[0] + 1}-{place[1] + 1}"


def equal(control: str, value: Value) -> Test:
    return {"is": "equal", "control": control, "value": value}


def every(tests: Iterable[Test]) -> Test:
    return _joined("all", tests, True)


def some(tests: Iterable[Test]) -> Test:
    return _joined("any", tests, False)


def _joined(kind: str, tests: Iterable[Test], neutral: bool) -> Test:
    """`neutral` tests change nothing, and one of the opposite decides."""
    left = []
    for test in tests:
        if test is (not neutral):
            return not neutral
        if test is not neutral:
            left.append(test)
    if not left:
        return neutral
    return left[0] if len(left) == 1 else {"is": kind, "tests": left}


def at_least(count: int, tests: list[Test]) -> Test:
    return some(every(group) for group in combinations(tests, count)) if count > 0 else True


def written(name: str, game: Game, rows: tuple[str, ...]) -> dict[Place, Value]:
    """The cells that can be set, as a recipe writes them: a line per row, a character per cell."""
    return {(row, column): SIGNS[name][rows[row][column]] for row, column in game.start}


def holds(test: Test, values: dict[str, Value]) -> bool:
    if isinstance(test, bool):
        return test
    if test["is"] == "equal":
        return values[test["control"]] == test["value"]
    return (all if test["is"] == "all" else any)(holds(t, values) for t in test["tests"])


def settled(game: Game, cells: dict[Place, Value]) -> dict[str, Value]:
    """The values of all controls, marks too."""
    values: dict[str, Value] = {cell(place): value for place, value in cells.items()}
    for mark in game.marks:
        values[mark.id] = next((value for value, test in mark.cases if holds(test, values)), NOTHING)
    return values


def after(game: Game, cells: dict[Place, Value], pressed: Place) -> dict[Place, Value]:
    """The cells after a click on one of them."""
    out = dict(cells)
    for place in game.presses.get(pressed, ()):
        out[place] = game.values[(game.values.index(out[place]) + 1) % len(game.values)]
    return out


def before_the_end(game: Game, pressed: Place) -> dict[Place, Value] | None:
    """The board on which a click on a cell solves the puzzle, where clicks go round two values."""
    return None if game.solution is None else after(game, game.solution, pressed)


def support(test: Test) -> set[str]:
    """The controls that a test looks at."""
    if isinstance(test, bool):
        return set()
    return {test["control"]} if test["is"] == "equal" else set().union(*map(support, test["tests"]))


def _with_cases(marks: list[Mark]) -> list[Mark]:
    """Without cases that can't hold, and marks that have no others."""
    kept = [Mark(m.name, m.place, [(value, test) for value, test in m.cases if test is not False]) for m in marks]
    return [mark for mark in kept if mark.cases]


def light_up(cells: tuple[str, ...]) -> Game:
    """`.` a square that may hold a lamp, `#` a wall, a digit a wall that wants so many lamps beside it.

    A lamp lights its row and column up to the next walls. Lamps that light each other are marked, and so are numbers
    that have too many lamps or can't get enough: a square that is lit can't take one."""
    free = {(r, c) for r, row in enumerate(cells) for c, sign in enumerate(row) if sign == "."}

    def is_on(place: Place) -> Test:
        return equal(cell(place), True)

    def seen_from(place: Place) -> list[Place]:
        out = []
        for dy, dx in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            at = place[0] + dy, place[1] + dx
            while at in free:
                out.append(at)
                at = at[0] + dy, at[1] + dx
        return sorted(out)

    marks = []
    for place in sorted(free):
        lit = some(is_on(other) for other in seen_from(place))
        cases = [("clash", every([is_on(place), lit])), ("lamp", is_on(place)), ("lit", lit)]
        marks.append(Mark("light", place, cases))
    for r, row in enumerate(cells):
        for c, sign in enumerate(row):
            if sign.isdigit():
                beside = [at for at in ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)) if at in free]
                too_many = at_least(int(sign) + 1, [is_on(at) for at in beside])
                lost = [equal(Mark("light", at, []).id, "lit") for at in beside]
                too_few = at_least(len(beside) - int(sign) + 1, lost)
                marks.append(Mark(f"number-{sign}", (r, c), [("wrong", some([too_many, too_few]))]))
    start = dict.fromkeys(sorted(free), False)
    return Game([False, True], start, {at: [at] for at in start}, _with_cases(marks), shown=False)


def unruly(cells: tuple[str, ...]) -> Game:
    """`.` an empty square, `b` and `w` squares that are black or white from the start.

    Three of a colour in a row are framed, across and down; where a row or column has more than half of a colour, each
    of its squares of this colour gets a mark."""
    values = ["empty", "black", "white"]
    given = {"b": "black", "w": "white"}
    signs = {(r, c): sign for r, row in enumerate(cells) for c, sign in enumerate(row)}
    rows, columns = len(cells), len(cells[0])

    def has(place: Place, colour: str) -> Test:
        sign = signs[place]
        return equal(cell(place), colour) if sign == "." else given[sign] == colour

    marks = []
    for colour in ("black", "white"):
        for r in range(rows):
            line = [has((r, c), colour) for c in range(columns)]
            marks.append(Mark(f"{colour}-row-{r + 1}", None, [("full", at_least(columns // 2 + 1, line))]))
        for c in range(columns):
            line = [has((r, c), colour) for r in range(rows)]
            marks.append(Mark(f"{colour}-column-{c + 1}", None, [("full", at_least(rows // 2 + 1, line))]))
    marks = _with_cases(marks)
    full = {mark.id for mark in marks}

    def is_full(name: str) -> Test:
        return equal(name, "full") if name in full else False

    for place in signs:
        r, c = place
        for name, dy, dx in (("across", 0, 1), ("down", 1, 0)):

            def run(first: int, place: Place = place, dy: int = dy, dx: int = dx) -> Test:
                """Whether the three from so many before this one on are of one colour."""
                three = [(place[0] + (n - first) * dy, place[1] + (n - first) * dx) for n in range(3)]
                if not all(at in signs for at in three):
                    return False
                return some(every(has(at, colour) for at in three) for colour in ("black", "white"))

            goes_on, comes = some([run(0), run(1)]), some([run(1), run(2)])
            cases = [("middle", every([goes_on, comes])), ("first", goes_on), ("last", comes)]
            marks.append(Mark(name, place, cases))
        cases = []
        for colour in ("black", "white"):
            lines = some([is_full(f"{colour}-row-{r + 1}"), is_full(f"{colour}-column-{c + 1}")])
            cases.append((colour, every([has(place, colour), lines])))
        marks.append(Mark("many", place, cases))
    start: dict[Place, Value] = {place: "empty" for place, sign in signs.items() if sign == "."}
    return Game(values, start, {at: [at] for at in start}, _with_cases(marks))


def flip(cells: tuple[str, ...]) -> Game:
    """`*` a square that is light, `.` one that is dark. A click turns a square and those beside, above and below it.
    The program counts the clicks, and says so once all squares are light."""
    start = {(r, c): sign == "*" for r, row in enumerate(cells) for c, sign in enumerate(row)}
    presses = {
        (r, c): [at for at in ((r, c), (r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)) if at in start] for r, c in start
    }
    return Game([False, True], dict(start), presses, counts=True, solution=dict.fromkeys(start, True))


GAMES: dict[str, Callable[[tuple[str, ...]], Game]] = {
    "flip": flip,
    "light up": light_up,
    "unruly": unruly,
}
# How a recipe writes the values of cells that can be set; other signs are cells that can't.
SIGNS: dict[str, dict[str, Value]] = {
    "flip": {".": False, "*": True},
    "light up": {".": False, "*": True},
    "unruly": {".": "empty", "b": "black", "w": "white"},
}
