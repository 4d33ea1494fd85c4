"""Random composed states against the live page: what `windesk pack act` says a page looks like, and what it is."""

import json
import random
import sys
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

from ..files import read_lines
from ..living.changes import MOST_LEVELS, MOST_PIXELS
from ..living.server import Server
from .browser import Browser
from .live_page import LivePage, Look, address_of
from .manners import HOLD_MS
from .measure import middle
from .sources import Page, bundle

# How far a box or a core may be off, device px.
MOST_BOX_PX = 1
# How many presses of a button a way may take.
MOST_PRESSES = 60


class Known:
    """What a pack says of a page."""

    def __init__(self, pack: Path, page: Page, dark: bool):
        self.id, path = page.id(dark), page.file(pack, dark)
        self.capture = json.loads(path.read_text(encoding="utf-8"))
        lines = read_lines(path.with_name(self.capture["living"]["file"]))
        self.controls = {line["id"]: line for line in lines if line["line"] == "control"}
        self.patches = [line for line in lines if line["line"] == "patch"]
        rules = [line for line in lines if line["line"] == "rule"]
        self.conflicts = [set(rule["controls"]) for rule in rules if rule["kind"] == "conflict"]
        self.moves = [move for move in read_lines(path.with_name("transitions.jsonl")) if move["from"] == self.id]

    def draw(self, chance: random.Random) -> dict:
        state: dict = {}
        for name in chance.sample(sorted(self.controls), len(self.controls)):
            values = [patch["value"] for patch in self.patches if patch["control"] == name]
            if values and chance.random() < 0.8 and not any({name, other} in self.conflicts for other in state):
                state[name] = chance.choice(values)
        return state


class Walk:
    """Events that the pack knows, sent to both sides."""

    def __init__(self, live: LivePage, server: Server, known: Known, folder: Path):
        self.live, self.server, self.known = live, server, known
        self.picture = folder / "shown.png"
        self.state: dict = {}
        self.begun = False
        # Which point of a box is tried.
        self.chance = random.Random(0)

    def start(self) -> None:
        self.live.load()
        self.state, self.begun = {}, True

    def act(self, event: dict) -> dict:
        answer = self.server.ask({"window": self.known.id, "state": self.state, "event": event})
        if "error" in answer:
            raise RuntimeError(f"{self.known.id}: {answer['error']}")
        if "click" in event:
            self.live.click(event["click"])
        else:
            self.live.drag(*event["drag"], HOLD_MS)
        # Nobody clicks twice within a frame.
        self.live.rest()
        self.live.browser.run("windesk.frames(1)")
        self.state = answer["state"]
        return answer

    def shown(self) -> tuple[dict, np.ndarray]:
        answer = self.server.ask({"window": self.known.id, "state": self.state, "picture": str(self.picture)})
        if "error" in answer:
            raise RuntimeError(f"{self.known.id}: {answer['error']}")
        with Image.open(self.picture) as image:
            return answer, np.asarray(image.convert("RGB"))

    def value(self, control: str):
        return (self.state.get("values") or {}).get(control, self.known.controls[control]["value"])

    def element(self, control: str, elements: list[dict]) -> dict | None:
        return next((e for e in elements if e["id"] == self.known.controls[control]["element"]), None)

    def lead(self, control: str, value) -> bool:
        """Sets a control as the pack's maps and transitions say."""
        line = self.known.controls[control]
        for _ in range(MOST_PRESSES):
            if self.value(control) == value:
                return True
            event = self._event(control, line, value)
            if event is None or self.act(event)["outcomes"][0]["kind"] == "unmodelled":
                return False
        return False

    def _event(self, control: str, line: dict, value) -> dict | None:
        spot = spot_of(line.get("click_map"), value, self.chance)
        if spot:
            return {"click": spot}
        told = self.server.ask({"window": self.known.id, "state": self.state})
        elements = {e["id"]: e for e in told["elements"]}
        for move in self.known.moves:
            holds = all(self.value(key) == wanted for key, wanted in (move.get("when") or {}).items())
            outcome = move["outcomes"][0]
            if outcome.get("control") != control or outcome["kind"] != "value" or not holds:
                continue
            if move["element"] not in elements:
                continue
            part = move.get("part")
            place = point_in(part, self.chance) if part else list(middle(elements[move["element"]]["bbox"]))
            if "to" in outcome and outcome["to"] == value:
                return {"click": place}
            if "by" in outcome:
                values = line["values"].get("values")
                now = self.value(control)
                ahead = values.index(value) > values.index(now) if values else value > now
                if ahead == (outcome["by"] > 0):
                    return {"click": place}
        drag = line.get("drag_map")
        spot = spot_of(drag and drag["release"], value, self.chance)
        if spot:
            element = elements[line["element"]]
            is_list = drag["release"]["kind"] == "regions"
            start = (
                point_in(drag["handle"], self.chance) if is_list else middle(drag["handle"] or element["state"]["core"])
            )
            return {"drag": [list(start), spot]}
        for move in self.known.moves:
            outcome = move["outcomes"][0]
            if outcome.get("control") == control and outcome["kind"] == "value" and "to" in outcome:
                holds = all(self.value(key) == wanted for key, wanted in (move.get("when") or {}).items())
                if holds and move["element"] in elements:
                    return {"click": list(middle(move.get("part") or elements[move["element"]]["bbox"]))}
        return None


