"""Walks a program through its states: menus, dialogs, tabs, sizes and the recipe's chains; captures each."""

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from Xlib import error

from . import elements as finder
from . import gtk4_offsets, picture, tree, x11
from .boxes import alike, centre, covered_share, grown, height, intersection, union, width
from .elements import Element
from .frame_buttons import frame_parts
from .looks import Look
from .picture import CaptureError
from .programs import POINTER_VERBS, Chain, Program, Step
from .roles import MENU_ITEMS
from .settings import MOST_CHOICES, DialogWalk, label
from .shots import Shot, slug
from .stage import Stage

NEVER_CLICK = re.compile(
    r"quit|exit|^close|print|log ?out|shut ?down|restart|reboot|donate|website|online|translat|report a|bug|\bweb\b|"
    r"url|\bsend|"
    r"mail|delete|remove|trash|full ?screen|help|contents|new window|release notes|licen[cs]e|update|upgrade|"
    r"feedback|get involved|"
    r"what'?s new|tip of the day|homepage|forum|document properties online|handbook",
    re.I,
)
OPENS_DIALOG = re.compile(
    r"(\.\.\.|…)$|^about|preferences|settings|options|properties|configure|^find|keyboard shortcuts", re.I
)
FIRST_CHOICE = re.compile(r"preferences|settings|options|properties|configure|customi[sz]e", re.I)
LAST_CHOICE = re.compile(r"^about|keyboard shortcuts", re.I)
OPENS_MENU = re.compile(r"menu|hamburger|^more|view options|^sort|^open$|application", re.I)
FAULT = re.compile(r"\b(error|failed|could not|cannot|can't|unable to|not found|no such|denied|crash)", re.I)
OWN_TRACE = re.compile(r"/srv/capture|capture\.session|Xvfb|sandbox\.sh")
HOME_POSITION = (200, 130)
SAME_STATE_SHARE = 0.004
LAUNCH_SECONDS = 300.0
SNAP_SECONDS = 8.0
# Terminals snap to whole character cells and end a little short.
CELL_PX = 24
DIALOGS_OF_A_MENU = 3
# Menus, dialogs and tabs of a program in its first look and in the others: many programs matter more than many states.
FULL = (2, 4, 3)
BRIEF = (1, 1, 0)
MOST_CHAINS = 6


