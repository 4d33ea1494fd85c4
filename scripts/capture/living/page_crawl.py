"""The crawl of one page: opens it, sends events, sees what became of it, brings it back."""

import time
from collections.abc import Callable

import numpy as np
from PIL import Image
from Xlib import error

from .. import choices, tree_reader, x11
from ..atspi import Atspi, GLib
from ..boxes import area, centre, grown, holds, intersection, shifted
from ..clean import clean_elements
from ..duplicates import inside
from ..picture import CaptureError
from ..roles import pack_role
from ..shots import Shot
from . import changes, matching
from .context import Context, Seen
from .desk import Desk, Lost
from .page import Layer, Page, Patch, Value, Values
from .verify import Setter

# Elements that are not shown to be interactive on the screen itself.
HOMES = ("close", "cancel", "ok", "help", "done")
KEEPERS = ("push button", "check box", "radio button", "switch", "combo box", "toggle button", "spin button", "entry")
FRAME_BUTTONS = ("Minimize", "Maximize", "Close")
MOST_REOPENINGS = 30
# How much of a page the focus may draw.
ADOPTED_SHARE = 0.03
# Pictures of faults that are kept.
MOST_SHOWN = 12


# What a value changes, and the pictures with and without the window's focus.
Look = tuple[list[changes.Piece], np.ndarray, np.ndarray]


