"""What is recorded of an element: its role, name, box and state."""

from dataclasses import dataclass

import numpy as np

from . import roles
from .boxes import Box
from .tree import Node


@dataclass
class Element:
    role: str
    name: str
    description: str
    box: Box  # visible part, on the screen
    interactive: bool
    popup: int | None
    state: dict
    parent: int | None  # index into the list of elements
    node: Node | None


def state_of(role: str, node: Node) -> dict:
    states, out = node.states, {}
    acts = role in roles.ACTIONABLE or role == "text"
    # File managers call every icon of a folder disabled.
    if acts and role != "icon" and not states & {"sensitive", "enabled"}:
        out["enabled"] = False
    if role in roles.CHECKABLE:
        out["checked"] = "checked" in states
    if role == "toggle button":
        out["pressed"] = bool(states & {"pressed", "checked"})
    if "selectable" in states and role in ("list item", "tree item", "table cell", "table row", "icon", "page tab"):
        out["selected"] = "selected" in states
    elif role == "page tab":
        out["selected"] = bool(states & {"selected", "checked"})
    if "expandable" in states or (role == "combo box" and "expanded" in states):
        out["expanded"] = "expanded" in states
    if role in ("entry", "password text", "spin button") or (role == "text" and "editable" in states):
        out["editable"] = "editable" in states
    if "focused" in states and acts:
        out["focused"] = True
    if "has_popup" in states or role == "menu":
        out["has_popup"] = True
    if "indeterminate" in states and role in roles.CHECKABLE:
        out["mixed"] = True
    if node.value is not None:
        for key, number in zip(("value", "min", "max", "step"), node.value, strict=True):
            if np.isfinite(number) and abs(number) < 1e12:
                out[key] = round(float(number), 6)
    if node.text and role != "password text":
        # U+FFFC stands for embedded objects.
        text = node.text.replace("\ufffc", "").strip("\n")[:200]
        if text and text != node.name:
            out["text"] = text
    return out
