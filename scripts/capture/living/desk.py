"""One live window under the crawler: waits until it is still, pictures it, moves its focus, points at it."""

import contextlib
import time

import numpy as np
from Xlib import X, error
from Xlib.ext import damage

from .. import grabs, tree_reader, x11
from ..atspi import Atspi, GLib
from ..boxes import Box, intersection
from ..elements import Element
from ..live import LiveProgram
from ..picture import CaptureError
from ..screen import SCREEN_BOX, Popup
from .changes import alike

# A window is still when nothing was drawn for so long.
STILL_S, LEAST_S, LIMIT_S = 0.14, 0.07, 3.0
# How long the first drawing after an event is awaited.
ANSWER_S = 0.35
# How long a window may take to look active again.
RETURN_S = 3.0
# The look without the focus counts once it stays the same for so long.
FADED_S = 0.2
# How often a program is asked for its elements.
MOST_QUESTIONS = 4
# GTK 4 shows where the focus is for so long after a key.
RINGS_S = 3.2
# Two clicks within this time, no farther apart than that, are a double click: of GTK 4's rows, the second one is lost.
DOUBLE_CLICK_S, DOUBLE_CLICK_PX = 0.45, 8
SHIFT = 0xFFE1
# What notches of the wheel are to X: buttons, up and down, and to the left and right.
WHEEL, WHEEL_ACROSS = (4, 5), (6, 7)


class Lost(CaptureError):
    """The window does not come back to what it was."""


