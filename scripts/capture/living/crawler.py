"""The crawl of a program: page after page, context after context, control after control."""

import json
import re
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from PIL import Image
from Xlib import error

from .. import chains, grabs, x11
from ..atspi import Atspi, GLib
from ..live import LiveProgram
from ..picture import CaptureError
from ..programs import POINTER_VERBS, LivePage, NeverClicked, never_clicked
from ..recorder import Recorder
from ..shots import Shot, slug
from . import (
    board,
    combos,
    exclusive,
    fields,
    file_dialog,
    lettered,
    matching,
    numbers,
    rows,
    scroll_areas,
    scrolled,
    toggles,
    woken,
)
from .carried import carry, together
from .context import Context, Seen
from .desk import Desk, Lost
from .enlarged import Enlarged
from .file_parts import parts_of
from .fresh import Settings, restart
from .groups import groups
from .inner_contexts import InnerContexts
from .leaving import Leaving, sets_back
from .lettering import Lettering
from .letters import Unfit
from .lines import PageWriter, as_text, content_pictures
from .openings import Openings, press
from .page import Control
from .page_crawl import NEVER, PageCrawl
from .records import choices_end, is_enabled, is_frame
from .spots import spot
from .typing_in import TypedField
from .verify import verify
from .views import finish

# Roles that are clicked to see what opens.
PRESSED = ("push button", "menu", "text", "link", "icon", "scroll bar")
# The most of a window that another one opens.
SECONDS_BELOW = 40
# Of the interactive elements of such a window, how many need a known outcome.
LEAST_COVERAGE = 0.9
# Toolkits of which it is known where they put letters.
LETTERED = ("gtk 3", "gtk 4", "qt 5", "chrom")
# Random texts with which a field that is set from letters is tried.
TEXTS = 20
# The least that is left to see values a second time.
SECONDS_OF_PROOF = 45
# Where dialogs lie, so that their lists open the same way each time.
PLACE = (420, 180)
# Controls that may fail under some values before the rest of them are left.
MOST_FAILURES = 5
# How often the element that a step names is looked for.
MOST_LOOKS = 5
# How long a menu may take to open.
MENU_S = 2.0
CHOOSERS = re.compile(r"open|save|select|choose|pick|font|colou?r|folder|file|^print$", re.IGNORECASE)


# The window opened anew: from a fresh start of the program, or in the one that runs.
Reopen = Callable[[bool], object]


