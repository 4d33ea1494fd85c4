"""Runs inside a session: values of a pack's living pages that the crawl saw once are set again, one after the other,
and what the live program then shows is compared with what `windesk pack act` says."""

import sys

from .page_driver import Finds, PageDriver, run_pages


def main(program_id: str, look_name: str, suffix: str, seconds: str) -> int:
    """`seconds`: the most that one page takes."""
    run_pages(program_id, look_name, suffix, seconds, "once.json", Proof, PageProof)
    return 0


class Proof(Finds):
    """`seen`: by page, the numbers of patches among the lines of its living file."""

    def __init__(self, walker):
        super().__init__(walker)
        self.seen: dict[str, list[int]] = {}

    def told(self) -> dict:
        return {"seen": self.seen}


class PageProof(PageDriver):
    def __init__(self, finds: Proof, page: str, told: dict, entry, seconds: float):
        super().__init__(finds, page, told, entry, seconds)
        self.wanted = {n: told["lines"][n] for n in told["once"]}

    def run(self) -> None:
        for number, patch in self.wanted.items():
            why = self.tried(lambda patch=patch: self.see(patch))
            if why:
                self.missed(why, control=patch["control"], value=patch["value"])
            else:
                self.finds.seen.setdefault(self.page, []).append(number)
            self.finds.report()

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
