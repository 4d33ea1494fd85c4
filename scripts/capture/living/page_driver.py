"""Brings pages of the live program into states that a pack knows, click by click beside `windesk pack act`; what is
found there is told page by page."""

import json
import time
import traceback
from collections.abc import Callable
from dataclasses import replace

from Xlib import error

from .. import programs
from ..atspi import GLib
from ..live import LiveProgram
from ..looks import LOOKS
from ..picture import CaptureError
from ..programs import LivePage
from ..session import IN, OUT
from .paths import Click, PagePaths
from .server import Server
from .spots import spot
from .walk_session import MOST_SETTLE_S
from .walker import Side, Walker

NO_WAY = "no way to it is told"
# What the live program may do that ends one try.
FAULTS = (CaptureError, GLib.Error, error.XError, RuntimeError)


# How often something is tried on a page; the second time from a fresh start.
TRIES = 2


class Finds:
    """What a session has found on all pages so far."""

    def __init__(self, walker: Walker):
        self.walker = walker
        self.missed: list[dict] = []
        self.failures: list[str] = []
        self.started = time.monotonic()

    def told(self) -> dict:
        """What the report says beside what was missed and what failed."""
        raise NotImplementedError

    def report(self) -> None:
        text = {"states": [], "transitions": [], **self.told(), "failures": self.failures, "missed": self.missed,
                "seconds": round(time.monotonic() - self.started, 1)}  # fmt: skip
        (OUT / "report.json").write_text(json.dumps(text), encoding="utf-8")


def run_pages(
    program_id: str, look_name: str, suffix: str, seconds: str, file: str, finds_of: type[Finds], page_of: Callable
) -> None:
    """Runs through the pages that a file in the session's in folder tells of. `seconds`: the most that one page takes.
    `page_of` is a kind of PageDriver."""
    program = programs.load(program_id)
    program = replace(program, settle=min(program.settle, MOST_SETTLE_S))
    server = Server(IN / "windesk", IN / "pack.tar", OUT / "act.log")
    finds = finds_of(Walker(LiveProgram(program, LOOKS[look_name]), server, OUT, suffix))
    entries = {entry.name: entry for entry in program.live}
    for page, told in json.loads((IN / file).read_text(encoding="utf-8")).items():
        try:
            page_of(finds, page, told, entries[told["entry"]], float(seconds)).run()
        except Exception:
            finds.failures.append(f"{page}: {traceback.format_exc()}")
        finds.report()
    server.close()


class PageDriver:
    """`told`: what a command has read of the page in the pack (known_pages.py). `seconds`: the most that it takes."""

    def __init__(self, finds: Finds, page: str, told: dict, entry: LivePage, seconds: float):
        self.finds, self.walker = finds, finds.walker
        self.page, self.entry, self.enlarge = page, entry, told["enlarge"]
        self.paths = PagePaths(told["lines"], told["transitions"], told["disabled"])
        self.sides: list[Side] = []
        self.ends = time.monotonic() + seconds

    def tried(self, do: Callable[[], str]) -> str:
        """Does something that says what is wrong, once more if anything was; what was wrong at last."""
        why = NO_WAY
        for _ in range(TRIES):
            if time.monotonic() > self.ends:
                return "the page's time is over"
            try:
                why = do()
            except FAULTS as fault:
                why = str(fault) or type(fault).__name__
            if not why:
                return ""
            self.sides = []
        return why

    def missed(self, why: str, **what) -> None:
        self.finds.missed.append({"page": self.page, **what, "why": why})

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
