"""The crawl of one page: opens it, sends events, sees what became of it, brings it back."""

import time
import traceback
from collections.abc import Callable

import numpy as np
from PIL import Image
from Xlib import error

from .. import choices, x11
from ..atspi import GLib
from ..clean import clean_elements
from ..duplicates import inside
from ..picture import CaptureError
from ..shots import Shot
from . import changes, matching, sticky
from .carried import Switch
from .closing import close_window
from .context import Context, Seen
from .desk import Desk, Lost
from .homes import Homes
from .looks import Looks
from .page import Page, Value, Values
from .records import choices_end, focused, popup_records
from .verify import Setter

MOST_REOPENINGS = 30
# Why nothing is known of what a recipe names.
NEVER = "on the list of what is never clicked"
# What long lists may take beyond a page's time.
LONG_LISTS_S = 300
# How long lists may take to open.
PATIENCE_S = 0.12
# How much of a page the focus may draw: of a small dialog, a field, a list's row and the two buttons that swap looks.
ADOPTED_SHARE = 0.15
# Pictures of faults that are kept.
MOST_SHOWN = 12


class PageCrawl(Homes, Looks):
    def __init__(self, crawler, window, shot: Shot, reopen: Callable[[bool], object], depth: int):
        self.crawler, self.live, self.shot = crawler, crawler.live, shot
        self.open_anew, self.depth = reopen, depth
        self.window = window
        self.names = matching.Names()
        self.ends = time.monotonic() + crawler.seconds_of_a_page
        self.spare_s = LONG_LISTS_S
        record = shot.record()
        clean_elements(record, shot.picture.pixels)
        self.page = Page(shot.state, record["elements"])
        # Of GTK 4: where the focus goes home, in px of the page's picture, and by how many clicks.
        self.home_spot: tuple[int, int] | None = None
        self.home_clicks = 1
        self.origin = shot.picture.origin
        self.reopenings, self.most_reopenings = 0, MOST_REOPENINGS
        self.popup_count = 0
        self.shown = 0
        self.plain = False  # whether the window is only pictured
        # The same window in its usual size, and as large as it gets: pages of their own.
        self.small: PageCrawl | None = None
        self.large: PageCrawl | None = None
        self.carries: dict | None = None  # what goes along from one to the other; None if values do not
        self.new_home: str | None = None
        self.aimed: str | None = None  # the element at which the focus is at home now
        self.grouped: set[str] = set()  # elements that turned out to be one control with others
        self.shy: set[str] = set()  # roles of which a click leaves the focus where it was
        self.setters: list[Setter] = []
        self.switches: list[Switch] = []
        self.board = None  # of a game, once it is told: board.Played
        self.take_window(window)
        self.page_size = self.size()

    def take_window(self, window) -> None:
        self.window = window
        self.desk = Desk(self.live, window, self.shot.toolkit)
        self.client, frame = x11.box_of(window), x11.frame_box(window)
        # Opened anew, it may lie elsewhere.
        self.origin = tuple(frame[i] - (self.shot.frame[i] - self.shot.picture.origin[i]) for i in (0, 1))
        self.offset = self.client[0] - self.origin[0], self.client[1] - self.origin[1]
        self.aim_at_row()

    @property
    def ignored(self) -> list:
        """Parts that are not compared: what changes by itself, and what stays changed once anything was changed."""
        return [*self.page.volatile, *self.page.sticky.values()]

    @property
    def late(self) -> bool:
        return time.monotonic() > self.ends

    def grant(self, seconds: float) -> None:
        """A long list costs other controls no time, up to what is spared for it."""
        more = min(seconds, self.spare_s)
        self.spare_s -= more
        self.ends += more

    # the base

    def begin(self) -> Context:
        """The page as its capture shows it."""
        elements = self.page.elements
        if self.desk.gtk4:
            self.page.focus_home = self.choose_row(elements)
            self.aim_at_row()
            self.desk.hide_rings()
        else:
            self.page.focus_home, self.desk.home_handle = self.same_home(elements) or self.choose_home(elements)
        for element in elements:
            element["state"].pop("focused", None)
            if element["id"] == self.page.focus_home:
                element["state"]["focused"] = True
        self.aimed = self.page.focus_home
        self.desk.go_home()
        first = self.desk.grab()
        inactive = self.desk.inactive()
        self.desk.go_home()
        time.sleep(0.9)
        second = self.desk.grab()
        if first.shape == second.shape:
            moved = changes.changed(first, second)
            self.page.volatile = changes.boxes_of(moved)
        self.desk.volatile = self.page.volatile
        self._adopt(second, inactive)
        return Context({}, second, inactive, elements, opening=self.reopenings, home=self.desk.home_handle)

    def _adopt(self, active: np.ndarray, inactive: np.ndarray) -> None:
        """The page's picture shows the focus as all further pictures do; apart from that it has to look the same."""
        x, y = self.offset
        pixels = self.shot.picture.pixels
        stored = pixels[max(0, y) : y + active.shape[0], max(0, x) : x + active.shape[1]]
        cut = (
            slice(max(0, -y), max(0, -y) + stored.shape[0]),
            slice(max(0, -x), max(0, -x) + stored.shape[1]),
        )
        solid = stored[..., 3] == 255
        off = (np.abs(stored[..., :3].astype(np.int16) - active[cut]).max(axis=2) > changes.MOST_LEVELS) & solid
        for x0, y0, x1, y1 in self.page.volatile:
            off[y0:y1, x0:x1] = False
        if off.mean() > ADOPTED_SHARE:
            self.show(stored[..., :3], active[cut])
            raise Lost(f"the page does not look as it was captured: {int(off.sum())} px differ")
        before = pixels.copy()
        stored[..., :3][solid] = active[cut][solid]
        faded = before if self.shot.inactive is None else (before.astype(np.int16) + self.shot.inactive) % 256
        faded = faded.astype(np.uint8)
        part = faded[max(0, y) : y + active.shape[0], max(0, x) : x + active.shape[1]]
        part[..., :3][solid] = inactive[cut][solid]
        delta = faded - pixels
        self.shot.inactive = delta if delta.any() else None
        self.shot.save(self.crawler.out)

    # events

    def screen(self, point) -> tuple[int, int]:
        return int(point[0] + self.origin[0]), int(point[1] + self.origin[1])

    def click(self, point, patience: float = PATIENCE_S) -> Seen:
        return self.event(lambda: self.desk.click(*self.screen(point)), patience=patience)

    def choose_again(self, context: Context, point) -> tuple[Seen, matching.Difference]:
        """A click on what is chosen already: it may take the focus, and changes nothing else; Lost if it does."""
        seen = self.click(point)
        if seen.kind != "seen":
            raise Lost(f"chosen again, it is {seen.kind}")
        difference = self.differ(context, seen)
        if difference.changes or difference.added:
            raise Lost("chosen again, it changes something")
        return seen, difference

    def event(
        self, act: Callable[[], None], awaits: bool = True, reads: bool = True, patience: float = PATIENCE_S
    ) -> Seen:
        """Does something and sees what has become of the window. `patience`: how long something may take to open."""
        windows = {w.id for w in x11.clients()}
        act()
        self.desk.show_rings()
        try:
            self.desk.settle(awaits)
            fresh = [w for w in x11.clients() if w.id not in windows and not self.live.stage.owns(w)]
            popups = self.desk.popups()
            if not fresh and not x11.exists(self.window):
                return Seen("closed")
            if not fresh and not popups and awaits:
                # Windows and popups may open late.
                end = time.monotonic() + patience
                while not fresh and not popups and time.monotonic() < end:
                    time.sleep(0.06)
                    fresh = [w for w in x11.clients() if w.id not in windows and not self.live.stage.owns(w)]
                    popups = self.desk.popups()
            if fresh:
                return Seen("window", window=fresh[-1])
            if not x11.exists(self.window):
                return Seen("closed")
            active = self.desk.grab()
            if popups:
                return Seen("popup", active, popups=popups)
            if self.size() != (self.client[2] - self.client[0], self.client[3] - self.client[1]):
                return Seen("resized", active)
            records, focus = self.read() if reads else ([], None)
        except error.XError:
            if x11.exists(self.window):
                raise
            return Seen("closed")
        return Seen("seen", active, records, focus)

    def size(self) -> tuple[int, int]:
        box = x11.box_of(self.window)
        return box[2] - box[0], box[3] - box[1]

    def read(self, popup: bool = False) -> tuple[list[dict], int | None]:
        """The elements of now as records, in px of the page's picture; of open popups if asked."""
        found = self.desk.elements()
        if popup:
            return popup_records(found, self.origin), None
        found = inside(found, self.shot.picture.box())
        shot = Shot(
            state="", kind="", title="", frame=x11.frame_box(self.window), popups=[], elements=found,
            picture=self.shot.picture, inactive=None, toolkit="", steps=[], window_id=self.window.id,
        )  # fmt: skip
        records = [r for r, e in zip(shot.record()["elements"], found, strict=True) if e.popup is None]
        return records, focused(records, self.shot.toolkit)

    def can_set(self, context: Context, control: str, value: Value, do, undo, inner: Context | None = None) -> None:
        """Tells how a value is set again, so that it can be verified; `inner` where it has a home of its own."""
        self.setters.append(Setter(control, value, dict(context.when), do, undo, inner))

    def clicker(self, point) -> Callable[[], None]:
        return lambda: self.event(lambda: self.desk.click(*self.screen(point)), reads=False)

    # back

    def back(self, context: Context, undo: Callable[[], None] | None = None) -> None:
        """Brings the page back to a context; raises Lost if it stays different."""
        if undo is not None:
            undo()
        self.aim(context)
        for mend in (None, self.unselect, self.select, self.take_focus, None):
            if mend is not None:
                mend(context)
            self.desk.activate()
            self.desk.go_home()
            if changes.alike(self.desk.grab(), context.active, self.ignored):
                return
        if sticky.found(self, context):
            return
        self.show(context.active, self.desk.grab())
        raise Lost("the page does not come back")

    def take_focus(self, _context: Context) -> None:
        """A window that looks inactive though the window manager says otherwise: the focus goes away and comes back."""
        self.desk.inactive()

    def show(self, *pictures: np.ndarray) -> None:
        """Keeps pictures that should be the same, to be looked at."""
        self.shown += 1
        if self.shown <= MOST_SHOWN:
            wide = max(p.shape[1] for p in pictures)
            sheet = np.vstack([np.pad(p, ((0, 4), (0, wide - p.shape[1]), (0, 0))) for p in pictures])
            Image.fromarray(sheet).save(self.crawler.out / f"lost-{self.page.state}-{self.shown}.png", compress_level=1)

    def reopen(self, context: Context) -> None:
        """The page opened anew, in this context: in the program as it runs, or from a fresh start."""
        for fresh in (False, True):
            self.reopenings += 1
            if self.reopenings > self.most_reopenings:
                raise CaptureError("the page was lost too often")
            self.desk.close()
            try:
                self._open_again(context, fresh)
                return
            except (CaptureError, GLib.Error, error.XError):
                if fresh:
                    raise

    def _open_again(self, context: Context, fresh: bool) -> None:
        self.take_window(self.open_anew(fresh))
        self.desk.volatile = self.page.volatile
        self.find_home()
        self.desk.inactive()
        self.desk.show_rings()
        self.desk.hide_rings()
        for step in context.enter:
            self.desk.home_handle = None
            step()
        self.aim(context)
        self.desk.go_home()
        if not changes.alike(self.desk.grab(), context.active, self.ignored):
            time.sleep(0.6)
            off = changes.strayed(self.desk.grab(), context.active, self.ignored)
            if off > changes.MOST_PIXELS:
                if fresh:
                    self.show(context.active, self.desk.grab())
                raise Lost(f"opened anew, {off} px of the page differ")

    def guarded(self, context: Context, what: str, drive: Callable, *arguments) -> bool:
        """A control that fails costs itself; the page is brought back."""
        try:
            drive(self, context, *arguments)
            return True
        except (CaptureError, GLib.Error, error.XError) as fault:
            context.failures += 1
            place = traceback.extract_tb(fault.__traceback__)[-1]
            where = f" ({place.name}, line {place.lineno})" if isinstance(fault, GLib.Error) else ""
            self.page.notes.append(f"{what}: {fault or type(fault).__name__}{where}")
            if arguments and isinstance(arguments[0], dict):
                self.page.forget(arguments[0]["id"], context.when)
            try:
                self.dismiss()
                self.back(context)
            except (CaptureError, GLib.Error, error.XError):
                self.reopen(context)
            return False

    def dismiss(self) -> None:
        """Closes popups, and windows above the page."""
        for _ in range(3):
            if not self.desk.popups():
                break
            x11.press("Escape")
            self.desk.wait_without_popup(0.6)
            self.desk.hide_rings()
        for _ in range(3):
            above = [w for w in self.live.windows_besides(self.window) if w.id in self.crawler.foreign(self)]
            if not above:
                break
            close_window(above[-1])
        if not x11.exists(self.window):
            raise Lost("the window has closed")
        self.desk.activate()

    def may_click(self, element: dict, when: Values | None = None) -> bool:
        words = element["name"] or element["description"]
        if element["role"] == "push button" and choices_end(words):
            return True
        acts = element["role"] in ("push button", "menu", "link", "icon", "list item")
        never = acts and choices.NEVER_CLICK.search(words) and not self.crawler.skip.allows(words)
        return not never and not self.crawler.skip.has(words, (when or {}).values())
