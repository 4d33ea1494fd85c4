"""The lines of a crawled page, its capture and its transitions, as docs/pack.md has them."""

import numpy as np

from ..living.atlas import Atlas
from ..living.changes import run_lengths
from .crawl import Crawled
from .live_page import tidy

PATCH_VERSION = 1
# A mask of more runs than this is larger than what it saves.
MOST_RUNS = 60


def record(element: dict) -> dict:
    return {"id": element["id"], "parent": element["parent"], "role": element["role"], "name": element["name"],
            "description": "", "bbox": element["bbox"], "interactive": element["interactive"], "popup": None,
            "state": element["state"]}  # fmt: skip


def element_of(out: Crawled, control) -> str:
    uid = control.told["uid"] if control.element_uid is None else control.element_uid
    return next(e["id"] for e in out.elements if e["uid"] == uid)


def living(out: Crawled, page_id: str) -> tuple[list[dict], np.ndarray | None, list[dict]]:
    """The lines of the living file, its atlas, and the page's transitions."""
    atlas, ids = Atlas(), {e["uid"]: e["id"] for e in out.elements}
    moves = transitions(out, ids, page_id)
    known = {t["element"] for t in moves if not any(o["kind"] == "unmodelled" for o in t["outcomes"])}
    known |= {element_of(out, c) for c in out.controls if c.click_map}
    active = {e["id"] for e in out.elements if e["interactive"]}
    lines = [{"line": "page", "patch_version": PATCH_VERSION, "page": page_id, "inactive": {"kind": "same"},
              "focus_home": None, "volatile": [],
              "coverage": {"elements": len(active), "known": len(active & known)}}]  # fmt: skip
    for control in out.controls:
        line = {"line": "control", "id": control.id, "element": element_of(out, control), "type": control.type}
        line |= {"values": control.domain, "value": control.values[0]}
        line |= {key: m for key, m in (("click_map", control.click_map), ("drag_map", control.drag_map)) if m}
        lines.append(line)
    numbers = []
    for patch in out.patches:
        areas = []
        for piece in patch.pieces:
            area = {"rect": [int(v) for v in piece.rect], "at": None}
            numbers.append((area, atlas.add(piece.active)))
            runs = run_lengths(piece.mask)
            if not piece.mask.all() and len(runs) <= MOST_RUNS:
                area["mask"] = runs
            areas.append(area)
        line = {"line": "patch", "control": patch.control, "value": patch.value, "areas": areas}
        changes = [{key: change[key] for key in change if key != "uid"} for change in patch.change.changes]
        added = [record(e) for e in patch.change.added]
        line |= {key: part for key, part in (("elements", changes), ("added", added)) if part}
        lines.append({**line, "verified": patch.verified})
    lines += [{"line": "rule", "kind": "conflict", "controls": list(pair)} for pair in sorted(out.conflicts)]
    picture = atlas.pack()
    for area, number in numbers:
        area["at"] = atlas.place(number)
    return tidy(lines), picture, tidy(moves)


def transitions(out: Crawled, ids: dict, page_id: str) -> list[dict]:
    moves = []
    for control in out.controls:
        shown = {repr(p.value) for p in out.patches if p.control == control.id} | {repr(control.values[0])}
        for told in control.transitions:
            if told["uid"] not in ids:
                continue
            when = told.get("when") or {}
            values = [*when.values(), *(o["to"] for o in told["outcomes"] if "to" in o)]
            if any(repr(value) not in shown for value in values):
                continue
            line = {"from": page_id}
            line |= {"when": when} if when else {}
            line["element"] = ids[told["uid"]]
            line |= {"part": list(told["part"])} if told.get("part") else {}
            moves.append({**line, "action": "click", "outcomes": told["outcomes"]})
    for uid, same in sorted(out.inert.items()):
        outcome = {"kind": "inert"} if same else {"kind": "unmodelled", "why": "what it does was not captured"}
        moves.append({"from": page_id, "element": ids[uid], "action": "click", "outcomes": [outcome]})
    return moves
