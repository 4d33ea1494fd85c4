"""Runs inside a session: letters of the fields of pages that a pack has."""

import json
import sys
import time
import traceback
from dataclasses import replace

import numpy as np
from PIL import Image
from Xlib import error

from .. import programs
from ..atspi import GLib
from ..boxes import centre
from ..live import LiveProgram
from ..looks import LOOKS
from ..picture import CaptureError
from ..session import IN, OUT
from ..shots import slug
from . import letters
from .lettering import Lettering
from .letters import Unfit
from .paths import PagePaths
from .server import Server
from .spots import spot
from .typing_in import Known, TypedField
from .walk_session import MOST_SETTLE_S
from .walker import Side, Walker


def main(program_id: str, look_name: str, suffix: str, texts: str = "20") -> int:
    """`texts`: how many a field is tried with."""
    program = programs.load(program_id)
    program = replace(program, settle=min(program.settle, MOST_SETTLE_S))
    live = LiveProgram(program, LOOKS[look_name])
    server = Server(IN / "windesk", IN / "pack.tar", OUT / "act.log")
    walker = Walker(live, server, OUT, suffix)
    known = json.loads((IN / "fields.json").read_text(encoding="utf-8"))
    crawl = Crawl(walker, known, int(texts))
    for entry in program.live:
        page = f"{program_id}/live-{slug(entry.name)}{suffix}"
        large = f"{program_id}/live-{slug(entry.name)}-max{suffix}"
        if not any(known[name]["fields"] for name in (page, large) if name in known):
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
    def __init__(self, walker: Walker, known: dict, texts: int):
        self.walker, self.known = walker, known
        self.lettering = Lettering(texts)
        for page in known.values():
            for text in page["sets"]:
                own = letters.letters_read(text)
                self.lettering.know(Known(own, letters.Raster(own.parts, own.phases, text["shift"])))
        self.fields: dict[str, list[dict]] = {}
        self.reports: list[dict] = []
        self.failures: list[str] = []
        self.started = time.time()

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
                shown = self.go_to(side, told, control["when"]) if control["when"] else told["elements"]
                self.one(side, shown, control, report)
            except Unfit as fault:
                report["why"] = str(fault)
            report["seconds"] = round(time.time() - started, 1)
            self.reports.append(report)
            self.report()

    def go_to(self, side: Side, told: dict, when: dict) -> list[dict]:
        """Sets values under which a field shows; the elements that the page then has."""
        paths = PagePaths(told["lines"], told["transitions"], told["disabled"])
        for name, value in when.items():
            values = (side.state or {}).get("values") or {}
            if values.get(name, paths.base[name]) == value:
                continue
            click = paths.click_to(values, name, value)
            elements = self.walker.ask(side, None)["elements"]
            element = next((e for e in elements if click is not None and e["id"] == click.element), None)
            if element is None:
                raise Unfit(f"no click to {name} = {value} is told")
            x, y = centre(click.part) if click.part else spot(element["role"], tuple(element["bbox"]))
            records, popup = self.walker.read(side)
            judged = self.walker.step([side], records, popup, element, {"click": [x, y]}, 0)
            if not judged.right:
                raise Unfit(f"{name} = {value}: {judged.why or 'it was not foretold'}")
        return self.walker.ask(side, None)["elements"]

    def one(self, side: Side, elements: list[dict], control: dict, report: dict) -> None:
        element = next(e for e in elements if e["id"] == control["element"])
        typed = TypedField(side.desk, side.origin, elements, element, lambda: self.walker.read_now(side)[0])
        seed = f"texts/{side.page}/{control['id']}"
        field = self.lettering.field(typed, control["id"], control["value"], seed, report)
        name = f"tried-{slug(side.page, 60)}-{control['id']}"
        np.savez_compressed(OUT / name, texts=[t for t, _ in typed.tried], seen=[picture for _, picture in typed.tried])
        field.place.when = control["when"]
        self.fields.setdefault(side.page, []).append(letters.told(field))
        Image.fromarray(side.desk.grab()).save(OUT / f"field-{slug(side.page)}-{control['id']}.png", compress_level=1)


def _plain(value):
    return value.item() if hasattr(value, "item") else list(value)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
