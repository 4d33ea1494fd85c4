"""What is told of elements and clicks, in the words of a pack."""

from itertools import pairwise

from ..boxes import Box, area, covered_share, grown, intersection, shifted
from .domains import unique_names
from .matching import lasting

# Roles of the entries of a list or menu.
ITEMS = ("menu item", "check menu item", "radio menu item", "list item", "table cell", "tree item")

# How far a ring lies around its element, at most.
RING_PX = 4
# Where a frame's buttons end, at most, in px of a window's picture: KWin's shadow takes 44 px above the frame, and bars
# that programs draw themselves are up to 46 px high.
FRAME_PX = 90
# The button of a frame that lets its window fill the work area, and is then called otherwise.
ENLARGE = ("Maximize", "Restore")
# The state that says what is on, of elements that go on and off.
SWITCHED = {"toggle button": "pressed", "check box": "checked"}


def choices_end(words: str) -> bool:
    """Whether a button's words end a dialog."""
    return words.lower().replace("_", "").replace("&", "") in ("ok", "cancel", "close", "done", "apply")


def popup_records(found, origin) -> list[dict]:
    """Elements of open popups as records without parents. GTK 3 tells a list twice: in its box, and by itself."""
    out: dict[tuple, dict] = {}
    for e in found:
        if e.popup is not None:
            box = shifted(e.box, -origin[0], -origin[1])
            record = {"id": "", "parent": None, "role": e.role, "name": e.name, "description": e.description}
            record |= {"bbox": list(box), "interactive": e.interactive, "popup": e.popup}
            out.setdefault((e.role, e.name, box), {**record, "state": lasting(e.state)})
    return with_rows(list(out.values()))


def with_rows(records: list[dict]) -> list[dict]:
    """GTK 4 tells of an entry of a list only its label: the row around it is what is clicked. Of lists behind the
    popup, it tells too: the rows are those of the largest list."""
    lists = [r for r in records if r["role"] == "list"]
    if not lists or any(r["role"] in ITEMS for r in records):
        return records
    whole = max(lists, key=lambda r: area(tuple(r["bbox"])))
    x0, y0, x1, y1 = whole["bbox"]
    inside = [r for r in records if r["role"] == "label" and intersection(tuple(r["bbox"]), (x0, y0, x1, y1))]
    edges = [r["bbox"][0] for r in inside]
    labels = sorted((r for r in inside if edges.count(r["bbox"][0]) > 1), key=lambda r: r["bbox"][1])
    middles = [(r["bbox"][1] + r["bbox"][3]) / 2 for r in labels]
    if len(labels) < 2 or len({r["bbox"][0] for r in labels}) > 1:
        return records
    half = min(b - a for a, b in pairwise(middles)) / 2
    rows = []
    for label, middle in zip(labels, middles, strict=True):
        box = [x0, max(y0, round(middle - half)), x1, min(y1, round(middle + half))]
        rows.append({**label, "role": "list item", "bbox": box, "interactive": True})
    return rows


def entry_names(items: list[dict]) -> list[str]:
    """Values for the entries of a list."""
    return unique_names([item["name"] for item in items], "entry")


def place_of(items: list[dict], name: str) -> int | None:
    """Where an entry stands. A long list shows other entries when it opens at another value."""
    names = entry_names(items)
    return names.index(name) if name in names else None


def next_entry(shown: list[str], tried: list[str]) -> str | None:
    """The entry of a list that is chosen next: the first one in view that was not."""
    return next((name for name in shown if name not in tried), None)


def way_to(name: str, shown: list[str], lists: dict[str, list[str]]) -> str:
    """The entry to choose in order to get to one: itself, or one in view at which the list shows it. `lists`: the
    entries in view at each value."""
    if name in shown:
        return name
    return next((value for value in shown if name in lists.get(value, ())), name)


def ring_of(clicked: str, boxes: list[Box], elements: list[dict], home: str | None) -> str:
    """Which element the changed boxes are the ring of: the clicked one if they touch it, else the smallest one around
    a box that is not the ring of the home; the clicked one if there is none."""
    by_id = {e["id"]: grown(tuple(e["bbox"]), RING_PX) for e in elements}
    own, left = by_id.get(clicked), by_id.get(home)
    if own is None or any(intersection(box, own) for box in boxes):
        return clicked
    rings = [box for box in boxes if left is None or not intersection(box, left)]
    around = [name for name, area_of in by_id.items() if any(covered_share(box, area_of) == 1 for box in rings)]
    return min(around, key=lambda name: area(by_id[name]), default=clicked)


