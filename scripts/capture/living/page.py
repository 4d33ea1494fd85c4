"""A living page as the crawler knows it. Boxes of pieces are px of the client window, those of elements px of the
page's picture, until lines.py makes lines of it."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from ..boxes import Box, grown, intersection, union
from . import domains
from .changes import Piece
from .letters import Field
from .strips import ScrollArea

Value = bool | int | float | str
Values = dict[str, Value]
# Around a button, how far its own look reaches.
OWN_PX = 4


@dataclass
class Control:
    id: str
    element: str
    type: str
    value: Value
    values: list[Value] = field(default_factory=list)
    range: tuple[float, float, float] | None = None  # min, max, step
    max_chars: int = 0
    click_map: dict | None = None

    def allow(self, value: Value) -> None:
        """It was seen at this value."""
        if value not in self.values:
            self.values.append(value)

    def domain(self) -> dict:
        if self.range is not None:
            low, high, step = self.range
            return {"kind": "range", "min": domains.lowest(float(self.value), low, step), "max": high, "step": step}
        if self.max_chars:
            return {"kind": "text", "max_chars": self.max_chars}
        return {"kind": "choices", "values": self.values}


@dataclass
class Patch:
    control: str
    value: Value
    when: Values
    pieces: list[Piece]
    changes: list[dict]
    added: list[dict] = field(default_factory=list)
    focused: list[Piece] | None = None
    caption: list[Piece] = field(default_factory=list)  # of the title in the window's frame
    over: set[str] = field(default_factory=set)
    verified: bool = False
    joint: bool = False  # of values that were seen together


@dataclass
class Layer:
    kind: str
    element: str
    when: Values
    pieces: list[Piece]


@dataclass
class LivingPopup:
    id: str
    kind: str
    opener: str
    when: Values
    rect: Box
    picture: np.ndarray  # RGBA of the rect
    pieces: list[Piece]  # what else changes in the window
    elements: list[dict]
    behind: np.ndarray  # the client window while it is open
    lit: list[tuple[str, Box, np.ndarray]] = field(default_factory=list)  # element, box, its look


@dataclass
class Page:
    state: str
    elements: list[dict]
    focus_home: str | None = None
    volatile: list[Box] = field(default_factory=list)
    controls: dict[str, Control] = field(default_factory=dict)
    patches: list[Patch] = field(default_factory=list)
    layers: list[Layer] = field(default_factory=list)
    rules: list[dict] = field(default_factory=list)
    popups: list[LivingPopup] = field(default_factory=list)
    transitions: list[dict] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    fields: list[Field] = field(default_factory=list)  # whose texts are set from letters
    areas: list[ScrollArea] = field(default_factory=list)
    offset: tuple[int, int] = (0, 0)  # of the client window in the page's picture
    # Elements that stay changed once anything was changed, with the boxes of their looks.
    sticky: dict[str, Box] = field(default_factory=dict)
    # Buttons that the picture shows disabled, and that were clicked under one value at a time.
    woken: set[str] = field(default_factory=set)

    def tell(
        self,
        element: str | None,
        action,
        outcomes: list[dict],
        when: Values | None = None,
        part=None,
        focused: list[str] | None = None,
        always: bool = False,
    ) -> None:
        """A transition; the first one told for an element, action, condition and part stands. `focused`: it holds
        while one of these elements has the focus. `always`: what shows instead was seen not to depend on values."""
        line = {"when": when or {}, "element": element, "part": part, "action": action, "outcomes": outcomes}
        line |= {"focused": focused or [], "always": always}
        if all(_case(t) != _case(line) for t in self.transitions):
            self.transitions.append(line)

    def unknown(self, element: str, why: str, when: Values | None = None) -> None:
        self.tell(element, "click", [{"kind": "unmodelled", "why": why}], when)

    def forget(self, element: str, when: Values) -> None:
        """What was told of an element under these values: it turned out to be wrong."""

        def is_told(line_when: Values) -> bool:
            return when.items() <= line_when.items()

        ids = {c.id for c in self.controls.values() if c.element == element}
        self.patches = [p for p in self.patches if not (p.control in ids and is_told(p.when)) and not ids & set(p.when)]
        self.layers = [
            la for la in self.layers if not (la.element == element and is_told(la.when)) and not ids & set(la.when)
        ]
        popups = {p.id for p in self.popups if p.opener == element and is_told(p.when)}
        items = {e["id"] for p in self.popups if p.id in popups for e in p.elements} | {element}
        self.popups = [p for p in self.popups if p.id not in popups and not ids & set(p.when)]
        self.transitions = [
            t for t in self.transitions
            if not (t["element"] in items and is_told(t["when"])) and not ids & set(t["when"])
        ]  # fmt: skip
        gone = ids - {p.control for p in self.patches}
        for name in gone:
            del self.controls[name]
        # Entries of a list that has none other set nothing either.
        self.transitions = [t for t in self.transitions if not gone & {o.get("control") for o in t["outcomes"]}]

    def drop(self, control: str) -> None:
        """A control that turned out to have one value alone: what was told of that value holds always."""
        own = self.controls.pop(control, None)
        self.patches = [p for p in self.patches if p.control != control]
        transitions, self.transitions = self.transitions, []
        for part in (*self.patches, *self.layers, *self.popups):
            part.when = {name: value for name, value in part.when.items() if name != control}
        for t in transitions:
            sets = any(outcome.get("control") == control for outcome in t["outcomes"])
            if not sets and (own is None or t["when"].get(control, own.value) == own.value):
                when = {name: value for name, value in t["when"].items() if name != control}
                self.tell(t["element"], t["action"], t["outcomes"], when, t["part"], t["focused"], t["always"])

    def discard(self, control: str) -> None:
        """A control of which nothing is known after all: what was told of its values goes with it."""
        del self.controls[control]
        self.patches = [p for p in self.patches if p.control != control]
        self.layers = [layer for layer in self.layers if control not in layer.when]
        self.transitions = [t for t in self.transitions if control not in t["when"]]

    def coverage(self) -> dict:
        """How many of the interactive elements of the page and its popups have a known click."""
        ours = {e["id"] for e in self.elements if e["interactive"]}
        ours |= {e["id"] for popup in self.popups for e in popup.elements if e["interactive"]}
        known = {
            t["element"] for t in self.transitions if all(outcome["kind"] != "unmodelled" for outcome in t["outcomes"])
        }
        known |= {c.element for c in self.controls.values() if c.click_map}
        return {"elements": len(ours), "known": len(ours & known)}


def _case(transition: dict) -> tuple[str, ...]:
    """What a transition is about. A key may close a list that is open, and do something else where none is."""
    in_list = transition["element"] is None and transition["outcomes"][0]["kind"] == "popup_closed"
    return (*(str(transition[key]) for key in ("when", "element", "part", "action", "focused")), str(in_list))


def derive(page: Page) -> None:
    """Buttons that light up (or fade) when any of several controls differs become controls of their own, which follow
    from the others."""
    told: dict[tuple, list[Patch]] = {}
    owned = {control.element for control in page.controls.values()}
    records = {e["id"]: e for e in page.elements}
    for patch in page.patches:
        for change in patch.changes:
            if change["id"] in records and change["id"] not in owned and set(change) == {"id", "state"}:
                told.setdefault((change["id"], str(sorted(change["state"].items()))), []).append(patch)
    # A button that looks one way under some values and another way under others follows those that are most.
    for (element, _), patches in sorted(told.items(), key=lambda entry: (-len(entry[1]), entry[0])):
        controls = sorted({p.control for p in patches})
        if records[element]["role"] != "push button" or len(controls) < 2 or f"of-{element}" in page.controls:
            continue
        _derive(page, records[element], patches, controls)


def _derive(page: Page, record: dict, patches: list[Patch], controls: list[str]) -> None:
    box = grown(page_box(page, record["bbox"]), OWN_PX)
    first = [part for p in patches[0].pieces if (part := p.within(box))]
    change = next(c for c in patches[0].changes if c["id"] == record["id"])
    name = f"of-{record['id']}"
    page.controls[name] = Control(name, record["id"], "derived", False, [False, True])
    page.patches.insert(0, Patch(name, True, {}, first, [change], verified=True))
    for patch in patches:
        patch.changes = [c for c in patch.changes if c["id"] != record["id"]]
        patch.pieces = [part for p in patch.pieces if (part := p.without(box))]
    test = {"is": "changed", "controls": controls}
    page.rules.append({"kind": "derived", "control": name, "value": True, "test": test})


def controls_of(test: dict) -> set[str]:
    """The controls that the test of a rule looks at."""
    own = {*test.get("controls", ()), *([test["control"]] if "control" in test else [])}
    inner = [*test.get("tests", ()), *([test["test"]] if "test" in test else [])]
    return own.union(*(controls_of(t) for t in inner))


def page_box(page: Page, box) -> Box:
    """A box of the page's picture in px of the client window."""
    x, y = page.offset
    return box[0] - x, box[1] - y, box[2] - x, box[3] - y


