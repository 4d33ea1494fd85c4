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
from ..programs import POINTER_VERBS, LivePage
from ..recorder import Recorder
from ..shots import Shot, slug
from . import combos, exclusive, fields, matching, numbers, toggles
from .context import Context, Seen
from .desk import Desk, Lost
from .fresh import Settings, restart
from .lines import PageWriter, as_text
from .page_crawl import PageCrawl, choices_end, close_window, with_focus
from .spots import spot
from .verify import verify
from .views import finish

MOST_DEPTH = 2
# The most of a window that another one opens.
SECONDS_BELOW = 100
# Openings after which no further way to close a page is tried.
MOST_LEAVINGS = 24
# Where dialogs lie, so that their lists open the same way each time.
PLACE = (420, 180)
# Values under which controls are crawled that show, or can be used, only then.
MOST_CONTEXTS = 2
CHOOSERS = re.compile(r"open|save|select|choose|pick|font|colou?r|folder|file", re.IGNORECASE)


# The window opened anew: from a fresh start of the program, or in the one that runs.
Reopen = Callable[[bool], object]


class Crawler:
    def __init__(self, live: LiveProgram, recorder: Recorder, out: Path, ids: Callable[[str], str], seconds: float):
        self.live, self.recorder, self.out, self.ids = live, recorder, out, ids
        self.skip = [re.compile(pattern, re.IGNORECASE) for pattern in live.program.skip]
        self.seconds_of_a_page = seconds
        self.stack: list[PageCrawl] = []
        self.reports: list[dict] = []
        self.settings = Settings()
        self.windows: dict[str, str] = {}  # titles of windows that were crawled, with their states

    # pages

    def run(self, entry: LivePage) -> None:
        state = f"live-{slug(entry.name)}"
        window = self.open(entry)
        self.crawl(
            window, state, [str(s) for s in entry.steps], None, lambda fresh: self.open(entry, fresh), entry.depth
        )

    def open(self, entry: LivePage, fresh: bool = True):
        """The window of a page, from a fresh start of the program or in the one that runs."""
        if fresh or self.live.window is None or not x11.exists(self.live.window) or not entry.steps:
            restart(self.live, self.settings)
        else:
            self.live.dismiss()
        return follow(self.live, entry)

    def crawl(
        self, window, state, steps, parent: Shot | None, reopen: Callable[[bool], object], depth: int
    ) -> Shot | None:
        started = time.monotonic()
        shot = self._shot(window, state, steps, parent)
        if shot is None:
            return None
        page = PageCrawl(self, window, shot, reopen, depth)
        if depth > 1:
            page.ends = min(page.ends, time.monotonic() + SECONDS_BELOW)
        self.stack.append(page)
        try:
            context = page.begin()
            # Lists of fonts, colours and files are endless: such a window is pictured, and left again.
            if page.depth == 1 or not CHOOSERS.search(shot.title):
                self.probe(page, context, list(context.elements))
                verify(page, context)
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

    def _shot(self, window, state, steps, parent: Shot | None) -> Shot | None:
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
            if kind == "main":
                return self.recorder.capture(window, state, kind, ["launch", *steps])
            return self.recorder.capture_dialog(window, state, ["launch", *steps], parent)
        finally:
            self.recorder.shots = shots + self.recorder.shots

    def write(self, page: PageCrawl, shot: Shot, seconds: float) -> None:
        """The page's living file as far as it came, and what the crawl of it gave."""
        finish(page.page)
        writer = PageWriter(page.page, page.offset)
        lines, atlas = writer.lines(self.ids(shot.state))
        (self.out / f"{shot.state}.living.jsonl").write_text(as_text(lines), encoding="utf-8")
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

    # controls

    def probe(self, page: PageCrawl, context: Context, elements: list[dict]) -> None:
        """Every element of a context that can be driven: single controls first, then what shows other elements, then
        buttons."""
        usable = [e for e in elements if e["interactive"] and e["popup"] is None]
        for element in usable:
            if not e_enabled(element):
                continue
            if not page.may_click(element) and element["role"] != "page tab":
                page.page.unknown(element["id"], "on the list of what is never clicked", context.when)
        usable = [e for e in usable if e_enabled(e) and (page.may_click(e) or e["role"] == "page tab")]
        grouped = exclusive.groups(usable)
        in_group = {m["id"] for group in grouped for m in group}
        drives = [
            (("check box", "switch", "toggle button"), toggles.drive),
            (("combo box",), combos.drive),
            (("spin button",), numbers.drive_spin),
            (("slider",), numbers.drive_slider),
            (("entry", "password text"), fields.drive),
        ]
        for roles, drive in drives:
            for element in usable:
                if element["role"] in roles and element["id"] not in in_group:
                    self._one(page, context, element, drive)
        for members in sorted(grouped, key=lambda g: g[0]["role"] != "radio button"):
            if page.late:
                break
            page.guarded(context, f"{members[0]['role']}s", exclusive.drive, members)
        for element in usable:
            if element["role"] in ("push button", "menu", "text", "link", "icon") and not is_frame(element):
                if element["role"] == "link" or (choices_end(element["name"]) and element["role"] == "push button"):
                    continue
                self._one(page, context, element, press)
        for element in usable:
            if element["role"] in ("link", "scroll bar", "column header") or page.late:
                known = any(t["element"] == element["id"] for t in page.page.transitions)
                if not known and not is_frame(element) and not choices_end(element["name"]):
                    page.page.unknown(element["id"], "not tried", context.when)

    def _one(self, page: PageCrawl, context: Context, element: dict, drive) -> None:
        if page.late:
            page.page.unknown(element["id"], "not tried", context.when)
            return
        if not page.guarded(context, f"{element['role']} {element['name']}", drive, element):
            page.page.unknown(element["id"], "the crawl of it failed", context.when)

    def elements_in(self, context: Context, difference: matching.Difference) -> list[dict]:
        return matching.applied(context.elements, difference)

    def enter(self, page: PageCrawl, outer: Context, inner: Context, control: str) -> None:
        """Crawls what shows, or can be used, only under a value that was just set."""
        before = {e["id"]: e for e in outer.elements}
        own = next(c.element for c in page.page.controls.values() if c.id == control)
        fresh = []
        for element in inner.elements:
            old = before.get(element["id"])
            if element["id"] == own or is_frame(element):
                continue
            appears = old is None
            wakes = old is not None and e_enabled(element) and not e_enabled(old)
            moves = old is not None and old["bbox"] != element["bbox"]
            if appears or wakes or moves:
                fresh.append(element)
        # Buttons that light up with any change are rules, not contexts.
        woken = [e for e in fresh if e["id"] in before]
        if all(e["role"] == "push button" for e in fresh) and len(woken) == len(fresh):
            return
        if not any(e["interactive"] and e_enabled(e) for e in fresh) or inner.depth > MOST_CONTEXTS or page.late:
            return
        self.probe(page, inner, fresh)
        verify(page, inner)
        page.back(inner)

    # what leads away

    def led_away(self, page: PageCrawl, context: Context, element: dict, seen: Seen) -> None:
        """A click that opened or closed something, or changed the window's size."""
        own = element["id"]
        if seen.kind == "closed":
            page.page.tell(own, "click", [{"kind": "closed", "to": None}], context.when)
            page.reopen(context)
        elif seen.kind == "window":
            self._window(page, context, element, seen.window)
        elif seen.kind == "popup":
            self._popup(page, context, element, seen)
        elif seen.kind == "resized":
            page.page.unknown(own, "the window gets another size", context.when)
            page.reopen(context)
        else:
            page.page.unknown(own, "what it does was not understood", context.when)
            page.back(context)

    def _window(self, page: PageCrawl, context: Context, element: dict, window) -> None:
        grabs.wait_until_still(window, 0.4, 5)
        if not x11.exists(window):
            page.back(context)
            page.page.unknown(element["id"], "a window showed for a moment", context.when)
            return
        state = f"{page.page.state}-{slug(element['name'] or element['description'] or x11.title(window), 16)}"
        title = x11.title(window)
        frame = x11.frame_box(page.window)
        known = self.windows.get(title)
        shot = None
        if known is None and page.depth < MOST_DEPTH:

            def reopen(fresh: bool):
                if fresh or not x11.exists(page.window):
                    page.reopen(context)
                else:
                    page.dismiss()
                    page.back(context)
                again = page.click(spot(element["role"], element["bbox"]))
                if again.kind != "window":
                    raise Lost("the window does not open again")
                grabs.wait_until_still(again.window, 0.4, 5)
                return again.window

            began = time.monotonic()
            shot = self.crawl(window, state, [f"click {element['name']}"], page.shot, reopen, page.depth + 1)
            page.ends += time.monotonic() - began
            if shot is not None:
                self.windows[title] = known = shot.state
        if known is None:
            page.page.unknown(element["id"], "it opens a window that was not captured", context.when)
        else:
            offset = [shot.frame[i] - frame[i] for i in (0, 1)] if shot is not None else None
            outcome = [{"kind": "window", "to": known, "offset": offset}]
            page.page.tell(element["id"], "click", outcome, context.when)
        for other in [w for w in self.live.windows_besides(page.window) if w.id in self.foreign(page)]:
            close_window(other)
        if not x11.exists(page.window):
            page.reopen(context)
            return
        page.desk.activate()
        page.back(context)

    def _popup(self, page: PageCrawl, context: Context, element: dict, seen: Seen) -> None:
        popup, items = combos.picture(page, context, element, seen, {}, "menu")
        popup.when = dict(context.when)
        page.page.popups.append(popup)
        page.page.tell(element["id"], "click", [{"kind": "popup", "popup": popup.id}], context.when)
        for item in items:
            if item["interactive"]:
                page.page.unknown(item["id"], "not tried")
        page.page.tell(None, {"key": "Escape"}, [{"kind": "popup_closed"}])
        page.dismiss()
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

    # at the end

    def leave(self, page: PageCrawl, context: Context) -> None:
        """Every way to close the page: its own buttons, the frame's, Escape. Each costs opening it anew."""
        ends = [e for e in context.elements if e["role"] == "push button" and e_enabled(e)]
        ends = [e for e in ends if (choices_end(e["name"]) and e["name"] != "Apply") or is_frame(e)]
        for element in ends:
            if element["name"] in ("Minimize", "Maximize") and is_frame(element):
                continue
            if page.reopenings > MOST_LEAVINGS:
                page.page.unknown(element["id"], "not tried")
                continue
            seen = page.click(spot(element["role"], element["bbox"]))
            if seen.kind == "closed":
                page.page.tell(element["id"], "click", [{"kind": "closed", "to": None}])
                page.reopen(context)
            else:
                page.page.unknown(element["id"], "it does not close the window")
                page.reopen(context)
        minimise = next((e for e in context.elements if e["name"] == "Minimize" and is_frame(e)), None)
        if minimise is not None:
            page.desk.click(*page.screen(spot("push button", minimise["bbox"])))
            time.sleep(0.3)
            if not x11.mapped(page.window) or hidden(page.window):
                page.page.tell(minimise["id"], "click", [{"kind": "minimised"}])
            x11.activate(page.window)
            page.back(context)
        self._maximise(page, context)
        escape = page.event(lambda: x11.press("Escape"), reads=False)
        if escape.kind == "closed":
            page.page.tell(None, {"key": "Escape"}, [{"kind": "closed", "to": None}])

    def _maximise(self, page: PageCrawl, context: Context) -> None:
        """The window as large as it gets, pictured; nothing more is known of it."""
        button = next((e for e in context.elements if e["name"] == "Maximize" and is_frame(e)), None)
        if button is None or page.late:
            return
        page.desk.click(*page.screen(spot("push button", button["bbox"])))
        grabs.wait_until_still(page.window, 0.5, 5)
        if x11.box_of(page.window) == page.client:
            page.page.tell(button["id"], "click", [{"kind": "inert"}])
            return
        steps = [*page.shot.steps, "click push button Maximize"]
        kept, self.recorder.shots = self.recorder.shots, []
        kind, parent = page.shot.kind, page.shot.parent
        shot = self.recorder.capture(page.window, f"{page.page.state}-max", kind, steps, parent, "maximized")
        self.recorder.shots = kept + self.recorder.shots
        if shot is not None:
            page.page.tell(button["id"], "click", [{"kind": "maximised", "to": shot.state}])
        page.reopen(context)


