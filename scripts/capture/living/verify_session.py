"""Runs inside a session: values of a pack's living pages that the crawl saw once are set again, one after the other,
and what the live program then shows is compared with what `windesk pack act` says."""

import json
import sys
import time
import traceback
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

# How often a value is tried; the second time from a fresh start.
TRIES = 2
FAULTS = (CaptureError, GLib.Error, error.XError, RuntimeError)


def main(program_id: str, look_name: str, suffix: str, seconds: str) -> int:
    """`seconds`: the most that one page takes."""
    program = programs.load(program_id)
    program = replace(program, settle=min(program.settle, MOST_SETTLE_S))
    server = Server(IN / "windesk", IN / "pack.tar", OUT / "act.log")
    walker = Walker(LiveProgram(program, LOOKS[look_name]), server, OUT, suffix)
    entries = {entry.name: entry for entry in program.live}
    proof = Proof(walker)
    for page, told in json.loads((IN / "once.json").read_text(encoding="utf-8")).items():
        try:
            PageProof(proof, page, told, entries[told["entry"]], float(seconds)).run()
        except Exception:
            proof.failures.append(f"{page}: {traceback.format_exc()}")
        proof.report()
    proof.report()
    server.close()
    return 0


class Proof:
    """What was seen of all pages. `seen`: by page, the numbers of patches among the lines of its living file."""

    def __init__(self, walker: Walker):
        self.walker = walker
        self.seen: dict[str, list[int]] = {}
        self.missed: list[dict] = []
        self.failures: list[str] = []
        self.started = time.monotonic()

    def report(self) -> None:
        told = {"states": [], "transitions": [], "failures": self.failures, "seen": self.seen, "missed": self.missed,
                "seconds": round(time.monotonic() - self.started, 1)}  # fmt: skip
        (OUT / "report.json").write_text(json.dumps(told), encoding="utf-8")


class PageProof:
    def __init__(self, proof: Proof, page: str, told: dict, entry: LivePage, seconds: float):
        self.proof, self.walker = proof, proof.walker
        self.page, self.entry, self.enlarge = page, entry, told["enlarge"]
        self.paths = PagePaths(told["lines"], told["transitions"], told["disabled"])
        self.wanted = {n: told["lines"][n] for n in told["once"]}
        self.ends = time.monotonic() + seconds
        self.sides: list[Side] = []

    def run(self) -> None:
        for number, patch in self.wanted.items():
            why = "no way to it is told"
            for _ in range(TRIES):
                if time.monotonic() > self.ends:
                    why = "the page's time is over"
                    break
                try:
                    why = self.see(patch)
                except FAULTS as fault:
                    why = str(fault) or type(fault).__name__
                if not why:
                    break
                self.sides = []
            if why:
                told = {"page": self.page, "control": patch["control"], "value": patch["value"], "why": why}
                self.proof.missed.append(told)
            else:
                self.proof.seen.setdefault(self.page, []).append(number)
            self.proof.report()

    def see(self, patch: dict) -> str:
        """Sets a value and looks; what is wrong, if anything. The page stays as it is then."""
        way = self.paths.way(self.values(), patch) if self.on_page() else None
        if way is None:
            self.begin()
            way = self.paths.way(self.values(), patch)
        if way is None:
            return "no way to it is told"
        for click in way:
            why = self.click(click)
            if why or not self.on_page():
                return why or "the page was left"
        if not way:
            # It was passed on the way to another one.
            side = self.sides[-1]
            same, off, faults = self.walker.compare_in_time(side, self.walker.ask(side, None))
            if not same or faults:
                return "; ".join([f"{off} px differ", *faults[:3]])
        return "" if self.paths.shown(patch["control"], self.values()) is patch else "another look is shown"

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


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
