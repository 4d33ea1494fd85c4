"""Measures anew what clicks and drags set on pages that a pack has. Pictures, elements and patches stay as they are."""

import json
from pathlib import Path

import numpy as np
from PIL import Image

from ..files import read_lines, text_of, write_json, write_living
from .browser import Broken
from .crawl import Crawled, restore, row_of, same_places
from .differences import off, with_ids
from .live_page import LivePage, Look, tidy
from .manners import HOLD_MS, measure
from .measure import Failed, Measured, middle
from .order import item_id
from .publish import drop_unused
from .sources import Page

# Manners whose maps are boxes that are found by trying.
BOXED = ("toggle", "pick", "order", "dial")


class Kept:
    """The files of one page in a pack."""

    def __init__(self, pack: Path, page: Page, dark: bool):
        self.id, self.folder = page.id(dark), pack / "windows" / page.program
        self.path = page.file(pack, dark)
        self.capture = json.loads(self.path.read_text(encoding="utf-8"))
        self.lines = read_lines(self.folder / self.capture["living"]["file"])
        self.moves = read_lines(self.folder / "transitions.jsonl")
        self.controls = {line["id"]: line for line in self.lines if line["line"] == "control"}
        # The pack's id of each element, by the one that it has on the live page.
        self.ids: dict[str, str] = {}

    def element(self, uid: int) -> str:
        return self.ids.get(f"e{uid}", f"e{uid}")

    def picture(self) -> np.ndarray:
        with Image.open(self.folder / self.capture["image"]["file"]) as image:
            return np.asarray(image.convert("RGB"))

    def is_shown(self, look: Look) -> str | None:
        """Why a page is not the captured one, if it is not."""
        picture = self.picture()
        if picture.shape != look.picture.shape:
            return f"its size is {look.picture.shape[1::-1]}, expected {picture.shape[1::-1]}"
        count = off(picture, look.picture)
        if count:
            return f"{count} px differ from its picture"
        keys = ("role", "name", "bbox")
        told, seen = self.capture["elements"], tidy(with_ids(look.elements))
        if [[e[key] for key in keys] for e in told] != [[e[key] for key in keys] for e in seen]:
            return "its elements are not those that were captured"
        # What a library adds a moment earlier or later, and nobody sees, shifts the numbers.
        self.ids = {now["id"]: then["id"] for now, then in zip(seen, told, strict=True)}
        return None

    def is_item(self, control: str, told: dict) -> bool:
        """Whether a control of the pack is an item of a list on the page."""
        return told["manner"] == "order" and any(control == item_id(told, item) for item in told["parts"])

    def has(self, types: list[str]) -> bool:
        """Whether it has controls of one of these types; of any, where none is named."""
        return not types or any(line["type"] in types for line in self.controls.values())

    def values(self, control: str) -> list:
        shown = [line["value"] for line in self.lines if line["line"] == "patch" and line["control"] == control]
        return [self.controls[control]["value"], *shown]

    def take(self, found: Measured) -> str | None:
        """Puts the new maps of a control in the place of the old ones, or says why not."""
        line = self.controls.get(found.id)
        if line is None:
            return "the pack has no such control"
        allowed = self.values(found.id)
        old, new = map_values(line), map_values(maps_of(found))
        lost = [value for value in old if value not in new and value != line["value"]]
        if lost:
            return f"nothing sets {lost[0]!r} any more"
        for told in regions_of(maps_of(found)):
            told[:] = [region for region in told if region["value"] in allowed]
        line.update(tidy(maps_of(found)))
        if found.told["manner"] == "toggle":
            self._take_moves(found)
        return None

    def _take_moves(self, found: Measured) -> None:
        """Where a switch is clicked is also told by its transitions."""
        elements = {self.element(told["uid"]) for told in found.transitions}

        def is_old(move: dict) -> bool:
            sets = [o["kind"] == "value" and o["control"] == found.id for o in move["outcomes"]]
            return move["from"] == self.id and move.get("element") in elements and any(sets)

        places = [n for n, move in enumerate(self.moves) if is_old(move)]
        fresh = []
        for told in found.transitions:
            move = {"from": self.id, "when": told["when"], "element": self.element(told["uid"])}
            move |= {"part": list(told["part"])} if told["part"] else {}
            fresh.append(tidy({**move, "action": "click", "outcomes": told["outcomes"]}))
        first = places[0] if places else len(self.moves)
        rest = [move for n, move in enumerate(self.moves) if n not in set(places)]
        self.moves = rest[:first] + fresh + rest[first:]

    def write(self) -> None:
        active = {e["id"] for e in self.capture["elements"] if e["interactive"]}
        own = [m for m in self.moves if m["from"] == self.id]
        known = {m.get("element") for m in own if all(o["kind"] != "unmodelled" for o in m["outcomes"])}
        known |= {line["element"] for line in self.controls.values() if "click_map" in line}
        page = next(line for line in self.lines if line["line"] == "page")
        page["coverage"] = {"elements": len(active), "known": len(active & known)}
        self.capture["living"] |= write_living(self.folder, self.lines)
        write_json(self.path, self.capture)
        (self.folder / "transitions.jsonl").write_text(text_of(self.moves), encoding="utf-8")
        drop_unused(self.folder)


