"""What a window that chooses files says of itself on a page: which place it shows, in which order, which row is chosen,
and what its bar holds. Four controls stand for it."""

from dataclasses import dataclass, field

import numpy as np

from ..boxes import Box, shifted
from .changes import MOST_LEVELS, Piece, drawn, local
from .context import Context
from .file_parts import BarKey, Parts
from .matching import Difference, Names, difference, lasting
from .page import Control, Page, Patch, Value, Values

NO_ROW = "(none)"


@dataclass
class View:
    """A place in one order, as it was pictured: with one row chosen."""

    context: Context
    parts: Parts
    row: str | None
    looks: dict[str | None, list[Piece]] = field(default_factory=dict)  # other rows chosen


@dataclass(frozen=True)
class At:
    """What the window shows. `bar` is a value."""

    place: str
    order: str
    row: str | None
    bar: str


class FileModel:
    def __init__(self, page: Page, parts: Parts, context: Context, offset, order: str, bar: str):
        self.page, self.start = page, At(parts.place or "", order, parts.row, bar)
        # In px of the window's elements, and of its pictures.
        self.bar_box, self.box = parts.bar, shifted(parts.bar, -offset[0], -offset[1])
        self.views: dict[tuple[str, str], View] = {}
        self.bars: dict[BarKey, str] = {parts.bar_key: bar}
        self.bar_pieces: dict[str, list[Piece]] = {bar: []}
        self.base = context.active
        self.cells = {e["id"]: e for e in page.elements if e["role"] == "table cell"}
        self.first_cells = {name for name, cell in self.cells.items() if cell["state"].get("selected")}
        self.places = self._control("places", parts.side, self.start.place)
        self.orders = self._control("order", next(iter(parts.headers.values()))["id"], order)
        self.rows = self._control("row", parts.table, self.row_value(self.start.place, self.start.row))
        self.trail = self._control("bar", parts.bar_id, bar)
        self.views[self.start.place, order] = View(context, parts, parts.row)

    def _control(self, name: str, element: str, value: Value) -> Control:
        control = Control(f"{name}-{element}", element, "list_box", value, [value])
        return self.page.controls.setdefault(control.id, control)

    @staticmethod
    def row_value(place: str, row: str | None) -> str:
        """Folders hold files of one name."""
        return f"{place}/{row or NO_ROW}"

    # looks

    def when(self, place: str, order: str) -> Values:
        return {self.places.id: place, self.orders.id: order}

    def add_place(self, place: str, pieces: list[Piece], difference: Difference, view: View) -> None:
        self.views[place, self.start.order] = view
        self.places.allow(place)
        self._patch(self.places, place, {}, outside(pieces, self.box), self._unchosen(difference))
        self._add_own_row(place, self.start.order, view)

    def add_order(self, place: str, order: str, pieces: list[Piece], difference: Difference, view: View) -> None:
        self.views[place, order] = view
        self.orders.allow(order)
        self._patch(self.orders, order, {self.places.id: place}, outside(pieces, self.box), self._unchosen(difference))
        self._add_own_row(place, order, view)

    def _add_own_row(self, place: str, order: str, view: View) -> None:
        """The row that a view was pictured with."""
        value = self.row_value(place, view.row)
        self.rows.allow(value)
        self._patch(self.rows, value, self.when(place, order), [], Difference(self._chosen(place, view, view.row)))

    def add_row(self, place: str, order: str, row: str, pieces: list[Piece], difference: Difference) -> None:
        """`difference`: what a click on the row changes beside which rows are chosen."""
        value, view = self.row_value(place, row), self.views[place, order]
        self.rows.allow(value)
        pieces = outside(pieces, self.box)
        view.looks[row] = pieces
        cells = {cell["id"] for cells in view.parts.rows.values() for cell in cells}
        beside = [c for c in difference.changes if c["id"] not in cells]
        change = Difference([*beside, *self._chosen(place, view, row)])
        self._patch(self.rows, value, self.when(place, order), pieces, change)

    def _chosen(self, place: str, view: View, row: str | None) -> list[dict]:
        """Which cells are chosen: told against those of the page's picture, and said by no other patch."""
        own = {cell["id"] for cell in view.parts.rows.get(row or "", ())}
        first = self.first_cells if place == self.start.place else set()
        cells = [cell for cells in view.parts.rows.values() for cell in cells if cell["id"] in own ^ first]
        return [{"id": c["id"], "state": {**lasting(c["state"]), "selected": c["id"] in own}} for c in cells]

    def _unchosen(self, difference: Difference) -> Difference:
        """The same without which cells are chosen."""
        out = Difference(ids=difference.ids)
        for told in difference.changes:
            base, change = self.cells.get(told["id"]), dict(told)
            if base is not None and "state" in change:
                change["state"] = {**change["state"], "selected": base["state"].get("selected", False)}
                if change["state"] == lasting(base["state"]):
                    del change["state"]
            if len(change) > 1:
                out.changes.append(change)
        for element in difference.added:
            is_cell = element["role"] == "table cell"
            out.added.append({**element, "state": {**element["state"], "selected": False}} if is_cell else element)
        return out

    def add_bar(self, key: BarKey, value: str, pieces: list[Piece], difference: Difference) -> None:
        self.bars[key] = value
        self.trail.allow(value)
        self.bar_pieces[value] = [part for p in pieces if (part := p.within(self.box))]
        self._patch(self.trail, value, {}, self.bar_pieces[value], difference)

    def _patch(self, control: Control, value: Value, when: Values, pieces, difference: Difference) -> None:
        if when == self.when(self.start.place, self.start.order) and value == control.value:
            # It is in the page's picture.
            return
        patch = Patch(control.id, value, dict(when), pieces, difference.changes, difference.added)
        patch.over = set(when)
        self.page.patches.append(patch)

    # what is composed

    def composed(self, at: At) -> np.ndarray | None:
        """The window as it should look; None if nobody knows."""
        view = self.views.get((at.place, at.order))
        if view is None or at.bar not in self.bar_pieces or (at.row != view.row and at.row not in view.looks):
            return None
        pieces = [p for patch in self._patches(at) for p in patch.pieces]
        return drawn(self.base, pieces)

    def _patches(self, at: At) -> list[Patch]:
        """The patches that a state is composed of, lower ones first."""
        values = {self.places.id: at.place, self.orders.id: at.order, self.trail.id: at.bar}
        values[self.rows.id] = self.row_value(at.place, at.row)
        rank = [self.places.id, self.orders.id, self.rows.id, self.trail.id]
        there = [p for p in self.page.patches if p.control in rank and values[p.control] == p.value]
        there = [p for p in there if p.when.items() <= values.items()]
        return sorted(there, key=lambda p: rank.index(p.control))

    def seen_again(self, at: At) -> None:
        for patch in self._patches(at):
            patch.verified = True

    # what clicks do

    def sets_row(self, at: At) -> list[dict]:
        return [{"kind": "value", "control": self.rows.id, "to": self.row_value(at.place, at.row)}]

    def sets(self, at: At) -> list[dict]:
        """The place, its row and the bar of a state."""
        told = ((self.places, at.place), (self.rows, self.row_value(at.place, at.row)), (self.trail, at.bar))
        return [{"kind": "value", "control": control.id, "to": value} for control, value in told]

    def finish(self) -> None:
        """What has one value alone is no control."""
        for control in (self.orders, self.trail, self.places):
            if len(control.values) == 1:
                self.page.drop(control.id)

    def remove(self) -> None:
        """All of it: it was not understood."""
        for control in (self.rows, self.orders, self.trail, self.places):
            if control.id in self.page.controls:
                self.page.discard(control.id)
        names = {control.id for control in (self.rows, self.orders, self.trail, self.places)}
        for transition in list(self.page.transitions):
            if names & {o.get("control") for o in transition["outcomes"]}:
                self.page.transitions.remove(transition)


