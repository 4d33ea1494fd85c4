"""Brings a page of the live program into states that a pack knows, click by click beside `windesk pack act`."""

from collections.abc import Callable

from Xlib import error

from ..atspi import GLib
from ..picture import CaptureError
from ..programs import LivePage
from .paths import Click, PagePaths
from .spots import spot
from .walker import Side, Walker

NO_WAY = "no way to it is told"
# What the live program may do that ends one try.
FAULTS = (CaptureError, GLib.Error, error.XError, RuntimeError)


class PageDriver:
    """`told`: what a command has read of the page in the pack (known_pages.py)."""

    def __init__(self, walker: Walker, page: str, told: dict, entry: LivePage):
        self.walker, self.page, self.entry, self.enlarge = walker, page, entry, told["enlarge"]
        self.paths = PagePaths(told["lines"], told["transitions"], told["disabled"])
        self.sides: list[Side] = []

    def go(self, find: Callable[[], list[Click] | None]) -> tuple[list[Click], str]:
        """Follows a way from the present state, and if there is none from a fresh start; the way, and what went
        wrong."""
        way = find() if self.on_page() else None
        if way is None:
            self.begin()
            way = find()
        if way is None:
            return [], NO_WAY
        for click in way:
            why = self.click(click)
            if why or not self.on_page():
                return way, why or "the page was left"
        return way, ""

    def on_page(self) -> bool:
        return bool(self.sides) and self.sides[-1].page == self.page

    def values(self) -> dict:
        return (self.sides[-1].state or {}).get("values") or {}

    def begin(self) -> None:
        self.sides = self.walker.begin(self.entry)
        if self.enlarge is not None:
            why = self.click(Click(self.enlarge))
            if why:
                raise CaptureError(f"it can't be maximised: {why}")
        if not self.on_page():
            raise CaptureError(f"{self.sides[-1].page if self.sides else 'nothing'} is shown")

    def click(self, click: Click) -> str:
        side = self.sides[-1]
        told = self.walker.ask(side, None)
        element = next((e for e in told["elements"] if e["id"] == click.element), None)
        if element is None:
            return f"{click.element} is not shown"
        x, y = spot(element["role"], tuple(element["bbox"]), bool(element["state"].get("editable")))
        if click.part is not None:
            x, y = (click.part[0] + click.part[2]) // 2, (click.part[1] + click.part[3]) // 2
        records, popup = self.walker.read(side)
        judged = self.walker.step(self.sides, records, popup, element, {"click": [x, y]}, 0)
        return "" if judged.right else judged.why or "it was not foretold"
