"""One page, from its first look to the lines of its living file."""

import random
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from ..boxes import Box, intersection
from ..living.changes import MOST_LEVELS, MOST_PIXELS, Piece, boxes_of, drawn
from ..living.matching import Difference, Names
from .browser import Broken
from .differences import all_pieces, difference, levels, off, seen_pieces, with_ids
from .live_page import LivePage, Look
from .manners import HOLD_MS, measure
from .measure import Failed, Measured, middle

# How many random states of several controls at once are looked at after a crawl.
JOINT_STATES = 4
# How often a button is pressed on the way to a value.
MOST_PRESSES = 60
# How much higher than a control the row may be that it lies in.
ROW_HEIGHT = 2.5
# Controls that hide a part of the page: what clicks have done there is not seen.
HIDING = {"tree_node", "accordion", "tabs"}


@dataclass
class Patch:
    control: str
    value: object
    pieces: list[Piece]
    change: Difference
    touched: list[tuple[Box, int]]  # boxes around all that differs, by how many levels at most
    verified: bool = False


@dataclass
class Crawled:
    """What is known of a page."""

    base: Look
    elements: list[dict]
    controls: list[Measured] = field(default_factory=list)
    patches: list[Patch] = field(default_factory=list)
    conflicts: set[tuple[str, str]] = field(default_factory=set)
    inert: dict[int, bool] = field(default_factory=dict)  # uid of other elements -> whether clicks do nothing
    notes: list[str] = field(default_factory=list)
    joint: list[bool] = field(default_factory=list)

    def patch(self, control: str, value) -> Patch | None:
        return next((p for p in self.patches if p.control == control and p.value == value), None)


def crawl(page: LivePage, seed: str, twin: "Crawled | None" = None) -> Crawled:
    """`twin` is the page in another look: what lies where it did there is only set and looked at."""
    page.load()
    base = page.look()
    again = page.look()
    if off(base.picture, again.picture):
        raise Broken(f"{page.address}: it moves by itself")
    out = Crawled(base, with_ids(base.elements))
    names = Names("n")
    for told in base.controls.values():
        if not told["whole"]:
            out.notes.append(f"{told['type']} {told['id']}: not all of it shows")
            continue
        found = same_places(twin, told)
        if not found:
            try:
                found = measure(page, {**told, "row": row_of(out.elements, told)})
            except (Failed, Broken) as error:
                out.notes.append(f"{told['type']} {told['id']}: {error}")
                page.load()
                continue
            if told["type"] in HIDING:
                page.load()
            restore(page, out, found)
        for control in found:
            out.notes += [f"{told['type']} {control.id}: {note}" for note in control.notes]
            patches = looks(page, out, control, names)
            if patches:
                out.controls.append(control)
                out.patches += patches
            else:
                out.notes.append(f"{told['type']} {control.id}: no look of another value")
    find_conflicts(out)
    try_others(page, out)
    try_together(page, out, seed)
    return out


def row_of(elements: list[dict], told: dict) -> dict | None:
    """The smallest other element that is clicked and holds all of a control, if it is a row of about its height."""
    box, taken = told["box"], {told["uid"], *(part["uid"] for part in told["parts"])}
    around = [e for e in elements if e["interactive"] and e["uid"] not in taken and intersection(e["bbox"], box) == box]
    around = [e for e in around if tuple(e["bbox"]) != box]
    best = min(around, key=lambda e: (e["bbox"][2] - e["bbox"][0]) * (e["bbox"][3] - e["bbox"][1]), default=None)
    if best is None or best["bbox"][3] - best["bbox"][1] > ROW_HEIGHT * (box[3] - box[1]):
        return None
    return {"uid": best["uid"], "box": tuple(best["bbox"])}


def same_places(twin: Crawled | None, told: dict) -> list[Measured]:
    """The controls of a twin's annotation, if its boxes are where they are here."""
    keys = ("type", "value", "box", "core", "target", "parts", "uid")
    found = [c for c in twin.controls if c.told["id"] == told["id"]] if twin else []
    return found if found and all(found[0].told[key] == told[key] for key in keys) else []


def restore(page: LivePage, out: Crawled, found: list[Measured]) -> None:
    """Back to the page's own values; loads it anew where that is not the way it came."""
    for control in found:
        if page.value(control.told["id"]) != control.values[0] and not go(page, control, control.values[0]):
            page.load()
    if off(page.look().picture, out.base.picture):
        page.load()


def go(page: LivePage, control: Measured, value) -> bool:
    """Sets a control by real events; whether it then has the value."""
    name = control.told["id"]
    if page.value(name) == value:
        return True
    way = control.reach.get(repr(value))
    if control.steps:
        for _ in range(MOST_PRESSES):
            now = page.value(name)
            if now == value:
                return True
            forward = 1 if -1 not in control.steps or now < value else -1
            page.click(control.steps[forward])
        return False
    if way is None:
        return False
    if way[0] == "click":
        page.click(way[1])
    elif way[0] == "again":
        page.click(way[1])
        if page.value(name) != value:
            page.click(way[1])
    elif way[0] == "drag":
        page.drag(middle(page.control(name)["core"]), way[1])
    elif way[0] == "drag_from":
        page.drag(way[1], way[2], HOLD_MS)
    return page.value(name) == value


