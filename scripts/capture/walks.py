"""What a pack's transitions and repeated controls amount to: chains of clicks, controls in several
states, windows in several places."""

import json
from collections import defaultdict
from pathlib import Path

STATEFUL = {
    "check box",
    "radio button",
    "switch",
    "toggle button",
    "slider",
    "spin button",
    "combo box",
    "page tab",
    "tree item",
    "check menu item",
    "radio menu item",
}
STATES = ("checked", "pressed", "selected", "expanded", "value", "text", "mixed")
LEAST_CLICKS = 3


def transitions(pack: Path) -> list[dict]:
    """The transitions of a pack of either version that lead to another capture, which `to` names."""
    lines = (
        json.loads(line)
        for path in sorted((pack / "windows").glob("*/transitions.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    )
    return [{**line, "to": to} for line in lines if (to := _leads_to(line)) is not None]


def _leads_to(transition: dict) -> str | None:
    outcomes = transition.get("outcomes", [transition])
    return next((outcome["to"] for outcome in outcomes if isinstance(outcome.get("to"), str)), None)


def chains(captures: list[dict], walked: list[dict]) -> int:
    """Shortest walks of three clicks and more from a program's main window: one for each state that they lead to, and
    one for each click that ends a dialog so far away and goes back to a window nearer by."""
    onward: dict[str, set[str]] = defaultdict(set)
    for step in walked:
        onward[step["from"]].add(step["to"])
    clicks = {c["id"]: 0 for c in captures if c["id"].split("/")[1].startswith("main")}
    queue = list(clicks)
    for state in queue:
        for following in sorted(onward[state] - clicks.keys()):
            clicks[following] = clicks[state] + 1
            queue.append(following)
    ends = sum(n >= LEAST_CLICKS for n in clicks.values())
    returns = sum(clicks[end] < LEAST_CLICKS - 1 <= clicks[start] for start in list(clicks) for end in onward[start])
    return ends + returns


def stateful_controls(captures: list[dict]) -> tuple[int, int]:
    """Named controls with a state, and how many of them are captured in two states or more. A control is known again by
    its window's size and look, its place in the window, role and name."""
    seen: dict[tuple, set[str]] = defaultdict(set)
    for capture in captures:
        x0, y0, x1, y1 = capture["frame"]
        for e in capture["elements"]:
            state = {key: e["state"][key] for key in STATES if key in e["state"]}
            if e["role"] in STATEFUL and state and (e["name"] or e["description"]):
                window = capture["id"].split("/")[0], capture["frame_style"], capture["dark"], x1 - x0, y1 - y0
                seen[(*window, e["role"], e["name"], e["description"], e["bbox"][0] - x0, e["bbox"][1] - y0)].add(
                    json.dumps(state, sort_keys=True)
                )
    return len(seen), sum(len(states) > 1 for states in seen.values())


def placed_everywhere(captures: list[dict]) -> int:
    """Programs captured maximised, on a half and on a quarter of the desktop."""
    places: dict[str, set[str]] = defaultdict(set)
    for capture in captures:
        kind = capture["placement"]
        places[capture["id"].split("/")[0]].add(
            "half" if kind.endswith("_half") else "quarter" if kind.startswith(("top_", "bottom_")) else kind
        )
    return sum({"maximized", "half", "quarter"} <= own for own in places.values())
