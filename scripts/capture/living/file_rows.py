"""The part of a crawl of a window that chooses files that chooses them: every row, in one order after the other."""

from dataclasses import replace

import numpy as np

from ..boxes import Box, shifted, union
from . import changes
from .changes import Piece
from .context import Seen
from .desk import Lost
from .file_model import At, View, as_before, outside, without_bar
from .file_parts import BarKey
from .records import with_focus

# A row's own look reaches so far beyond its cells.
ROW_PX = 1


class FileRows:
    def _look_at_rows(self) -> None:
        """Every row of the place that shows, in the order that it has."""
        view = self.model.views[self.at.place, self.at.order]
        self._keep_strips(view.context.active, view.context.inactive, view, view.row)
        for name in view.parts.rows:
            if self.late:
                return
            try:
                self._look_at_row(view, name)
            except Lost as fault:
                self.page.page.notes.append(f"{self.at}: {fault}")
                self.at = replace(self.at, row=name)

    def _look_at_row(self, view: View, name: str) -> None:
        page, place, order = self.page, self.at.place, self.at.order
        cells = view.parts.rows[name]
        seen, now = self._press(cells[0])
        difference = page.differ(view.context, seen)
        focus = page.focus_of(difference, seen)
        if now.row != name or (now.place, now.bar_key) != (place, self._key(self.at.bar)):
            raise Lost(f"a click on {name} chooses {now.row}")
        after = At(place, order, name, self.at.bar)
        if name != view.row and name not in view.looks:
            beside = without_bar(difference, view.parts, self.model.bar_box)
            if beside.added or beside.gone():
                page.page.unknown(cells[0]["id"], "it shows something else", self.model.when(place, order))
                raise Lost(f"{name} shows something else")
            found = self._as_before(seen, view, name) if self.ring else None
            if found is None:
                focused = self.focus_in_list
                found, active, inactive = page.look(view.context, difference)
                if not self.ring:
                    self.ring = page.add_focus({}, active, inactive, focus, seen.active)
                self._keep_strips(active, inactive, view, name)
                self.focus_in_list = focused
            self.model.add_row(place, order, name, found, beside)
        elif not self.ring:
            self._home()
            active, inactive = page.desk.grab(), page.desk.inactive()
            self.ring = page.add_focus({}, active, inactive, focus, seen.active)
        self.focus_in_list = focus is not None
        if focus is not None and focus not in self.cells:
            self.cells.add(focus)
            page.add_focus({}, view.context.active, view.context.inactive, focus,
                           changes.drawn(view.context.active, self.ring))  # fmt: skip
        self.at = after
        if not self._is_composed(seen, after):
            raise Lost(f"{place}, {order}: {name} is not as composed")
        outcome = with_focus(self.model.sets_row(after), focus)
        for cell in cells:
            page.page.tell(cell["id"], "click", outcome, self.model.when(place, order))

    def _key(self, bar: str) -> BarKey:
        return next(key for key, name in self.model.bars.items() if name == bar)

    def _band(self, view: View, name: str) -> Box:
        """A row, in px of the window's pictures."""
        box = union([tuple(cell["bbox"]) for cell in view.parts.rows[name]])
        x0, y0, x1, y1 = shifted(box, -self.page.offset[0], -self.page.offset[1])
        return x0, y0 - ROW_PX, x1, y1 + ROW_PX

    def _keep_strips(self, active: np.ndarray, inactive: np.ndarray, view: View, chosen: str | None) -> None:
        for name in view.parts.rows:
            x0, y0, x1, y1 = self._band(view, name)
            look = active[y0:y1, x0:x1].copy(), inactive[y0:y1, x0:x1].copy()
            self.strips.setdefault(self._strip(view, name, name == chosen), look)

    def _strip(self, view: View, name: str, chosen: bool) -> tuple:
        """A row of which the look is kept. The column that orders the files may be wider than else."""
        columns = tuple((cell["bbox"][0], cell["bbox"][2]) for cell in view.parts.rows[name])
        return self.at.place, name, chosen, columns

    def _as_before(self, seen: Seen, view: View, name: str) -> list[Piece] | None:
        """What a chosen row changes in another order: its look with the focus is what is seen, and without the focus
        what the same row was seen to look like where it stood before. None if it was not, or looked otherwise."""
        plain = changes.drawn(view.context.active, self.ring if self.focus_in_list else ())
        out = []
        for found in outside(changes.pieces(plain, seen.active, None, self.page.ignored), self.model.box):
            rest: Piece | None = found
            for row in filter(None, (name, view.row)):
                band = self._band(view, row)
                # A row's look reaches from edge to edge of the list.
                across = found.rect[0], band[1], found.rect[2], band[3]
                part = rest and rest.within(across)
                if part is None:
                    continue
                strip = self.strips.get(self._strip(view, row, row == name))
                faded = strip and as_before(part, band, *strip)
                if faded is None:
                    return None
                out.append(faded)
                rest = rest.without(across)
            if rest is not None:
                return None
        return out