class PageCrawl:
    def __init__(self, crawler, window, shot: Shot, reopen: Callable[[bool], object], depth: int):
        self.crawler, self.live, self.shot = crawler, crawler.live, shot
        self._reopen, self.depth = reopen, depth
        self.window = window
        self.names = matching.Names()
        self.ends = time.monotonic() + crawler.seconds_of_a_page
        record = shot.record()
        clean_elements(record, shot.picture.pixels)
        self.page = Page(shot.state, record["elements"])
        self.origin = shot.picture.origin
        self.reopenings = 0
        self.popup_count = 0
        self.shown = 0
        self.new_home: str | None = None
        self.setters: list[Setter] = []
        self.take_window(window)

    def take_window(self, window) -> None:
        self.window = window
        self.desk = Desk(self.live, window, self.shot.toolkit)
        self.client, frame = x11.box_of(window), x11.frame_box(window)
        # Opened anew, it may lie elsewhere.
        self.origin = tuple(frame[i] - (self.shot.frame[i] - self.shot.picture.origin[i]) for i in (0, 1))
        self.offset = self.client[0] - self.origin[0], self.client[1] - self.origin[1]

    @property
    def late(self) -> bool:
        return time.monotonic() > self.ends

    # the base

    def begin(self) -> Context:
        """The page as its capture shows it."""
        elements = self.page.elements
        if self.desk.gtk4:
            focused = next((e for e in elements if e["state"].get("focused")), None)
            self.page.focus_home = focused and focused["id"]
        else:
            self.page.focus_home, self.desk.home_handle = self.choose_home(elements)
            for element in elements:
                element["state"].pop("focused", None)
                if element["id"] == self.page.focus_home:
                    element["state"]["focused"] = True
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

    def _find_home(self) -> None:
        home = next((e for e in self.page.elements if e["id"] == self.page.focus_home), None)
        self.desk.home_handle = None if home is None else self.handle_of(home)

    def home_of(self, context: Context) -> str | None:
        return context.home_id or self.page.focus_home

    def aim(self, context: Context) -> None:
        """Home is the context's. A window that was opened anew has other live counterparts."""
        if context.opening != self.reopenings and context.home is not None:
            home = next((e for e in context.elements if e["id"] == self.home_of(context)), None)
            context.home = None if home is None else self.handle_of(home)
            context.opening = self.reopenings
        self.desk.home_handle = context.home

    def choose_home(self, elements: list[dict]) -> tuple[str | None, object]:
        """An element that takes the focus when asked, and its live counterpart: the one that has it, a button at the
        end of the window, or any other."""
        if self.desk.gtk4:
            return None, None
        usable = [e for e in elements if e["interactive"] and e["state"].get("enabled", True) and e["role"] in KEEPERS]
        usable = [e for e in usable if e["parent"] is not None or e["name"] not in FRAME_BUTTONS]
        raw = tree_reader.read(self.window, [])
        for element in sorted(usable, key=_as_home):
            handle = self.handle_of(element, raw)
            try:
                if handle is not None and handle.get_component_iface().grab_focus():
                    self.desk.settle()
                    handle.clear_cache()
                    if handle.get_state_set().contains(Atspi.StateType.FOCUSED):
                        return element["id"], handle
            except (GLib.Error, AttributeError):
                continue
        return None, None

    def handle_of(self, element: dict, raw=None):
        """The live counterpart of an element of the page."""
        raw = raw or tree_reader.read(self.window, [])
        x, y = centre(shifted(tuple(element["bbox"]), *self.origin))
        near = [n for n in raw.nodes if n.box and holds(grown(n.box, 12), x, y) and pack_role(n.role) != "panel"]
        named = [n for n in near if n.name.replace("_", "") == element["name"] or not element["name"]]
        ranked = sorted(named or near, key=lambda n: ("focusable" not in n.states, area(n.box)))
        return ranked[0].handle if ranked else None

    # events

    def screen(self, point) -> tuple[int, int]:
        return int(point[0] + self.origin[0]), int(point[1] + self.origin[1])

    def click(self, point, awaits: bool = True) -> Seen:
        return self.event(lambda: self.desk.click(*self.screen(point)), awaits)

    def event(self, act: Callable[[], None], awaits: bool = True, reads: bool = True) -> Seen:
        """Does something and sees what has become of the window."""
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
                time.sleep(0.12)
                fresh = [w for w in x11.clients() if w.id not in windows and not self.live.stage.owns(w)]
                popups = self.desk.popups()
            if fresh:
                return Seen("window", window=fresh[-1])
            if not x11.exists(self.window):
                return Seen("closed")
            active = self.desk.grab()
            if popups:
                return Seen("popup", active, popups=popups)
            if self._size() != (self.client[2] - self.client[0], self.client[3] - self.client[1]):
                return Seen("resized", active)
            records, focus = self.read() if reads else ([], None)
        except error.XError:
            if x11.exists(self.window):
                raise
            return Seen("closed")
        return Seen("seen", active, records, focus)

    def _size(self) -> tuple[int, int]:
        box = x11.box_of(self.window)
        return box[2] - box[0], box[3] - box[1]

    def read(self, popup: bool = False) -> tuple[list[dict], int | None]:
        """The elements of now as records, in px of the page's picture; of open popups if asked."""
        found = self.live.elements_now(self.window)
        if popup:
            return popup_records(found, self.origin), None
        found = inside(found, self.shot.picture.box())
        shot = Shot(
            state="", kind="", title="", frame=x11.frame_box(self.window), popups=[], elements=found,
            picture=self.shot.picture, inactive=None, toolkit="", steps=[], window_id=self.window.id,
        )  # fmt: skip
        inner = [e for e in found if e.popup is None]
        records = [r for r, e in zip(shot.record()["elements"], found, strict=True) if e.popup is None]
        focus = next((n for n, e in enumerate(inner) if e.state.get("focused")), None)
        return records, focus

    # looks

    def look(
        self, context: Context, difference: matching.Difference | None = None
    ) -> tuple[list[changes.Piece], np.ndarray, np.ndarray]:
        """What a value has changed of the context, with the focus back at home; the pictures of that. Where the home is
        hidden, another one takes its place."""
        self.new_home = context.home_id
        self.aim(context)
        if difference is not None and context.home is not None and self.home_of(context) in difference.gone():
            self.new_home, self.desk.home_handle = self.choose_home(matching.applied(context.elements, difference))
        self.desk.go_home()
        active = self.desk.grab()
        inactive = self.desk.inactive()
        if active.shape != context.active.shape or inactive.shape != context.active.shape:
            raise Lost("the window has another size")
        again = self.desk.grab()
        if not np.array_equal(active, again):
            active = again
        found = changes.pieces(context.active, active, (context.inactive, inactive), self.page.volatile)
        return found, active, inactive

    def differ(self, context: Context, seen: Seen) -> matching.Difference:
        return matching.difference(context.elements, seen.records, self.names)

    def focus_of(self, difference: matching.Difference, seen: Seen) -> str | None:
        return difference.ids[seen.focus] if seen.focus is not None else None

    def add_patch(self, context: Context, control: str, value: Value, found, difference) -> Patch:
        patch = Patch(control, value, dict(context.when), found, difference.changes, difference.added)
        patch.over = set(context.when)
        self.page.patches.append(patch)
        return patch

    def add_focus(self, when: Values, base, inactive, element: str | None, focused: np.ndarray | None) -> list:
        """The layer of an element's focus, from pictures of the same values with the focus at home and there."""
        if element is None or focused is None or focused.shape != base.shape:
            return []
        mask = changes.changed(base, focused, self.page.volatile)
        parts = []
        for box in changes.boxes_of(mask):
            x0, y0, x1, y1 = box
            cut = (slice(y0, y1), slice(x0, x1))
            parts.append(changes.Piece(box, mask[cut].copy(), focused[cut].copy(), inactive[cut].copy()))
        known = any(la.element == element and la.when == when for la in self.page.layers)
        if parts and not known:
            self.page.layers.append(Layer("focus", element, dict(when), parts))
        return parts

    def focus_variant(self, when: Values, base, inactive, element: str | None, focused, layer: list) -> None:
        """Keeps a layer of its own for a value where the usual one does not give what was seen."""
        if element is None or focused is None or base.shape != focused.shape:
            return
        if not changes.alike(changes.drawn(base, layer), focused, self.page.volatile):
            self.add_focus(when, base, inactive, element, focused)

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
        for mend in (None, self._unselect, self._select, None):
            if mend is not None:
                mend(context)
            self.desk.go_home()
            if changes.alike(self.desk.grab(), context.active, self.page.volatile):
                return
        self.show(context.active, self.desk.grab())
        raise Lost("the page does not come back")

    def _texts_that_differ(self, context: Context) -> list:
        """Live counterparts of fields that look different."""
        seen = self.desk.grab()
        if seen.shape != context.active.shape:
            return []
        boxes = changes.boxes_of(changes.changed(seen, context.active, self.page.volatile))
        boxes = [shifted(box, *self.offset) for box in boxes]
        fields = [e for e in context.elements if e["role"] in ("spin button", "entry", "text", "combo box")]
        raw = tree_reader.read(self.window, [])
        near = [e for e in fields if any(intersection(tuple(e["bbox"]), box) for box in boxes)]
        return [handle for handle in (self.handle_of(e, raw) for e in near) if handle is not None]

    def _unselect(self, context: Context) -> None:
        """Fields keep their selection when they lose the focus; others have had none."""
        for handle in self._texts_that_differ(context):
            text = handle.get_text_iface()
            if text is not None and Atspi.Text.get_n_selections(text):
                Atspi.Text.remove_selection(text, 0)
        self.desk.settle(awaits=True)

    def _select(self, context: Context) -> None:
        """Taking the focus selects all of a field."""
        for handle in self._texts_that_differ(context):
            handle.get_component_iface().grab_focus()
            self.desk.settle(awaits=True)

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
            if self.reopenings > MOST_REOPENINGS:
                raise CaptureError("the page was lost too often")
            self.desk.close()
            try:
                self._open_again(context, fresh)
                return
            except (CaptureError, GLib.Error, error.XError):
                if fresh:
                    raise

    def _open_again(self, context: Context, fresh: bool) -> None:
        self.take_window(self._reopen(fresh))
        self.desk.volatile = self.page.volatile
        self._find_home()
        self.desk.inactive()
        self.desk.show_rings()
        for step in context.enter:
            self.desk.home_handle = None
            step()
        self.aim(context)
        self.desk.go_home()
        if not changes.alike(self.desk.grab(), context.active, self.page.volatile):
            time.sleep(0.6)
            off = changes.strayed(self.desk.grab(), context.active, self.page.volatile)
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
            self.page.notes.append(f"{what}: {fault or type(fault).__name__}")
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
        for _ in range(3):
            above = [w for w in self.live.windows_besides(self.window) if w.id in self.crawler.foreign(self)]
            if not above:
                break
            close_window(above[-1])
        if not x11.exists(self.window):
            raise Lost("the window has closed")
        self.desk.activate()

    def may_click(self, element: dict) -> bool:
        words = element["name"] or element["description"]
        if element["role"] == "push button" and choices_end(words):
            return True
        acts = element["role"] in ("push button", "menu", "link", "icon", "list item")
        never = acts and choices.NEVER_CLICK.search(words)
        return not never and not any(p.search(words) for p in self.crawler.skip)