def outside(pieces: list[Piece], box: Box) -> list[Piece]:
    return [part for p in pieces if (part := p.without(box))]


def as_before(piece: Piece, band: Box, active: np.ndarray, inactive: np.ndarray) -> Piece | None:
    """A part of a row with its look without the window's focus, taken from where the row stood before: `active` and
    `inactive` are the row's looks there. `band` is where it stands now. Beside its cells a row has one colour. None if
    the row looks otherwise than there."""
    x0, y0, x1, y1 = local(piece.rect, band)
    left, right = max(0, x0), min(x1, active.shape[1])
    cut, own = (slice(y0, y1), slice(left, right)), (slice(None), slice(left - x0, right - x0))
    mine = piece.active[own]
    if active[cut].shape != mine.shape or np.abs(active[cut].astype(np.int16) - mine).max(initial=0) > MOST_LEVELS:
        return None
    faded = piece.active.copy()
    faded[:] = inactive[y0:y1, :1]
    faded[own] = inactive[cut]
    return Piece(piece.rect, piece.mask, piece.active, faded)


def of_place(before: list[dict], now: list[dict], names: Names) -> Difference:
    """What another place changes. Its files are others, whatever they are called."""
    cells = [e for e in before if e["role"] == "table cell"]
    out = difference([e for e in before if e["role"] != "table cell"], now, names, view=True)
    out.changes += [{"id": cell["id"], "gone": True} for cell in cells]
    return out


def without_bar(change: Difference, before: Parts, box: Box) -> Difference:
    """What has changed beside the bar."""
    own = {b["id"] for b in before.buttons}
    added = [e for e in change.added if not _is_in(e, box)]
    return Difference([c for c in change.changes if c["id"] not in own], added, change.ids)


def of_bar(change: Difference, before: Parts, box: Box) -> Difference:
    own = {b["id"] for b in before.buttons}
    added = [e for e in change.added if _is_in(e, box)]
    return Difference([c for c in change.changes if c["id"] in own], added, change.ids)


def _is_in(element: dict, box: Box) -> bool:
    x0, y0, x1, y1 = element["bbox"]
    return box[0] <= x0 and box[1] <= y0 and x1 <= box[2] and y1 <= box[3]
