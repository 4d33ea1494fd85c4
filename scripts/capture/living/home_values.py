"""A check box that is the focus' home, at its other value, with the focus elsewhere. Its patch shows it with the focus,
and layers of the focus take the home's ring away as the page's picture has it, as open lists do. Where the ring is
drawn on the box itself, as Breeze does, both are wrong: the home looks as another check box of the page at that value
does, which was pictured without the focus. Nothing here touches the screen."""

from collections.abc import Iterator

import numpy as np

from ..boxes import covered_share, height, intersection, size, width
from .changes import run_lengths
from .joined import Told

# So many other elements have their layers draw at a home.
FEWEST_AROUND = 3
# No mark of a check box is larger.
MOST_OF_A_MARK_PX = 32


def completed(told: Told, atlas: np.ndarray) -> list[dict]:
    """The lines of a living file with layers for the other values of homes; RGBA of the atlas. Layers that are told
    stay. What takes the focus by opening a list has such a layer: the list need not draw at the home."""
    layers = [line for line in told.of("layer") if line["kind"] == "focus"]
    added: list[dict] = []
    lines = list(told.lines)
    for control, value, when, mark, parts in _homes(told, layers, atlas):
        touching = {la["element"] for la in layers if any(_cut(area, mark["rect"]) for area in la["areas"])}
        lines = [_apart(line, mark["rect"]) if line.get("opener") in touching else line for line in lines]
        for name in sorted(_focusable(told, when) - {_element(told, control)}):
            own = [la for la in layers if la["element"] == name and control not in _when(la)]
            own = [la for la in own if _agree(_when(la), when)]
            if all(_when(la).keys() - when.keys() for la in own):
                own.append({"line": "layer", "kind": "focus", "element": name, "areas": []})
            for layer in own:
                now = {**when, **_when(layer), control: value}
                if any(la["element"] == name and _when(la) == now for la in (*layers, *added)):
                    continue
                areas = [part for area in layer["areas"] for part in _beside(area, mark["rect"])]
                if parts or areas != layer["areas"]:
                    line = {key: layer[key] for key in ("line", "kind", "element")}
                    added.append({**line, "when": now, "areas": areas + parts})
    last = max((n for n, line in enumerate(lines) if line["line"] in ("patch", "layer")), default=-1)
    return [*lines[: last + 1], *added, *lines[last + 1 :]]


def _apart(popup: dict, box) -> dict:
    """An open list without what it draws in a box that it does not cover."""
    if intersection(popup["rect"], box) is not None:
        return popup
    return {**popup, "areas": [part for area in popup["areas"] for part in _beside(area, box)]}


def _element(told: Told, control: str) -> str:
    return next(c["element"] for c in told.of("control") if c["id"] == control)


def _homes(told: Told, layers: list[dict], atlas: np.ndarray) -> Iterator[tuple]:
    """Control and other value of a home, the values it is one under, its mark, and what to draw there while the focus
    is elsewhere: nothing if it looks the same then."""
    marks = list(_marks(told))
    for element, patch, mark in marks:
        control, when = patch["control"], _when(patch)
        if any(la["element"] == element and control not in _when(la) and _agree(_when(la), when) for la in layers):
            continue
        # Of the same values, so that neither is disabled.
        twins = [
            own for name, other, own in marks
            if name != element and (other["value"], _when(other)) == (patch["value"], when)
            and size(own["rect"]) == size(mark["rect"])
        ]  # fmt: skip
        if not twins or len({_look(atlas, twin) for twin in twins}) != 1:
            continue
        around = {
            la["element"] for la in layers
            if control not in _when(la) and _agree(_when(la), when)
            and any(_cut(area, mark["rect"]) for area in la["areas"])
        }  # fmt: skip
        alone = {key: part for key, part in twins[0].items() if key != "mask"} | {"rect": mark["rect"]}
        same = _look(atlas, twins[0]) == _look(atlas, mark)
        if len(around) >= FEWEST_AROUND or (not same and len(twins) > 1):
            yield control, patch["value"], when, mark, [] if same else [alone]


def _focusable(told: Told, when: dict) -> set[str]:
    """What takes the focus under values."""
    events = [t for t in told.transitions if _agree(t.get("when") or {}, when)]
    clicked = {o["element"] for t in events for o in t["outcomes"] if o["kind"] == "focus"}
    return clicked | {la["element"] for la in told.of("layer") if la["kind"] == "focus" and _agree(_when(la), when)}


def _marks(told: Told) -> Iterator[tuple[str, dict, dict]]:
    """Of check boxes: the element, a patch, and the area of it that is the box's own mark."""
    patches = told.of("patch")
    boxes = {e["id"]: e["bbox"] for e in (*(e for p in patches for e in p.get("added", ())), *told.elements)}
    owners = {c["id"]: c["element"] for c in told.of("control") if c["type"] == "check_box"}
    for patch in patches:
        box = boxes.get(owners.get(patch["control"], ""))
        for area in patch["areas"] if box is not None else ():
            if max(size(area["rect"])) <= MOST_OF_A_MARK_PX and covered_share(area["rect"], box) == 1:
                yield owners[patch["control"]], patch, area
                break


def _when(line: dict) -> dict:
    return line.get("when", {})


def _agree(one: dict, other: dict) -> bool:
    return all(other.get(control, value) == value for control, value in one.items())


def _look(atlas: np.ndarray, area: dict) -> tuple[bytes, bytes]:
    """In the active and in the inactive window."""
    places = area["at"], area.get("inactive", area["at"])
    wide, high = size(area["rect"])
    first, second = (atlas[y : y + high, x : x + wide].tobytes() for x, y in places)
    return first, second


def _mask(area: dict) -> np.ndarray:
    shape = height(area["rect"]), width(area["rect"])
    if "mask" not in area:
        return np.ones(shape, bool)
    return np.repeat(np.arange(len(area["mask"])) % 2 == 1, area["mask"]).reshape(shape)


def _cut(area: dict, box) -> dict | None:
    """The part of an area in a box, as small as can be; None if nothing of it changes."""
    shared = intersection(area["rect"], box)
    if shared is None:
        return None
    left, top = area["rect"][:2]
    mask = _mask(area)[shared[1] - top : shared[3] - top, shared[0] - left : shared[2] - left]
    if not mask.any():
        return None
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    mask = mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    x, y = shared[0] + int(columns[0]), shared[1] + int(rows[0])
    out = {"rect": [x, y, x + mask.shape[1], y + mask.shape[0]]}
    out |= {key: [area[key][0] + x - left, area[key][1] + y - top] for key in ("at", "inactive") if key in area}
    return out if mask.all() else {**out, "mask": run_lengths(mask)}


def _beside(area: dict, box) -> list[dict]:
    """An area without what lies in a box."""
    x0, y0, x1, y1 = area["rect"]
    shared = intersection(area["rect"], box)
    if shared is None:
        return [area]
    left, top, right, bottom = shared
    parts = (x0, y0, x1, top), (x0, bottom, x1, y1), (x0, top, left, bottom), (right, top, x1, bottom)
    return [part for p in parts if (part := _cut(area, p)) is not None]
