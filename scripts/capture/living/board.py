"""The board of a game: every cell is clicked, and every look that its rules allow is brought about and pictured. What
the rules say has to be what shows, after each click, on the whole board; nothing beside it may change."""

import random
import time
from collections.abc import Callable, Iterator

import numpy as np

from .. import x11
from ..boards import DRAWN_ROLE, Board, name_of
from ..boxes import centre, shifted
from . import changes
from .board_looks import BoardLooks
from .context import Context, Seen
from .desk import Lost
from .games import GAMES, NOTHING, Game, Mark, Place, Value, after, before_the_end, cell, settled, support, written
from .page import Control, Patch
from .page_crawl import PageCrawl

# How many boards are thought of for one look, and how often one that nothing was found for is tried again.
MOST_TRIES, ROUNDS = 300, 3
# Random clicks at the end, after each of which the whole board has to look as composed.
PROOF_CLICKS = 60
# Of a page's time, what looks of the board may take.
SHARE_OF_TIME = 0.6
# How long nothing may be drawn until the window counts as still, tried one after the other.
STILL_S = (0.14, 0.5, 1.2)
# The control that counts clicks, and the most that it counts.
CLICKS, MOST_COUNTED = "clicks", 999


class Played:
    """One board that is crawled: where it stands, and what is known of it."""

    def __init__(self, page: PageCrawl, context: Context, board: Board, cells: dict[Place, dict]):
        self.page, self.context, self.cells = page, context, cells
        self.game: Game = GAMES[board.game](board.cells)
        self.solved = written(board.game, self.game, board.solved) if board.solved else None
        self.now: dict[Place, Value] = dict(self.game.start)
        boxes = {place: shifted(tuple(e["bbox"]), -page.offset[0], -page.offset[1]) for place, e in cells.items()}
        first = settled(self.game, self.now)
        self.looks = BoardLooks(self.game, boxes, context.active, first)
        self.chance = random.Random(page.page.state)
        self.clicks = 0
        self.ends = time.monotonic() + SHARE_OF_TIME * max(0.0, page.ends - time.monotonic())
        # Of the number of clicks: what the program shows of it beside the board, and which elements it changes.
        self.counted: dict[int, tuple[list[changes.Piece], list[dict]]] = {0: ([], [])}

    def begin_anew(self) -> None:
        """The program was started again, or has set its board back."""
        self.now, self.clicks = dict(self.game.start), 0

    def is_shown(self, cells: dict[Place, Value], picture: np.ndarray) -> bool:
        """Whether a picture of the window shows a board whose looks are known, and nothing else has changed."""
        if picture.shape != self.context.active.shape:
            return False
        board = [*self.page.ignored, *self.looks.boxes.values()]
        beside = changes.strayed(picture, self.around(), board)
        return beside <= changes.MOST_PIXELS and self.looks.is_composed(picture, settled(self.game, cells))

    def values_of(self, cells: dict[Place, Value]) -> dict[str, Value]:
        """The values of the controls that are set, the count of clicks too, where no click was made."""
        counted = {CLICKS: 0} if self.game.counts else {}
        return {**{cell(place): value for place, value in sorted(cells.items())}, **counted}

    # clicks

    def press(self, place: Place) -> None:
        """Clicks a cell and sees that the board is what the rules say."""
        self.page.desk.click(*self.page.screen(centre(tuple(self.cells[place]["bbox"]))))
        self.now = after(self.game, self.now, place)
        self.clicks += 1
        values = settled(self.game, self.now)
        known, seen = dict(self.looks.known), dict(self.looks.seen)
        for still in STILL_S:
            self.page.desk.settle(awaits=True, still=still)
            if self.page.desk.popups() or not x11.exists(self.page.window):
                raise Lost(f"a click on {name_of(*place)} leads away")
            picture = self.page.desk.grab()
            faults = self.looks.learn(picture, values)
            if not faults and self.game.counts and self.clicks not in self.counted:
                self.count(picture)
            beside = changes.strayed(picture, self.around(), [*self.page.ignored, *self.looks.boxes.values()])
            if not faults and beside <= changes.MOST_PIXELS:
                return
            # It may be drawn late: what was learned from this picture does not count.
            self.looks.known, self.looks.seen = dict(known), dict(seen)
            self.counted.pop(self.clicks, None)
        self.page.show(picture)
        raise Lost(f"after a click on {name_of(*place)}: {beside} px beside the board differ, {faults[:3]}")

    def around(self) -> np.ndarray:
        """The window after so many clicks; its board is as the game begins."""
        return changes.drawn(self.context.active, self.counted.get(self.clicks, self.counted[0])[0])

    def count(self, picture: np.ndarray) -> None:
        """What the program shows of the number of clicks."""
        page, context = self.page, self.context
        inactive = page.desk.inactive()
        board = [*page.ignored, *self.looks.boxes.values()]
        parts = changes.pieces(context.active, picture, (context.inactive, inactive), board)
        told = page.differ(context, Seen("seen", records=page.read()[0]))
        self.counted[self.clicks] = parts, told.changes

    def go(self, target: dict[Place, Value]) -> None:
        """To a board, where each cell can be set by itself."""
        for place in sorted(target):
            for _ in range(len(self.game.values)):
                if self.now[place] == target[place]:
                    break
                self.press(place)

    # what is brought about

    def learn_all(self) -> list[str]:
        """Brings every look about, on one cell each; other cells take it from there. Returns those that were not
        found."""
        missing: list = []
        for _ in range(ROUNDS):
            missing = []
            for place, layer in self.looks.wanted():
                if (place, layer) in self.looks.known or self.looks.lend(place, layer):
                    continue
                if self.late:
                    return ["the crawl had no time for all looks of the board"]
                target = self.think_of(layer, lambda values, at=place, own=layer: self.looks.lesson(at, values) == own)
                if target is None:
                    missing.append((place, layer))
                else:
                    self.go(target)
        return [f"{layer[0]}: no board shows {layer[1]}" for place, layer in missing]

    def see_lent(self) -> list[str]:
        """Brings about what was taken from other cells. What no board shows is not told."""
        left = [key for key in self.looks.lent if not self.looks.is_proved(*key)]
        for place, layer in sorted(left, key=str):
            if self.late:
                break
            if (place, layer) not in self.looks.known or self.looks.is_proved(place, layer):
                continue
            target = self.think_of(layer, lambda values, at=place, own=layer: self.looks.shows(at, own, values))
            if target is None:
                self.looks.forget(place, layer)
            else:
                self.go(target)
        left = [layer for place, layer in self.looks.lent if not self.looks.is_proved(place, layer)]
        return [f"{name}: {value} was seen on other cells alone" for name, value in left]

    @property
    def late(self) -> bool:
        return time.monotonic() > self.ends

    def think_of(
        self, layer: tuple[str, Value], teaches: Callable[[dict[str, Value]], bool]
    ) -> dict[Place, Value] | None:
        """A board that teaches a look, a few clicks away."""
        near = self.relevant(layer[0])
        best, fewest = None, 10**6
        for n in range(MOST_TRIES):
            begin = self.now if n % 2 else self.game.start
            share = self.chance.choice((0.2, 0.5, 0.8))
            target = dict(begin)
            for at in near:
                if self.chance.random() < share:
                    target[at] = self.chance.choice(self.game.values)
            cost = sum(self.steps(self.now[at], target[at]) for at in target)
            if cost >= fewest:
                continue
            values = settled(self.game, target)
            if values[layer[0]] == layer[1] and teaches(values):
                best, fewest = target, cost
        return best

    def relevant(self, control: str) -> list[Place]:
        """The cells that decide about a control."""
        by_control = {cell(place): place for place in self.game.start}
        marks = {mark.id: mark for mark in self.game.marks}
        left, done, out = [control], set(), set()
        while left:
            name = left.pop()
            if name in done:
                continue
            done.add(name)
            if name in by_control:
                out.add(by_control[name])
            else:
                for _, test in marks[name].cases:
                    left += support(test)
        return sorted(out)

    def steps(self, start: Value, end: Value) -> int:
        values = self.game.values
        return (values.index(end) - values.index(start)) % len(values)

    def prove(self) -> None:
        """Random clicks: everything shows as composed. Nothing is learned from them that was not known before."""
        self.play(PROOF_CLICKS)

    def play(self, clicks: int) -> None:
        """Clicks random cells, and does not solve the puzzle where the program says more then."""
        places = sorted(self.game.presses)
        for _ in range(clicks):
            place = self.chance.choice(places)
            if after(self.game, self.now, place) != self.game.solution:
                self.press(place)

    # what is told

    def tell(self) -> None:
        page = self.page.page
        for place, element in self.cells.items():
            if place in self.game.start:
                self._tell_cell(place, element)
            else:
                page.tell(element["id"], "click", [{"kind": "inert"}])
        for mark in self.game.marks:
            self._tell_mark(mark)
        for patch in page.patches:
            patch.over &= set(page.controls)
        if self.game.counts:
            self._tell_count()

    def _tell_count(self) -> None:
        """The number of clicks. Of more than the crawl did, nobody knows the look."""
        page = self.page.page
        # Where no element says it, the board stands for it.
        board = next(iter(self.cells.values()))["parent"]
        changed = next((c["id"] for _, told in self.counted.values() for c in told), board)
        page.controls[CLICKS] = Control(CLICKS, changed, "stepper", 0, range=(0, MOST_COUNTED, 1))
        for number, (parts, told) in sorted(self.counted.items()):
            if number:
                page.patches.append(Patch(CLICKS, number, {}, parts, told))

    def _tell_cell(self, place: Place, element: dict) -> None:
        page, start = self.page.page, self.game.start[place]
        control = Control(cell(place), element["id"], "toggle_button", start, list(self.game.values))
        page.controls[control.id] = control
        for value in self.game.values:
            if value == start:
                continue
            page.patches.append(self._patch(place, (control.id, value)))
        outcomes: list[dict] = [{"kind": "value", "control": cell(at), "next": True} for at in self.game.presses[place]]
        if self.game.counts:
            outcomes.append({"kind": "value", "control": CLICKS, "by": 1})
        page.tell(element["id"], "click", outcomes)
        last = before_the_end(self.game, place)
        if last is not None:
            page.unknown(element["id"], "the puzzle is solved then", {cell(at): value for at, value in last.items()})

    def _tell_mark(self, mark: Mark) -> None:
        page = self.page.page
        place = mark.place if mark.place is not None else next(iter(self.cells))
        first = self.looks.first[mark.id]
        told = [(value, test) for value, test in mark.cases if self._is_known(mark, value)]
        if not told:
            return
        values = list(dict.fromkeys([first, *(value for value, _ in told)]))
        page.controls[mark.id] = Control(mark.id, self.cells[place]["id"], "derived", first, values)
        for value in values:
            if value != first:
                page.patches.append(self._patch(place, (mark.id, value)))
        for value, test in told:
            page.rules.append({"kind": "derived", "control": mark.id, "value": value, "test": test})

    def _is_known(self, mark: Mark, value: Value) -> bool:
        hidden = mark.place is None
        return hidden or value == self.looks.first[mark.id] or (mark.place, (mark.id, value)) in self.looks.known

    def _patch(self, place: Place, layer: tuple[str, Value]) -> Patch:
        pieces = self.looks.known.get((place, layer), [])
        patch = Patch(layer[0], layer[1], {}, pieces, [])
        # From the lowest: what a cell shows, and its marks.
        names = [cell(place), *(mark.id for mark in self.looks.marks.get(place, ()))]
        patch.over = set(names[: names.index(layer[0])]) if pieces else set()
        patch.verified = not pieces or self.looks.is_proved(place, layer)
        return patch


