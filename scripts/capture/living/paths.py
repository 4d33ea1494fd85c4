"""How values of a living page are set by clicks: the lines of a pack tell it. Nothing here touches the screen."""

import json
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ..boxes import Box

# No way to a value has more clicks.
MOST_CLICKS = 8
# Of how many controls `others` tells.
MOST_OTHERS = 3
# What may come of a click on such a way.
ON_THE_PAGE = ("popup", "popup_closed", "value", "focus")


@dataclass(frozen=True)
class Click:
    """Where is clicked: an element of the page or of its open popup, or a part of it."""

    element: str
    part: Box | None = None


@dataclass
class Place:
    """What a click on a way needs to know of the page."""

    values: dict
    popup: str | None = None
    clicks: list[Click] = field(default_factory=list)


class PagePaths:
    """The lines of a living file, the transitions from its page, and the elements of its picture that are disabled."""

    def __init__(self, lines: list[dict], transitions: list[dict], disabled: list[str]):
        self.disabled = set(disabled)
        self.controls = {line["id"]: line for line in lines if line["line"] == "control"}
        self.base = {name: line["value"] for name, line in self.controls.items()}
        self.patches = [line for line in lines if line["line"] == "patch"]
        # By element, the controls whose looks speak of it.
        self.naming: dict[str, set[str]] = {}
        for line in self.patches:
            for change in line.get("elements", ()):
                self.naming.setdefault(change["id"], set()).add(line["control"])
        self.popup_of = {
            e["id"]: line["id"] for line in lines if line["line"] == "popup" for e in line["elements"]
        }  # fmt: skip
        self.clicks = [
            t for t in transitions
            if t["action"] == "click" and t["element"] and not t.get("focused")
            and all(o["kind"] in ON_THE_PAGE for o in t["outcomes"])
        ]  # fmt: skip

    def shown(self, control: str, values: dict) -> dict | None:
        """The patch that shows a control's value: of those that fit, the one with the most conditions."""
        value = values.get(control, self.base[control])
        fit = [p for p in self.patches if p["control"] == control and p["value"] == value and self._holds(p, values)]
        return max(fit, key=lambda p: len(p.get("when") or {}), default=None)

    def way(self, values: dict, patch: dict) -> list[Click] | None:
        """The fewest clicks after which a patch is shown; None if the lines tell of none. `values`: of controls that
        differ from the page's picture; no popup is open."""
        relevant = self._relevant({patch["control"], *(patch.get("when") or {})})

        def is_shown(place: Place) -> bool:
            return place.popup is None and self.shown(patch["control"], place.values) is patch

        return self._way(values, relevant, is_shown)

    def way_to_value(self, values: dict, control: str, value) -> list[Click] | None:
        """The fewest clicks after which a control has a value; None if the lines tell of none."""
        relevant = self._relevant({control})

        def is_set(place: Place) -> bool:
            return place.popup is None and place.values.get(control, self.base.get(control)) == value

        return self._way(values, relevant, is_set)

    def others(self, most: int = MOST_OTHERS) -> dict:
        """Values that differ from those of the page's picture, of the first few controls that clicks on the page as it
        was captured set."""
        out: dict = {}
        for name, control in self.controls.items():
            choices = control["values"].get("values", []) if control["type"] != "derived" else []
            other = next((v for v in choices if v != self.base[name] and self.way_to_value({}, name, v)), None)
            if other is not None and len(out) < most:
                out[name] = other
        return out

    def way_to_popup(self, values: dict, popup: str) -> list[Click] | None:
        """The fewest clicks after which a popup of the page is open; None if the lines tell of none."""
        opens = [t for t in self.clicks if any(o.get("popup") == popup for o in t["outcomes"])]
        relevant = self._relevant({name for t in opens for name in t.get("when") or {}})
        return self._way(values, relevant, lambda place: place.popup == popup)

    def click_to(self, values: dict, control: str, value) -> Click | None:
        """One click that sets a value, whatever else it sets; None if the lines tell of none."""
        for t in self.clicks:
            sets = any(o["kind"] == "value" and o["control"] == control and o.get("to") == value for o in t["outcomes"])
            if sets and t["element"] not in self.popup_of and self._holds(t, values):
                return Click(t["element"], tuple(t["part"]) if t.get("part") else None)
        return None

    def _way(self, values: dict, relevant: set[str], is_there: Callable[[Place], bool]) -> list[Click] | None:
        first = Place(values)
        queue, met = deque([first]), {self._key(first, relevant)}
        while queue:
            place = queue.popleft()
            if is_there(place):
                return place.clicks
            if len(place.clicks) >= MOST_CLICKS:
                continue
            for after in self._next(place, relevant):
                key = self._key(after, relevant)
                if key not in met:
                    met.add(key)
                    queue.append(after)
        return None

    def _relevant(self, wanted: set[str]) -> set[str]:
        """Controls that a way may set: those that are wanted, and those that let these be set."""
        relevant = wanted
        while True:
            more = {
                name for t in self.clicks if {o.get("control") for o in t["outcomes"]} & relevant
                for name in t.get("when") or {}
            }  # fmt: skip
            if more <= relevant:
                return relevant
            relevant = relevant | more

    def _next(self, place: Place, relevant: set[str]) -> Iterator[Place]:
        best: dict[Click, dict] = {}
        for t in self.clicks:
            if self.popup_of.get(t["element"]) != place.popup or not self._holds(t, place.values):
                continue
            if not self._is_enabled(t["element"], place.values):
                continue
            click = Click(t["element"], tuple(t["part"]) if t.get("part") else None)
            if click not in best or len(t.get("when") or {}) > len(best[click].get("when") or {}):
                best[click] = t
        for click, t in best.items():
            sets = {o["control"] for o in t["outcomes"] if o["kind"] == "value"}
            if sets <= relevant:
                yield self._after(place, click, t["outcomes"])

    def _after(self, place: Place, click: Click, outcomes: list[dict]) -> Place:
        after = Place(dict(place.values), place.popup, [*place.clicks, click])
        for outcome in outcomes:
            if outcome["kind"] == "popup":
                after.popup = outcome["popup"]
            elif outcome["kind"] == "popup_closed":
                after.popup = None
            elif outcome["kind"] == "value":
                control = outcome["control"]
                after.values[control] = self._moved(control, place.values.get(control, self.base[control]), outcome)
        return after

    def _moved(self, control: str, value, outcome: dict):
        if "to" in outcome:
            return outcome["to"]
        kind = self.controls[control]["values"]
        if kind["kind"] == "range":
            return round(min(max(value + outcome.get("by", 1) * kind["step"], kind["min"]), kind["max"]), 6)
        choices = kind["values"]
        number = choices.index(value) + outcome.get("by", 1)
        return choices[number % len(choices) if outcome.get("next") else min(max(number, 0), len(choices) - 1)]

    def _is_enabled(self, element: str, values: dict) -> bool:
        """Whether no look of a control says that an element is disabled; the picture decides where none speaks."""
        told = [
            change["state"].get("enabled", True)
            for control in self.naming.get(element, ())
            for change in (self.shown(control, values) or {}).get("elements", ())
            if change["id"] == element and "state" in change
        ]
        return all(told) if told else element not in self.disabled

    def _holds(self, line: dict, values: dict) -> bool:
        return all(values.get(name, self.base.get(name)) == value for name, value in (line.get("when") or {}).items())

    def _key(self, place: Place, relevant: set[str]) -> str:
        return json.dumps([place.popup, [place.values.get(name, self.base.get(name)) for name in sorted(relevant)]])