class Crawler(InnerContexts, Openings, Leaving, Enlarged):
    def __init__(self, live: LiveProgram, recorder: Recorder, out: Path, ids: Callable[[str], str], seconds: float):
        self.live, self.recorder, self.out, self.ids = live, recorder, out, ids
        self.skip = NeverClicked()  # of the page that is crawled
        self.clicks_entries = False  # of its menus
        self.seconds_of_a_page = seconds
        self.stack: list[PageCrawl] = []
        self.reports: list[dict] = []
        self.settings = Settings()
        self.lettering = Lettering(TEXTS)
        # By title and opener of windows that were crawled, their states.
        self.windows: dict[tuple[str, str], str] = {}
        # Pages of windows that other pages show in the size in which they open.
        shown = {entry.steps for entry in live.program.live if entry.size is None}
        self.repeated = {f"live-{slug(e.name)}" for e in live.program.live if e.size is not None and e.steps in shown}

    # pages

    def run(self, entry: LivePage) -> None:
        state = f"live-{slug(entry.name)}"
        window = self.open(entry)
        self.crawl(
            window, state, [str(s) for s in entry.steps], None, lambda fresh: self.open(entry, fresh), entry.depth
        )

    def run_large(self, entry: LivePage) -> None:
        """Crawls a page's window as large as it gets, and of the page itself nothing: it is known."""
        state = f"live-{slug(entry.name)}"
        window = self.open(entry)
        shot = self._shot(window, state, [str(s) for s in entry.steps], None)
        if shot is None:
            return
        page = PageCrawl(self, window, shot, lambda fresh: self.open(entry, fresh), entry.depth)
        self.stack.append(page)
        try:
            self.maximise(page, page.begin())
        finally:
            self.stack.pop()
            self.recorder.shots = [s for s in self.recorder.shots if s is not shot]

    def open(self, entry: LivePage, fresh: bool = True):
        """The window of a page, from a fresh start of the program or in the one that runs."""
        self.skip = never_clicked(self.live.program, entry)
        self.clicks_entries = entry.menus
        if fresh or self.live.window is None or not x11.exists(self.live.window) or not entry.steps:
            restart(self.live, self.settings)
        else:
            self.live.dismiss()
        return follow(self.live, entry)

    def crawl(
        self,
        window,
        state,
        steps,
        parent: Shot | None,
        reopen: Callable[[bool], object],
        depth: int,
        small: PageCrawl | None = None,
    ) -> Shot | None:
        """A page with what opens from it. `small`: the page of the same window before it filled the work area."""
        started = time.monotonic()
        shot = self._shot(window, state, steps, parent, small)
        if shot is None:
            return None
        page = PageCrawl(self, window, shot, reopen, depth)
        if small is not None:
            page.small, small.large = small, page
        if depth > 1:
            page.ends = min(page.ends, time.monotonic() + SECONDS_BELOW)
        self.stack.append(page)
        try:
            context = page.begin()
            # Lists of fonts, colours, files and printers are endless: such a window is pictured, and left again.
            page.plain = page.depth > 1 and bool(CHOOSERS.search(shot.title))
            if not page.plain:
                scroll_areas.find(page, context)
                self.probe(page, context, list(context.elements))
                page.ends = max(page.ends, time.monotonic() + SECONDS_OF_PROOF)
                self.prove(page, context)
                self.set_letters(page, context)
                woken.drive(page, context)
                self.leave(page, context)
        except (CaptureError, GLib.Error, error.XError) as fault:
            page.page.notes.append(f"the crawl ended: {fault or type(fault).__name__}")
        except Exception:
            # A fault of the crawler keeps what there is, and is told.
            page.page.notes.append(traceback.format_exc())
        finally:
            self.stack.pop()
        self.write(page, shot, time.monotonic() - started)
        return shot

    def _shot(self, window, state, steps, parent: Shot | None, small: PageCrawl | None = None) -> Shot | None:
        if any(s.state == state for s in self.recorder.shots):
            return None
        x11.activate(window)
        grabs.wait_until_still(window, 0.5, 8)
        toolkit = self.live.look_at(window)[1].toolkit
        desk = Desk(self.live, window, toolkit)
        desk.inactive()
        desk.show_rings()
        desk.settle()
        desk.close()
        kind = "main" if window.id == self.live.window.id else "dialog"
        shots, self.recorder.shots = self.recorder.shots, []
        try:
            if small is not None:
                return self.recorder.capture(window, state, small.shot.kind, steps, parent, "maximized")
            if kind == "main":
                return self.recorder.capture(window, state, kind, ["launch", *steps])
            return self.recorder.capture_dialog(window, state, ["launch", *steps], parent)
        finally:
            self.recorder.shots = shots + self.recorder.shots

    def write(self, page: PageCrawl, shot: Shot, seconds: float) -> None:
        """The page's living file as far as it came, and what the crawl of it gave. A further window that is hardly
        known has none, and neither has such a large page to which no values go along."""
        page.page.offset = page.offset
        finish(page.page)
        scrolled.settle(page.page, page.large and page.large.page)
        told = page.page.coverage()
        further = page.depth > 1 or (page.small is not None and page.carries is None)
        if page.plain or (further and told["known"] < LEAST_COVERAGE * told["elements"]):
            self._write_plain(page, shot)
            return
        writer = PageWriter(page.page, page.offset)
        lines, atlas = writer.lines(self.ids(shot.state))
        there = [f for f in page.page.fields if f.control in page.page.controls]
        fitting = [f for f in there if lettered.obstacle(lines, page.page.elements, f.element, f.control) is None]
        if fitting:
            try:
                lines, atlas, page.page.transitions = lettered.add(lines, atlas, page.page.transitions, fitting)
            except Unfit as fault:
                page.page.notes.append(f"letters: {fault}")
        (self.out / f"{shot.state}.living.jsonl").write_text(as_text(lines), encoding="utf-8")
        for name, picture in content_pictures(page.page):
            Image.fromarray(picture, "RGBA").save(self.out / name, compress_level=1)
        if atlas is not None:
            Image.fromarray(atlas, "RGBA").save(self.out / f"{shot.state}.atlas.png", compress_level=1)
        (self.out / f"{shot.state}.elements.json").write_text(json.dumps(page.page.elements), encoding="utf-8")
        own = [dict(t, **{"from": shot.state}) for t in page.page.transitions]
        (self.out / f"{shot.state}.transitions.json").write_text(json.dumps(own, default=float), encoding="utf-8")
        self.reports.append(
            {
                "state": shot.state,
                "toolkit": shot.toolkit,
                "controls": len(page.page.controls),
                "patches": len(page.page.patches),
                "verified": sum(p.verified for p in page.page.patches),
                "layers": len(page.page.layers),
                "popups": len(page.page.popups),
                "transitions": len(own),
                "coverage": page.page.coverage(),
                "seconds": round(seconds, 1),
                "notes": page.page.notes,
            }
        )
        (self.out / "crawl.json").write_text(json.dumps(self.reports), encoding="utf-8")

    def _write_plain(self, page: PageCrawl, shot: Shot) -> None:
        """A window as it was pictured: of what is in it, nothing is told."""
        (self.out / f"{shot.state}.elements.json").write_text(json.dumps(page.page.elements), encoding="utf-8")
        (self.out / f"{shot.state}.transitions.json").write_text("[]", encoding="utf-8")

    # controls

    def probe(self, page: PageCrawl, context: Context, elements: list[dict]) -> None:
        """Every element of a context that can be driven: single controls first, then what shows other elements, then
        buttons."""
        usable = [e for e in elements if e["interactive"] and e["popup"] is None]
        for element in usable:
            if not is_enabled(element):
                continue
            if not page.may_click(element, context.when) and element["role"] != "page tab":
                page.page.unknown(element["id"], NEVER, context.when)
        usable = [e for e in usable if is_enabled(e)]
        usable = [e for e in usable if page.may_click(e, context.when) or e["role"] == "page tab"]
        grouped = [] if page.desk.gtk4 else groups(usable)
        in_group = {m["id"] for group in grouped for m in group}
        cells = {} if context.depth else board.cells_of(self.live.program.board, context.elements)
        if cells:
            page.guarded(context, "board", board.drive, self.live.program.board, cells)
            own = {e["id"] for e in cells.values()}
            usable = [e for e in usable if e["id"] not in own]
            grouped = groups(usable)
            in_group = {m["id"] for group in grouped for m in group}
        files = None if context.depth else parts_of(context.elements)
        if files is not None:
            own = files.elements()
            page.guarded(context, "files", file_dialog.drive, files)
            usable = [e for e in usable if e["id"] not in own]
            grouped = [group for group in grouped if not own & {m["id"] for m in group}]
        drives = [
            (("check box", "switch", "toggle button"), toggles.drive),
            (("combo box",), combos.drive),
            (("spin button",), numbers.drive_spin),
            (("slider",), numbers.drive_slider),
            (("entry", "password text"), fields.drive),
            (("list item",), rows.drive),
        ]
        home = page.home_of(context)
        for roles, drive in drives:
            for element in sorted(usable, key=lambda e: e["id"] == home):
                if element["role"] in roles and element["id"] not in in_group | page.grouped:
                    self._one(page, context, element, drive)
        for members in sorted(grouped, key=lambda g: g[0]["role"] != "radio button"):
            if page.late:
                break
            page.guarded(context, f"{members[0]['role']}s", exclusive.drive, members)
        for element in usable:
            if element["role"] in ("push button", "menu", "text", "link", "icon", "scroll bar") and not is_frame(
                element
            ):
                ends = element["role"] == "push button" and choices_end(element["name"])
                if element["role"] == "link" or ends or sets_back(element):
                    continue
                self._one(page, context, element, press)
        if files is not None:
            file_dialog.bind(page, context, files)
        for element in usable:
            if element["role"] in ("link", "column header") or page.late:
                known = any(t["element"] == element["id"] for t in page.page.transitions)
                if not known and not is_frame(element) and not choices_end(element["name"]):
                    page.page.unknown(element["id"], "not tried", context.when)

    def _one(self, page: PageCrawl, context: Context, element: dict, drive) -> None:
        if page.late or (context.depth and context.failures >= MOST_FAILURES):
            page.page.unknown(element["id"], "not tried", context.when)
            return
        if page.guarded(context, f"{element['role']} {element['name']}", drive, element):
            return
        # What can't be undone leads to a page of its own.
        one_way = drive is toggles.drive and not page.late
        if not one_way or not page.guarded(context, f"{element['name']} once more", self._one_way, element):
            page.page.unknown(element["id"], "the crawl of it failed", context.when)

    def _one_way(self, page: PageCrawl, context: Context, element: dict) -> None:
        seen = page.click(spot(element["role"], element["bbox"]))
        if seen.kind == "seen":
            self.shows(page, context, element)
        else:
            self.led_away(page, context, element, seen)

    def elements_in(self, context: Context, difference: matching.Difference) -> list[dict]:
        return matching.applied(context.elements, difference)

    def prove(self, page: PageCrawl, context: Context) -> None:
        """Values seen a second time, and those that change each other's looks seen together."""
        verify(page, context)
        carry(page, context)
        together(page, context)

    def set_letters(self, page: PageCrawl, context: Context) -> None:
        """Letters for the fields that the page shows by itself."""
        if not page.shot.toolkit.lower().startswith(LETTERED):
            return
        elements = {e["id"]: e for e in context.elements}
        for control in list(page.page.controls.values()):
            if control.type == "text_entry" and control.element in elements:
                page.guarded(context, f"letters of {control.id}", self._set_letters, control, elements[control.element])

    def _set_letters(self, page: PageCrawl, context: Context, control: Control, element: dict) -> None:
        typed = TypedField(page.desk, page.origin, context.elements, element, lambda: page.read()[0])
        report: dict = {}
        try:
            seed = f"texts/{page.page.state}/{control.id}"
            page.page.fields.append(self.lettering.field(typed, control.id, control.value, seed, report))
        except Unfit as fault:
            page.page.notes.append(f"letters of {control.id}: {fault}")
        page.back(context)

    def undo_window(self, seen: Seen) -> None:
        """After something opened or closed where nothing should have."""
        raise Lost(f"unexpectedly {seen.kind}")

    def foreign(self, page: PageCrawl) -> set[int]:
        ours = {p.window.id for p in self.stack} | {page.window.id}
        if self.live.window is not None:
            ours.add(self.live.window.id)
        return {w.id for w in x11.clients()} - ours

    def set_value(self, page: PageCrawl, element: dict, value: float) -> None:
        """Sets a slider back by its accessible value, and where it has none by its position."""
        handle = page.handle_of(element)
        try:
            Atspi.Value.set_current_value(handle.get_value_iface(), value)
        except (GLib.Error, AttributeError, TypeError):
            raise Lost("its value can't be set back") from None
        page.desk.settle(awaits=True)


