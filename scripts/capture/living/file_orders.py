"""The part of a crawl of a window that chooses files that clicks the headers of its list."""

from dataclasses import replace

from .context import Seen
from .desk import Lost
from .file_model import At, without_bar
from .file_parts import Parts

# What the order of a column is called once it is clicked again.
REVERSED = ", reversed"
# Clicks on headers of the first place, beyond those that show a new order.
MOST_ORDERINGS = 40
# Clicks on the first header until its order shows.
MOST_CLICKS = 3


class FileOrders:
    def orders_of(self, place: str) -> list[str]:
        return [order for at, order in self.model.views if at == place]

    def _clicked(self, order: str, header: str) -> str:
        """The order that a click on a header leads to."""
        return header + REVERSED if order == header else header

    def _look_at_orders(self, name: str) -> None:
        """The orders of a place: each header is clicked, and clicked again. At the first place each is
        then clicked in each order."""
        view = self.model.views[name, self.start.order]
        if view.parts.hidden:
            return
        self._go_to(name, self.start.order)
        place, first = self.at.place, self.headers[0]
        usable = self.usable.setdefault(place, [])
        for header in self.headers:
            if self.late:
                return
            if header == first or self._is_undone(header):
                usable.append(header)
                self._order(header)
                self._order(header)
            if self.at.order != self.start.order:
                self._order(first)
        for _ in range(MOST_ORDERINGS if place == self.start.place else 0):
            way = self._way_to_unknown(place)
            if self.late or not way:
                break
            for header in way:
                self._order(header)
        self._to_order(self.start.order)

    def _is_undone(self, header: str) -> bool:
        """Whether the first order looks as before after another one: a column whose header gets an arrow may get wider,
        and stay so."""
        self._press(self._now().headers[header])
        seen, now = self._press(self._now().headers[self.headers[0]])
        if self._is_composed(seen, replace(self.at, row=now.row), shows=False):
            return True
        when = self.model.when(self.at.place, self.at.order)
        self.page.page.unknown(self.parts.headers[header]["id"], "its column stays wider", when)
        place = self.at.place
        seen, now = self._press(self._now().places[place])
        self.at = At(place, self.start.order, now.row, self.at.bar)
        if not self._is_composed(seen, self.at, shows=False):
            self._begin_again()
            if place != self.start.place:
                self._go_to(place, self.start.order)
        return False

    def _order(self, header: str) -> None:
        page, model, before = self.page, self.model, self.at
        first = model.views[before.place, self.start.order]
        seen, now = self._press(self._now().headers[header])
        order = self._clicked(before.order, header)
        after = At(before.place, order, before.row, before.bar)
        if (now.place, now.row, now.bar_key) != (before.place, before.row, self._key(before.bar)):
            raise Lost(f"the order {order} shows another place or row")
        edges = self.edges.setdefault((before.place, before.order), {})
        if (before.place, order) not in model.views:
            difference = page.differ(first.context, seen, view=True)
            focused = self.focus_in_list
            found, active, inactive = page.look(first.context, difference)
            elements = page.crawler.elements_in(first.context, difference)
            beside = without_bar(difference, first.parts, model.bar_box)
            if beside.added or beside.gone():
                raise Lost(f"the order {order} shows something else")
            model.add_order(before.place, order, found, beside, self._view(now, active, inactive, elements))
            self.at, self.focus_in_list = after, focused
            if not self._is_composed(seen, after):
                raise Lost(f"the order {order} is not as composed")
            self.focus_in_list = False
            edges[header] = order
            self._tell_order(before, header, order)
            self._look_at_rows()
            return
        if self._is_composed(seen, after):
            self.at, edges[header] = after, order
            self._tell_order(before, header, order)
            return
        # Files that are equal in a column stand as they stood before.
        edges[header] = None
        found = self._recognised(seen, now)
        if found is None:
            self.at = At(before.place, "", before.row, before.bar)
            self._to_order(self.start.order)
        else:
            self.at = found

    def _recognised(self, seen: Seen, now: Parts) -> At | None:
        bar = self._bar_of(now)
        for order in self.orders_of(now.place or ""):
            at = At(now.place or "", order, now.row, bar or "")
            if self._is_composed(seen, at, shows=False):
                return at
        return None

    def _tell_order(self, before: At, header: str, order: str) -> None:
        outcome = [{"kind": "value", "control": self.model.orders.id, "to": order}]
        when = self.model.when(before.place, before.order)
        self.page.page.tell(self.parts.headers[header]["id"], "click", outcome, when)

    def _way_to_unknown(self, place: str) -> list[str]:
        """The fewest clicks to a header whose outcome is not known, with that one."""
        seen, ways = {self.at.order}, [(self.at.order, [])]
        while ways:
            order, way = ways.pop(0)
            edges = self.edges.get((place, order), {})
            for header in self.usable.get(place, ()):
                if header not in edges:
                    return [*way, header]
            for header, to in edges.items():
                if to is not None and to not in seen:
                    seen.add(to)
                    ways.append((to, [*way, header]))
        return []

    def _to_order(self, order: str) -> None:
        """The place that shows, in an order that is known of it: by way of the first one, which is the same each
        time."""
        place, first = self.at.place, self.start.order
        if self.at.order == order:
            return
        for _ in range(MOST_CLICKS):
            seen, now = self._press(self._now().headers[self.headers[0]])
            self.at = self._recognised(seen, now) or At(place, "", now.row, self._bar_of(now) or "")
            if self.at.order == first:
                break
        else:
            raise Lost(f"the order {first} does not come back")
        for header in self._way(place, order):
            self._order(header)
        if self.at.order != order:
            raise Lost(f"the order {order} does not come back")

    def _way(self, place: str, order: str) -> list[str]:
        """The fewest clicks from the first order to another one."""
        ways: dict[str, list[str]] = {self.start.order: []}
        left = [self.start.order]
        while left and order not in ways:
            here = left.pop(0)
            for header, to in self.edges.get((place, here), {}).items():
                if to is not None and to not in ways:
                    ways[to] = [*ways[here], header]
                    left.append(to)
        return ways.get(order, [])
