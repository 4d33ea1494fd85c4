"""Puts letters into what is told of a page: its lines, its atlas and its transitions. Nothing here touches the
screen."""

from dataclasses import replace

import numpy as np

from ..boxes import intersection
from . import field_layers, told_letters
from .atlas import Atlas, Place, placed, stacked
from .changes import Piece, run_lengths
from .letters import Effect, Field, Letters, Unfit, line_of, same_look, text_of
from .lines import MOST_RUNS, compact

# What is typed in the line that tells what typing does: it holds for any text.
TYPED = "a"


def add(lines: list[dict], atlas: np.ndarray | None, transitions: list[dict], fields: list[Field]) -> tuple:
    """Lines, atlas and transitions of a page whose fields are set from letters."""
    crops = Atlas()
    lines = [dict(line) for line in lines]
    head = lines[0]
    # Fields that were set from letters before keep theirs.
    before = [] if atlas is None else list(told_letters.of_page(lines, atlas).items())
    sets: list[tuple[str, Letters]] = []
    for field in fields:
        lines = field_layers.add(_without_texts(lines, field), field, crops, _value(lines, field))
        control = next(line for line in lines if line["line"] == "control" and line["id"] == field.control)
        name = next((name for name, known in [*before, *sets] if same_look(known, field.letters)), None)
        if name is None:
            name = f"letters-{len(before) + len(sets) + 1}"
            sets.append((name, field.letters))
        control["text"] = text_of(field.place, name, lambda picture: Place(crops.add(picture)))
        lines += _of_texts(lines, field, crops, control["value"])
        transitions = typed(transitions, field)
    pairs = _pairs([*(letters for _, letters in before), *(field.letters for field in fields)])
    if pairs:
        _tell_inactive(lines)
        lines[0] = {**head, "inactive": {"kind": "colours", "pairs": pairs}}
    lines += [line_of(name, letters, lambda picture: Place(crops.add(picture))) for name, letters in sets]
    below = 0 if atlas is None else atlas.shape[0]
    strip = crops.pack()
    return [placed(line, crops, below) for line in lines], stacked(atlas, strip), transitions


def _value(lines: list[dict], field: Field) -> str:
    return next(line["value"] for line in lines if line["line"] == "control" and line["id"] == field.control)


def typed(transitions: list[dict], field: Field) -> list[dict]:
    """What is typed into the field is added to its text, whatever it is."""

    def is_known(line: dict) -> bool:
        return line["element"] == field.element and isinstance(line["action"], dict) and "type" in line["action"]

    out = [line for line in transitions if not is_known(line)]
    first = next((line for line in transitions if is_known(line)), {})
    line = {key: value for key, value in first.items() if key in ("from",)}
    line |= {"when": {}, "element": field.element, "part": None, "action": {"type": TYPED}}
    return [*out, {**line, "outcomes": [{"kind": "typed", "control": field.control}], "focused": []}]


def obstacle(lines: list[dict], elements: list[dict], field_element: str, control: str) -> str | None:
    """Why the texts of a field can't be set from letters, by what is told of its page; None if they can. `elements` are
    those of the page's picture."""
    if any(control in (line.get("when") or {}) and line["line"] != "layer" for line in lines):
        return "another control looks different with some texts"
    if len(_shown_by(lines, field_element)) > 1:
        return "it shows at several values of another control"
    added = (e for line in lines for e in line.get("added", ()))
    element = next((e for e in (*elements, *added) if e["id"] == field_element), None)
    return None if element and element["state"].get("enabled", True) else "nothing can be typed into it"


def when_of(lines: list[dict], field_element: str) -> dict:
    """The values of other controls under which a field shows; empty if the page's picture shows it."""
    return next(iter(_shown_by(lines, field_element)), {})


def _shown_by(lines: list[dict], field_element: str) -> list[dict]:
    found = (line for line in lines if any(e["id"] == field_element for e in line.get("added", ())))
    return [{**(line.get("when") or {}), line["control"]: line["value"]} for line in found]


def _without_texts(lines: list[dict], field: Field) -> list[dict]:
    """Without the few texts that were pictured and their conflicts; those of letters are told anew."""
    out = []
    for line in lines:
        own = line["line"] == "patch" and line["control"] == field.control
        of_text = line["line"] == "layer" and field.control in (line.get("when") or {})
        conflict = line.get("kind") == "conflict" and field.control in line["controls"]
        if not own and not of_text and not conflict:
            out.append(line)
    return out