def looks(page: LivePage, out: Crawled, control: Measured, names: Names) -> list[Patch]:
    patches = []
    for value in control.values[1:]:
        if not go(page, control, value):
            out.notes.append(f"{control.type} {control.id}: could not be set to {value!r}")
            page.load()
            continue
        now = page.look()
        change = difference(out.elements, now.elements, names)
        changed = all_pieces(out.base.picture, now.picture)
        shown = seen_pieces(out.base.picture, changed)
        if not shown:
            out.notes.append(f"{control.type} {control.id}: nothing of {value!r} is seen")
            restore(page, out, [control])
            return []
        touched = [(piece.rect, int(levels(out.base.picture, piece).max())) for piece in changed]
        patches.append(Patch(control.id, value, shown, change, touched))
        way = control.reach.get(repr(value)) or ()
        if "drag_from" in way:
            page.drag(way[2], way[1], HOLD_MS)
            if page.value(control.told["id"]) != control.values[0]:
                page.load()
    restore(page, out, [control])
    return patches


def find_conflicts(out: Crawled) -> None:
    """Controls whose values change the same pixel or element were only seen one at a time: of two changes that nobody
    sees may come one that is seen."""
    boxes: dict[str, list] = {c.id: [] for c in out.controls}
    for patch in out.patches:
        boxes[patch.control] += set(patch.touched)
    touched = {
        c.id: {e["id"] for p in out.patches if p.control == c.id for e in (*p.change.changes, *p.change.added)}
        for c in out.controls
    }
    for one, other in combinations(out.controls, 2):
        shared = any(
            much + more > MOST_LEVELS and intersection(a, b) for a, much in boxes[one.id] for b, more in boxes[other.id]
        )
        if shared or touched[one.id] & touched[other.id]:
            out.conflicts.add((one.id, other.id))


def try_others(page: LivePage, out: Crawled) -> None:
    """Clicks what is interactive and no part of a control: does anything come of it?"""
    known = {t["uid"] for c in out.controls for t in c.transitions} | {c.element_uid for c in out.controls}
    known |= {c.told["uid"] for c in out.controls}
    hurt = False
    for element in out.elements:
        if not element["interactive"] or element["uid"] in known or element["state"].get("enabled") is False:
            continue
        if hurt:
            page.load()
        point = middle(element["bbox"])
        page.click(point)
        try:
            now = page.look()
        except Broken:
            hurt, out.inert[element["uid"]] = True, False
            continue
        same = not off(now.picture, out.base.picture) and now.values() == out.base.values()
        out.inert[element["uid"]] = same
        hurt = not same
    if hurt:
        page.load()


def is_dragged(control: Measured) -> bool:
    return any(way[0] == "drag_from" for way in control.reach.values())


def went_back(page: LivePage, controls: list[Measured]) -> bool:
    """Sets controls to their values of the first look, as far as events lead there."""
    return min([go(page, control, control.values[0]) for control in controls], default=True)


def draw(out: Crawled, chance: random.Random) -> dict:
    """Values of controls that can be set together."""
    state = {}
    for control in chance.sample(out.controls, len(out.controls)):
        values = [p.value for p in out.patches if p.control == control.id]
        if any(tuple(sorted((control.id, other))) in {tuple(sorted(c)) for c in out.conflicts} for other in state):
            continue
        if values and chance.random() < 0.85:
            state[control.id] = chance.choice(values)
    return state


def try_together(page: LivePage, out: Crawled, seed: str) -> None:
    """Several controls at once: does the page look as its patches say?"""
    chance = random.Random(seed)
    left, before = {(p.control, repr(p.value)) for p in out.patches}, {}
    for _ in range(JOINT_STATES):
        state = draw(out, chance)
        for control in out.controls:
            fresh = [p.value for p in out.patches if p.control == control.id and (p.control, repr(p.value)) in left]
            if control.id in state and fresh:
                state[control.id] = chance.choice(fresh)
        by_id = {c.id: c for c in out.controls}
        # Lists whose items are dragged first: the places of their items are those of the page as it was.
        order = sorted(state, key=lambda name: not is_dragged(by_id[name]))
        others = [c for c in out.controls if c.id not in state]
        # The way from the state before leads through the others' own values, or begins anew.
        if any(is_dragged(by_id[n]) for n in {*state, *before}) or not went_back(page, others):
            page.load()
        before = state
        reached = {name: go(page, by_id[name], state[name]) for name in order}
        now = page.look()
        told = {name: now.controls[by_id[name].told["id"]]["value"] for name in state}
        bad = [name for name in state if told[name] != state[name]]
        composed = out.base.picture.copy()
        for name in state:
            composed = drawn(composed, out.patch(name, state[name]).pieces)
        count = off(composed, now.picture)
        out.joint.append(count <= MOST_PIXELS and not bad)
        if count > MOST_PIXELS or bad:
            mask = np.abs(composed.astype(np.int16) - now.picture).max(axis=2) > MOST_LEVELS
            where = boxes_of(mask, 32)[:3]
            missed = f"not set {bad}, reached {reached}" if bad else ""
            out.notes.append(f"joint state: {count} px off at {where} {missed}")
        else:
            for name, value in state.items():
                out.patch(name, value).verified = True
                left.discard((name, repr(value)))
