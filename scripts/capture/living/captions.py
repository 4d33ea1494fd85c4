"""The title in a window's frame, where a control changes it."""

import time

from .. import x11
from ..boxes import shifted
from . import changes
from .changes import Piece

# Looks of a frame that is redrawn: so often it is asked whether it is still.
MOST_LOOKS, BETWEEN_S = 12, 0.15


class Captions:
    """The title bar as it is now is what others are compared with."""

    def __init__(self, page):
        self.page = page
        self.bar = next((e for e in page.page.elements if e["role"] == "title bar"), None)
        self.title = x11.title(page.window)
        self.looks = None

    def now(self) -> list[Piece]:
        """What differs in the title bar from what it was; in px of the client window, above which it lies."""
        page = self.page
        if self.bar is None or x11.title(page.window) == self.title or self.looks is None:
            return []
        box = shifted(tuple(self.bar["bbox"]), -page.offset[0], -page.offset[1])
        (before, before_faded), (active, faded) = self.looks, self._see()
        x, y = box[:2]
        return [
            Piece(tuple(shifted(p.rect, x, y)), p.mask, p.active, p.inactive)
            for p in changes.pieces(before, active, (before_faded, faded))
        ]

    def begin(self) -> None:
        if self.bar is not None:
            self.looks = self._see()

    def _see(self):
        """The bar of the active and of the inactive window."""
        desk = self.page.desk
        box = shifted(tuple(self.bar["bbox"]), *self.page.origin)
        desk.activate()
        active = self._still(box)
        desk.rest()
        faded = self._still(box)
        desk.activate()
        desk.settle(awaits=True)
        return active, faded

    def _still(self, box):
        """Frames are redrawn by the window manager, after the window."""
        seen = None
        for _ in range(MOST_LOOKS):
            time.sleep(BETWEEN_S)
            before, seen = seen, self.page.desk.screen(box)
            if before is not None and changes.alike(before, seen):
                break
        return seen