def cells_of(board: Board | None, elements: list[dict]) -> dict[Place, dict]:
    """The elements of a page that are the cells of a board: all that can be set have to be there. What shows nothing,
    such as a wall, is no element."""
    if board is None:
        return {}
    names = {name_of(*place): place for place in board.places()}
    found = {names[e["name"]]: e for e in elements if e["name"] in names and e["role"] == DRAWN_ROLE}
    whole = set(GAMES[board.game](board.cells).start) <= set(found)
    return {place: found[place] for place in board.places() if place in found} if whole else {}


def drive(page: PageCrawl, context: Context, board: Board, cells: dict[Place, dict]) -> None:
    """The board of a page: its cells, their looks, and that clicks do what the rules say."""
    one = Played(page, context, board, cells)
    if any(one.looks.first[mark.id] != NOTHING for mark in one.game.marks):
        raise Lost("the board begins with marks: what it looks like without them is not known")
    for place in cells:
        if place not in one.game.start:
            # What was given with the puzzle can't be set.
            one.press(place)
    for place in one.game.presses:
        for _ in one.game.values:
            one.press(place)
    notes = one.learn_all()
    one.prove()
    notes += one.see_lent()
    _see_inactive(one)
    one.tell()
    page.board = one
    if notes:
        page.page.notes.append(f"{len(notes)} looks of the board: {'; '.join(notes)}")
    page.page.notes += [f"board: {one.clicks} clicks, {len(one.looks.known)} looks"]
    if one.game.counts:
        page.reopen(context)
        return
    one.go(one.game.start)
    page.back(context)


def _see_inactive(one: Played) -> None:
    """The window without the focus draws the same board: its pictures hold for both."""
    page = one.page
    active, inactive = page.desk.grab(), page.desk.inactive()
    off = sum(changes.strayed(a, b) for a, b in _parts(one, active, inactive))
    if off > changes.MOST_PIXELS:
        raise Lost(f"without the focus, {off} px of the board look different")


def _parts(one: Played, *pictures) -> Iterator[tuple]:
    for x0, y0, x1, y1 in one.looks.boxes.values():
        yield tuple(picture[y0:y1, x0:x1] for picture in pictures)
