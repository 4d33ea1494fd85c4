"""Runs inside a session: opens programs side by side and records the desktops that they make together.

Per desktop: the screenshot, which window owns each pixel of it, every window's place, stacking and focus, and the
elements that the accessibility tree reports where they are. Per window: its separate capture, as for a pack. Of
sessions that are not measured: the screenshots, and which windows they show.
"""

import json
import random
import subprocess
import sys
import time
import traceback
from pathlib import Path

import numpy as np
from PIL import Image
from Xlib import error

from . import chains, grabs, places, programs, x11
from .arrangement import Member, choose, draw_places
from .boxes import centre, shifted
from .desktop_sets import Session, load
from .duplicates import inside
from .live import HOME_POSITION, LiveProgram
from .looks import LOOKS, Look
from .owners import owners_of
from .picture import CaptureError, moving_box
from .recorder import Recorder
from .screen import DESKTOP_BOX, SCREEN
from .session import IN, OUT
from .shots import Shot, slug
from .stage import Stage


class Desk:
    def __init__(self, session: Session, look: Look):
        self.session, self.look = session, look
        self.started = time.time()
        self.stage = Stage()
        # The strip that reserves the taskbar's place is not part of the desktop.
        x11.set_opacity(self.stage.dock, False)
        self.members: list[Member] = []
        self.failures: list[str] = []
        self.desktops: list[str] = []
        self.chance = random.Random(session.name)

    # the windows

    def open_all(self) -> None:
        if self.session.placing != "drawn":
            self._let_place()
        for program_id in self.session.programs:
            try:
                self._open(program_id)
            except (CaptureError, error.XError) as fault:
                self.failures.append(f"{program_id}: {fault}")

    def _let_place(self) -> None:
        """Window managers look for free places; by default they put small windows (xfwm4, as session.sh sets it) or all
        of them (KWin) in the middle, one over the other."""
        if self.look.wm == "xfwm4":
            setting = ["-c", "xfwm4", "-p", "/general/placement_ratio", "-n", "-t", "int", "-s", "0"]
            subprocess.run(["xfconf-query", *setting], timeout=20, check=True)
        else:
            with (Path.home() / ".config" / "kwinrc").open("a", encoding="utf-8") as settings:
                settings.write("\n[Windows]\nPlacement=Smart\n")
            call = ["--print-reply", "--dest=org.kde.KWin", "/KWin", "org.kde.KWin.reconfigure"]
            # It may still be about to start.
            for _ in range(20):
                if not subprocess.run(["dbus-send", "--session", *call], timeout=30, check=False).returncode:
                    break
                time.sleep(0.5)
            else:
                raise CaptureError("the window manager does not answer")
        time.sleep(1.0)

    def _open(self, program_id: str) -> None:
        program = programs.load(program_id)
        live = LiveProgram(program, self.look, self.stage)
        recorder = Recorder(live, OUT / program_id, self._not_pictured(program))
        if self.session.placing == "drawn":
            live.launch()
        else:
            live.launch(place=False)
            self._enlarge(live)
        if self.session.frame:
            x11.move_frame(live.window, *self._home(), self.session.frame)
            grabs.wait_until_still(live.window, 0.5)
        placement, steps = "floating", chains.LAUNCHED
        if program_id in self.session.maximized:
            placement = "maximized"
            places.snap(live.window, placement)
        if self.session.session and program.use:
            chains.bring_into_use(recorder)
            self.failures += [f"{program_id}: {fault}" for fault in recorder.failures]
            steps = chains.IN_USE
        shot = recorder.capture(live.window, self.session.name, "main", list(steps), placement=placement)
        if shot is None:
            raise CaptureError("; ".join(recorder.failures[-1:]))
        # A shot that has no picture knows no placement.
        shot.placement = placement
        member = Member(recorder, live.window, shot)
        self.members.append(member)
        if program_id in self.session.dialogs:
            self._open_dialog(member, self.session.dialogs[program_id])

    def _not_pictured(self, program: programs.Program) -> frozenset[str]:
        """States that need no picture of their own."""
        if self.session.measured:
            return frozenset()
        own = self.session.name
        return frozenset({own, f"{own}-behind", *(slug(way.name) for way in (*program.chains, *program.live))})

    def _enlarge(self, live: LiveProgram) -> None:
        """The window stays where the window manager has put it and gets the recipe's size by its lower right corner, as
        far as the screen goes."""
        x0, y0 = x11.frame_box(live.window)[:2]
        room = DESKTOP_BOX[2] - x0, DESKTOP_BOX[3] - y0
        x11.move_frame(live.window, x0, y0, tuple(map(min, live.program.sizes[0], room)))
        x11.activate(live.window)
        grabs.wait_until_still(live.window, 0.5)

    def _open_dialog(self, member: Member, chain: str) -> None:
        recorder, live = member.recorder, member.recorder.live
        chains.walk(recorder, live.program.way(chain), member.shot)
        dialog = recorder.shots[-1]
        if dialog.window_id == live.window.id:
            raise CaptureError(f"chain {chain} opened no dialog: {'; '.join(recorder.failures[-1:])}")
        # What the chain clicked is still selected behind the dialog.
        recorder.shots = []
        behind = recorder.capture(live.window, f"{self.session.name}-behind", "main", dialog.steps)
        if behind is None:
            raise CaptureError("; ".join(recorder.failures[-1:]))
        dialog.parent = member.shot = behind
        dialog.save(recorder.out)
        window = x11.DISPLAY.create_resource_object("window", dialog.window_id)
        self.members.append(Member(recorder, window, dialog, member))

    def _home(self) -> tuple[int, int]:
        return (60, 60) if self.session.region != SCREEN else HOME_POSITION

    # the desktops

    def arrange_all(self) -> None:
        free = sum(member.parent is None and not member.maximized for member in self.members)
        if free < self.session.fewest:
            self.failures.append(f"{free} windows to be placed, expected at least {self.session.fewest}")
            return
        for number in range(self.session.desktops):
            name = f"{self.session.name}-{number:02}"
            try:
                self._arrange(name, number)
                self.desktops.append(name)
            except (CaptureError, error.XError) as fault:
                self.failures.append(f"{name}: {fault}")
            finally:
                self._close_menus()
            self.report()

    def _close_menus(self) -> None:
        for _ in range(4):
            if not x11.popups():
                break
            x11.press("Escape")
            time.sleep(0.3)

    def _arrange(self, name: str, number: int) -> None:
        shown = choose(self.members, number, self.chance, self.session.fewest)
        ids = {member.window.id for member in shown}
        for window in x11.clients():
            # Also windows of programs that could not be captured.
            if not self.stage.owns(window):
                x11.set_opacity(window, window.id in ids)
        menu = shown[-1].name in self.session.menus and number % 2 == 0
        drawn = self.session.placing == "drawn"
        frames = draw_places(shown, menu, self.session.region, self.chance) if drawn else []
        # No places: no draw shows enough of every window, and they stay where they are.
        for member, frame in zip(shown, frames, strict=False):
            if not member.maximized:
                x11.move_frame(member.window, *frame[:2])
        for member in shown:
            x11.activate(member.window)
        stack = [w for w in x11.prop(x11.ROOT, "_NET_CLIENT_LIST_STACKING") if w in ids]
        shown.sort(key=lambda member: stack.index(member.window.id))
        top = shown[-1]
        if not x11.activate(top.window):
            raise CaptureError(f"{top.name} did not take the focus")
        time.sleep(0.5)
        wallpaper = self.session.wallpapers[number % len(self.session.wallpapers)]
        self.stage.hang(IN / f"{wallpaper}.png")
        grabs.wait_until_still(top.window, 1.0)
        popup = menu and self._open_menu(top)
        if self.session.measured:
            self._record(name, wallpaper, shown, popup)
        else:
            self._save_screen(name, wallpaper, shown, popup)

    def _open_menu(self, top: Member) -> bool:
        x, y = (x11.frame_box(top.window)[i] - top.shot.frame[i] for i in (0, 1))
        menu = next((e for e in top.shot.elements if e.role == "menu" and e.popup is None and e.interactive), None)
        if menu is None:
            return False
        x11.click(*centre(shifted(menu.box, x, y)))
        time.sleep(1.0)
        x11.park_pointer()
        time.sleep(0.3)
        return bool(x11.popups())

    # what is recorded

    def _record(self, name: str, wallpaper: str, shown: list[Member], popup: bool) -> None:
        width, height = self.session.region
        screen = (0, 0, width, height)
        first = grabs.grab(screen)
        time.sleep(0.4)
        taken = grabs.grab(screen)
        moving = np.abs(first - taken).max(axis=2) > 4
        self._require_focus(shown[-1])
        frames = [x11.frame_box(member.window) for member in shown]
        trees = [self._elements(member, index == len(shown) - 1 and popup) for index, member in enumerate(shown)]
        captures = [member.shot for member in shown]
        if popup:
            captures[-1] = self._capture_with_popup(name, shown[-1])
        owners = owners_of(self.stage, shown, captures, screen)
        folder = OUT / "desktops"
        folder.mkdir(exist_ok=True)
        Image.fromarray(taken.astype(np.uint8), "RGB").save(folder / f"{name}.png", optimize=True)
        Image.fromarray(owners, "L").save(folder / f"{name}.owners.png", optimize=True)
        windows = []
        for member, capture, frame, found in zip(shown, captures, frames, trees, strict=True):
            offset = [capture.picture.origin[i] - capture.frame[i] for i in (0, 1)]
            windows.append(
                {
                    "window": f"{member.name}/{capture.state}",
                    "origin": [frame[0] + offset[0], frame[1] + offset[1]],
                    "active": member is shown[-1],
                    "elements": found,
                }
            )
        record = {
            "format_version": 1,
            "name": name,
            "canvas": [width, height],
            "wallpaper": f"{wallpaper}-{width}x{height}",
            "windows": windows,
            "moving": moving_box(moving),
        }
        (folder / f"{name}.json").write_text(json.dumps(record, ensure_ascii=False), encoding="utf-8")

    def _save_screen(self, name: str, wallpaper: str, shown: list[Member], popup: bool) -> None:
        width, height = self.session.region
        taken = grabs.grab((0, 0, width, height))
        self._require_focus(shown[-1])
        folder = OUT / "screens"
        folder.mkdir(exist_ok=True)
        Image.fromarray(taken.astype(np.uint8), "RGB").save(folder / f"{name}.png", compress_level=3)
        windows = [
            {
                "program": member.name,
                "frame": [int(side) for side in x11.frame_box(member.window)],
                "placement": member.shot.placement,
                "dialog": member.parent is not None,
                "menu": popup and member is shown[-1],
            }
            for member in shown
        ]
        record = {"name": name, "session": self.session.session, "placing": self.session.placing}
        record |= {"wallpaper": wallpaper, "windows": windows}
        (folder / f"{name}.json").write_text(json.dumps(record), encoding="utf-8")

    def _require_focus(self, top: Member) -> None:
        focus = (x11.prop(x11.ROOT, "_NET_ACTIVE_WINDOW") or [0])[0]
        if focus != top.window.id:
            raise CaptureError(f"{top.name} is on top and has not the focus")

    def _elements(self, member: Member, popup: bool) -> list[dict]:
        """What the tree reports at the window's place. Where a control ends is read from the window's own picture."""
        shot, frame = member.shot, x11.frame_box(member.window)
        dx, dy = frame[0] - shot.frame[0], frame[1] - shot.frame[1]
        origin = shot.picture.origin[0] + dx, shot.picture.origin[1] + dy
        live = member.recorder.live
        popups, raw = live.look_at(member.window)
        found = live.collect(member.window, raw, frame, popups if popup else [], shot.picture.pixels, origin)
        found = inside(found, shifted(shot.picture.box(), dx, dy))
        return [{"role": e.role, "name": e.name, "bbox": [int(v) for v in e.box]} for e in found if e.popup is None]

    def _capture_with_popup(self, name: str, member: Member) -> Shot:
        recorder = member.recorder
        recorder.shots = []
        shot = recorder.capture(member.window, f"{name}-menu", "main", ["launch", "open the first menu"])
        if shot is None:
            raise CaptureError("; ".join(recorder.failures[-1:]))
        return shot

    def report(self) -> None:
        """What there is so far: a session that is cut short keeps it."""
        captures = {m.name: sorted(p.stem for p in (OUT / m.name).glob("*.json")) for m in self.members}
        report = {
            "states": [],
            "transitions": [],
            "failures": self.failures,
            "seconds": round(time.time() - self.started, 1),
            "desktops": self.desktops,
            "captures": captures,
        }
        (OUT / "report.json").write_text(json.dumps(report), encoding="utf-8")


def main(name: str, look_name: str, spec: str) -> int:
    desk = Desk(load(name, IN / spec), LOOKS[look_name])
    try:
        desk.open_all()
        desk.arrange_all()
    except Exception:
        desk.failures.append(traceback.format_exc())
    desk.report()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
