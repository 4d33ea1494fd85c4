"""Checks boxes in live programs: clicks the centre of random elements and asks whether that element reacted.

Runs inside a session (see `capture check`): launches the program, finds its elements as a capture does, clicks, and
compares the element's accessibility states, the open popups, the windows and the pixels around before and after.
"""

import json
import random
import sys
import time

import numpy as np
from gi.repository import GLib

from . import picture, programs, x11
from .boxes import centre, grown, holds, intersection
from .explore import NEVER_CLICK, Explorer
from .looks import LOOKS
from .session import OUT
from .tree import STATES

# What a click visibly does to an element of these roles.
REACTING = {
    "push button", "toggle button", "check box", "radio button", "switch", "menu", "page tab", "entry", "password text", "spin button",
    "combo box", "list item", "table cell", "tree item", "icon", "text",
}
CHANGED_SHARE = 0.01


def main(program_id: str, look_name: str, count: int) -> int:
    program = programs.load(program_id)
    explorer = Explorer(program, LOOKS[look_name], OUT, brief=True)
    explorer.launch()
    elements = [e for e in explorer.elements_now(explorer.window) if e.role in REACTING and e.node is not None
                and e.state.get("enabled", True) and not NEVER_CLICK.search(e.name + " " + e.description)]
    random.Random(program_id).shuffle(elements)
    results = []
    for element in elements[:count]:
        if not x11.exists(explorer.window):
            break
        results.append({"role": element.role, "name": element.name, "reaction": _reaction(explorer, element)})
        explorer.dismiss()
    toolkit = explorer.look_at(explorer.window)[1].toolkit if x11.exists(explorer.window) else "unknown"
    (OUT / "report.json").write_text(json.dumps({"program": program_id, "toolkit": toolkit, "results": results}), encoding="utf-8")
    return 0


def _states(element) -> set:
    try:
        states = element.node.handle.get_state_set()
        return {name for name, state in STATES.items() if states.contains(state)}
    except GLib.Error:
        return {"gone"}


def _reaction(explorer: Explorer, element) -> str:
    """What changed, or "none"."""
    window = explorer.window
    x11.activate(window)
    x11.park_pointer()
    time.sleep(0.3)
    region = intersection(grown(element.box, 2), picture.SCREEN_BOX)
    states, popups, windows, before = _states(element), x11.popups(), {w.id for w in x11.clients()}, picture.grab(region)
    x11.click(*centre(element.box))
    time.sleep(0.6)
    if {w.id for w in x11.clients()} != windows:
        return "window"
    opened = [p for p in x11.popups() if p not in popups]
    if opened:
        near = grown(element.box, 40)
        return "popup" if any(intersection(p.surface, near) or holds(p.surface, *centre(element.box)) for p in opened) else "popup elsewhere"
    now = _states(element)
    if now != states:
        return "state " + ",".join(sorted(now ^ states))
    x11.park_pointer()
    time.sleep(0.3)
    if {"focused", "selected", "checked", "pressed"} & now:
        return "already"
    changed = np.abs(picture.grab(region) - before).max(axis=2) > 12
    return "pixels" if changed.mean() > CHANGED_SHARE else "none"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
