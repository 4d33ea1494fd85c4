"""The part of a crawl of a window that chooses files that goes from place to place."""

from .context import Seen
from .desk import Lost
from .file_model import At
from .records import with_focus


class FileRounds:
    def _go_round(self, order: str) -> None:
        """Every place after another one, in one order; at the first order also with the focus in the list, and the
        other way round."""
        self._go_to(self.start.place, order)
        rounds = [self.places]
        if order == self.start.order:
            self._home()
            rounds.append(self.places[::-1])
            # How the bar looks there depends on the place before.
            around = [name for name in self.places if name in self._around()]
            rounds += [[name for other in self.places for name in (other, outer, outer)] for outer in around]
        for number, names in enumerate(rounds):
            if number or order != self.start.order:
                self._take_focus()
            for name in (n for n in names if (n, order) in self.model.views):
                if self.late:
                    return
                self._visit(name, order)

    def _around(self) -> set[str]:
        """Places at which the bar keeps a folder inside of them, that showed before."""
        kept = {place: [at.bar for at in found.values()] for (place, _), found in self.arrivals.items()}
        return {place for place, bars in kept.items() if any(bar[-1:] != "]" for bar in bars)}

    def _visit(self, name: str, order: str) -> None:
        before, focused = self.at, self.focus_in_list
        seen, now = self._press(self._now().places[name])
        bar = self._bar_of(now)
        if now.place == name and now.row is None and focused:
            self._land(At(name, order, now.row, bar or ""), seen)
            return
        if bar is None and self.model.composed(At(name, order, now.row, self.start.bar)) is not None:
            self._home()
            active = self.page.desk.grab()
            bar = self._learn_bar(now, seen, active, self.page.desk.inactive(active, True))
            self.at = At(name, order, now.row, bar)
            if focused:
                self._take_focus()
        after = At(name, order, now.row, bar or "")
        if now.place == name and self._is_composed(seen, after):
            self._arrive(before, after)
            self.at = after
            return
        found = self._recognised(seen, now)
        looks = f"shows as by {found.order}" if found else "looks otherwise"
        self.page.page.notes.append(f"{name} by {order}: {looks}")
        # It is in an order that nobody has seen: the rest begins from the first place.
        self.at = At(now.place or "", "", now.row, bar or "")
        self._go_to(self.start.place, order)
        self._take_focus()

    def _land(self, after: At, seen: Seen) -> None:
        """A place without rows: the list itself has the focus that was in it."""
        page, table = self.page, self.parts.table
        view = self.model.views[after.place, after.order]
        self._home()
        if not self._is_composed(Seen("seen", page.desk.grab()), after):
            raise Lost(f"{after.place} is not as composed")
        when = {self.model.places.id: after.place}
        page.add_focus(when, view.context.active, view.context.inactive, table, seen.active)
        self.landings[after.place] = table
        self.cells.add(table)
        self._arrive(self.at, after)
        self.at = after
        handle = page.handle_of(next(e for e in page.page.elements if e["id"] == table))
        handle.get_component_iface().grab_focus()
        page.desk.settle()

    def _take_focus(self) -> None:
        """A click on the row that is chosen brings the focus into the list."""
        if self.at.row is not None:
            self._press(self._now().rows[self.at.row][0])

    def _go_to(self, place: str, order: str) -> None:
        seen, now = self._press(self._now().places[place])
        at = At(place, self.at.order, now.row, self._bar_of(now) or "")
        if not self._is_composed(seen, at):
            at = self._recognised(seen, now) or At(place, "", now.row, self._bar_of(now) or "")
        self.at = at
        self._to_order(order)

    def _tell_places(self) -> None:
        for (place, order), found in self.arrivals.items():
            element = self.parts.places[place]["id"]
            same = len({at.bar for at in found.values()}) == 1 and place not in self._around()
            firsts = self.arrivals.get((place, self.start.order), {})
            rows = {at.row for at in found.values()}
            if len(rows) != 1:
                self.page.page.notes.append(f"{place} by {order}: chosen are {sorted(map(str, rows))}")
                continue
            told = {None: next(iter(found.values()))} if same else dict(firsts) | dict(found)
            for bar, at in told.items():
                after = At(place, order, next(iter(rows)), at.bar)
                when = {self.model.orders.id: order, **({self.model.trail.id: bar} if bar is not None else {})}
                self._tell(element, when, after)

    def _tell(self, element: str, when: dict, after: At) -> None:
        """What a click leads to, with the focus in the list and without: there it goes to the row that is chosen."""
        outcome = self.model.sets(after)
        self.page.page.tell(element, "click", outcome, when)
        view = self.model.views[after.place, after.order]
        rows = view.parts.rows
        cell = rows[after.row][0]["id"] if after.row in rows else self.landings.get(after.place)
        if self.cells:
            unknown = [{"kind": "unmodelled", "why": "where the focus goes without a row was not seen"}]
            focused = unknown if cell is None else with_focus(outcome, cell)
            self.page.page.tell(element, "click", focused, when, focused=sorted(self.cells))
