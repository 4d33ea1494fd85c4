"""Two pages of one window, in its usual size and as large as it gets: what is the same on both gets the same id.
Nothing here touches the screen."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from .matching import lasting, pair
from .records import ENLARGE

Ids = dict[str, str]


@dataclass
class Told:
    """What is told of a page: its elements, the lines of its living file, and its transitions."""

    elements: list[dict]
    lines: list[dict] = field(default_factory=list)
    transitions: list[dict] = field(default_factory=list)

    def of(self, kind: str) -> list[dict]:
        return [line for line in self.lines if line["line"] == kind]

    def ids(self) -> set[str]:
        """Of all elements that the page can show."""
        parts = (e for line in self.lines for key in ("added", "elements") for e in line.get(key, ()))
        return {e["id"] for e in (*self.elements, *parts)}


def aligned(before: list[dict], now: list[dict]) -> dict[int, int]:
    """Indices of before to indices of now: elements of one role and name, as many as can be paired in order."""
    a, b = [_word(e) for e in before], [_word(e) for e in now]
    longest = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a) - 1, -1, -1):
        for k in range(len(b) - 1, -1, -1):
            same = longest[i + 1][k + 1] + 1 if a[i] == b[k] else 0
            longest[i][k] = max(same, longest[i + 1][k], longest[i][k + 1])
    pairs, i, k = {}, 0, 0
    while i < len(a) and k < len(b):
        if a[i] == b[k] and longest[i][k] == longest[i + 1][k + 1] + 1:
            pairs[i] = k
            i, k = i + 1, k + 1
        elif longest[i + 1][k] >= longest[i][k + 1]:
            i += 1
        else:
            k += 1
    return pairs


def _word(element: dict) -> tuple[str, str]:
    """The button that enlarges a window has another name once it has done so."""
    return element["role"], ENLARGE[0] if element["name"] in ENLARGE else element["name"]


# Elements that were read, and which of them has the focus.
Read = tuple[list[dict], int | None]


def differences(elements: list[dict], before: Read, now: Read, wanted: Iterable[str] = ()) -> list[str]:
    """What two readings of one window in two sizes say differently of what is set. `wanted` names those of the page's
    elements that must be in both; others may show in one size alone."""
    own = {elements[index]["id"]: at for at, index in pair(elements, before[0]).items()}
    pairs = aligned(before[0], now[0])
    out = [f"{name} is not there" for name in wanted if own.get(name) not in pairs]
    for index, at in pairs.items():
        states = [_what_is_set(e) for e in (before[0][index], now[0][at])]
        if before[0][index]["interactive"] and states[0] != states[1]:
            out.append(f"{before[0][index]['role']} {before[0][index]['name']}: {states[0]} then {states[1]}")
    return out


def _what_is_set(element: dict) -> dict:
    """Not where it shows."""
    return {key: value for key, value in lasting(element["state"]).items() if key != "core"}


def join(small: Told, large: Told) -> Told:
    """The large page with the ids of the small one: of elements, and of controls."""
    elements, controls = _same(small, large)
    elements, controls = _free(elements, large.ids(), small.ids()), _free(controls, _controls(large), _controls(small))
    return _renamed(large, elements, controls)


def unlike(one: Told, other: Told) -> list[str]:
    """Controls that only one of two pages has, or that can have other values on the other one. What follows from others
    is set on neither."""
    sides = [{c["id"]: _domain(c) for c in side.of("control") if c["type"] != "derived"} for side in (one, other)]
    return sorted(name for name in sides[0].keys() | sides[1].keys() if sides[0].get(name) != sides[1].get(name))


def _domain(control: dict) -> str:
    values = control["values"]
    if values["kind"] == "choices":
        return repr(sorted(json.dumps(_number(v)) for v in values["values"]))
    return json.dumps({key: _number(v) for key, v in values.items()}, sort_keys=True)


def _number(value):
    """Whole numbers have one way to be written."""
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _same(small: Told, large: Told) -> tuple[Ids, Ids]:
    """Ids of the large page's elements and controls that are elements and controls of the small one. What only shows at
    a value is known by the control and by that value, so that one leads to the next."""
    pairs = aligned(small.elements, large.elements)
    elements = {large.elements[k]["id"]: small.elements[i]["id"] for i, k in pairs.items()}
    controls: Ids = {}
    places = {_place(control, control["element"]): control["id"] for control in small.of("control")}
    own = {name: name for name in _controls(small)}
    patches = {_case(line, own): line for line in small.of("patch")}
    while True:
        before = len(elements), len(controls)
        for control in large.of("control"):
            name = places.get(_place(control, elements.get(control["element"])))
            if name is not None and name not in controls.values():
                controls.setdefault(control["id"], name)
        for patch in large.of("patch"):
            other = patches.get(_case(patch, controls), {})
            known, added = other.get("added", []), patch.get("added", [])
            for i, k in aligned(known, added).items():
                if added[k]["id"] not in elements and known[i]["id"] not in elements.values():
                    elements[added[k]["id"]] = known[i]["id"]
        if before == (len(elements), len(controls)):
            return elements, controls


def _place(control: dict, element: str | None) -> tuple[str | None, str, str]:
    """What a control is about. Of one button, it may be told that it follows from others, and that it stays lit."""
    return element, control["type"], control["id"].partition("-")[0]


def _case(patch: dict, controls: Ids) -> str:
    """What a patch is about; nothing that another page knows as long as one of its controls has no name there."""
    when = [[controls.get(name), _number(value)] for name, value in patch.get("when", {}).items()]
    names = {controls.get(patch["control"]), *(name for name, _ in when)}
    return "" if None in names else json.dumps([controls[patch["control"]], _number(patch["value"]), sorted(when)])


def _controls(told: Told) -> set[str]:
    return {control["id"] for control in told.of("control")}


def _free(same: Ids, own: Iterable[str], taken: set[str]) -> Ids:
    """Ids for all that a page has: what is something else than on the other page has none that the other page has."""
    out, used = dict(same), taken | set(same.values())
    for name in sorted(set(own) - set(same)):
        fresh = name
        while fresh in used:
            fresh = f"l{fresh}"
        used.add(fresh)
        out[name] = fresh
    return out


def _renamed(told: Told, elements: Ids, controls: Ids) -> Told:
    names = _Renaming(elements, controls)
    return Told(
        [names.element(e) for e in told.elements],
        [names.line(line) for line in told.lines],
        [names.transition(t) for t in told.transitions],
    )


class _Renaming:
    def __init__(self, elements: Ids, controls: Ids):
        self.elements, self.controls = elements, controls

    def one(self, name: str | None) -> str | None:
        return None if name is None else self.elements[name]

    def values(self, values: dict) -> dict:
        return {self.controls[name]: value for name, value in values.items()}

    def element(self, record: dict) -> dict:
        return _with(record, id=self.one, parent=self.one)

    def line(self, line: dict) -> dict:
        out = _with(
            line,
            focus_home=self.one,
            element=self.one,
            opener=self.one,
            control=self.controls.__getitem__,
            when=self.values,
            over=lambda names: sorted(self.controls[name] for name in names),
            elements=lambda parts: [self.element(part) for part in parts],
            added=lambda parts: [self.element(part) for part in parts],
            lit=lambda layers: [self.line(layer) for layer in layers],
            bars=lambda bars: [_with(bar, element=self.one) for bar in bars],
            controls=self.all,
            test=self.test,
        )
        if line.get("line") == "control":
            out["id"] = self.controls[line["id"]]
        return out

    def all(self, names: list[str]) -> list[str]:
        return [self.controls[name] for name in names]

    def test(self, test: dict) -> dict:
        return _with(
            test,
            control=self.controls.__getitem__,
            controls=self.all,
            test=self.test,
            tests=lambda parts: [self.test(part) for part in parts],
        )

    def transition(self, transition: dict) -> dict:
        return _with(
            transition,
            element=self.one,
            when=lambda values: values and self.values(values),
            focused=lambda names: names and [self.one(name) for name in names],
            outcomes=lambda parts: [self.outcome(part) for part in parts],
        )

    def outcome(self, outcome: dict) -> dict:
        return _with(outcome, control=self.controls.__getitem__, element=self.elements.__getitem__)


def _with(record: dict, **renames: Callable) -> dict:
    """A record with other names in those of its keys that are told and that it has."""
    return {**record, **{key: rename(record[key]) for key, rename in renames.items() if key in record}}
