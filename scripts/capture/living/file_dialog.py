"""Drives a window that chooses files, of GTK 3: every place at its side, its files in every order, every file in each,
and the bar of its path. Of each click, what it led to was compared with what is composed."""

import time
from collections.abc import Callable

import numpy as np
from Xlib import error

from ..atspi import GLib
from ..picture import CaptureError
from . import changes
from .changes import Piece
from .context import Context, Seen
from .desk import Lost
from .file_bar import FileBar
from .file_model import At, FileModel, View, of_place, without_bar
from .file_orders import FileOrders
from .file_parts import Parts, bar_name, parts_of
from .file_rounds import FileRounds
from .file_rows import FileRows
from .page_crawl import NEVER, PageCrawl
from .records import choices_end
from .spots import spot

# What is left for the rest of the window.
SPARED_S = 60
FAULTS = (CaptureError, GLib.Error, error.XError)


def drive(page: PageCrawl, context: Context, parts: Parts) -> None:
    """All of it but what takes the chosen file."""
    crawl = FileCrawl(page, context, parts)
    try:
        crawl.run()
    except BaseException:
        crawl.model.remove()
        raise


def bind(page: PageCrawl, context: Context, parts: Parts) -> None:
    """What takes the chosen file, and ends the window so, was seen to do it with one file alone."""
    rows = next((c for c in page.page.controls.values() if c.element == parts.table), None)
    takers = {e["id"] for e in context.elements if e["role"] == "push button" and not choices_end(e["name"])}
    for transition in page.page.transitions:
        ends = any(outcome["kind"] == "closed" for outcome in transition["outcomes"])
        if rows is not None and ends and transition["element"] in takers:
            transition["when"] = {**transition["when"], rows.id: rows.value}


class FileCrawl(FileRows, FileOrders, FileRounds, FileBar):
    def __init__(self, page: PageCrawl, context: Context, parts: Parts):
        self.page, self.context, self.parts = page, context, parts
        first = next(iter(parts.headers), "")
        self.model = FileModel(page.page, parts, context, page.offset, first, bar_name(parts))
        self.start = self.at = self.model.start
        self.ends = page.ends - SPARED_S
        self.headers = list(parts.headers)
        self.places = [name for name, row in parts.places.items() if page.may_click(row)]
        self.ring: list[Piece] = []  # what the focus in the list changes: home's ring is gone
        self.focus_in_list = False
        self.cells: set[str] = set()  # elements of the list that take the focus
        self.landings: dict[str, str] = {}  # what has the focus where there is no row, by place
        # Of rows, chosen and not, how they look with the window's focus and without, by place.
        self.strips: dict[tuple, tuple[np.ndarray, np.ndarray]] = {}
        self.usable: dict[str, list[str]] = {}  # headers, by place
        # What headers lead to, and places: by place and order, and the state before.
        self.edges: dict[tuple[str, str], dict[str, str | None]] = {}
        self.arrivals: dict[tuple[str, str], dict[str, At]] = {}

    def run(self) -> None:
        for name in set(self.parts.places) - set(self.places):
            self.page.page.unknown(self.parts.places[name]["id"], NEVER)
        self._guarded("the first place", self._look_at_rows)
        for name in self.places:
            if name != self.start.place:
                self._guarded(f"the place {name}", lambda name=name: self._look_at_place(name))
        self._guarded("from place to place", lambda: self._go_round(self.start.order))
        self._look_at_bars()
        known = [name for name in self.places if (name, self.start.order) in self.model.views]
        for name in sorted(known, key=lambda name: name != self.start.place):
            self._guarded(f"orders of {name}", lambda name=name: self._look_at_orders(name))
        for order in self.orders_of(self.start.place):
            if order != self.start.order:
                self._guarded(f"places by {order}", lambda order=order: self._go_round(order))
        self._tell_places()
        self.model.finish()
        self._go_to_start()

    @property
    def late(self) -> bool:
        return time.monotonic() > self.ends

    def _guarded(self, what: str, act: Callable[[], None]) -> None:
        """What fails costs itself alone."""
        if self.late:
            return
        try:
            act()
        except FAULTS as fault:
            self.page.page.notes.append(f"{what}: {fault or type(fault).__name__}")
            self._begin_again()

    def _begin_again(self) -> None:
        self.page.reopen(self.context)
        self.at, self.focus_in_list = self.start, False

    # events

    def _press(self, element: dict) -> tuple[Seen, Parts]:
        """Clicks an element of now; what the window then shows."""
        seen = self.page.click(spot(element["role"], element["bbox"]))
        if seen.kind != "seen":
            raise Lost(f"{element['role']} {element['name']}: {seen.kind}")
        now = parts_of(seen.records)
        if now is None:
            raise Lost("it shows something else than files")
        self.focus_in_list = seen.focus is not None and seen.records[seen.focus]["role"] == "table cell"
        return seen, now

    def _now(self) -> Parts:
        now = parts_of(self.page.read()[0])
        if now is None:
            raise Lost("it shows something else than files")
        return now

    def _is_composed(self, seen: Seen, at: At, shows: bool = True) -> bool:
        """Whether the window looks as it is told. `shows`: what differs is kept, to be looked at."""
        told = self.model.composed(at)
        if told is None or seen.active.shape != told.shape:
            return False
        if self.focus_in_list:
            told = changes.drawn(told, self.ring)
        if not changes.alike(told, seen.active, self.page.ignored):
            if shows:
                self.page.show(told, seen.active)
            return False
        self.model.seen_again(at)
        return True

    def _home(self) -> None:
        self.page.desk.go_home()
        self.focus_in_list = False

    def _bar_of(self, now: Parts) -> str | None:
        return self.model.bars.get(now.bar_key)

    # places

    def _view(self, now: Parts, active, inactive, elements: list[dict]) -> View:
        base = self.context
        when = {self.model.places.id: now.place}
        context = Context(when, active, inactive, elements, base.home_id, base.opening, base.home)
        return View(context, parts_of(elements), now.row)

    def _look_at_place(self, name: str) -> None:
        page = self.page
        seen, now = self._press(self._now().places[name])
        if now.place != name:
            page.page.unknown(self.parts.places[name]["id"], "it shows another place")
            raise Lost(f"{name} shows {now.place}")
        difference = of_place(self.context.elements, seen.records, page.names)
        found, active, inactive = page.look(self.context, difference)
        self.focus_in_list = False
        bar = self._learn_bar(now, seen, active, inactive)
        elements = page.crawler.elements_in(self.context, difference)
        view = self._view(now, active, inactive, elements)
        beside = without_bar(difference, self.parts, self.model.bar_box)
        self.model.add_place(name, found, beside, view)
        before, self.at = self.at, At(name, self.start.order, now.row, bar)
        if not self._is_composed(Seen("seen", active), self.at):
            raise Lost(f"{name} is not as composed")
        self._arrive(before, self.at)
        self._look_at_rows()

    def _arrive(self, before: At, after: At) -> None:
        self.arrivals.setdefault((after.place, after.order), {})[before.bar] = after

    # the end

    def _go_to_start(self) -> None:
        """The window as the page's picture shows it."""
        try:
            self._go_to(self.start.place, self.start.order)
            if self.start.row is not None:
                self._press(self._now().rows[self.start.row][0])
            self.page.back(self.context)
        except FAULTS:
            self._begin_again()
