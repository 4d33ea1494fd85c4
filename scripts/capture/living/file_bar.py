"""The part of a crawl of a window that chooses files that clicks the bar of its path."""

from dataclasses import replace

import numpy as np

from . import changes
from .context import Seen
from .file_model import At, of_bar
from .file_parts import Parts, bar_name
from .groups import is_on
from .records import is_enabled


class FileBar:
    def _learn_bar(self, now: Parts, seen: Seen, active: np.ndarray, inactive: np.ndarray) -> str:
        """The bar as two pictures with the focus at home show it."""
        known = self._bar_of(now)
        if known is not None:
            return known
        name, count = bar_name(now), 2
        while name in self.model.bars.values():
            name, count = f"{bar_name(now)} ({count})", count + 1
        base = self.context
        found = changes.pieces(base.active, active, (base.inactive, inactive), self.page.ignored)
        difference = self.page.differ(base, seen, view=True)
        self.model.add_bar(now.bar_key, name, found, of_bar(difference, self.parts, self.model.bar_box))
        return name

    def _look_at_bars(self) -> None:
        """Every button of the bar, at every place that shows by a click at the side, and after one click more."""
        for place in self.places:
            if (place, self.start.order) in self.model.views:
                self._guarded(f"the bar at {place}", lambda place=place: self._begin_bar(place))

    def _begin_bar(self, place: str) -> None:
        self._go_to(place, self.start.order)
        self._look_at_bar(place, [])

    def _look_at_bar(self, place: str, way: list[str]) -> None:
        before = self.at
        buttons = [b for b in self._now().buttons if is_enabled(b)]
        for button in buttons:
            if self.late:
                return
            if self.at != before:
                self._go_along(place, way)
            self._press_bar(place, way, button)

    def _go_along(self, place: str, way: list[str]) -> None:
        self._go_to(place, self.start.order)
        for name in way:
            button = next(b for b in self._now().buttons if b["name"] == name)
            _, now = self._press(button)
            self.at = At(now.place or "", self.start.order, now.row, self._bar_of(now) or "")

    def _press_bar(self, place: str, way: list[str], button: dict) -> None:
        page, before = self.page, self.at
        own = self._own_id(button)
        when = {self.model.trail.id: before.bar, self.model.orders.id: self.start.order}
        other = self._choose_another() if is_on(button) else None
        seen, now = self._press(button)
        if (now.place or "", self.start.order) not in self.model.views:
            page.page.unknown(own, "it shows a folder that is no place", when)
            self.at = At("", "", None, "")
            return
        known = self._bar_of(now)
        bar = known
        if bar is None:
            focused = self.focus_in_list
            self._home()
            active = page.desk.grab()
            bar = self._learn_bar(now, seen, active, page.desk.inactive(active, True))
            self.focus_in_list = focused
        after = At(now.place or "", self.start.order, now.row, bar)
        if not self._is_composed(seen, after):
            page.page.unknown(own, "what it shows was not understood", when)
            self.at = At("", "", None, "")
            return
        self.at = after
        if other is not None and after == replace(before, row=other):
            page.page.tell(own, "click", [{"kind": "inert"}], when)
        elif button["role"] == "push button":
            outcome = [{"kind": "value", "control": self.model.trail.id, "to": bar}]
            page.page.tell(own, "click", outcome, when)
        else:
            self._tell(own, when, after)
        if known is None and not way and after.place != before.place:
            self._look_at_bar(place, [*way, button["name"]])

    def _choose_another(self) -> str | None:
        """Another row is chosen, one that no folder of the bar is called by: what shows already may choose its own."""
        now = self._now()
        taken = {now.row, *(b["name"] for b in now.buttons)}
        other = next((name for name in now.rows if name not in taken), None)
        if other is not None:
            self._press(now.rows[other][0])
        return other

    def _own_id(self, button: dict) -> str:
        """The id on the page of a button of the bar that shows."""
        records, _ = self.page.read()
        difference = self.page.differ(self.context, Seen("seen", records=records), view=True)
        told = ("role", "name", "bbox")
        same = (all(record[key] == button[key] for key in told) for record in records)
        return next(i for i, found in zip(difference.ids, same, strict=True) if found)
