"""Which elements of a window are those that it had before, and how they have changed. Elements are records of a
capture: boxes in px of the page's picture."""

from collections.abc import Iterable
from dataclasses import dataclass, field

# Layers of the focus show it; a value's look does not.
PASSING_STATES = {"focused"}
KEYS = ("bbox", "name", "description", "interactive", "state")


@dataclass
class Difference:
    changes: list[dict] = field(default_factory=list)  # as in a patch's `elements`
    added: list[dict] = field(default_factory=list)  # as in a patch's `added`
    ids: list[str] = field(default_factory=list)  # of the elements of now, in their order

    def gone(self) -> set[str]:
        return {change["id"] for change in self.changes if change.get("gone")}


def lasting(state: dict) -> dict:
    return {key: value for key, value in state.items() if key not in PASSING_STATES}


# States that choosing a tab or a row may give or take.
CHOSEN_STATES = {"focused", "selected", "checked", "enabled", "expanded"}


def pair(before: list[dict], now: list[dict], keys: tuple | None = None) -> dict[int, int]:
    """Indices of now to indices of before: by role, name and box, then by role and one of the two, then in order.
    `keys`: others to go by, the surest first."""
    pairs: dict[int, int] = {}
    left_before, left_now = set(range(len(before))), set(range(len(now)))
    for key in keys or KEYS_OF_PAIRS:
        places: dict = {}
        for index in sorted(left_before):
            places.setdefault(key(before[index]), []).append(index)
        for index in sorted(left_now):
            wanted = key(now[index])
            if wanted is not None and places.get(wanted):
                pairs[index] = places[wanted].pop(0)
                left_before.discard(pairs[index])
                left_now.discard(index)
    return pairs


def _unnamed(element: dict) -> tuple:
    state = {key: value for key, value in element["state"].items() if key not in CHOSEN_STATES}
    return element["role"], tuple(element["bbox"]), str(sorted(state.items()))


KEYS_OF_PAIRS = (
    lambda e: (e["role"], e["name"], tuple(e["bbox"])),
    lambda e: (e["role"], tuple(e["bbox"])),
    lambda e: (e["role"], e["name"]) if e["name"] else None,
    lambda e: (e["role"], e["name"], tuple(e["bbox"][:2])),
)
# A program may name the box of a list by its value, and make it wider then at its left.
IN_PLACE_KEYS = (
    *KEYS_OF_PAIRS,
    lambda e: (e["role"], *e["bbox"][1:]) if e["role"] == "combo box" else None,
)
VIEW_KEYS = (
    lambda e: (e["role"], e["name"], tuple(e["bbox"])) if e["name"] else _unnamed(e),
    lambda e: (e["role"], e["name"]) if e["name"] else None,
    # A window's title may tell which view it shows.
    lambda e: tuple(e["bbox"]) if e["role"] == "title bar" else None,
)


class Names:
    """Ids of elements that a page shows only at some values: the same for what looks the same."""

    def __init__(self, prefix: str = "n"):
        self.prefix, self.known = prefix, {}

    def of(self, element: dict, taken: Iterable[str] = ()) -> str:
        key = element["role"], element["name"], tuple(element["bbox"])
        number = 0
        while (name := self.known.setdefault((*key, number), f"{self.prefix}{len(self.known) + 1}")) in taken:
            number += 1
        return name


def difference(before: list[dict], now: list[dict], names: Names, view: bool = False) -> Difference:
    """What has become of elements. `before` have their ids of the page, `now` their own ones. `view`: another tab
    or row was chosen. What it shows is something else then unless it has the same name, or, without one, the same
    state."""
    pairs = pair(before, now, VIEW_KEYS if view else IN_PLACE_KEYS)
    out = Difference()
    kept = set(pairs.values())
    out.changes = [{"id": e["id"], "gone": True} for index, e in enumerate(before) if index not in kept]
    taken = {e["id"] for e in before}
    own: dict[str, str] = {}
    for index, element in enumerate(now):
        old = before[pairs[index]] if index in pairs else None
        name = names.of(element, taken) if old is None else old["id"]
        taken.add(name)
        own[element["id"]] = name
        out.ids.append(name)
        if old is None:
            parent = own.get(element["parent"]) if element["parent"] else None
            out.added.append(dict(element, id=name, parent=parent, popup=None, state=lasting(element["state"])))
            continue
        change = {}
        for key in KEYS:
            was, is_now = old[key], element[key]
            if key == "state":
                was, is_now = lasting(was), lasting(is_now)
            if was != is_now:
                change[key] = is_now
        if change:
            out.changes.append({"id": name, **change})
    return out


def applied(before: list[dict], change: Difference) -> list[dict]:
    """The elements after a difference, with their ids of the page."""
    by_id = {c["id"]: c for c in change.changes}
    out = []
    for element in before:
        new = by_id.get(element["id"], {})
        if not new.get("gone"):
            out.append({**element, **{key: new[key] for key in KEYS if key in new}})
    return out + [dict(e) for e in change.added]