class Desk:
    """`shows_rings`: GTK 3, Qt and others show where the focus is once a key was pressed; GTK 4 only for a while."""

    def __init__(self, live: LiveProgram, window, toolkit: str):
        self.live, self.window, self.toolkit = live, window, toolkit
        self.gtk4 = toolkit.lower().startswith("gtk 4")
        self.home_handle = None
        # Of the screen; GTK 4 moves the focus by clicks alone.
        self.home_point: tuple[int, int] | None = None
        self.home_clicks = 1
        self.root = None
        self.drawn = 0.0
        self.clicked = (0, 0, 0.0)  # where and when, last
        self.volatile: list[Box] = []
        try:
            x11.DISPLAY.damage_query_version()
            self.damage = window.damage_create(damage.DamageReportRawRectangles)
        except (AttributeError, error.XError):
            self.damage = None

    def close(self) -> None:
        if self.damage is not None and x11.exists(self.window):
            x11.DISPLAY.damage_destroy(self.damage)

    # waiting

    def _pump(self) -> None:
        while x11.DISPLAY.pending_events():
            if type(x11.DISPLAY.next_event()).__name__ == "DamageNotify":
                self.drawn = time.monotonic()

    def ping(self) -> None:
        """Returns once the program answers: it has then taken the events sent before."""
        try:
            if self.root is None:
                main, _ = tree_reader._matching_roots(self.window, [])
                self.root = main[1] if main else None
            if self.root is not None:
                self.root.get_component_iface().get_extents(Atspi.CoordType.SCREEN)
        except (GLib.Error, AttributeError, error.XError):
            # It may be gone already.
            self.root = None

    def settle(self, awaits: bool = False, still: float = STILL_S) -> None:
        """Waits until the window is still. `awaits`: something is expected to be drawn."""
        start = time.monotonic()
        self.ping()
        self._pump()
        least = start + LEAST_S
        while time.monotonic() - start < LIMIT_S:
            self._pump()
            now = time.monotonic()
            answered = self.drawn >= start or not awaits or now - start > ANSWER_S
            if answered and now >= least and now - max(self.drawn, start) >= still:
                return
            time.sleep(0.01)

    # pictures

    def grab(self) -> np.ndarray:
        """The client window, whatever lies above it."""
        geometry = self.window.get_geometry()
        data = self.window.get_image(0, 0, geometry.width, geometry.height, X.ZPixmap, 0xFFFFFFFF).data
        pixels = np.frombuffer(data, np.uint8).reshape(geometry.height, geometry.width, 4)
        return np.ascontiguousarray(pixels[:, :, 2::-1])

    def inactive(self, active: np.ndarray | None = None, fades: bool = False) -> np.ndarray:
        """The client window without the focus. `active` is what it looks like with it: that is awaited afterwards.
        `fades`: it is known to look different, and is awaited until it does."""
        self.rest()
        end = time.monotonic() + RETURN_S
        while fades and time.monotonic() < end and alike(self.grab(), active, self.volatile):
            self.settle()
        # The ring goes first, and the colours later.
        seen = self.grab()
        while time.monotonic() < end:
            self.settle(still=FADED_S)
            before, seen = seen, self.grab()
            if np.array_equal(before, seen):
                break
        self.activate()
        self.settle(awaits=True)
        end = time.monotonic() + RETURN_S
        while active is not None and time.monotonic() < end and not alike(self.grab(), active, self.volatile):
            self.show_rings()
            self.settle()
        return seen

    def rest(self) -> None:
        """The focus goes to another window."""
        self._set_active(self.live.stage.bystander)
        self.settle(awaits=True)

    def _set_active(self, window) -> None:
        for _ in range(3):
            x11.tell_wm(window, "_NET_ACTIVE_WINDOW", [2, X.CurrentTime, 0, 0, 0])
            end = time.monotonic() + 0.4
            while time.monotonic() < end:
                if (x11.prop(x11.ROOT, "_NET_ACTIVE_WINDOW") or [0])[0] == window.id:
                    return
                time.sleep(0.01)
        x11.activate(window)

    def activate(self) -> None:
        if (x11.prop(x11.ROOT, "_NET_ACTIVE_WINDOW") or [0])[0] != self.window.id:
            self._set_active(self.window)

    def elements(self) -> list[Element]:
        """The window's elements and those of open popups. A program that is changing them is asked again."""
        for _ in range(MOST_QUESTIONS - 1):
            try:
                return self.live.elements_now(self.window)
            except GLib.Error:
                time.sleep(0.3)
        return self.live.elements_now(self.window)

    # the focus

    def show_rings(self) -> None:
        """GTK 3 shows the focus from the first key on: always have one."""
        if self.gtk4:
            return
        code = x11.DISPLAY.keysym_to_keycode(SHIFT)
        for kind in (X.KeyPress, X.KeyRelease):
            x11.xtest.fake_input(x11.DISPLAY, kind, code)
        x11.DISPLAY.sync()

    def hide_rings(self) -> None:
        """After a key, GTK 4 shows the focus for a while: until it does not any more."""
        if self.gtk4:
            time.sleep(RINGS_S)
            self.settle()

    def go_home(self) -> None:
        """Moves the focus to the page's home."""
        if self.gtk4 and self.home_point is not None and not self.popups():
            for _ in range(self.home_clicks):
                self.click(*self.home_point)
                self.settle(awaits=True)
        if self.home_handle is not None and not self.gtk4:
            with contextlib.suppress(GLib.Error, AttributeError):
                self.home_handle.get_component_iface().grab_focus()
        self.show_rings()
        self.settle()

    # the pointer

    def click(self, x: int, y: int, button: int = 1, times: int = 1) -> None:
        """Clicks at a point of the screen and takes the pointer away. No two clicks become a double click."""
        self.activate()
        if max(abs(x - self.clicked[0]), abs(y - self.clicked[1])) <= DOUBLE_CLICK_PX:
            time.sleep(max(0.0, DOUBLE_CLICK_S - (time.monotonic() - self.clicked[2])))
        x11.move_pointer(x, y)
        time.sleep(0.04)
        for _ in range(times):
            x11.xtest.fake_input(x11.DISPLAY, X.ButtonPress, button)
            x11.DISPLAY.sync()
            time.sleep(0.03)
            x11.xtest.fake_input(x11.DISPLAY, X.ButtonRelease, button)
            x11.DISPLAY.sync()
            time.sleep(0.03)
        self.clicked = (x, y, time.monotonic())
        self.ping()
        x11.park_pointer()

    def click_popup(self, x: int, y: int, seconds: float = 1.5) -> None:
        """Clicks a point of an open list or menu, and waits so long until it is gone."""
        x11.move_pointer(x, y)
        time.sleep(0.06)
        x11.press_button()
        time.sleep(0.03)
        x11.release_button()
        self.wait_without_popup(seconds)
        self.ping()
        x11.park_pointer()

    def turn(self, x: int, y: int, notches: int, across: bool = False) -> None:
        """Turns the wheel at a point of the screen, and takes the pointer away: down if `notches` is above 0, or to the
        right if it turns `across`."""
        up, down = WHEEL_ACROSS if across else WHEEL
        self.activate()
        x11.move_pointer(x, y)
        time.sleep(0.04)
        for _ in range(abs(notches)):
            for kind in (X.ButtonPress, X.ButtonRelease):
                x11.xtest.fake_input(x11.DISPLAY, kind, down if notches > 0 else up)
            x11.DISPLAY.sync()
            time.sleep(0.03)
        self.ping()
        x11.park_pointer()

    def drag(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        self.activate()
        x11.move_pointer(*start)
        time.sleep(0.05)
        x11.press_button()
        for share in (0.25, 0.5, 0.75, 1.0):
            x11.move_pointer(*(round(a + (b - a) * share) for a, b in zip(start, end, strict=True)))
            time.sleep(0.04)
        x11.release_button()
        self.ping()
        x11.park_pointer()

    def popups(self) -> list[Popup]:
        return [p for p in x11.popups() if "TOOLTIP" not in p.type_name and "NOTIF" not in p.type_name]

    def wait_for_popup(self, seconds: float = 0.6) -> list[Popup]:
        end = time.monotonic() + seconds
        while not (found := self.popups()) and time.monotonic() < end:
            time.sleep(0.02)
        return found

    def wait_without_popup(self, seconds: float = 1.5) -> bool:
        end = time.monotonic() + seconds
        while self.popups() and time.monotonic() < end:
            time.sleep(0.02)
        return not self.popups()

    def screen(self, box: Box) -> np.ndarray:
        """What the screen shows in a box."""
        return grabs.grab(intersection(box, SCREEN_BOX)).astype(np.uint8)


def popup_picture(popup: Popup) -> np.ndarray:
    """RGBA of a popup's box: with its own alpha where its surface has one."""
    for window in x11.ROOT.query_tree().children:
        try:
            if x11.box_of(window) != popup.surface or window.get_attributes().map_state != X.IsViewable:
                continue
            geometry = window.get_geometry()
            data = window.get_image(0, 0, geometry.width, geometry.height, X.ZPixmap, 0xFFFFFFFF).data
        except error.XError:
            continue
        pixels = np.frombuffer(data, np.uint8).reshape(geometry.height, geometry.width, 4)
        x, y = popup.box[0] - popup.surface[0], popup.box[1] - popup.surface[1]
        cut = pixels[y : y + popup.box[3] - popup.box[1], x : x + popup.box[2] - popup.box[0]]
        colour, alpha = cut[:, :, 2::-1].astype(np.uint16), cut[:, :, 3].copy()
        if geometry.depth != 32:
            alpha[:] = 255
        straight = np.where(alpha[..., None] > 0, colour * 255 // np.maximum(alpha, 1)[..., None], 0)
        return np.dstack([np.clip(straight, 0, 255), alpha]).astype(np.uint8)
    return np.dstack([grabs.grab(popup.box).astype(np.uint8), np.full(_shape(popup.box), 255, np.uint8)])


def _shape(box: Box) -> tuple[int, int]:
    return box[3] - box[1], box[2] - box[0]