def order(page: Page) -> None:
    """Says of patches that share boxes which one lies over the other, or that the two controls are in conflict."""
    conflicts: set[tuple[str, str]] = set()
    for upper, lower in _meetings(page, page.patches):
        if lower.control in upper.over:
            continue
        if lower.control in upper.when or _agree(upper, lower) or _is_replaced(page, upper, lower):
            upper.over.add(lower.control)
        else:
            conflicts.add(tuple(sorted((upper.control, lower.control))))
    page.patches = [p for p in page.patches if not (p.joint and _is_forbidden(page, p, conflicts))]
    for pair in sorted(conflicts):
        page.rules.append({"kind": "conflict", "controls": list(pair)})


def _is_forbidden(page: Page, patch: Patch, conflicts: set[tuple[str, str]]) -> bool:
    """Whether a look of values that were seen together never shows, since the two are in conflict otherwise."""
    names = {patch.control, *patch.when}
    for rule in page.rules:
        if rule["kind"] == "derived" and names & controls_of(rule["test"]):
            names.add(rule["control"])
    return any(set(pair) <= names for pair in conflicts)


def break_cycles(page: Page) -> None:
    """Of two controls, only one may depend on the other: looks of values that were seen together give way."""
    needs: dict[str, set[str]] = {}
    for rule in page.rules:
        if rule["kind"] == "derived":
            needs.setdefault(rule["control"], set()).update(controls_of(rule["test"]))
    for patch in page.patches:
        if not patch.joint:
            needs.setdefault(patch.control, set()).update(patch.when)
    kept = []
    for patch in page.patches:
        if patch.joint and any(_reaches(needs, name, patch.control) for name in patch.when):
            continue
        if patch.joint:
            needs.setdefault(patch.control, set()).update(patch.when)
        kept.append(patch)
    page.patches = kept


