"""Runs inside a session: clicks the links of a pack's living pages of which nothing is known, and pictures what the
window shows then."""

import sys
from functools import partial

from .. import grabs, x11
from ..boxes import shifted
from ..recorder import Recorder
from ..session import OUT
from ..shots import Shot, slug
from . import changes
from .page_driver import Finds, PageDriver, run_pages
from .paths import Click
from .spots import spot
from .walker import Side

# What is typed into fields, to see that a link leads to the same from there.
WORDS = "Sample"


def main(program_id: str, look_name: str, suffix: str, seconds: str) -> int:
    """`seconds`: the most that one page takes."""
    run_pages(program_id, look_name, suffix, seconds, "links.json", Links, PageLinks)
    return 0


class Links(Finds):
    """`leads`: by page and link, the state of the window that it leads to; `always`: whether it does so whatever is
    set."""

    def __init__(self, walker):
        super().__init__(walker)
        self.recorder = Recorder(walker.live, OUT)
        self.leads: dict[str, dict[str, dict]] = {}

    def told(self) -> dict:
        return {"leads": self.leads, "pages": [], "states": [shot.state for shot in self.recorder.shots]}


class PageLinks(PageDriver):
    """A link always leads to a picture if it does so from the page as it was captured, under each set of values for
    which the pack says something else of it, and with other values and a text in each field."""

    def __init__(self, finds: Links, page: str, told: dict, entry, seconds: float):
        super().__init__(finds, page, told, entry, seconds)
        self.links, self.title = told["links"], page.split("/")[1].removesuffix(finds.walker.suffix)

    def run(self) -> None:
        for link, conditions in self.links.items():
            why = self.tried(lambda link=link, conditions=conditions: self.follow(link, conditions))
            if why:
                self.missed(why, link=link)
            self.finds.report()

    def follow(self, link: str, conditions: list[dict]) -> str:
        """What is wrong, if anything."""
        why = self.press(link, {}, "") or self.picture(link)
        if why:
            return why
        shot = self.finds.recorder.shots[-1]
        tries = [*((values, "") for values in conditions), (self.paths.others(), WORDS)]
        always = all(not self.press(link, *other) and self.shows(shot) for other in tries)
        self.finds.leads.setdefault(self.page, {})[link] = {"state": shot.state, "always": always}
        return ""

    def press(self, link: str, values: dict, words: str) -> str:
        """Clicks a link with these values set, and these words in each field; what is wrong, if anything."""
        self.begin()
        why = self.set(values)
        if why:
            return why
        side = self.sides[-1]
        if words:
            self.fill(side, words)
        windows, size = {w.id for w in x11.clients()}, x11.box_of(side.window)
        before = side.desk.grab()
        element = next((e for e in self.walker.ask(side, None)["elements"] if e["id"] == link), None)
        if element is None:
            return f"{link} is not shown"
        self.walker.do(side, {"click": list(spot(element["role"], tuple(element["bbox"])))})
        if {w.id for w in x11.clients()} != windows or x11.box_of(side.window) != size or side.desk.popups():
            return "it opens or closes something"
        grabs.wait_until_still(side.window, 0.8, 8)
        if changes.alike(before, side.desk.grab()):
            return "it changes nothing"
        return ""

    def set(self, values: dict) -> str:
        for control, value in values.items():
            _, why = self.go(partial(self.way_to, control, value))
            if why:
                return why
        return ""

    def way_to(self, control: str, value) -> list[Click] | None:
        return self.paths.way_to_value(self.values(), control, value)

    def fill(self, side: Side, words: str) -> None:
        for element in (e for e in self.walker.ask(side, None)["elements"] if e["role"] == "entry"):
            for event in ({"click": list(spot("entry", tuple(element["bbox"])))}, {"type": words}):
                self.walker.do(side, event)

    def picture(self, link: str) -> str:
        """Keeps what the window shows; what is wrong, if anything."""
        side = self.sides[-1]
        name = next(e["name"] for e in self.walker.ask(side, None)["elements"] if e["id"] == link)
        steps = ["launch", *map(str, self.entry.steps), f"click {name}"]
        kind = "main" if side.window.id == self.walker.live.window.id else "dialog"
        recorder = self.finds.recorder
        shot = recorder.capture(side.window, f"{self.title}-{slug(name, 16)}", kind, steps)
        return recorder.failures[-1] if shot is None else ""

    def shows(self, shot: Shot) -> bool:
        """Whether the window looks as it was pictured; it may lie elsewhere now."""
        window = self.sides[-1].window
        frame = x11.frame_box(window)
        box = shifted(x11.box_of(window), shot.frame[0] - frame[0], shot.frame[1] - frame[1])
        pictured = changes.cut(shot.picture.pixels[..., :3], box, shot.picture.box())
        return changes.alike(self.sides[-1].desk.grab(), pictured)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
