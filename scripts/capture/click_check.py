"""Checks boxes in live programs: clicks the centre of random elements and asks whether that element reacted.

Runs inside a session (see `capture check`): launches the program, finds its elements as a capture does,
clicks, and compares the element's accessibility states, the open popups and the windows before and after. A
button whose click changes none of these (Paste with nothing to paste) has reacted if it was drawn hovered or
pressed, and nothing around it.
"""

import json
import random
import sys
import time

import numpy as np
from Xlib import error

from . import grabs, programs, x11
from .atspi import GLib
from .boxes import Box, area, centre, grown, holds, intersection
from .choices import NEVER_CLICK
from .live import LiveProgram
from .looks import LOOKS
from .picture import CaptureError
from .screen import SCREEN_BOX
from .session import OUT
from .tree_reader import STATES

# What a click visibly does to an element of these roles.
REACTING = {
    "push button",
    "toggle button",
    "check box",
    "radio button",
    "switch",
    "menu",
    "page tab",
    "entry",
    "password text",
    "spin button",
    "combo box",
    "list item",
    "table cell",
    "tree item",
    "icon",
    "text",
    "column header",
}
# Choosing one of these is drawn on its whole row, and takes the mark off another.
ROWS = {"list item", "table cell", "tree item", "icon"}
ROW_SHARE = 0.3
# How long a busy program may take to answer.
PATIENCE = (0.6, 1.5)
CHANGED_SHARE = 0.01
CHANGED_LEVELS = 6
# How far around a box is looked for changes that belong to a neighbour, and how much of a change must lie in the box.
AROUND_PX, OWN_PX = 30, 3
OWN_SHARE = 0.8
# A search for elements that fails this often in a row ends the program's check.
MOST_FAULTS = 4


def main(program_id: str, look_name: str, count: int) -> int:
    program = programs.load(program_id)
    live = LiveProgram(program, LOOKS[look_name])
    live.launch()
    chance, clicked, results, faults = random.Random(program_id), set(), [], 0
    while len(results) < count and faults < MOST_FAULTS:
        try:
            # Read anew for each click: the one before may have moved things.
            element = _choose(live, chance, clicked)
            if element is None:
                break
            clicked.add((element.role, element.name, element.box))
            results.append(
                {
                    "role": element.role,
                    "name": element.name,
                    "box": element.box,
                    "reaction": _reaction(live, element),
                }
            )
            live.dismiss()
        except (CaptureError, GLib.Error, error.XError) as fault:
            faults += 1
            print(f"{program_id}: {fault or type(fault).__name__}", file=sys.stderr)
            if not x11.exists(live.window):
                live.launch()
    toolkit = live.look_at(live.window)[1].toolkit if x11.exists(live.window) else "unknown"
    (OUT / "report.json").write_text(
        json.dumps({"program": program_id, "toolkit": toolkit, "results": results}), encoding="utf-8"
    )
    return 0


def _choose(live: LiveProgram, chance: random.Random, clicked: set):
    """An element that was not clicked yet; roles in turn, lest tables with many cells be all there is."""
    fresh = [
        e
        for e in live.elements_now(live.window)
        if e.interactive
        and e.role in REACTING
        and e.node is not None
        and not _is_settled(e)
        and not NEVER_CLICK.search(e.name + " " + e.description)
        and (e.role, e.name, e.box) not in clicked
    ]
    if not fresh:
        return None
    role = chance.choice(sorted({e.role for e in fresh}))
    return chance.choice([e for e in fresh if e.role == role])


def _is_settled(element) -> bool:
    """Whether a click has nothing left to change."""
    state = element.state
    return (
        not state.get("enabled", True)
        or state.get("selected", False)
        or state.get("focused", False)
        or (element.role == "radio button" and state.get("checked", False))
    )


def _states(element) -> set:
    try:
        states = element.node.handle.get_state_set()
        return {name for name, state in STATES.items() if states.contains(state)}
    except GLib.Error:
        return {"gone"}


def _reaction(live: LiveProgram, element) -> str:
    """What changed, or "none"."""
    window = live.window
    x11.activate(window)
    x11.park_pointer()
    time.sleep(0.3)
    region = intersection(grown(element.box, AROUND_PX), SCREEN_BOX)
    states, popups = _states(element), x11.popups()
    windows, before = {w.id for w in x11.clients()}, grabs.grab(region)
    x11.move_pointer(*centre(element.box))
    time.sleep(0.25)
    drawn = [_drawn(before, region, element)]
    x11.press_button()
    time.sleep(0.15)
    drawn.append(_drawn(before, region, element))
    x11.release_button()
    for seconds in PATIENCE:
        time.sleep(seconds)
        if {w.id for w in x11.clients()} != windows:
            return "window"
        opened = [p for p in x11.popups() if p not in popups]
        if any("TOOLTIP" not in p.type_name for p in opened):
            near = grown(element.box, 40)
            return (
                "popup"
                if any(intersection(p.surface, near) or holds(p.surface, *centre(element.box)) for p in opened)
                else "popup elsewhere"
            )
        now = _states(element)
        if now != states:
            return "state " + ",".join(sorted(now ^ states))
        drawn.append(_drawn(before, region, element))
        if "drawn" in drawn:
            return "drawn"
    return next(filter(None, drawn), "none")


def _drawn(before: np.ndarray, region: Box, element) -> str | None:
    """Whether the element looks "drawn" anew, or "drawn wider" where its surroundings have changed as well."""
    changed = np.abs(grabs.grab(region) - before).max(axis=2) > CHANGED_LEVELS
    x0, y0, x1, y1 = (v - region[i % 2] for i, v in enumerate(intersection(grown(element.box, OWN_PX), region)))
    own = changed[y0:y1, x0:x1].sum()
    if own <= CHANGED_SHARE * area(element.box):
        return None
    is_row = element.role in ROWS and own >= ROW_SHARE * area(element.box)
    return "drawn" if is_row or own >= OWN_SHARE * changed.sum() else "drawn wider"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
