"""Runs inside a session: letters of the fields of pages that a pack has."""

import json
import random
import sys
import time
import traceback
from dataclasses import replace

from PIL import Image
from Xlib import error

from .. import programs
from ..atspi import GLib
from ..live import LiveProgram
from ..looks import LOOKS
from ..picture import CaptureError
from ..session import IN, OUT
from ..shots import slug
from . import letters
from .letters import Letters, Shape, Unfit, random_texts
from .server import Server
from .shaping import Shaper
from .spots import spot
from .typing_in import Another, TypedField
from .walk_session import MOST_SETTLE_S
from .walker import Side, Walker

# Of the few texts that a field is tried with, the share that must look as composed.
LEAST_RIGHT = 0.95
# With so many texts, it is also measured what letters would give that stand differently beside others.
MANY = 100


def main(program_id: str, look_name: str, suffix: str, texts: str = "20") -> int:
    """`texts`: how many a field is tried with."""
    program = programs.load(program_id)
    program = replace(program, settle=min(program.settle, MOST_SETTLE_S))
    live = LiveProgram(program, LOOKS[look_name])
    server = Server(IN / "windesk", IN / "pack.tar", OUT / "act.log")
    walker = Walker(live, server, OUT, suffix)
    known = json.loads((IN / "fields.json").read_text(encoding="utf-8"))
    crawl = Crawl(walker, known, int(texts), suffix)
    for entry in program.live:
        page = f"{program_id}/live-{slug(entry.name)}{suffix}"
        if page not in known:
            continue
        for attempt in (1, 2):
            try:
                crawl.run(entry, page)
                break
            except (CaptureError, GLib.Error, error.XError, RuntimeError) as fault:
                crawl.failures.append(f"{page}, attempt {attempt}: {fault or type(fault).__name__}")
            except Exception:
                crawl.failures.append(f"{page}: {traceback.format_exc()}")
                break
        crawl.report()
    crawl.report()
    server.close()
    return 0


class Crawl:
    def __init__(self, walker: Walker, known: dict, texts: int, suffix: str):
        self.walker, self.known, self.texts, self.suffix = walker, known, texts, suffix
        self.fields: dict[str, list[dict]] = {}
        self.reports: list[dict] = []
        self.failures: list[str] = []
        self.started = time.time()
        self.shapers: dict[str, Shape] = {}
        self.sets: list[Letters] = []
        # Of fields by their controls: those of a window as large as it gets are inset as they are in its usual size.
        self.insets: dict[str, tuple[int, int]] = {}

    def report(self) -> None:
        text = {"states": [], "transitions": [], "fields": self.reports, "failures": self.failures,
                "toolkit": self.walker.toolkit, "seconds": round(time.time() - self.started, 1)}  # fmt: skip
        (OUT / "letters.json").write_text(json.dumps(self.fields), encoding="utf-8")
        (OUT / "report.json").write_text(json.dumps(text, default=_plain), encoding="utf-8")

    def run(self, entry, page: str) -> None:
        """The fields of a page, and of the same window as large as it gets."""
        sides = self.walker.begin(entry)
        self.take(sides[-1])
        button = self.known[page]["enlarge"]
        if button is None:
            return
        sides = self.walker.begin(entry)
        event = {"click": list(spot("push button", tuple(button["bbox"])))}
        records, popup = self.walker.read(sides[-1])
        judged = self.walker.step(sides, records, popup, button, event, 0)
        if judged.right and sides[-1].page in self.known:
            self.take(sides[-1])
        else:
            self.failures.append(f"{page}: the window as large as it gets: {judged.why or sides[-1].page}")

    def take(self, side: Side) -> None:
        told = self.known[side.page]
        for control in told["fields"]:
            if any(f["control"] == control["id"] for f in self.fields.get(side.page, ())):
                continue
            started = time.time()
            report = {"page": side.page, "control": control["id"], "toolkit": side.desk.toolkit, "why": ""}
            try:
                if control["obstacle"]:
                    raise Unfit(control["obstacle"])
                self.one(side, told, control, report)
            except Unfit as fault:
                report["why"] = str(fault)
            report["seconds"] = round(time.time() - started, 1)
            self.reports.append(report)
            self.report()

    def one(self, side: Side, told: dict, control: dict, report: dict) -> None:
        element = next(e for e in told["elements"] if e["id"] == control["element"])
        gtk = side.desk.toolkit.lower()
        typed = TypedField(side.desk, side.origin, told["elements"], element, lambda: self.walker.read_now(side)[0],
                           hides_caret="gtk" in gtk or "libreoffice" in gtk)  # fmt: skip
        try:
            self.tried(side, typed, control, report, gtk)
        finally:
            report |= {"font": typed.font, "grabs": typed.grabs}
            if typed.original(control["value"]):
                self.failures.append(f"{side.page}: {control['id']} does not come back to its text")

    def tried(self, side: Side, typed: TypedField, control: dict, report: dict, gtk: str) -> None:
        """Measures a field and tries it with random texts."""
        field = self.measured(typed, control, gtk)
        chance = random.Random(f"texts/{side.page}/{control['id']}")
        seen = typed.prove(field, random_texts(chance, self.texts, sorted(field.letters.letters)))
        report |= figures(field, seen)
        if self.texts >= MANY:
            # How far letters go that stand differently beside others.
            every = typed.prove(replace(field, letters=typed.every), random_texts(chance, self.texts))
            report["ascii"] = figures(field, every)
        Image.fromarray(side.desk.grab()).save(OUT / f"field-{slug(side.page)}-{control['id']}.png", compress_level=1)
        self.keep(side, field)
        if report["right"] < LEAST_RIGHT * report["tried"]:
            raise Unfit(f"{report['right']} of {report['tried']} texts look as composed")

    def measured(self, typed: TypedField, control: dict, gtk: str):
        """A field: with the letters of one before, where they are its own."""

        def shaped(font: str) -> Shape:
            return self.shaped(font, gtk)

        inset = self.insets.get(control["id"])
        for known in self.sets:
            try:
                return typed.measure(control["id"], control["value"], shaped, known, inset)
            except Another:
                continue
        field = typed.measure(control["id"], control["value"], shaped)
        box, clip = typed.box, field.place.clip
        self.insets[control["id"]] = clip[0] - box[0], box[2] - clip[2]
        looks = typed.looks_of_a_letter(field)
        if looks > 1:
            raise Unfit(f"letters lie between px: one of them has {looks} looks")
        self.sets.append(typed.every)
        return field

    def keep(self, side: Side, field) -> None:
        self.fields.setdefault(side.page, []).append(letters.told(field))

    def shaped(self, font: str, toolkit: str) -> Shape:
        font = font or "Inter 10"
        if font not in self.shapers:
            self.shapers[font] = Shaper(font, rounded="gtk 4" not in toolkit).shape()
        return self.shapers[font]


def figures(field, seen: list[tuple[str, int, set]]) -> dict:
    """What a proof gave."""
    wrong = [(text, off, sorted(at)) for text, off, at in seen if off > 2]
    return {"letters": len(field.letters.letters), "tried": len(seen), "right": len(seen) - len(wrong), "wrong": wrong,
            "effects": len(field.effects), "colour": field.letters.colour,
            "inactive": field.letters.inactive, "kerning": len(field.letters.kerning)}  # fmt: skip


def _plain(value):
    return value.item() if hasattr(value, "item") else list(value)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
