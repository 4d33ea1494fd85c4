"""The parts of a window that chooses files, as GTK 3 names them: places at the side, the bar of the folder's path, and
the list of files. Nothing here touches the screen."""

from dataclasses import dataclass, field

from ..boxes import Box, centre, grown, holds
from .groups import cut_off, is_on, rows
from .records import is_enabled

# What GTK 3 calls them.
PLACES, FILES, BAR = "Places", "Files", "PathBar Layer"
# Around the bar, how far the looks of its buttons reach.
RIM_PX = 2
# A bar as what can be seen of it: of each button its name, box, and whether it is pressed and enabled.
BarKey = tuple[tuple, ...]


@dataclass
class Parts:
    places: dict[str, dict]  # the rows at the side, by what is written in them
    place: str | None  # the chosen one
    side: str  # the element that holds them
    bar: Box
    bar_id: str
    buttons: list[dict]  # of the bar
    table: str
    headers: dict[str, dict] = field(default_factory=dict)
    rows: dict[str, list[dict]] = field(default_factory=dict)  # by the file's name, in their order; whole ones alone
    row: str | None = None  # the chosen one; None if none is, or several are
    hidden: bool = False  # whether the list has rows that it does not show whole

    @property
    def bar_key(self) -> BarKey:
        return tuple((b["name"], tuple(b["bbox"]), is_on(b), is_enabled(b)) for b in self.buttons)

    def elements(self) -> set[str]:
        """The elements that belong together."""
        own = [*self.places.values(), *self.buttons, *self.headers.values()]
        return {e["id"] for e in own} | {cell["id"] for row in self.rows.values() for cell in row}


def parts_of(elements: list[dict]) -> Parts | None:
    """None if the window has not all parts."""
    side = next((e for e in elements if e["role"] == "panel" and e["name"] == PLACES), None)
    bar = next((e for e in elements if e["role"] == "panel" and e["name"] == BAR), None)
    table = next((e for e in elements if e["role"] == "table" and e["name"] == FILES), None)
    if side is None or bar is None or table is None:
        return None
    places = {}
    for row in (e for e in elements if e["role"] == "list item" and _inside(e, side)):
        words = next((e["name"] for e in elements if e["role"] == "label" and _inside(e, row)), row["name"])
        places.setdefault(words, row)
    place = next((name for name, row in places.items() if row["state"].get("selected")), None)
    buttons = [e for e in elements if e["role"] in ("toggle button", "push button") and _inside(e, bar)]
    own = next((e["id"] for e in elements if e["role"] == "list" and _inside(e, side)), side["id"])
    out = Parts(places, place, own, grown(tuple(bar["bbox"]), RIM_PX), bar["id"], buttons, table["id"])
    out.headers = {e["name"]: e for e in elements if e["role"] == "column header" and _inside(e, table)}
    cells = [e for e in elements if e["role"] == "table cell" and _inside(e, table)]
    found = [sorted(row, key=lambda c: c["bbox"]) for row in rows(cells)] if cells else []
    found.sort(key=lambda row: row[0]["bbox"][1])
    parts = cut_off(found)
    out.hidden = bool(parts) or any(e["role"] == "scroll bar" and _inside(e, table) for e in elements)
    for number, row in enumerate(found):
        if number not in parts:
            out.rows.setdefault(row[0]["name"], row)
    chosen = [name for name, row in out.rows.items() if is_on(row[0])]
    out.row = chosen[0] if len(chosen) == 1 else None
    return out


def bar_name(parts: Parts) -> str:
    """A value for a bar: its folders, the one that shows in brackets."""
    told = [(b["name"], is_on(b)) for b in parts.buttons if b["role"] == "toggle button"]
    told.sort(key=lambda entry: next(tuple(b["bbox"]) for b in parts.buttons if b["name"] == entry[0]))
    return "/".join(f"[{name}]" if on else name for name, on in told)


def _inside(element: dict, around: dict) -> bool:
    return holds(tuple(around["bbox"]), *centre(tuple(element["bbox"])))