def value_shown(element: dict, elements: list[dict]) -> list[str]:
    """The labels inside a box: GTK 4 tells its value by them alone."""
    labels = [e for e in elements if e["role"] == "label" and e["name"]]
    return [e["name"] for e in labels if covered_share(tuple(e["bbox"]), tuple(element["bbox"])) == 1]


def with_field(element: dict, elements: list[dict]) -> dict:
    """A box that says by itself whether one can type into it: GTK tells of its field alone."""
    box = tuple(element["bbox"])
    inside = (e for e in elements if e["role"] == "entry" and e["id"] != element["id"])
    editable = any(covered_share(tuple(e["bbox"]), box) == 1 for e in inside)
    return {**element, "state": {**element["state"], "editable": True}} if editable else element


def focused(records: list[dict], toolkit: str) -> int | None:
    """Which of them has the focus. Qt says so of the current entry of every list, whoever has it: the picture decides
    about them."""
    found = [n for n, r in enumerate(records) if r["state"].get("focused")]
    if toolkit.lower().startswith("qt"):
        found = [n for n in found if records[n]["role"] not in ITEMS]
    return found[0] if found else None


def ringed(elements: list[dict], boxes: list[Box], home: str | None) -> str | None:
    """The element that has the focus, by where the picture differs from the one with the focus at home: in its box and
    in that of the home. A dialog's main button looks different, too, while no button has the focus."""
    own = {e["id"]: grown(tuple(e["bbox"]), RING_PX) for e in elements if e["interactive"] and is_enabled(e)}
    at_home = own.pop(home, None)
    away = [box for box in boxes if at_home is None or covered_share(box, at_home) < 1]
    found = [e for e in elements if e["id"] in own and any(covered_share(box, own[e["id"]]) == 1 for box in away)]
    if not all(any(covered_share(box, own[e["id"]]) == 1 for e in found) for box in away):
        return None
    return next((e["id"] for e in sorted(found, key=lambda e: e["role"] == "push button")), None)


def rivals(element: dict, elements: list[dict], changes: list[dict]) -> list[dict]:
    """Toggle buttons (of GTK 4, check boxes too) of which one is on: those beside one that went out when this one was
    put on. None if no other one did."""
    flag = SWITCHED.get(element["role"])
    others = {e["id"]: e for e in elements if e["role"] == element["role"] and e["parent"] == element["parent"]}
    if flag is None or element["state"].get(flag):
        return []
    told = [c for c in changes if c["id"] in others and c["id"] != element["id"] and "state" in c]
    went_out = [c for c in told if others[c["id"]]["state"].get(flag) and not c["state"].get(flag)]
    return list(others.values()) if went_out else []


def with_focus(outcomes: list[dict], focus: str | None) -> list[dict]:
    """Outcomes, and which element has the focus then."""
    return outcomes if focus is None else [*outcomes, {"kind": "focus", "element": focus}]


def moved_to(focus: str | None, element: dict, home: str | None, shy: set[str]) -> str | None:
    """Where a click has moved the focus to. The home has it before it is clicked: others of its role tell whether a
    click would have moved it there. `shy`: roles of which a click leaves the focus where it is."""
    if element["id"] == home:
        return None if element["role"] in shy else focus
    if focus is None:
        shy.add(element["role"])
    return focus


def is_enabled(element: dict) -> bool:
    return element["state"].get("enabled", True)


def changes_others(before: list[dict], changes: list[dict], own: str) -> bool:
    """Whether a number beside an element's own is another one now."""
    numbers = {e["id"]: e["state"].get("value") for e in before}
    told = ((c["id"], c["state"].get("value")) for c in changes if "state" in c)
    return any(name != own and None not in (now, numbers.get(name)) and now != numbers[name] for name, now in told)


def is_frame(element: dict) -> bool:
    """Whether it is a button of the window's frame. Dialogs have a button Close of their own, further down."""
    at_top = element["parent"] is None and element["bbox"][3] <= FRAME_PX
    return at_top and element["name"] in ("Minimize", "Close", *ENLARGE)


def without_repeats(records: list[dict]) -> list[dict]:
    """Entries of a list, not the cells or panels inside them. Items of a menu may stand in several columns."""
    out: list[dict] = []
    for record in records:
        y = (record["bbox"][1] + record["bbox"][3]) // 2
        beside = [r for r in out if r["bbox"][1] <= y < r["bbox"][3] and r["role"] in ITEMS]
        in_menu = record["role"].endswith("menu item")
        if not any(not in_menu or _share_a_column(r, record) for r in beside):
            out.append(record)
    return out


def _share_a_column(one: dict, other: dict) -> bool:
    return max(one["bbox"][0], other["bbox"][0]) < min(one["bbox"][2], other["bbox"][2])