def _found(live: LiveProgram, window, step):
    """The element that a step names. A menu may take its time."""
    for _ in range(MOST_LOOKS - 1):
        try:
            return live.find(window, step)
        except (CaptureError, GLib.Error):
            time.sleep(0.5)
    return live.find(window, step)


def _shown(live: LiveProgram, window, step, opener):
    """The element that a step names. A button that was to show it is clicked once more: a program that has just started
    may miss the first click."""
    try:
        return _found(live, window, step)
    except (CaptureError, GLib.Error):
        if opener is None:
            raise
    chains.point(_found(live, window, opener), opener.verb)
    return _found(live, window, step)


def _opens_popup(seconds: float) -> bool:
    """Whether a menu opens in so long; a window may have come instead."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if x11.popups():
            return True
        time.sleep(0.03)
    return False


def follow(live: LiveProgram, entry: LivePage):
    """Does an entry's steps; returns the window that they lead to."""
    known = {w.id for w in x11.clients()}
    window, opener = live.window, None
    for step in entry.steps:
        if step.verb in POINTER_VERBS:
            chains.point(_shown(live, window, step, opener), step.verb)
            opener = step if step.role == "toggle button" else None
            if step.role == "menu" and not _opens_popup(MENU_S):
                # A program that has just started may miss the first click.
                chains.point(_found(live, window, step), step.verb)
        else:
            chains.act(step)
        if step is entry.steps[-1]:
            fresh = live.wait_for_window(known, 2.5)
        else:
            fresh = None if _opens_popup(0.5) else live.wait_for_window(known, 0.3)
        if fresh is not None:
            window = fresh
            known.add(fresh.id)
    if window.id != live.window.id:
        x11.move_frame(window, *PLACE, entry.size)
    elif entry.size is not None:
        live.place(entry.size)
    x11.activate(window)
    grabs.wait_until_still(window, 0.4, 5)
    return window
