"""Runs inside a session: opens programs side by side and records the desktops that they make together.

Per desktop: the screenshot, which window owns each pixel of it, every window's place, stacking and focus, and the
elements that the accessibility tree reports where they are. Per window: its separate capture, as for a pack.
"""

import json
import random
import sys
import time
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

import numpy as np
from PIL import Image
from Xlib import X, error

from . import elements as finder
from . import picture, programs, x11
from .boxes import Box, centre, intersection, shifted
from .desktop_sets import Session, load
from .explore import Explorer
from .frame_buttons import frame_parts
from .looks import LOOKS
from .picture import CaptureError
from .shots import Shot
from .stage import Stage

OUT = Path("/srv/capture/out")
WALLPAPERS = Path("/srv/capture/in")
FEWEST, MOST = 3, 8
# Requests to the X server have a largest size.
STRIP_BYTES = 250_000
SOLID_ALPHA = 128
TITLE_BAR_PX = 40
# Places are drawn until so many elements are covered in part, and of every window so much
# of it can be seen; at most so often.
PARTLY_COVERED = 24
LEAST_VISIBLE = 0.12
DRAWS = 80
# A window whose menu opens is pictured where it lies, with its whole shadow.
MENU_MARGIN_PX = picture.SHADOW_PX


@dataclass
class Member:
    """A window that desktops are made of."""

    explorer: Explorer
    window: object
    shot: Shot
    parent: Optional["Member"] = None

    @property
    def name(self) -> str:
        return self.explorer.program.id


