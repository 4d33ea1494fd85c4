"""Random events on a live window, and whether the pack foretold what came of them. Nothing here touches the screen."""

import random
from dataclasses import asdict, dataclass
from math import sqrt

import numpy as np

from ..boxes import centre, covered_share
from . import changes, domains, matching
from .spots import spin_buttons, spot
from .wheels import NOTCHES, holders, spot_in

# How far from an element's usual point an event may fall.
JITTER_PX = 2
# Of the events of a walk, how many are the key that closes things; of those at a focused field, how many type.
ESCAPE_SHARE, TYPE_SHARE = 0.04, 0.5
# Of the events at what lies in a list that may scroll, how many turn the wheel.
WHEEL_SHARE = 0.3
# 95 % of what may be expected.
Z = 1.96


@dataclass
class Judged:
    """One event of a walk. `changed`: the live program looks or is different after it."""

    walk: int
    page: str
    role: str
    name: str
    event: dict
    changed: bool
    modelled: bool
    picture: bool
    states: bool
    why: str = ""

    @property
    def right(self) -> bool:
        return self.modelled and self.picture and self.states

    def record(self) -> dict:
        return {**asdict(self), "right": self.right}


def choose(elements: list[dict], toolkit: str, chance: random.Random) -> tuple[dict | None, dict]:
    """An element of the window, each as likely as any other, and an event at it."""
    if chance.random() < ESCAPE_SHARE or not elements:
        return None, {"key": "Escape"}
    element = elements[chance.randrange(len(elements))]
    role, box, state = element["role"], tuple(element["bbox"]), element["state"]
    if role in ("entry", "text") and state.get("focused") and chance.random() < TYPE_SHARE:
        words = domains.TEXTS[domains.kind_of_text(element["name"], state.get("text") or "")]
        return element, {"type": chance.choice(words)}
    if role == "slider":
        x, y = spot(role, box)
        wide = box[2] - box[0] >= box[3] - box[1]
        point = (chance.randrange(box[0], box[2]), y) if wide else (x, chance.randrange(box[1], box[3]))
        return element, {"click": list(point)}
    if role == "spin button":
        part = chance.choice([*spin_buttons(box, toolkit), None])
        point = spot(role, box) if part is None else ((part[0] + part[2]) // 2, (part[1] + part[3]) // 2)
    else:
        point = spot(role, box, bool(state.get("editable")))
    x, y = (v + chance.randint(-JITTER_PX, JITTER_PX) for v in point)
    x, y = min(max(x, box[0] + 1), box[2] - 2), min(max(y, box[1] + 1), box[3] - 2)
    return element, {"click": [x, y]}


def choose_with_wheel(
    allowed: list[dict], records: list[dict], toolkit: str, chance: random.Random
) -> tuple[dict | None, dict]:
    """As `choose`, on a page of which it is known what the wheel does over its lists, or that this is not known: each
    list is one more element, and events at what lies in one, or at a scroll bar, may turn the wheel."""
    lists = holders(records)
    element, event = choose([*allowed, *(e for e in lists if e not in allowed)], toolkit, chance)
    if element is None or not (element["role"] == "scroll bar" or any(_lies_in(element, e) for e in lists)):
        return element, event
    if element in allowed and chance.random() >= WHEEL_SHARE:
        return element, event
    at = spot_in(element, records) if element in lists else centre(tuple(element["bbox"]))
    if at is None:
        return element, event
    return element, {"scroll": {"at": list(at), "notches": [0, chance.choice(NOTCHES)]}}


def _lies_in(element: dict, outer: dict) -> bool:
    return covered_share(tuple(element["bbox"]), tuple(outer["bbox"])) == 1


def same_picture(told: np.ndarray, seen: np.ndarray, volatile) -> tuple[bool, int]:
    """Whether a composed picture (RGBA) is what was seen, where it is solid; and how many px differ."""
    if told.shape[:2] != seen.shape[:2]:
        return False, -1
    solid = told[..., 3] == 255
    composed = np.where(solid[..., None], told[..., :3], seen)
    off = changes.strayed(composed, seen, volatile)
    return off <= changes.MOST_PIXELS, off


def state_faults(told: list[dict], seen: list[dict], heights: dict[str, int] | None = None) -> list[str]:
    """Interactive elements that are missing on one side, or whose states differ. `heights`: of elements by their ids;
    one that is lower shows in part: it may be missing in what was seen."""
    told, seen = ([e for e in side if e["interactive"]] for side in (told, seen))
    pairs = matching.pair(told, seen)
    faults = [f"not told: {seen[n]['role']} {seen[n]['name']}" for n in range(len(seen)) if n not in pairs]
    matched = set(pairs.values())
    missing = [e for n, e in enumerate(told) if n not in matched and not _is_lower(e, heights or {})]
    faults += [f"not there: {e['role']} {e['name']}" for e in missing]
    for now, before in pairs.items():
        a, b = matching.lasting(told[before]["state"]), matching.lasting(seen[now]["state"])
        if a != b:
            keys = sorted(k for k in {*a, *b} if a.get(k) != b.get(k))
            words = ", ".join(f"{k} {a.get(k)!r} not {b.get(k)!r}" for k in keys)
            faults.append(f"{seen[now]['role']} {seen[now]['name']}: {words}")
    return faults


def _is_lower(element: dict, heights: dict[str, int]) -> bool:
    high = element["bbox"][3] - element["bbox"][1]
    return high < heights.get(element.get("id", ""), high)


def wilson(right: int, of: int) -> tuple[float, float]:
    """The interval of a share that a count speaks for, 95 %."""
    if of == 0:
        return 0.0, 1.0
    share = right / of
    middle = (share + Z * Z / (2 * of)) / (1 + Z * Z / of)
    half = Z * sqrt(share * (1 - share) / of + Z * Z / (4 * of * of)) / (1 + Z * Z / of)
    return max(0.0, middle - half), min(1.0, middle + half)


def summary(events: list[dict]) -> dict:
    """Shares of a walk's events, with their intervals."""

    def share(part: list[dict], key: str) -> dict:
        right = sum(e[key] for e in part)
        low, high = wilson(right, len(part))
        return {"right": right, "of": len(part), "share": right / len(part) if part else None, "interval": [low, high]}

    return {
        "changed": share([e for e in events if e["changed"]], "right"),
        "all": share(events, "right"),
        "states": share([e for e in events if e["modelled"]], "states"),
        "pictures": share([e for e in events if e["modelled"]], "picture"),
    }