def point_in(box: list[int], chance: random.Random) -> list[int]:
    return [chance.randrange(box[0], box[2]), chance.randrange(box[1], box[3])]


def spot_of(told: dict | None, value, chance: random.Random) -> list[int] | None:
    """A point that a map gives a value: of boxes any one, up to their edges."""
    if not told:
        return None
    if told["kind"] == "regions":
        boxes = [r["rect"] for r in told["regions"] if r["value"] == value]
        return point_in(chance.choice(boxes), chance) if boxes else None
    stops, axis, area = told["stops"], 0 if told["axis"] == "x" else 1, told["area"]
    for number, stop in enumerate(stops):
        if stop["value"] == value:
            until = stops[number + 1]["from"] if number + 1 < len(stops) else area[axis + 2]
            along, other = (max(stop["from"], area[axis]) + until - 1) // 2, middle(area)[1 - axis]
            return [along, other] if axis == 0 else [other, along]
    return None


def faults(known: Known, told: dict, composed: np.ndarray, now: Look, state: dict) -> list[str]:
    """What differs between the pack's page and the live one."""
    out = []
    off = np.abs(composed.astype(np.int16) - now.picture).max(axis=2) > MOST_LEVELS
    if off.sum() > MOST_PIXELS:
        out.append(f"{int(off.sum())} px differ on the page")
    live = {(e["role"], e["name"], tuple(e["bbox"])): e for e in now.elements}
    for element in told["elements"]:
        key = element["role"], element["name"], tuple(element["bbox"])
        same = live.get(key) or next(
            (e for (role, name, box), e in live.items()
             if (role, name) == key[:2] and max(abs(a - b) for a, b in zip(box, key[2], strict=True)) <= MOST_BOX_PX),
            None,
        )  # fmt: skip
        if same is None:
            out.append(f"{element['role']} {element['name']!r} is not at {element['bbox']}")
            continue
        a, b = dict(element["state"]), dict(same["state"])
        cores = a.pop("core", None), b.pop("core", None)
        if a != b:
            out.append(f"{element['role']} {element['name']!r}: {a}, seen {b}")
        if not close(*cores):
            out.append(f"{element['role']} {element['name']!r}: core {cores[0]}, seen {cores[1]}")
    if len(told["elements"]) != len(now.elements):
        out.append(f"{len(told['elements'])} elements, seen {len(now.elements)}")
    for name in known.controls:
        control = next((c for key, c in now.controls.items() if name == key), None)
        if control and control["value"] != state.get(name, known.controls[name]["value"]):
            out.append(f"{name} is {control['value']!r}, told {state.get(name, known.controls[name]['value'])!r}")
    return out


def close(one: list[int] | None, other: list[int] | None) -> bool:
    """Whether two cores, if there are any, are at the same place."""
    if one is None or other is None:
        return one is other
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) <= MOST_BOX_PX


def prove(chosen: list[Page], looks: list[bool], told) -> int:
    """Draws states over all pages evenly; prints what is wrong and a summary."""
    documents = bundle(chosen)
    here = [(page, dark) for page in chosen for dark in looks if page.file(told.pack, dark).is_file()]
    with tempfile.TemporaryDirectory(prefix="windesk-web-") as folder:
        server = Server(told.windesk, told.pack, Path(folder) / "server.log")
        judged = []
        for number, (page, dark) in enumerate(here):
            states = told.states * (number + 1) // len(here) - told.states * number // len(here)
            browser = Browser()
            try:
                live = LivePage(browser, address_of(documents[page], dark), page.size, page.scale, dark)
                known = Known(told.pack, page, dark)
                walk = Walk(live, server, known, Path(folder))
                seeds = (f"prove {told.seed} {known.id} {index}" for index in range(states))
                judged += [one(walk, random.Random(seed)) for seed in seeds]
            finally:
                browser.close()
        server.close()
    right = sum(not j["faults"] for j in judged)
    controls = sum(j["controls"] for j in judged)
    print(json.dumps({"pages": len(here), "states": len(judged), "right": right, "controls_set": controls}))
    if told.report:
        told.report.write_text(json.dumps(judged, indent=1) + "\n", encoding="utf-8")
    return 0 if right == len(judged) else 1


def one(walk: Walk, chance: random.Random) -> dict:
    wanted = walk.known.draw(chance)
    known, walk.chance = walk.known, chance
    rest = [n for n in known.controls if n not in wanted and walk.value(n) != known.controls[n]["value"]]
    dragged = any(known.controls[n]["values"]["kind"] == "order" for n in {*wanted, *(walk.state.get("values") or {})})
    # From the state before where events lead there; else from the beginning.
    back = walk.begun and not dragged and min([walk.lead(n, known.controls[n]["value"]) for n in rest], default=True)
    if not back:
        walk.start()
    first = [n for n in wanted if known.controls[n]["values"]["kind"] == "order"]
    missed = [name for name in [*first, *(n for n in wanted if n not in first)] if not walk.lead(name, wanted[name])]
    answer, composed = walk.shown()
    now = walk.live.look()
    found = [f"no way leads to {name} = {wanted[name]!r}" for name in missed]
    found += faults(walk.known, answer, composed, now, walk.state.get("values") or {})
    walk.begun = not found
    for fault in found:
        print(f"{walk.known.id}: {fault}", file=sys.stderr)
    return {"page": walk.known.id, "state": walk.state.get("values") or {}, "controls": len(wanted), "faults": found}
