"""The walk through a program's states: menus, dialogs, tabs, sizes, snapped places and the recipe's chains."""

import re
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from Xlib import error

from . import chains, choices, menus, places, x11
from .elements import Element
from .live import LiveProgram
from .looks import Look
from .picture import CaptureError
from .programs import Program
from .recorder import Recorder
from .settings import MOST_CHOICES, TABS_OF_A_DIALOG
from .shots import Shot, slug

# Menus, dialogs and tabs of a program in its first look and in the others: many programs matter more than many states.
FULL = (2, 4, 3)
BRIEF = (1, 1, 0)
MOST_CHAINS = 6
# The same in a session of the pack; states that are enough there, and the time after which a few are.
OF_A_SESSION = (2, 2, 1)
ENOUGH_STATES, FEW_STATES, ENOUGH_SECONDS = 6, 3, 75.0


class Explorer:
    """Where the walk stands, and how much of it is left."""

    def __init__(
        self,
        program: Program,
        look: Look,
        out: Path,
        brief: bool,
        known: frozenset[str] = frozenset(),
        report: Callable[[], None] = lambda: None,
    ):
        self.program, self.known, self.brief = program, known, brief
        self.live = LiveProgram(program, look)
        self.recorder = Recorder(self.live, out, known)
        self.report = report  # called after each part of the walk
        self.choices_left, self.tabs_of_a_dialog = MOST_CHOICES, TABS_OF_A_DIALOG
        self.limit(BRIEF if brief else FULL)
        self.only_known_menus = False
        self.skip = [re.compile(pattern, re.IGNORECASE) for pattern in program.skip]

    def limit(self, bounds: tuple[int, int, int]) -> None:
        own = (self.program.menus, self.program.dialogs, self.program.tabs)
        self.menus_left, self.dialogs_left, self.tabs_left = map(min, own, bounds)

    def run(self, part: str = "all") -> None:
        """`part` is all of it, or only "snapped" places, only the "settings" of dialogs below the menus that the pack
        has, or only the "chains" that it lacks; "brief" is all of it for an explorer that is, and "few" what a session
        of the pack needs: the main window and a few other states."""
        self.live.launch()
        self.started = time.monotonic()
        if part == "snapped":
            places.walk_placements(self)
            return
        steps = chains.LAUNCHED
        if part == "few" and self.program.use:
            chains.bring_into_use(self.recorder)
            steps = chains.IN_USE
        main = self.recorder.capture(self.live.window, "main", "main", list(steps))
        if main is None:
            return
        if part == "few":
            self._walk_few(main)
            return
        if part == "chains":
            self._walk_chains([c for c in self.program.chains if slug(c.name) not in self.known], main)
            return
        self.only_known_menus = part == "settings" and any(state.startswith("menu-") for state in self.known)
        self.guard("menus", menus.walk, self, main)
        if part == "settings":
            return
        self.guard("tabs", places.walk_tabs, self, main)
        for size in () if self.brief else self.program.sizes[1:]:
            self.guard("size", places.resize, self.recorder, size)
        places.walk_placements(self)
        self._walk_chains(() if self.brief else self.program.chains[:MOST_CHAINS], main)

    def _walk_few(self, main: Shot) -> None:
        self.limit(OF_A_SESSION)
        self.tabs_of_a_dialog = 1
        self.guard("menus", menus.walk, self, main)
        self.guard("tabs", places.walk_tabs, self, main)
        places.walk_placements(self)
        for chain in self.program.chains:
            states = len(self.recorder.shots)
            if states >= ENOUGH_STATES or (states >= FEW_STATES and self._is_late()):
                return
            self._walk_chains([chain], main)
        if len(self.recorder.shots) < FEW_STATES and self.program.sizes[1:]:
            self.guard("size", places.resize, self.recorder, self.program.sizes[1])

    def _is_late(self) -> bool:
        return time.monotonic() - self.started > ENOUGH_SECONDS

    def _walk_chains(self, wanted, main: Shot) -> None:
        for chain in wanted:
            self.guard(f"chain {chain.name}", chains.restart_and_walk, self.recorder, chain, main)

    def guard(self, what: str, action: Callable, *arguments) -> None:
        """A state that fails costs only itself."""
        failures = self.recorder.failures
        try:
            if not x11.exists(self.live.window):
                self.live.launch()
            action(*arguments)
        except (CaptureError, error.XError, subprocess.TimeoutExpired) as fault:
            failures.append(f"{what}: {fault or type(fault).__name__}")
        try:
            self.live.dismiss()
        except (CaptureError, error.XError) as fault:
            failures.append(f"after {what}: {fault or type(fault).__name__}")
        self.report()

    def may_click(self, element: Element) -> bool:
        return choices.may_click(element, self.skip)
