"""A tree at the side of a dialog, whose rows show pages or are headings: clicked, a heading is chosen, and the page
stays. Two controls stand for it: which page shows, and which heading is chosen, if any. How the row of a page looks
follows from both. Nothing here touches the screen."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from ..boxes import Box
from .changes import Piece
from .groups import ROWS
from .matching import Difference
from .page import Control, Page, Patch

# The value while the row of the page that shows is the chosen one.
NO_HEADING = "(none)"


def has_headings(members: list[dict]) -> bool:
    """Whether rows are those of a tree: some of them open and close."""
    return members[0]["role"] in ROWS and any("expanded" in m["state"] for m in members)


def bands(boxes: list[Box], whole: Box) -> list[Box]:
    """The parts of a list that belong to its rows, as wide as the list; `boxes` are in their order. Rows meet in the
    middle between them."""
    edges = [whole[1]]
    edges += [(a[3] + b[1]) // 2 for a, b in pairwise(boxes)]
    last = boxes[-1]
    edges.append(min(whole[3], last[3] + (last[3] - last[1])))
    return [(whole[0], top, whole[2], bottom) for top, bottom in pairwise(edges)]


@dataclass
class Parts:
    """What a click on a row has changed: rows by their numbers, and all that lies beside the list."""

    rows: dict[int, list[Piece]] = field(default_factory=dict)
    states: dict[int, dict] = field(default_factory=dict)  # changes of rows, as in a patch's `elements`
    pieces: list[Piece] = field(default_factory=list)
    difference: Difference = field(default_factory=Difference)

    @property
    def shows_page(self) -> bool:
        return bool(self.pieces or self.difference.changes or self.difference.added)


def split(found: Iterable[Piece], difference: Difference, own: list[Box], ids: list[str]) -> Parts:
    """`own`: the bands of rows, `ids`: their elements."""
    out = Parts(difference=Difference(added=difference.added, ids=difference.ids))
    for piece in found:
        rest: Piece | None = piece
        for number, band in enumerate(own):
            part = rest and rest.within(band)
            if part is not None:
                out.rows.setdefault(number, []).append(part)
                rest = rest.without(band)
        if rest is not None:
            out.pieces.append(rest)
    for change in difference.changes:
        if change["id"] in ids:
            out.states[ids.index(change["id"])] = change
        else:
            out.difference.changes.append(change)
    return out


class SideList:
    """The controls of such a list on a page. `home` is the number of the row that the page's picture shows chosen."""

    def __init__(self, page: Page, ids: list[str], names: list[str], home: int):
        self.page, self.ids, self.names, self.home = page, ids, names, home
        self.pages = self._control("p", ids[home], names[home])
        self.headings: Control | None = None

    def _control(self, prefix: str, element: str, value) -> Control:
        control = Control(f"{prefix}-{element}", element, "list_box", value, [value])
        return self.page.controls.setdefault(control.id, control)

    def leave_home(self, parts: Parts) -> None:
        """How the row of the page's picture looks once another row is chosen."""
        self._follow(self.home, parts, chosen=False)

    def add_page(self, number: int, parts: Parts) -> Patch:
        """A row that shows a page."""
        self.pages.allow(self.names[number])
        self._follow(number, parts, chosen=True)
        difference = parts.difference
        patch = Patch(self.pages.id, self.names[number], {}, parts.pieces, difference.changes, difference.added)
        self.page.patches.append(patch)
        return patch

    def add_heading(self, number: int, parts: Parts) -> Patch:
        """A row that is chosen, and shows nothing."""
        if self.headings is None:
            self.headings = self._control("h", self.ids[number], NO_HEADING)
        self.headings.allow(self.names[number])
        patch = Patch(self.headings.id, self.names[number], {}, parts.rows.get(number, []), [parts.states[number]])
        self.page.patches.append(patch)
        return patch

    def outcome(self, number: int, heading: bool) -> list[dict]:
        """What a click on a row sets."""
        name = self.names[number]
        if heading and self.headings is not None:
            return [{"kind": "value", "control": self.headings.id, "to": name}]
        out = [{"kind": "value", "control": self.pages.id, "to": name}]
        if self.headings is not None:
            out.append({"kind": "value", "control": self.headings.id, "to": NO_HEADING})
        return out

    def _follow(self, number: int, parts: Parts, chosen: bool) -> None:
        """A row that is chosen while its page shows and no heading is."""
        name = f"r-{self.ids[number]}"
        if name not in self.page.controls:
            self.page.controls[name] = Control(name, self.ids[number], "derived", not chosen, [not chosen, chosen])
            pieces = parts.rows.get(number, [])
            self.page.patches.append(Patch(name, chosen, {}, pieces, [parts.states[number]], verified=True))

    def tell_rules(self) -> None:
        """Once it is known whether there are headings: which rows are chosen when."""
        for number, row in enumerate(self.ids):
            control = self.page.controls.get(f"r-{row}")
            if control is None:
                continue
            test: dict = {"is": "equal", "control": self.pages.id, "value": self.names[number]}
            if self.headings is not None:
                none = {"is": "equal", "control": self.headings.id, "value": NO_HEADING}
                test = {"is": "all", "tests": [test, none]}
            if number == self.home:
                test = {"is": "not", "test": test}
            value = number != self.home
            self.page.rules.append({"kind": "derived", "control": control.id, "value": value, "test": test})

    def drop_heading(self, number: int) -> None:
        """A row of which it turned out that it does something else."""
        if self.headings is not None:
            name, value = self.headings.id, self.names[number]
            self.page.patches = [p for p in self.page.patches if (p.control, p.value) != (name, value)]
            self.page.layers = [layer for layer in self.page.layers if layer.when.get(name) != value]
            self.headings.values.remove(value)
            if self.headings.values == [NO_HEADING]:
                del self.page.controls[name]
                self.headings = None

    def remove(self) -> None:
        """All of it: it was not understood."""
        names = {self.pages.id, *(f"r-{row}" for row in self.ids), *([self.headings.id] if self.headings else ())}
        for name in names & set(self.page.controls):
            self.page.discard(name)
