"""Runs inside a session: values of a pack's living pages that the crawl saw once are set again, one after the other,
and what the live program then shows is compared with what `windesk pack act` says."""

import json
import sys
import time
import traceback
from dataclasses import replace

from .. import programs
from ..live import LiveProgram
from ..looks import LOOKS
from ..programs import LivePage
from ..session import IN, OUT
from .page_driver import FAULTS, NO_WAY, PageDriver
from .server import Server
from .walk_session import MOST_SETTLE_S
from .walker import Walker

# How often a value is tried; the second time from a fresh start.
TRIES = 2


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


class PageProof(PageDriver):
    def __init__(self, proof: Proof, page: str, told: dict, entry: LivePage, seconds: float):
        super().__init__(proof.walker, page, told, entry)
        self.proof = proof
        self.wanted = {n: told["lines"][n] for n in told["once"]}
        self.ends = time.monotonic() + seconds

    def run(self) -> None:
        for number, patch in self.wanted.items():
            why = NO_WAY
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
        way, why = self.go(lambda: self.paths.way(self.values(), patch))
        if why:
            return why
        if not way:
            # It was passed on the way to another one.
            side = self.sides[-1]
            same, off, faults = self.walker.compare_in_time(side, self.walker.ask(side, None))
            if not same or faults:
                return "; ".join([f"{off} px differ", *faults[:3]])
        return "" if self.paths.shown(patch["control"], self.values()) is patch else "another look is shown"


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