def _of_texts(lines: list[dict], field: Field, crops: Atlas, value: str) -> list[dict]:
    """The empty field, what changes beside a text, and which controls nobody knows the look of together with one."""
    out = []
    when = field.place.when
    if value:
        out.append(_patch(field.control, "", field.blank, field.blank_changes, crops, when))
        out += [_patch(field.control, "", [], [], crops, other) for other in _others(lines, when)]
    for effect in _own_effects(lines, field):
        name = f"{'empty' if effect.empty else 'text'}-{field.element}"
        choices = {"kind": "choices", "values": [False, True]}
        out.append({"line": "control", "id": name, "element": effect.element, "type": "derived", "values": choices,
                    "value": False})  # fmt: skip
        out.append(_patch(name, True, effect.pieces, effect.changes, crops, when))
        out += [_patch(name, True, [], [], crops, other) for other in _others(lines, when)]
        is_empty = {"is": "equal", "control": field.control, "value": ""}
        test = {"is": "changed", "controls": [field.control]}
        if effect.empty:
            test = is_empty
        elif value:
            test = {"is": "all", "tests": [test, {"is": "not", "test": is_empty}]}
        out.append({"line": "rule", "kind": "derived", "control": name, "value": True, "test": test})
    known = {tuple(sorted(line["controls"])) for line in lines if line.get("kind") == "conflict"}
    for name in sorted(_in_the_way(lines, field)):
        pair = tuple(sorted((name, field.control)))
        if pair not in known:
            out.append({"line": "rule", "kind": "conflict", "controls": list(pair)})
    return out


def _others(lines: list[dict], when: dict) -> list[dict]:
    """The values that hide a field, of the controls under whose values it shows."""
    out = []
    for name, shown in when.items():
        control = next(line for line in lines if line["line"] == "control" and line["id"] == name)
        out += [{name: value} for value in control["values"]["values"] if value != shown]
    return out


def _own_effects(lines: list[dict], field: Field) -> list[Effect]:
    """What changes beside a text, without what is known to follow from it and from others."""
    rules = [line for line in lines if line.get("kind") == "derived" and line["test"]["is"] == "changed"]
    names = {line["control"] for line in rules if field.control in line["test"]["controls"]}
    elements = {line["element"] for line in lines if line["line"] == "control" and line["id"] in names}
    patches = [line for line in lines if line["line"] == "patch" and line["control"] in names]
    boxes = [tuple(area["rect"]) for line in patches for area in line["areas"]]
    out = []
    for effect in field.effects:
        pieces, changes = effect.pieces, [c for c in effect.changes if c["id"] not in elements]
        for box in boxes:
            pieces = [part for piece in pieces if (part := piece.without(box))]
        if pieces or changes:
            out.append(replace(effect, pieces=pieces, changes=changes))
    return out


def _in_the_way(lines: list[dict], field: Field) -> set[str]:
    """Controls that hide, disable, move or cover a field at some of their values."""
    out = set()
    under = field.place.when
    for line in lines:
        if line["line"] != "patch" or line["control"] in under:
            continue
        if any(under.get(name, value) != value for name, value in (line.get("when") or {}).items()):
            continue
        areas = [*line["areas"], *line.get("focused", ())]
        covers = any(intersection(tuple(area["rect"]), field.place.clip) for area in areas)
        told = [c for c in line.get("elements", ()) if c["id"] == field.element]
        changes = any(c.get("gone") or "bbox" in c or not c.get("state", {}).get("enabled", True) for c in told)
        if (covers or changes) and not line["control"].startswith(("empty-", "text-")):
            out.add(line["control"])
    return out - {field.control}


def _patch(control: str, value, pieces: list[Piece], changes: list[dict], crops: Atlas, when: dict) -> dict:
    areas = [_area(part, crops) for piece in pieces for part in compact(piece)]
    line = {"line": "patch", "control": control, "value": value, **({"when": when} if when else {}), "areas": areas}
    return {**line, **({"elements": changes} if changes else {}), "verified": True}


def _area(part: Piece, crops: Atlas) -> dict:
    area = {"rect": [int(v) for v in part.rect], "at": Place(crops.add(part.active))}
    if part.inactive is not None:
        area["inactive"] = Place(crops.add(part.inactive))
    runs = run_lengths(part.mask)
    return {**area, "mask": runs} if not part.mask.all() and len(runs) <= MOST_RUNS else area


def _pairs(sets: list[Letters]) -> list[list[str]]:
    """What becomes of the colours of letters in a window without the focus."""
    pairs: dict[str, str] = {}
    for letters in sets:
        active, inactive = (_colour(c) for c in (letters.colour, letters.inactive))
        if pairs.setdefault(active, inactive) != inactive:
            raise Unfit("letters of one colour have several without the focus")
    return [[active, inactive] for active, inactive in sorted(pairs.items()) if active != inactive]


def _colour(colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _tell_inactive(lines: list[dict]) -> None:
    """Every area says how it looks without the focus: pairs of colours are for letters alone."""

    def tell(part) -> None:
        if isinstance(part, dict):
            if {"rect", "at"} <= part.keys():
                part.setdefault("inactive", part["at"])
            for value in part.values():
                tell(value)
        elif isinstance(part, list):
            for value in part:
                tell(value)

    tell(lines)
