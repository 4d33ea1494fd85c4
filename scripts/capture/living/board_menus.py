"""What menus beside a board of a game do to it: they set it back, solve it, or begin another one. What is told of an
entry was seen from the board as the game begins and after different clicks on it."""

from collections.abc import Callable

import numpy as np

from ..picture import brightness_steps
from ..shots import Shot
from . import changes
from .board import Played
from .context import Context, Seen
from .games import Place, Value
from .page_crawl import PageCrawl
from .spots import spot

# How many cells are clicked before an entry is tried, one number per try.
CLICKS_BEFORE = (5, 8, 11)
# How many steps of brightness tell two boards apart.
LEAST_STEPS = 2
# Why nothing is told of an entry.
DEPENDS = "what it shows depends on the board"
UNSEEN = "it changes what is shown"
SET_OTHERWISE = "what it begins depends on what was set"

Choose = Callable[[], Seen]


def drive(page: PageCrawl, context: Context, item: dict, choose: Choose, seen: Seen) -> None:
    """An entry that was just chosen with the board as the game begins, and has opened and closed nothing."""
    one = page.board
    one.begin_anew()
    first = rested(page)
    board = _sets(one, first)
    if board is not None and _is_set_again(page, one, choose, board):
        _tell_values(page, one, item, board)
        page.most_reopenings += 1
        page.reopen(context)
    elif changes.alike(first, context.active, page.ignored) and seen.kind == "seen":
        _nothing(page, context, item, choose)
    else:
        _another(page, context, item, choose, first)
    one.begin_anew()


def rested(page: PageCrawl) -> np.ndarray:
    """The window with the focus at home, once it is drawn."""
    page.desk.activate()
    page.desk.settle(awaits=True)
    page.desk.go_home()
    return page.desk.grab()


# entries that set the board


def _sets(one: Played, picture: np.ndarray) -> dict[Place, Value] | None:
    """The board that an entry has set, of those that it may always set: as the game begins, or solved."""
    boards = [one.game.start, *([one.solved] if one.solved is not None else [])]
    return next((board for board in boards if one.is_shown(board, picture)), None)


def _is_set_again(page: PageCrawl, one: Played, choose: Choose, board: dict[Place, Value]) -> bool:
    """Whether an entry leads to the same board from others, too."""
    for clicks in CLICKS_BEFORE:
        one.now, one.clicks = dict(board), 0
        one.play(clicks)
        if choose().kind != "seen":
            return False
        one.clicks = 0
        if not one.is_shown(board, rested(page)):
            return False
    return True


def _tell_values(page: PageCrawl, one: Played, item: dict, board: dict[Place, Value]) -> None:
    values = [{"kind": "value", "control": name, "to": value} for name, value in one.values_of(board).items()]
    page.page.tell(item["id"], "click", [{"kind": "popup_closed"}, *values])


def _nothing(page: PageCrawl, context: Context, item: dict, choose: Choose) -> None:
    """An entry that did nothing with the board as the game begins: whether it does nothing after clicks, either."""
    one = page.board
    _anew(page, context)
    one.play(CLICKS_BEFORE[0])
    before = rested(page)
    is_same = choose().kind == "seen" and changes.alike(before, rested(page), page.ignored)
    if is_same:
        page.page.tell(item["id"], "click", [{"kind": "popup_closed"}])
    else:
        page.page.unknown(item["id"], UNSEEN)
    _anew(page, context)


# what shows instead of the board


def _another(page: PageCrawl, context: Context, item: dict, choose: Choose, first: np.ndarray) -> None:
    """An entry that shows another board, which is pictured. Each try is from a fresh start: a program that has thought
    of a board may think of another one next."""
    one = page.board
    state = another_board(page, page, item)
    alike = []
    for clicks in (CLICKS_BEFORE[0], 0):
        if alike == [True]:
            break
        _anew(page, context)
        one.play(clicks)
        choose()
        now = rested(page)
        alike.append(changes.alike(first, now, page.ignored))
        if not alike[-1]:
            page.show(first, now)
    _anew(page, context)
    if state is None or not alike[-1]:
        page.page.unknown(item["id"], DEPENDS if state is not None else UNSEEN)
        return
    outcomes = [{"kind": "popup_closed"}, {"kind": "page", "to": state}]
    if alike == [True]:
        page.page.tell(item["id"], "click", outcomes, always=True)
    else:
        page.page.tell(item["id"], "click", outcomes, first_values(page))
        page.page.unknown(item["id"], DEPENDS)


def another_board(page: PageCrawl, below: PageCrawl, item: dict) -> str | None:
    """Pictures what the window `below` shows after a click on the page: the state, None if it is not worth keeping, or
    looks the same as another board but for details."""
    page.live.shows_board = False
    crawler = page.crawler
    shot = crawler.pictured(below, item, page.page.state)
    state = None if shot is None else crawler.only_one(shot)
    if shot is None or state != shot.state or not any(_is_like(shot, other) for other in crawler.recorder.shots):
        return state
    crawler.recorder.shots = [other for other in crawler.recorder.shots if other is not shot]
    return None


def _is_like(shot: Shot, other: Shot) -> bool:
    """Whether a pack can't tell two boards of one size apart: they say the same."""
    one, two = shot.shown(), other.shown()
    says_the_same = other.title == shot.title and len(other.elements) == len(shot.elements)
    if other is shot or not says_the_same or one.shape != two.shape:
        return False
    return int((brightness_steps(one) != brightness_steps(two)).sum()) < LEAST_STEPS


def first_values(page: PageCrawl) -> dict[str, Value]:
    """Every value that can be set, as the page was captured."""
    return {c.id: c.value for c in page.page.controls.values() if c.type != "derived"}


def _anew(page: PageCrawl, context: Context) -> None:
    page.most_reopenings += 1
    page.reopen(context)
    page.board.begin_anew()


# buttons that end a dialog


def ends_in(page: PageCrawl, context: Context, below: PageCrawl, button: dict) -> None:
    """A button that has just closed the page, a dialog above a board: what the window below shows then."""
    closed = {"kind": "closed", "to": None}
    first = rested(below)
    if changes.alike(first, below.board.context.active, below.ignored):
        page.page.tell(button["id"], "click", [closed])
        page.reopen(context)
        return
    state = another_board(page, below, button)
    _both_anew(page, context, below)
    seen = page.click(spot(button["role"], button["bbox"]))
    is_same = seen.kind == "closed" and changes.alike(first, rested(below), below.ignored)
    if is_same and state is not None:
        page.page.tell(button["id"], "click", [{**closed, "to": state}], first_values(page))
    page.page.unknown(button["id"], SET_OTHERWISE)
    _both_anew(page, context, below)


def _both_anew(page: PageCrawl, context: Context, below: PageCrawl) -> None:
    _anew(below, below.board.context)
    page.most_reopenings += 1
    page.reopen(context)
