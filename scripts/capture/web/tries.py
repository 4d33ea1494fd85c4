"""Points and drags of a pack's maps, up to the edges of their boxes, against the live page."""

import json
import random
import sys

from .browser import Browser
from .live_page import LivePage, address_of
from .manners import HOLD_MS
from .maps import BOXED, Kept, regions_of
from .measure import middle
from .order import corners, item_id
from .prove import point_in
from .sources import Page, bundle

# How a hand moves: at once, in a few moves, in many.
PACES = ({}, {"steps": 5, "rest": 55}, {"steps": 20, "rest": 16})


def tries(chosen: list[Page], looks: list[bool], told) -> int:
    """Per box of a map its corners and a few points at random; prints what is wrong and a summary."""
    documents = bundle(chosen)
    pages = right = wrong = 0
    for page in chosen:
        for dark in looks:
            kept = Kept(told.pack, page, dark) if page.file(told.pack, dark).is_file() else None
            if kept is None or not kept.has(told.type):
                continue
            browser = Browser()
            try:
                live = LivePage(browser, address_of(documents[page], dark), page.size, page.scale, dark)
                outcomes = Tried(live, kept, random.Random(f"tries {told.seed} {kept.id}"), told.points)
                found = outcomes.of(told.type)
            finally:
                browser.close()
            faults = [fault for fault in found if fault]
            for fault in faults:
                print(f"{kept.id}: {fault}", file=sys.stderr, flush=True)
            print(json.dumps({"page": kept.id, "tried": len(found), "wrong": len(faults)}), flush=True)
            pages, right, wrong = pages + 1, right + len(found) - len(faults), wrong + len(faults)
    print(json.dumps({"pages": pages, "tried": right + wrong, "wrong": wrong}))
    return 1 if wrong else 0


def sets(move: dict, page: str, control: str) -> bool:
    return move["from"] == page and any(o["kind"] == "value" and o["control"] == control for o in move["outcomes"])


class Tried:
    """One page; each try begins with the page's own values."""

    def __init__(self, page: LivePage, kept: Kept, chance: random.Random, points: int):
        self.page, self.kept, self.chance, self.points = page, kept, chance, points

    def of(self, types: list[str]) -> list[str | None]:
        """Per try what is wrong with it, or null."""
        self.page.load()
        base = self.page.look()
        why = self.kept.is_shown(base)
        if why:
            return [why]
        out: list[str | None] = []
        for told in base.controls.values():
            if told["manner"] not in BOXED or (types and told["type"] not in types):
                continue
            if told["manner"] == "order":
                items = [(item_id(told, item), item) for item in told["parts"]]
                known = [(self.kept.controls[name], item) for name, item in items if name in self.kept.controls]
                for line, item in known:
                    out += self._drags(told, line, item)
            elif told["id"] in self.kept.controls:
                out += self._clicks(told, self.kept.controls[told["id"]])
        return out

    def _spots(self, box) -> list[tuple[int, int]]:
        return corners(box) + [tuple(point_in(box, self.chance)) for _ in range(self.points)]

    def _clicks(self, told: dict, line: dict) -> list[str | None]:
        out, name = [], told["id"]
        boxes = [(region["rect"], region["value"]) for regions in regions_of(line) for region in regions]
        if told["manner"] == "toggle":
            to = not line["value"]
            parts = {tuple(m["part"]) for m in self.kept.moves if m.get("part") and sets(m, self.kept.id, name)}
            boxes += [(list(part), to) for part in sorted(parts) if list(part) not in [box for box, _ in boxes]]
        spots = [(spot, value) for box, value in boxes for spot in self._spots(box)]
        self.chance.shuffle(spots)
        now = line["value"]
        for spot, value in spots:
            # What has the value already is tried from another one.
            wanted = (not now) if told["manner"] == "toggle" else value
            if now == wanted:
                self._click(next((at for at, other in spots if other != value), spots[0][0]))
            self._click(spot)
            now = self.page.value(name)
            out.append(None if now == wanted else f"{name}: a click on {spot} sets {now!r}, told {wanted!r}")
        if now != line["value"]:
            self.page.load()
        return out

    def _click(self, point) -> None:
        """On a page that shows what the click before has set."""
        self.page.rest()
        self.page.browser.run("windesk.frames(3)")
        self.page.click(point)

    def _drags(self, told: dict, line: dict, item: dict) -> list[str | None]:
        out, name, base = [], told["id"], line["value"]
        drag = line["drag_map"]
        for region in drag["release"]["regions"]:
            starts = self._spots(drag["handle"])
            self.chance.shuffle(starts)
            for number, (start, end) in enumerate(zip(starts, self._spots(region["rect"]), strict=True)):
                pace = PACES[number % len(PACES)]
                self.page.drag(start, end, HOLD_MS, **pace)
                now = self.page.value(name)
                fault = f"{line['id']}: {start} to {end} {pace}: {now!r}, told {region['value']!r}"
                out.append(None if now == region["value"] else fault)
                if now != base:
                    self._back(told, item, now, base)
        return out

    def _back(self, told: dict, item: dict, now, base) -> None:
        own = item["value"]
        if now and own in now:
            self.page.drag(middle(told["parts"][now.index(own)]["box"]), middle(item["box"]), HOLD_MS)
        if self.page.value(told["id"]) != base:
            self.page.load()
