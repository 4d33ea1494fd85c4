"""A window's other tabs, its other sizes, and the places it is snapped to."""

import time

from . import choices, x11
from .boxes import alike, centre, height, width
from .picture import CaptureError
from .recorder import Recorder
from .screen import slot
from .shots import Shot, slug

SNAP_SECONDS = 8.0
# Terminals snap to whole character cells and end a little short.
CELL_PX = 24


def walk_tabs(explorer, main: Shot) -> None:
    recorder, window = explorer.recorder, explorer.live.window
    tabs = choices.other_tabs(main.elements, explorer.may_click)[: explorer.tabs_left]
    for tab in tabs:
        if not x11.exists(window):
            return
        x11.activate(window)
        x11.click(*centre(tab.box))
        time.sleep(0.5)
        steps = [*main.steps, f"click page tab {tab.name}"]
        shot = recorder.capture(window, f"tab-{slug(tab.name)}", main.kind, steps)
        if shot is not None:
            recorder.link(main, tab, "click", shot)
    first = choices.selected_tab(main.elements)
    if tabs and first is not None and x11.exists(window):
        x11.click(*centre(first.box))


def resize(recorder: Recorder, size: tuple[int, int]) -> None:
    window, first = recorder.live.window, recorder.shots[0].frame
    recorder.live.place(size)
    frame = x11.frame_box(window)
    if abs(width(frame) - width(first)) + abs(height(frame) - height(first)) > 20:
        given = f"{width(frame)}x{height(frame)}"
        recorder.capture(window, f"size-{given}", "main", ["launch", f"resize to {given}"])


def walk_placements(explorer) -> None:
    missing = [p for p in explorer.program.snap if p.replace("_", "-") not in explorer.known]
    for placement in missing[:1] if explorer.brief else missing:
        explorer.guard(placement, _snap, explorer.recorder, placement)


def _snap(recorder: Recorder, placement: str) -> None:
    snap(recorder.live.window, placement)
    steps = ["launch", f"snap to {placement}"]
    recorder.capture(recorder.live.window, placement.replace("_", "-"), "main", steps, placement=placement)


def snap(window, placement: str) -> None:
    """Puts the window to its place and waits until it is there."""
    wanted = slot(placement)
    if placement == "maximized":
        x11.maximise(window, True)
    else:
        x11.move_frame(window, *wanted[:2], (width(wanted), height(wanted)))
    end = time.time() + SNAP_SECONDS
    while not alike(x11.frame_box(window), wanted, CELL_PX):
        if time.time() > end:
            raise CaptureError(f"snapped to {wanted}, the frame is {x11.frame_box(window)}")
        time.sleep(0.2)
    time.sleep(0.6)
