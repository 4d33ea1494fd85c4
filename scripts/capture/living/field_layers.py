"""Layers of the focus of a field whose texts are set from letters: its caret stands behind the text, whatever that is.
Nothing here touches the screen."""

import numpy as np

from ..boxes import Box, area, intersection, shifted
from .atlas import Atlas, Place
from .changes import run_lengths
from .letters import Field, Unfit


def add(lines: list[dict], field: Field, crops: Atlas, value: str) -> list[dict]:
    """Lines with layers of the focus that show no caret, and further ones with it for the page's own text, `value`, and
    for the empty field."""
    if field.own_caret is None:
        return lines
    out, found = [], False
    for line in lines:
        if line["line"] != "layer" or line["kind"] != "focus" or line["element"] != field.element:
            out.append(line)
            continue
        found = found or any(_without(part, field.own_caret) != part for part in line["areas"])
        areas = [_without(part, band(field)) for part in line["areas"]]
        bare, when = [part for part in areas if part is not None], line.get("when") or {}
        out += [{**line, "areas": bare}, {**line, "when": {**when, field.control: value}}]
        if value:
            caret = field.empty_caret
            own = {"rect": [int(v) for v in caret.rect], "at": Place(crops.add(caret.active)),
                   "inactive": Place(crops.add(caret.inactive))}  # fmt: skip
            out.append({**line, "when": {**when, field.control: ""}, "areas": [*bare, own]})
    if not found:
        raise Unfit("no caret shows where the page has the focus in the field")
    return out


def band(field: Field) -> Box:
    """Where letters and the caret are: no ring of the focus is there."""
    x0, _, x1, _ = field.place.clip
    carets = [field.own_caret, field.empty_caret.rect]
    return (min(x0, *(c[0] for c in carets)), min(c[1] for c in carets),
            max(x1, *(c[2] for c in carets)), max(c[3] for c in carets))  # fmt: skip


def _without(part: dict, box: Box) -> dict | None:
    """An area that leaves the px of a box as they are; None if nothing is left."""
    rect = tuple(part["rect"])
    inside = intersection(rect, box)
    if inside is None:
        return part
    mask = mask_of(part)
    x0, y0, x1, y1 = shifted(inside, -rect[0], -rect[1])
    if not mask[y0:y1, x0:x1].any():
        return part
    mask[y0:y1, x0:x1] = False
    return {**part, "mask": run_lengths(mask)} if mask.any() else None


def mask_of(part: dict) -> np.ndarray:
    """Which px of an area are replaced."""
    x0, y0, x1, y1 = part["rect"]
    flat = np.ones(area((x0, y0, x1, y1)), bool)
    if "mask" in part:
        at, on = 0, False
        for run in part["mask"]:
            flat[at : at + run] = on
            at, on = at + run, not on
    return flat.reshape(y1 - y0, x1 - x0)