def press(page: PageCrawl, context: Context, element: dict) -> None:
    """A button: what it opens, or that it does nothing."""
    seen = page.click(spot(element["role"], element["bbox"]))
    if seen.kind != "seen":
        page.crawler.led_away(page, context, element, seen)
        return
    difference = page.differ(context, seen)
    focus = page.focus_of(difference, seen)
    if difference.changes or difference.added:
        page.page.unknown(element["id"], "it changes what is shown", context.when)
        page.reopen(context)
        return
    page.add_focus(context.when, context.active, context.inactive, focus, seen.active)
    page.back(context)
    outcome = with_focus([], focus) or [{"kind": "inert"}]
    page.page.tell(element["id"], "click", outcome, context.when)


def follow(live: LiveProgram, entry: LivePage):
    """Does an entry's steps; returns the window that they lead to."""
    known = {w.id for w in x11.clients()}
    window = live.window
    for step in entry.steps:
        if step.verb in POINTER_VERBS:
            chains.point(live.find(window, step), step.verb)
        else:
            chains.act(step)
        fresh = live.wait_for_window(known, 2.5 if step is entry.steps[-1] else 0.6)
        if fresh is not None:
            window = fresh
            known.add(fresh.id)
    if window.id != live.window.id:
        x11.move_frame(window, *PLACE)
    x11.activate(window)
    grabs.wait_until_still(window, 0.4, 5)
    return window


def e_enabled(element: dict) -> bool:
    return element["state"].get("enabled", True)


def is_frame(element: dict) -> bool:
    return element["parent"] is None and element["name"] in ("Minimize", "Maximize", "Close", "Restore")


def hidden(window) -> bool:
    return x11.atom("_NET_WM_STATE_HIDDEN") in (x11.prop(window, "_NET_WM_STATE") or [])