def choices_end(words: str) -> bool:
    """Whether a button's words end a dialog."""
    return words.lower().replace("_", "").replace("&", "") in ("ok", "cancel", "close", "done", "apply")


def close_window(window) -> None:
    x11.activate(window)
    x11.press("Escape")
    for _ in range(20):
        if not x11.exists(window):
            return
        time.sleep(0.03)
    x11.tell_wm(window, "_NET_CLOSE_WINDOW", [0, 2, 0, 0, 0])
    for _ in range(30):
        if not x11.exists(window):
            return
        time.sleep(0.03)


def _as_home(element: dict) -> tuple:
    """Earlier ones are tried first."""
    rank = KEEPERS.index(element["role"])
    ends = element["name"].lower() in HOMES
    return (not element["state"].get("focused"), not ends, rank, element["id"])


def popup_records(found, origin) -> list[dict]:
    """Elements of open popups as records without parents. GTK 3 tells a list twice: in its box, and by itself."""
    out: dict[tuple, dict] = {}
    for e in found:
        if e.popup is not None:
            box = shifted(e.box, -origin[0], -origin[1])
            record = {"id": "", "parent": None, "role": e.role, "name": e.name, "description": e.description}
            record |= {"bbox": list(box), "interactive": e.interactive, "popup": e.popup}
            out.setdefault((e.role, e.name, box), {**record, "state": matching.lasting(e.state)})
    return list(out.values())


def with_focus(outcomes: list[dict], focus: str | None) -> list[dict]:
    """Outcomes, and which element has the focus then."""
    return outcomes if focus is None else [*outcomes, {"kind": "focus", "element": focus}]
