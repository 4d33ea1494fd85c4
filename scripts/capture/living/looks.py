"""What a value and what the focus change of a page's look."""

import numpy as np

from ..boxes import Box, shifted
from . import changes, matching
from .context import Context, Seen
from .desk import Lost
from .page import Layer, Patch, Value, Values
from .records import ring_of, ringed

# How often the look without the focus is pictured, at most, until it fits that with it.
MOST_FADINGS = 3
# What a value changes, and the pictures with and without the window's focus.
Look = tuple[list[changes.Piece], np.ndarray, np.ndarray]


class Looks:
    """The part of a page's crawl that turns pictures into patches and layers."""

    def look(
        self, context: Context, difference: matching.Difference | None = None
    ) -> tuple[list[changes.Piece], np.ndarray, np.ndarray]:
        """What a value has changed of the context, with the focus back at home; the pictures of that. Where the home is
        hidden, another one takes its place."""
        self.new_home = context.home_id
        self.aim(context)
        if difference is not None and context.home is not None and self.home_of(context) in difference.gone():
            self.new_home, self.desk.home_handle = self.choose_home(matching.applied(context.elements, difference))
        self.desk.go_home()
        active = self.desk.grab()
        fades = not changes.alike(context.active, context.inactive, self.ignored)
        inactive = self.desk.inactive(active, fades)
        if active.shape != context.active.shape or inactive.shape != context.active.shape:
            raise Lost("the window has another size")
        if fades and changes.alike(active, inactive, self.ignored):
            raise Lost("the window does not lose the focus")
        for _ in range(MOST_FADINGS):
            if not changes.strays_beside(context.inactive, inactive, context.active, active, self.ignored):
                break
            # It was pictured while its colours were going.
            inactive = self.desk.inactive(active, fades)
        found = changes.pieces(context.active, active, (context.inactive, inactive), self.ignored)
        return found, active, inactive

    def differ(self, context: Context, seen: Seen, view: bool = False) -> matching.Difference:
        """What has become of the elements, apart from what stays changed once anything was changed."""
        out = matching.difference(context.elements, seen.records, self.names, view)
        out.changes = [c for c in out.changes if c["id"] not in self.page.sticky]
        return out

    def focus_of(self, difference: matching.Difference, seen: Seen) -> str | None:
        """The element that took the focus. Where it is still at home, the click has left it where it was."""
        focus = difference.ids[seen.focus] if seen.focus is not None else None
        return None if focus == self.aimed else focus

    def ring_at(
        self, element: str, context: Context, plain: np.ndarray, seen: np.ndarray, elements: list[dict] | None = None
    ) -> str | None:
        """The clicked element, if the picture shows that it took the focus though no element says so; where the ring
        lies elsewhere, the element around that. `elements`: those of now, if not the context's."""
        if plain.shape != seen.shape or changes.alike(plain, seen, self.ignored):
            return element if element == self.home_of(context) else None
        boxes = self._where_changed(plain, seen)
        return ring_of(element, boxes, elements or context.elements, self.home_of(context))

    def ringed(self, context: Context, seen: np.ndarray) -> str | None:
        """The element that the picture shows with the focus, where none says so."""
        return ringed(context.elements, self._where_changed(context.active, seen), self.home_of(context))

    def _where_changed(self, before: np.ndarray, seen: np.ndarray) -> list[Box]:
        """Where two pictures of the window differ, in the px of its elements."""
        boxes = changes.boxes_of(changes.changed(before, seen, self.ignored))
        return [shifted(box, *self.offset) for box in boxes]

    def is_seen(self, element: str | None, context: Context, seen: np.ndarray) -> bool:
        """Whether a picture shows the focus as it is known to look at an element; also where nothing is known."""
        layers = [la for la in self.page.layers if la.element == element and la.when == context.when]
        if element is None or not layers or seen.shape != context.active.shape:
            return True
        return changes.alike(changes.drawn(context.active, layers[0].pieces), seen, self.ignored)

    def add_patch(self, context: Context, control: str, value: Value, found, difference) -> Patch:
        patch = Patch(control, value, dict(context.when), found, difference.changes, difference.added)
        patch.over = set(context.when)
        self.page.patches.append(patch)
        return patch

    def add_focus(self, when: Values, base, inactive, element: str | None, focused: np.ndarray | None) -> list:
        """The layer of an element's focus, from pictures of the same values with the focus at home and there."""
        if element is None or focused is None or focused.shape != base.shape:
            return []
        mask = changes.changed(base, focused, self.ignored)
        parts = []
        for box in changes.boxes_of(mask):
            x0, y0, x1, y1 = box
            cut = (slice(y0, y1), slice(x0, x1))
            parts.append(changes.Piece(box, mask[cut].copy(), focused[cut].copy(), inactive[cut].copy()))
        known = any(la.element == element and la.when == when for la in self.page.layers)
        if parts and not known:
            self.page.layers.append(Layer("focus", element, dict(when), parts))
        return parts

    def focus_variant(self, when: Values, base, inactive, element: str | None, focused, layer: list) -> None:
        """Keeps a layer of its own for a value where the usual one does not give what was seen."""
        if element is None or focused is None or base.shape != focused.shape:
            return
        if not changes.alike(changes.drawn(base, layer), focused, self.ignored):
            parts = self.add_focus(when, base, inactive, element, focused)
            known = any(la.element == element and la.when == when for la in self.page.layers)
            if not parts and not known:
                # It shows no focus there: the usual layer would draw one.
                self.page.layers.append(Layer("focus", element, dict(when), []))