class Desk:
    def __init__(self, session: Session):
        self.session, self.look = session, LOOKS[session.look]
        self.stage = Stage()
        # The strip that reserves the taskbar's place is not part of the desktop.
        x11.set_opacity(self.stage.dock, False)
        self.members: list[Member] = []
        self.failures: list[str] = []
        self.desktops: list[str] = []
        self.random = random.Random(session.name)

    # the windows

    def open_all(self) -> None:
        for program_id in self.session.programs:
            try:
                self._open(program_id)
            except (CaptureError, error.XError) as fault:
                self.failures.append(f"{program_id}: {fault}")

    def _open(self, program_id: str) -> None:
        program = programs.load(program_id)
        folder = OUT / program_id
        explorer = Explorer(program, self.look, folder, brief=True, stage=self.stage)
        explorer.launch()
        if self.session.frame:
            x11.move_frame(explorer.window, *self._home(), self.session.frame)
            picture.wait_until_still(explorer.window, 0.5)
        shot = explorer.capture(explorer.window, self.session.name, "main", ["launch"])
        if shot is None:
            raise CaptureError("; ".join(explorer.failures[-1:]))
        member = Member(explorer, explorer.window, shot)
        self.members.append(member)
        if program_id in self.session.dialogs:
            self._open_dialog(member, self.session.dialogs[program_id])

    def _open_dialog(self, member: Member, chain: str) -> None:
        explorer = member.explorer
        explorer.walk_chain(next(c for c in explorer.program.chains if c.name == chain), member.shot)
        dialog = explorer.shots[-1]
        if dialog.window_id == explorer.window.id:
            raise CaptureError(f"chain {chain} opened no dialog: {'; '.join(explorer.failures[-1:])}")
        # What the chain clicked is still selected behind the dialog.
        explorer.shots = []
        behind = explorer.capture(explorer.window, f"{self.session.name}-behind", "main", dialog.steps)
        if behind is None:
            raise CaptureError("; ".join(explorer.failures[-1:]))
        dialog.parent = member.shot = behind
        dialog.save(explorer.out)
        self.members.append(
            Member(explorer, x11.DISPLAY.create_resource_object("window", dialog.window_id), dialog, member)
        )

    def _home(self) -> tuple[int, int]:
        return (60, 60) if self.session.region != x11.SCREEN else (200, 130)

    # the desktops

    def arrange_all(self) -> None:
        if len(self.members) < FEWEST:
            self.failures.append(f"{len(self.members)} windows, expected at least {FEWEST}")
            return
        for number in range(self.session.desktops):
            name = f"{self.session.name}-{number:02}"
            try:
                self._arrange(name, number)
                self.desktops.append(name)
            except (CaptureError, error.XError) as fault:
                self.failures.append(f"{name}: {fault}")
            finally:
                x11.press("Escape") if x11.popups() else None

    def _arrange(self, name: str, number: int) -> None:
        shown = self._choose(number)
        ids = {member.window.id for member in shown}
        for window in x11.clients():
            # Also windows of programs that could not be captured.
            if not self.stage.owns(window):
                x11.set_opacity(window, window.id in ids)
        menu = shown[-1].name in self.session.menus and number % 2 == 0
        for member, place in zip(shown, self._draw_places(shown, menu)):
            x11.move_frame(member.window, *place[:2])
        for member in shown:
            x11.activate(member.window)
        stack = [w for w in x11.prop(x11.ROOT, "_NET_CLIENT_LIST_STACKING") if w in ids]
        shown.sort(key=lambda member: stack.index(member.window.id))
        top = shown[-1]
        if not x11.activate(top.window):
            raise CaptureError(f"{top.name} did not take the focus")
        time.sleep(0.5)
        wallpaper = self.session.wallpapers[number % len(self.session.wallpapers)]
        hang(self.stage, WALLPAPERS / f"{wallpaper}.png")
        picture.wait_until_still(top.window, 1.0)
        popup = menu and self._open_menu(top)
        self._record(name, wallpaper, shown, popup)

    def _choose(self, number: int) -> list[Member]:
        """Bottom to top; every program is on top in turn."""
        plain = [m for m in self.members if m.parent is None]
        leads = [m for m in self.members if not any(other.parent is m for other in self.members)]
        lead = leads[number % len(leads)]
        others = [m for m in plain if m is not lead and m is not lead.parent]
        self.random.shuffle(others)
        count = self.random.randint(FEWEST, min(MOST, len(plain)))
        chosen = others[: count - 1 - (lead.parent is not None)]
        # A dialog comes with its parent, and the other way round.
        for dialog in [m for m in self.members if m.parent in chosen]:
            chosen.insert(chosen.index(dialog.parent) + 1, dialog)
        while len(chosen) + 1 + (lead.parent is not None) > MOST:
            dropped = chosen.pop(0)
            chosen = [m for m in chosen if m.parent is not dropped]
        return [*chosen, *([lead.parent] if lead.parent else []), lead]

    def _draw_places(self, shown: list[Member], menu: bool) -> list[Box]:
        """A frame for each window, in the order of the stack: the first draw that covers enough
        elements in part, else the best one."""
        best, most = [], -1
        for _ in range(DRAWS):
            frames: list[Box] = []
            for member in shown:
                inset = MENU_MARGIN_PX if menu and member is shown[-1] else 0
                frames.append(
                    self._within(frames[shown.index(member.parent)], member)
                    if member.parent
                    else self._anywhere(member, inset)
                )
            covered = partly_covered(shown, frames, self.session.region)
            if covered > most:
                best, most = frames, covered
            if most >= PARTLY_COVERED:
                break
        return best

    def _anywhere(self, member: Member, inset: int) -> Box:
        width, height = size(member.shot.frame)
        right, bottom = (
            self.session.region[0] - width,
            min(self.session.region[1] - height, self.session.region[1] - x11.TASKBAR_PX - TITLE_BAR_PX),
        )
        if not inset and self.random.random() < 0.15:
            # Over the left or the right edge by an eighth.
            x = self.random.randint(-width // 8, max(1, right + width // 8))
        else:
            x = self.random.randint(inset, max(inset + 1, right - inset))
        y = self.random.randint(inset, max(inset + 1, bottom - inset))
        return x, y, x + width, y + height

    @staticmethod
    def _within(parent: Box, dialog: Member) -> Box:
        """About the middle of the parent, as window managers do."""
        width, height = size(dialog.shot.frame)
        x, y = (max(0, middle - own // 2) for middle, own in zip(centre(parent), (width, height)))
        return x, y, x + width, y + height

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
        first = picture.grab(screen)
        time.sleep(0.4)
        taken = picture.grab(screen)
        moving = np.abs(first - taken).max(axis=2) > 4
        focus = (x11.prop(x11.ROOT, "_NET_ACTIVE_WINDOW") or [0])[0]
        if focus != shown[-1].window.id:
            raise CaptureError(f"{shown[-1].name} is on top and has not the focus")
        frames = [x11.frame_box(member.window) for member in shown]
        trees = [self._elements(member, index == len(shown) - 1 and popup) for index, member in enumerate(shown)]
        captures = [member.shot for member in shown]
        if popup:
            captures[-1] = self._capture_with_popup(name, shown[-1])
        owners = self._owners(shown, captures, screen)
        folder = OUT / "desktops"
        folder.mkdir(exist_ok=True)
        Image.fromarray(taken.astype(np.uint8), "RGB").save(folder / f"{name}.png", optimize=True)
        Image.fromarray(owners, "L").save(folder / f"{name}.owners.png", optimize=True)
        windows = []
        for member, capture, frame, found in zip(shown, captures, frames, trees):
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

    def _elements(self, member: Member, popup: bool) -> list[dict]:
        """What the tree reports at the window's place. Where a control ends is read from the window's own picture."""
        shot, frame = member.shot, x11.frame_box(member.window)
        dx, dy = frame[0] - shot.frame[0], frame[1] - shot.frame[1]
        origin = shot.picture.origin[0] + dx, shot.picture.origin[1] + dy
        popups, raw = (
            member.explorer.look_at(member.window) if popup else ([], member.explorer.look_at(member.window)[1])
        )
        parts = frame_parts(member.window, self.look.wm)
        found = finder.inside(
            finder.collect(raw, frame, popups, parts, shot.picture.pixels, origin), shifted(shot.picture.box(), dx, dy)
        )
        return [{"role": e.role, "name": e.name, "bbox": [int(v) for v in e.box]} for e in found if e.popup is None]

    def _owners(self, shown: list[Member], captures: list[Shot], screen: Box) -> np.ndarray:
        """Which window each pixel belongs to: 0 for none, else its place in the stack from 1. Each window is shown by
        itself, where it is: shadows of several windows could add up to something solid."""
        owners = np.zeros((screen[3], screen[2]), np.uint8)
        for member in shown:
            x11.set_opacity(member.window, False)
        for index, member in reversed(list(enumerate(shown))):
            x11.set_opacity(member.window, True)
            owners[self._solid_of(member, captures[index], screen) & (owners == 0)] = index + 1
            x11.set_opacity(member.window, False)
            # An open menu belongs to the topmost window, which came first; its shadow must
            # not add to those of the others.
            while x11.popups():
                x11.press("Escape")
                time.sleep(0.3)
        for member in shown:
            x11.set_opacity(member.window, True)
        return owners

    def _solid_of(self, member: Member, capture: Shot, screen: Box) -> np.ndarray:
        """What is solid while no other window shows."""
        frame = x11.frame_box(member.window)
        box = intersection(
            shifted(capture.picture.box(), frame[0] - capture.frame[0], frame[1] - capture.frame[1]), screen
        )
        for attempt in range(4):
            # A busy machine hides the others late.
            time.sleep(0.3 + attempt)
            solid = self._solid(screen)
            if box is None or solid.sum() == solid[box[1] : box[3], box[0] : box[2]].sum():
                return solid
        raise CaptureError(f"something shows beside {member.name} by itself")

    def _solid(self, screen: Box) -> np.ndarray:
        self.stage.colour(0x000000)
        black = picture.grab(screen)
        self.stage.colour(0xFFFFFF)
        white = picture.grab(screen)
        return 255 - np.clip((white - black).max(axis=2), 0, 255) >= SOLID_ALPHA

    def _capture_with_popup(self, name: str, member: Member) -> Shot:
        explorer = member.explorer
        explorer.shots = []
        shot = explorer.capture(member.window, f"{name}-menu", "main", ["launch", "open the first menu"])
        if shot is None:
            raise CaptureError("; ".join(explorer.failures[-1:]))
        return shot


def size(box: Box) -> tuple[int, int]:
    return box[2] - box[0], box[3] - box[1]


def partly_covered(shown: list[Member], frames: list[Box], region: tuple[int, int]) -> int:
    """How many elements frames above or the screen's edge hide in part; -1 if next to nothing is left of a window."""
    owners = np.zeros((region[1], region[0]), np.uint8)
    for index, (x0, y0, x1, y1) in enumerate(frames):
        owners[max(0, y0) : y1, max(0, x0) : x1] = index + 1
    count = 0
    for index, (member, frame) in enumerate(zip(shown, frames)):
        mine = owners == index + 1
        if mine.sum() < LEAST_VISIBLE * np.prod(size(frame)):
            return -1
        for element in member.shot.elements:
            x0, y0, x1, y1 = shifted(element.box, frame[0] - member.shot.frame[0], frame[1] - member.shot.frame[1])
            visible = int(mine[max(0, y0) : max(0, y1), max(0, x0) : max(0, x1)].sum())
            count += 0 < visible < (x1 - x0) * (y1 - y0)
    return count


def hang(stage: Stage, path: Path) -> None:
    """Shows a picture instead of the backdrop's colour."""
    with Image.open(path) as wallpaper:
        pixels = np.asarray(wallpaper.convert("RGB"))
    height, width = pixels.shape[:2]
    data = np.dstack([pixels[:, :, ::-1], np.zeros((height, width), np.uint8)])
    depth = x11.DISPLAY.screen().root_depth
    pixmap = x11.ROOT.create_pixmap(width, height, depth)
    context = pixmap.create_gc()
    rows = max(1, STRIP_BYTES // (width * 4))
    for y in range(0, height, rows):
        strip = data[y : y + rows]
        pixmap.put_image(context, 0, y, width, len(strip), X.ZPixmap, depth, 0, strip.tobytes())
    stage.backdrop.change_attributes(background_pixmap=pixmap)
    stage.backdrop.clear_area(0, 0, 0, 0, False)
    context.free()
    pixmap.free()
    x11.DISPLAY.sync()
    time.sleep(0.5)


def moving_box(moving: np.ndarray) -> list | None:
    """The box of what changed between two grabs: clocks and cursors."""
    rows, columns = np.flatnonzero(moving.any(axis=1)), np.flatnonzero(moving.any(axis=0))
    return [int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1] if len(rows) else None


def main(name: str, _look: str) -> int:
    started = time.time()
    desk = Desk(load(name))
    try:
        desk.open_all()
        desk.arrange_all()
    except Exception:
        desk.failures.append(traceback.format_exc())
    report = {
        "states": [],
        "transitions": [],
        "failures": desk.failures,
        "seconds": round(time.time() - started, 1),
        "desktops": desk.desktops,
        "captures": {m.name: [] for m in desk.members},
    }
    for member in desk.members:
        states = report["captures"][member.name]
        states += sorted(p.stem for p in (OUT / member.name).glob("*.json") if p.stem not in states)
    (OUT / "report.json").write_text(json.dumps(report), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
