"""A program that runs in the session: its start and end, its windows, and what they show at this moment."""

import contextlib
import os
import re
import signal
import subprocess
import time
from pathlib import Path

from Xlib import error

from . import clock, grabs, gtk4_offsets, tree_reader, x11
from .boards import tell_cells
from .boxes import area, intersection, union
from .choices import matching
from .collect import collect
from .elements import Element
from .frame_buttons import frame_parts
from .hit_test import is_hit
from .looks import Look
from .picture import CaptureError
from .programs import Program, Step
from .screen import SCREEN, SCREEN_BOX, Popup
from .stage import Stage
from .tree import Tree, inner_popovers

LOG = Path("/srv/capture/out/program.log")
HOME_POSITION = (200, 130)
LAUNCH_SECONDS = 300.0
# A program that has ended without a window took one that was about to end for itself: it is started once more.
RELAUNCH_SECONDS = 15.0
NUDGE_PX = 40


class LiveProgram:
    def __init__(self, program: Program, look: Look, stage: Stage | None = None):
        self.program, self.look = program, look
        self.stage = stage or Stage()
        self.process: subprocess.Popen | None = None
        self.window = None  # the program's own, from the launch on
        self.popover_open = False  # inside the window, where X does not see it
        self.shows_board = True  # the recipe's, until another one begins

    # its life

    def launch(self, place: bool = True) -> None:
        """Without `place` the window stays where the window manager has put it."""
        before = {w.id for w in x11.clients()}
        home = os.environ["HOME"]
        if self.process is None and self.program.preseed:
            subprocess.run(["/bin/sh", "-c", self.program.preseed], cwd=home, timeout=60, check=False)
        environment = dict(os.environ, **{key: str(value) for key, value in self.program.env.items()})
        if self.program.clock:
            if self.process is None:
                clock.tell_bus()
            environment |= clock.preload()
        if self.program.seeded:
            environment = clock.seeded(environment)
        self.shows_board = True
        command = ["/bin/sh", "-c", self.program.command]
        self.process = _start(command, home, environment)
        end = time.time() + LAUNCH_SECONDS
        again = time.time() + RELAUNCH_SECONDS
        while not self._new_windows(before):
            if time.time() > end:
                raise CaptureError(f"no window after {LAUNCH_SECONDS:.0f} s")
            if time.time() > again and self.process.poll() is not None:
                again = end
                self.process = _start(command, home, environment)
            time.sleep(0.2)
        time.sleep(0.5 + self.program.settle / 2)
        for _ in range(3):
            # Splash screens vanish and tool windows come late: the largest new window is the program's own.
            fresh = self._new_windows(before)
            if not fresh:
                time.sleep(1.5)
                continue
            self.window = max(fresh, key=_area)
            grabs.wait_until_still(self.window, self.program.settle / 2)
            if x11.exists(self.window):
                break
        else:
            raise CaptureError("the window vanished after the start")
        for _ in range(3):
            extra = [w for w in self._new_windows(before) if w.id != self.window.id]
            if not extra:
                break
            _close(extra[-1])
        if place:
            self.place(self.program.sizes[0])

    def stop(self) -> None:
        for order in (signal.SIGTERM, signal.SIGKILL):
            for target in {self.process.pid, x11.pid(self.window) if x11.exists(self.window) else None} - {None}:
                for kill in (os.kill, os.killpg):
                    with contextlib.suppress(ProcessLookupError, PermissionError):
                        kill(target, order)
            end = time.time() + 2
            while time.time() < end and x11.exists(self.window):
                time.sleep(0.1)

    # its windows

    def _new_windows(self, before: set) -> list:
        fresh = [w for w in x11.clients() if w.id not in before and not self.stage.owns(w)]
        wanted = self.program.window_title
        matching_title = [w for w in fresh if wanted and re.search(wanted, x11.title(w))]
        return matching_title or ([] if wanted else fresh)

    def windows_besides(self, window) -> list:
        return [w for w in x11.clients() if w.id != window.id and not self.stage.owns(w)]

    def wait_for_window(self, known: set, seconds: float = 3.0):
        """A window whose id is not among the known ones; None if none appears, or none stays."""
        end = time.time() + seconds
        while time.time() < end:
            fresh = [w for w in x11.clients() if w.id not in known and not self.stage.owns(w)]
            if fresh:
                grabs.wait_until_still(fresh[-1], 0.6, 5)
                return fresh[-1] if x11.exists(fresh[-1]) else None
            time.sleep(0.15)
        return None

    def place(self, size: tuple[int, int]) -> None:
        x, y = HOME_POSITION
        if x + size[0] > SCREEN[0] - 120:
            x = (SCREEN[0] - size[0]) // 2
        if y + size[1] > SCREEN[1] - 120:
            y = max(40, (SCREEN[1] - size[1]) // 2)
        x11.move_frame(self.window, x, y, size)
        x11.activate(self.window)
        grabs.wait_until_still(self.window, 0.5)

    def lay_out_anew(self, window) -> None:
        """Lists whose rows have grown late are drawn over themselves until their window changes its size."""
        x0, y0, x1, y1 = x11.frame_box(window)
        for taller in (NUDGE_PX, 0):
            x11.move_frame(window, x0, y0, (x1 - x0, y1 - y0 + taller))
            grabs.wait_until_still(window, 1.0, 6)

    def dismiss(self) -> None:
        """Closes popups and every window but the program's own."""
        for _ in range(4):
            if not x11.popups() and not self.popover_open:
                break
            x11.press("Escape")
            self.popover_open = False
            time.sleep(0.25)
        for _ in range(4):
            extra = self.windows_besides(self.window)
            if not extra:
                break
            _close(extra[-1])
        if not x11.exists(self.window):
            raise CaptureError("the program's window has closed")
        x11.activate(self.window)

    # what it shows

    def look_at(self, window) -> tuple[list[Popup], Tree]:
        """Open popups and the accessibility tree of this moment."""
        popups = x11.popups()
        raw = tree_reader.read(window, popups)
        return gtk4_offsets.visible_popups(raw, popups) + inner_popovers(raw, len(popups), grabs.grab), raw

    def collect(self, window, raw: Tree, frame, popups: list[Popup], pixels, origin) -> list[Element]:
        """The elements of a tree just read, judged in a picture of the same moment."""
        found = collect(raw, frame, popups, frame_parts(window, self.look.wm), pixels, origin, is_hit)
        is_own = self.window is not None and window.id == self.window.id
        has_cells = self.program.board and is_own and self.shows_board
        return tell_cells(found, self.program.board) if has_cells else found

    def elements_now(self, window) -> list[Element]:
        popups, raw = self.look_at(window)
        frame = x11.frame_box(window)
        region = union([frame, *(p.box for p in popups)])
        pixels = grabs.grab(intersection(region, SCREEN_BOX))
        origin = max(0, region[0]), max(0, region[1])
        return self.collect(window, raw, frame, popups, pixels, origin)

    def find(self, window, step: Step) -> Element:
        """The element that a recipe's step names."""
        return matching(self.elements_now(window), step)


def _start(command: list[str], home: str, environment: dict) -> subprocess.Popen:
    with LOG.open("ab") as log:
        return subprocess.Popen(command, cwd=home, env=environment, stdout=log, stderr=log, start_new_session=True)


def _area(window) -> int:
    try:
        return area(x11.box_of(window))
    except error.XError:
        return 0


def _close(window) -> None:
    x11.activate(window)
    x11.press("Escape")
    time.sleep(0.35)
    if x11.exists(window):
        x11.tell_wm(window, "_NET_CLOSE_WINDOW", [0, 2, 0, 0, 0])
        time.sleep(0.5)