def maps_of(found: Measured) -> dict:
    told = (("click_map", found.click_map), ("drag_map", found.drag_map))
    return {key: value for key, value in told if value}


def regions_of(line: dict) -> list[list[dict]]:
    maps = line.get("click_map"), (line.get("drag_map") or {}).get("release")
    return [told["regions"] for told in maps if told and told["kind"] == "regions"]


def map_values(line: dict) -> list:
    return [region["value"] for regions in regions_of(line) for region in regions]


def remeasure(page: LivePage, kept: Kept, types: list[str], twin: Crawled | None) -> tuple[Crawled | None, dict]:
    """New maps for a page; what was measured, for the page in another look, and a report."""
    report = {"page": kept.id, "measured": 0, "as_twin": 0, "notes": []}
    page.load()
    base = page.look()
    why = kept.is_shown(base)
    if why:
        report["notes"].append(f"left out: {why}")
        return None, report
    out = Crawled(base, with_ids(base.elements))
    for told in base.controls.values():
        known = any(name == told["id"] or name.startswith(told["id"] + "-") for name in kept.controls)
        if told["manner"] not in BOXED or (types and told["type"] not in types) or not told["whole"] or not known:
            continue
        found = same_places(twin, told)
        is_twin = bool(found) and all(agrees(page, control) for control in found)
        if not is_twin:
            try:
                found = measure(page, {**told, "row": row_of(out.elements, told)})
            except (Failed, Broken) as error:
                report["notes"].append(f"{told['type']} {told['id']}: left as it was: {error}")
                page.load()
                continue
        restore(page, out, found)
        lost = sorted({name for name in kept.controls if kept.is_item(name, told)} - {control.id for control in found})
        report["notes"] += [f"{told['type']} {name}: left as it was: no drag moves it" for name in lost]
        for control in found:
            out.controls.append(control)
            why = kept.take(control)
            report["as_twin" if is_twin else "measured"] += 1
            if why:
                report["notes"].append(f"{control.type} {control.id}: left as it was: {why}")
    kept.write()
    return out, report


def agrees(page: LivePage, control: Measured) -> bool:
    """Whether the maps of a twin hold here: at two opposite corners of each box."""
    name, manner = control.told["id"], control.told["manner"]
    told = [region for regions in regions_of(maps_of(control)) for region in regions]
    first = [(r["value"], tuple(r["rect"][:2])) for r in told]
    last = [(r["value"], (r["rect"][2] - 1, r["rect"][3] - 1)) for r in told]
    for value, point in first + last:
        before = page.value(name)
        if manner == "order":
            page.drag(middle(control.drag_map["handle"]), point, HOLD_MS)
            now = page.value(name)
            page.drag(middle(slot_of(control, now)), middle(slot_of(control, control.values[0])), HOLD_MS)
            if page.value(name) != control.values[0]:
                page.load()
        else:
            page.click(point)
            now = page.value(name)
        if now != ((not before) if manner == "toggle" else value):
            page.load()
            return False
    return True


def slot_of(control: Measured, order: list):
    """The place at which the control's item lies in an order."""
    own = next(part["value"] for part in control.told["parts"] if part["uid"] == control.element_uid)
    return control.told["parts"][order.index(own)]["box"]