def _reaches(needs: dict[str, set[str]], start: str, end: str) -> bool:
    seen, left = set(), [start]
    while left:
        name = left.pop()
        if name == end:
            return True
        if name not in seen:
            seen.add(name)
            left += needs.get(name, ())
    return False


def find_conflicts(page: Page, patches: list[Patch]) -> list[tuple[Patch, Patch]]:
    """Patches of which nobody knows the look where both hold, the upper one first."""
    return [
        (upper, lower)
        for upper, lower in _meetings(page, patches)
        if lower.control not in upper.when and not _agree(upper, lower) and not _is_replaced(page, upper, lower)
    ]


def _meetings(page: Page, patches: list[Patch]) -> Iterator[tuple[Patch, Patch]]:
    """Patches of two controls that share boxes and can show at once, the upper one first."""
    rank = _ranks(page)
    hulls = [_hull(p) for p in patches]
    for at, one in enumerate(patches):
        for other, hull in zip(patches[at + 1 :], hulls[at + 1 :], strict=True):
            if one.control == other.control or not (hulls[at] and hull and intersection(hulls[at], hull)):
                continue
            if _can_meet(one, other) and _share(one, other):
                yield (one, other) if _is_over(one, other, rank) else (other, one)


def _is_replaced(page: Page, one: Patch, other: Patch) -> bool:
    """Whether one of the two has a patch of its own for where both hold."""
    return any(_has_own(page, a, b) for a, b in ((one, other), (other, one)))


def _has_own(page: Page, one: Patch, other: Patch) -> bool:
    both = {**one.when, **other.when, other.control: other.value}
    return any(
        p.control == one.control
        and p.value == one.value
        and other.control in p.when
        and len(p.when) > len(one.when)
        and p.when.items() <= both.items()
        for p in page.patches
    )


def _ranks(page: Page) -> dict[str, int]:
    """The order in which patches lie over each other: those of a control over those of the controls that it depends
    on, and otherwise later ones over earlier ones."""
    needs: dict[str, set[str]] = {}
    for patch in page.patches:
        needs.setdefault(patch.control, set()).update(patch.when)
    rank: dict[str, int] = {}
    left = list(page.controls)
    while left:
        free = next((n for n in left if not any(m in left for m in needs.get(n, ()))), left[0])
        rank[free] = len(rank)
        left.remove(free)
    return rank


def _is_over(one: Patch, other: Patch, rank: dict[str, int]) -> bool:
    return rank[one.control] > rank[other.control]


def _hull(patch: Patch) -> Box | None:
    rects = [p.rect for p in (*patch.pieces, *(patch.focused or ()))]
    return union(rects) if rects else None


def _can_meet(one: Patch, other: Patch) -> bool:
    a, b = {**one.when, one.control: one.value}, {**other.when, other.control: other.value}
    return all(b.get(control, value) == value for control, value in a.items())


def _share(one: Patch, other: Patch) -> bool:
    return any(
        intersection(a.rect, b.rect)
        for a in (*one.pieces, *(one.focused or ()))
        for b in (*other.pieces, *(other.focused or ()))
    )


def _agree(one: Patch, other: Patch) -> bool:
    """Whether the two replace no pixel differently."""
    for a in one.pieces:
        for b in other.pieces:
            box = intersection(a.rect, b.rect)
            if box is None:
                continue
            (mask_a, pixels_a), (mask_b, pixels_b) = _cut(a, box), _cut(b, box)
            if (mask_a & mask_b & (pixels_a != pixels_b).any(axis=2)).any():
                return False
    return True


def _cut(piece: Piece, box: Box) -> tuple[np.ndarray, np.ndarray]:
    x, y = piece.rect[:2]
    cut = (slice(box[1] - y, box[3] - y), slice(box[0] - x, box[2] - x))
    return piece.mask[cut], piece.active[cut][..., :3]