class Explorer:
    def __init__(
        self,
        program: Program,
        look: Look,
        out: Path,
        brief: bool,
        known: frozenset[str] = frozenset(),
        report: Callable[[], None] = lambda: None,
        stage: Stage | None = None,
    ):
        self.program, self.look, self.out = program, look, out
        self.report = report  # called after each part of the walk
        self.known = known  # states that the pack has: passed through, not pictured again
        self.stage = stage or Stage()
        self.shots: list[Shot] = []
        self.transitions: list[dict] = []
        self.failures: list[str] = []
        self.process: subprocess.Popen | None = None
        self.window = None
        self.popover_open = False  # inside the window, where X does not see it
        most = BRIEF if brief else FULL
        self.choices_left = MOST_CHOICES
        self.menus_left, self.dialogs_left, self.tabs_left = (
            min(own, cap) for own, cap in zip((program.menus, program.dialogs, program.tabs), most)
        )
        self.brief = brief
        self.only_known_menus = False
        self.skip = [re.compile(pattern, re.I) for pattern in program.skip]

    # the walk

    def run(self, part: str = "all") -> None:
        """`part` is all of it, or only "snapped" places, only the "settings" of dialogs below the menus that the pack
        has, or only the "chains" that it lacks; "brief" is all of it for an explorer that is."""
        self.launch()
        if part == "snapped":
            self.walk_placements()
            return
        main = self.capture(self.window, "main", "main", ["launch"])
        if main is None:
            return
        if part == "chains":
            for chain in self.program.chains:
                if slug(chain.name) not in self.known:
                    self._guard(f"chain {chain.name}", lambda: self.restart_and_walk(chain, main))
            return
        self.only_known_menus = part == "settings" and any(state.startswith("menu-") for state in self.known)
        self._guard("menus", lambda: self.walk_menus(main))
        if part == "settings":
            return
        self._guard("tabs", lambda: self.walk_tabs(main))
        for size in () if self.brief else self.program.sizes[1:]:
            self._guard("size", lambda: self.resize(size))
        self.walk_placements()
        for chain in () if self.brief else self.program.chains[:MOST_CHAINS]:
            self._guard(f"chain {chain.name}", lambda: self.restart_and_walk(chain, main))

    def _guard(self, what: str, action) -> None:
        """A state that fails costs only itself."""
        try:
            if not x11.exists(self.window):
                self.launch()
            action()
        except (CaptureError, error.XError, subprocess.TimeoutExpired) as fault:
            self.failures.append(f"{what}: {fault or type(fault).__name__}")
        try:
            self.dismiss()
        except (CaptureError, error.XError) as fault:
            self.failures.append(f"after {what}: {fault or type(fault).__name__}")
        self.report()

    # the program's life

    def launch(self) -> None:
        before = {w.id for w in x11.clients()}
        if self.process is None and self.program.preseed:
            subprocess.run(["/bin/sh", "-c", self.program.preseed], cwd=os.environ["HOME"], timeout=60, check=False)
        environment = dict(os.environ, **{key: str(value) for key, value in self.program.env.items()})
        log = open("/srv/capture/out/program.log", "ab")
        self.process = subprocess.Popen(
            ["/bin/sh", "-c", self.program.command],
            cwd=os.environ["HOME"],
            env=environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        end = time.time() + LAUNCH_SECONDS
        while not self._new_windows(before):
            if time.time() > end:
                raise CaptureError(f"no window after {LAUNCH_SECONDS:.0f} s")
            time.sleep(0.2)
        time.sleep(0.5 + self.program.settle / 2)
        for _ in range(3):
            # Splash screens vanish and tool windows come late: the largest new window is the program's own.
            fresh = self._new_windows(before)
            if not fresh:
                time.sleep(1.5)
                continue
            self.window = max(fresh, key=lambda w: self._area(w))
            picture.wait_until_still(self.window, self.program.settle / 2)
            if x11.exists(self.window):
                break
        else:
            raise CaptureError("the window vanished after the start")
        for _ in range(3):
            extra = [w for w in self._new_windows(before) if w.id != self.window.id and not self.stage.owns(w)]
            if not extra:
                break
            self._close_window(extra[-1])
        self.place(self.program.sizes[0])

    def stop(self) -> None:
        for order in (signal.SIGTERM, signal.SIGKILL):
            for target in {self.process.pid, x11.pid(self.window) if x11.exists(self.window) else None} - {None}:
                for kill in (os.kill, os.killpg):
                    try:
                        kill(target, order)
                    except (ProcessLookupError, PermissionError):
                        pass
            end = time.time() + 2
            while time.time() < end and x11.exists(self.window):
                time.sleep(0.1)

    def _new_windows(self, before: set) -> list:
        fresh = [w for w in x11.clients() if w.id not in before and not self.stage.owns(w)]
        wanted = self.program.window_title
        matching = [w for w in fresh if wanted and re.search(wanted, x11.title(w))]
        return matching or ([] if wanted else fresh)

    @staticmethod
    def _area(window) -> int:
        try:
            box = x11.box_of(window)
            return width(box) * height(box)
        except error.XError:
            return 0

    def place(self, size: tuple[int, int]) -> None:
        x, y = HOME_POSITION
        if x + size[0] > x11.SCREEN[0] - 120:
            x = (x11.SCREEN[0] - size[0]) // 2
        if y + size[1] > x11.SCREEN[1] - 120:
            y = max(40, (x11.SCREEN[1] - size[1]) // 2)
        x11.move_frame(self.window, x, y, size)
        x11.activate(self.window)
        picture.wait_until_still(self.window, 0.5)

    def dismiss(self) -> None:
        """Closes popups and every window but the program's own."""
        for _ in range(4):
            if not x11.popups() and not self.popover_open:
                break
            x11.press("Escape")
            self.popover_open = False
            time.sleep(0.25)
        for _ in range(4):
            extra = [w for w in x11.clients() if w.id != self.window.id and not self.stage.owns(w)]
            if not extra:
                break
            self._close_window(extra[-1])
        if not x11.exists(self.window):
            raise CaptureError("the program's window has closed")
        x11.activate(self.window)

    def _close_window(self, window) -> None:
        x11.activate(window)
        x11.press("Escape")
        time.sleep(0.35)
        if x11.exists(window):
            x11.tell_wm(window, "_NET_CLOSE_WINDOW", [0, 2, 0, 0, 0])
            time.sleep(0.5)

    # one capture

    def look_at(self, window) -> tuple[list, object]:
        """Open popups and the accessibility tree of this moment."""
        popups = x11.popups()
        raw = tree.read(window, popups)
        return gtk4_offsets.visible_popups(raw, popups) + tree.inner_popovers(raw, len(popups), picture.grab), raw

    def capture(
        self,
        window,
        state: str,
        kind: str,
        steps: list[str],
        parent: Shot | None = None,
        placement: str = "floating",
        may_resemble: Sequence[Shot] = (),
    ) -> Shot | None:
        """None if the state is not worth keeping; the reason is noted. `may_resemble` are states
        that differ in single controls."""
        if state in self.known and all(s.state != state for s in self.shots):
            return self._recall(window, state, kind, steps, parent)
        known = {w.id for w in x11.clients()}
        hidden = [w for w in x11.clients() if w.id != window.id and not self.stage.owns(w)]
        try:
            if not x11.popups():
                x11.activate(window)
            for other in hidden:
                x11.set_opacity(other, False)
            picture.wait_until_still(window, max(0.5, self.program.settle / 3), 8)
            surfaces = x11.popups()
            taken = picture.take(self.stage, window, [p.box for p in surfaces], placement != "floating")
            popups, raw = self.look_at(window)
            if len(x11.popups()) != len(surfaces) or {w.id for w in x11.clients()} != known:
                raise CaptureError("a popup or window opened or closed meanwhile")
            frame = x11.frame_box(window)
            if any(intersection(p.box, grown(frame, 40)) is None for p in popups):
                raise CaptureError("a popup lies away from the window")
            found = finder.collect(raw, frame, popups, frame_parts(window, self.look.wm), taken.pixels, taken.origin)
            found = finder.inside(found, taken.box())
            self._require_worth(state, kind, found, taken, popups, frame, may_resemble)
            delta = None if popups else picture.inactive_delta(self.stage, window, taken)
            shot = Shot(
                self._unique(state),
                kind,
                x11.title(window),
                frame,
                popups,
                found,
                taken,
                delta,
                raw.toolkit,
                steps,
                window.id,
                parent,
                x11.is_modal(window),
                placement,
            )
        except CaptureError as fault:
            self.failures.append(f"{state}: {fault}")
            return None
        finally:
            for other in hidden:
                if x11.exists(other):
                    x11.set_opacity(other, True)
        self.shots.append(shot)
        shot.save(self.out)
        return shot

    def _recall(self, window, state: str, kind: str, steps: list[str], parent: Shot | None) -> Shot:
        """A state that the pack has: its elements of today, so that transitions can be
        told, and no picture worth storing."""
        picture.wait_until_still(window, 0.5, 8)
        frame = x11.frame_box(window)
        popups = self.look_at(window)[0]
        region = intersection(union([frame, *(p.box for p in popups)]), picture.SCREEN_BOX)
        plain = np.dstack(
            [picture.grab(region).astype(np.uint8), np.full((height(region), width(region)), 255, np.uint8)]
        )
        shot = Shot(
            state,
            kind,
            x11.title(window),
            frame,
            popups,
            self.elements_now(window),
            picture.Picture(plain, region[:2]),
            None,
            "",
            steps,
            window.id,
            parent,
        )
        self.shots.append(shot)
        shot.save(self.out)
        return shot

    def _require_worth(self, state, kind, found, taken, popups, frame, may_resemble: Sequence[Shot]) -> None:
        # What a recipe calls an error is meant to be one, and has a single button.
        is_error = state.startswith("error-")
        if sum(e.interactive and e.node is not None for e in found) < (1 if is_error else 2):
            raise CaptureError("too few interactive elements are known")
        if any(OWN_TRACE.search(e.name + e.state.get("text", "")) for e in found):
            raise CaptureError("shows processes or paths of the capture itself")
        shown = taken.within(union([frame, *(p.box for p in popups)]))
        for shot in self.shots:
            if all(shot is not like for like in may_resemble) and not picture.differs(
                shot.shown(), shown, SAME_STATE_SHARE
            ):
                raise CaptureError(f"looks like {shot.state}")
        if kind == "dialog" and not is_error:
            fault = next(
                (e.name for e in found if e.role in ("label", "dialog", "panel") and FAULT.search(e.name)), None
            )
            if fault:
                raise CaptureError(f"tells of a fault: {fault[:80]}")

    def _unique(self, state: str) -> str:
        names, candidate, number = {s.state for s in self.shots}, state, 2
        while candidate in names:
            candidate, number = f"{state}-{number}", number + 1
        return candidate

    def link(self, start: Shot, element: Element, action: str, end: Shot) -> None:
        self.transitions.append(
            {
                "from": start.state,
                "element": start.element_id(element),
                "action": action,
                "to": end.state,
                "offset": start.offset_of(end),
            }
        )

    def may_click(self, element: Element) -> bool:
        return (
            element.state.get("enabled", True)
            and not NEVER_CLICK.search(label(element))
            and not any(s.search(label(element)) for s in self.skip)
        )

    # menus and the dialogs they open

    def walk_menus(self, main: Shot) -> None:
        menus = [e for e in main.elements if e.role == "menu" and e.popup is None and e.interactive]
        if not menus:
            menus = [
                e
                for e in main.elements
                if e.role in ("push button", "toggle button")
                and e.popup is None
                and e.node is not None
                and (e.state.get("has_popup") or OPENS_MENU.search(e.name + " " + e.description))
            ]
        if self.only_known_menus:
            menus = [m for m in menus if f"menu-{slug(label(m))}" in self.known]
        for menu in [m for m in menus if self.may_click(m)]:
            if self.menus_left <= 0 and self.dialogs_left <= 0:
                return
            self._guard(f"menu {menu.name}", lambda: self._walk_menu(main, menu))

    def _walk_menu(self, main: Shot, menu: Element) -> None:
        name = label(menu)
        steps = ["launch", f"click {menu.role} {name}"]
        if not self._open(menu):
            return
        if self.menus_left > 0:
            shot = self.capture(self.window, f"menu-{slug(name)}", "main", steps)
            if shot is None:
                return
            self.menus_left -= 1
            self.link(main, menu, "click", shot)
            items = shot.elements
        else:
            shot, items = None, self.elements_now(self.window)
        items = [
            e
            for e in items
            if e.popup is not None
            and e.interactive
            and e.role in ("menu item", "push button", "check menu item")
            and OPENS_DIALOG.search(e.name)
            and self.may_click(e)
        ]
        items.sort(key=lambda e: 0 if FIRST_CHOICE.search(e.name) else 2 if LAST_CHOICE.search(e.name) else 1)
        for position, item in enumerate(items[:DIALOGS_OF_A_MENU]):
            # Each dialog's end has closed the menu.
            if self.dialogs_left <= 0 or (position > 0 and not self._open(menu)):
                return
            self._guard(
                f"dialog {item.name}",
                lambda: self._open_dialog(main, shot, item, steps + [f"click {item.role} {item.name}"]),
            )

    def _open(self, menu: Element) -> bool:
        x11.activate(self.window)
        x11.click(*centre(menu.box))
        time.sleep(0.6)
        popups = self.look_at(self.window)[0]
        self.popover_open = any(p.type_name == "POPOVER" for p in popups)
        return bool(popups)

    def _open_dialog(self, main: Shot, menu_shot: Shot | None, item: Element, steps: list[str]) -> None:
        known = {w.id for w in x11.clients()}
        x11.click(*centre(item.box))
        dialog = self._wait_for_window(known)
        if dialog is None:
            return
        state = f"dialog-{slug(item.name)}"
        shot = self._capture_dialog(dialog, state, steps, main)
        if shot is None:
            return
        self.dialogs_left -= 1
        if menu_shot is not None:
            self.link(menu_shot, item, "click", shot)
        DialogWalk(self, dialog, shot, main).walk()

    def _wait_for_window(self, known: set, seconds: float = 3.0):
        end = time.time() + seconds
        while time.time() < end:
            fresh = [w for w in x11.clients() if w.id not in known and not self.stage.owns(w)]
            if fresh:
                picture.wait_until_still(fresh[-1], 0.6, 5)
                return fresh[-1] if x11.exists(fresh[-1]) else None
            time.sleep(0.15)
        return None

    def _capture_dialog(self, window, state: str, steps: list[str], parent: Shot) -> Shot | None:
        frame = x11.frame_box(window)
        margin = picture.SHADOW_PX // 2
        limit = (margin, margin, x11.SCREEN[0] - margin, x11.SCREEN[1] - margin)
        if covered_share(frame, limit) < 1:
            x11.move_frame(window, 300, 140)
        kind = "utility" if any(t.endswith("_UTILITY") for t in x11.type_names(window)) else "dialog"
        return self.capture(window, state, kind, steps, parent)

    # tabs, sizes, chains

    def walk_tabs(self, main: Shot) -> None:
        tabs = [
            e
            for e in main.elements
            if e.role == "page tab" and e.popup is None and not e.state.get("selected") and self.may_click(e)
        ]
        for tab in tabs[: self.tabs_left]:
            if not x11.exists(self.window):
                return
            x11.activate(self.window)
            x11.click(*centre(tab.box))
            time.sleep(0.5)
            shot = self.capture(
                self.window, f"tab-{slug(tab.name)}", main.kind, main.steps + [f"click page tab {tab.name}"]
            )
            if shot is not None:
                self.link(main, tab, "click", shot)
        first = next(
            (e for e in main.elements if e.role == "page tab" and e.popup is None and e.state.get("selected")), None
        )
        if tabs[: self.tabs_left] and first is not None and x11.exists(self.window):
            x11.click(*centre(first.box))

    def resize(self, size: tuple[int, int]) -> None:
        self.place(size)
        frame = x11.frame_box(self.window)
        if abs(width(frame) - width(self.shots[0].frame)) + abs(height(frame) - height(self.shots[0].frame)) > 20:
            self.capture(
                self.window,
                f"size-{width(frame)}x{height(frame)}",
                "main",
                ["launch", f"resize to {width(frame)}x{height(frame)}"],
            )

    def walk_placements(self) -> None:
        missing = [p for p in self.program.snap if p.replace("_", "-") not in self.known]
        for placement in missing[:1] if self.brief else missing:
            self._guard(placement, lambda: self.snap(placement))

    def snap(self, placement: str) -> None:
        full = (0, 0, x11.SCREEN[0], x11.SCREEN[1] - x11.TASKBAR_PX)
        slot = full
        if placement == "maximized":
            x11.set_state(self.window, True, "_NET_WM_STATE_MAXIMIZED_HORZ", "_NET_WM_STATE_MAXIMIZED_VERT")
        else:
            half_width, half_height = full[2] // 2, full[3] // 2
            size = (half_width, full[3] if placement.endswith("_half") else half_height)
            x, y = half_width if "right" in placement else 0, half_height if placement.startswith("bottom") else 0
            slot = (x, y, x + size[0], y + size[1])
            x11.move_frame(self.window, x, y, size)
        end = time.time() + SNAP_SECONDS
        while not alike(x11.frame_box(self.window), slot, CELL_PX):
            if time.time() > end:
                raise CaptureError(f"snapped to {slot}, the frame is {x11.frame_box(self.window)}")
            time.sleep(0.2)
        time.sleep(0.6)
        self.capture(
            self.window, placement.replace("_", "-"), "main", ["launch", f"snap to {placement}"], placement=placement
        )

    def restart_and_walk(self, chain: Chain, main: Shot) -> None:
        """A chain counts on the focus and the contents of a fresh start."""
        self.stop()
        self.launch()
        # The window is another one, in the same state as the one that `main` shows.
        main.window_id = self.window.id
        self.walk_chain(chain, main)

    def walk_chain(self, chain: Chain, main: Shot) -> None:
        """The chain's end is captured under its name; a single click from a known state to it is a transition."""
        steps, window, here, last = ["launch"], self.window, main, None
        known = {w.id for w in x11.clients()}
        for step in chain.steps:
            if step.verb == "capture":
                here, last = self._capture_chain(window, step.argument, steps, main, last), None
                continue
            if step.verb in POINTER_VERBS:
                element = self._find(window, step)
                x11.click(
                    *centre(element.box),
                    button=3 if step.verb == "rightclick" else 1,
                    times=2 if step.verb == "doubleclick" else 1,
                ) if step.verb != "hover" else x11.move_pointer(*centre(element.box))
                here, last = self._follow(here, element, step)
            else:
                self._act(step)
                here, last = None, None
            steps.append(str(step))
            # Menu items may open a window late.
            fresh = self._wait_for_window(known, 2.5 if step.role in MENU_ITEMS else 0.8)
            window = fresh or self.window
        self._capture_chain(window, chain.name, steps, main, last)

    def _act(self, step: Step) -> None:
        if step.verb == "type":
            x11.type_text(step.argument)
        elif step.verb == "key":
            for keys in step.argument.split():
                x11.press(keys)
                time.sleep(0.15)
        elif step.verb == "wait":
            time.sleep(float(step.argument))

    def _follow(self, here: Shot | None, clicked: Element, step: Step):
        """Where a click leads: a state already captured, or one click away from the state it started in."""
        if here is None or step.verb == "hover":
            return None, None
        same = next(
            (e for e in here.elements if e.role == clicked.role and e.name == clicked.name and e.box == clicked.box),
            None,
        )
        if same is None:
            return None, None
        known = next(
            (t for t in self.transitions if t["from"] == here.state and t["element"] == here.element_id(same)), None
        )
        if known is not None:
            return next(s for s in self.shots if s.state == known["to"]), None
        action = {"click": "click", "doubleclick": "double_click", "rightclick": "right_click"}[step.verb]
        return None, (here, same, action)

    def _capture_chain(self, window, name: str, steps: list[str], main: Shot, last) -> Shot | None:
        own = window.id == self.window.id
        shot = (
            self.capture(window, slug(name), "main", list(steps))
            if own
            else self._capture_dialog(window, slug(name), list(steps), main)
        )
        if shot is not None and last is not None:
            self.link(last[0], last[1], last[2], shot)
        return shot

    def elements_now(self, window) -> list[Element]:
        popups, raw = self.look_at(window)
        frame = x11.frame_box(window)
        region = union([frame, *(p.box for p in popups)])
        pixels = picture.grab(intersection(region, picture.SCREEN_BOX))
        origin = max(0, region[0]), max(0, region[1])
        return finder.collect(raw, frame, popups, frame_parts(window, self.look.wm), pixels, origin)

    def _find(self, window, step: Step) -> Element:
        wanted = step.argument.lower().rstrip(".…").replace("'", "’")
        # Qt does not tell radio and check items of a menu from plain ones.
        roles = MENU_ITEMS if step.role in MENU_ITEMS else {step.role}
        candidates = [
            e
            for e in self.elements_now(window)
            if (e.role in roles if step.role else e.interactive or e.role == "label")
        ]
        for test in (lambda n: n == wanted, lambda n: n.startswith(wanted), lambda n: wanted in n):
            for element in reversed(candidates):
                if any(
                    test(text.lower().rstrip(".…").replace("'", "’")) for text in (element.name, element.description)
                ):
                    return element
        names = ", ".join(sorted({e.name for e in candidates if e.name})[:12])
        raise CaptureError(f"step `{step}`: no such element; there are: {names or 'none of this role'}")
