"""Runs inside a session: opens the lists of a pack's living pages, and pictures each entry with the pointer over it."""

import sys
import time

import numpy as np

from .. import x11
from ..boxes import centre, shifted
from ..screen import Popup
from ..session import OUT
from . import changes
from .desk import popup_picture
from .page_driver import Finds, PageDriver, run_pages
from .walker import Side

# How long an entry may take to be drawn lit.
LIT_S = 0.09


def main(program_id: str, look_name: str, suffix: str, seconds: str) -> int:
    """`seconds`: the most that one page takes."""
    run_pages(program_id, look_name, suffix, seconds, "unlit.json", Lights, PageLights)
    return 0


class Lights(Finds):
    """`lit`: by page, popup and entry, boxes and the names of their pictures."""

    def __init__(self, walker):
        super().__init__(walker)
        self.lit: dict[str, dict[str, dict[str, list]]] = {}
        self.pictures: dict[str, np.ndarray] = {}
        self.names: dict[tuple, str] = {}

    def keep(self, picture: np.ndarray) -> str:
        """The name of a picture; the same pixels have one name."""
        name = self.names.setdefault((picture.shape, picture.tobytes()), f"p{len(self.names)}")
        self.pictures[name] = picture
        return name

    def told(self) -> dict:
        return {"lit": self.lit}

    def report(self) -> None:
        np.savez(OUT / "lit.npz", **self.pictures)
        super().report()


class PageLights(PageDriver):
    def __init__(self, finds: Lights, page: str, told: dict, entry, seconds: float):
        super().__init__(finds, page, told, entry, seconds)
        self.unlit = told["unlit"]

    def run(self) -> None:
        for popup in self.unlit:
            why = self.tried(lambda popup=popup: self.light(popup))
            if why:
                self.missed(why, popup=popup)

    def light(self, popup: str) -> str:
        """Opens a list and moves the pointer over its entries, down and up again; what is wrong, if anything."""
        _, why = self.go(lambda: self.paths.way_to_popup(self.values(), popup))
        if why:
            return why
        side = self.sides[-1]
        if (side.state or {}).get("popup") != popup:
            return "another list is open"
        tops = side.desk.popups()
        if len(tops) != 1:
            return f"{len(tops)} lists are open"
        told = self.walker.ask(side, None)
        entries = [e for e in told["elements"] if e.get("popup") is not None and e["interactive"]]
        base = popup_picture(tops[0])
        down = [self.look(side, tops[0], entry) for entry in entries]
        up = [self.look(side, tops[0], entry) for entry in reversed(entries)][::-1]
        x11.park_pointer()
        lit = {}
        for entry, first, second in zip(entries, down, up, strict=True):
            if first.shape == base.shape == second.shape and np.array_equal(first, second):
                lit[entry["id"]] = self.areas(side, tops[0], base, first)
            else:
                self.missed(f"{entry['name']} looked different each time", popup=popup)
        self.finds.lit.setdefault(self.page, {})[popup] = lit
        records, is_open = self.walker.read(side)
        closed = self.walker.step(self.sides, records, is_open, None, {"key": "Escape"}, 0)
        if not closed.right:
            self.sides = []
        return ""

    def look(self, side: Side, popup: Popup, entry: dict) -> np.ndarray:
        x11.move_pointer(*centre(shifted(tuple(entry["bbox"]), *side.origin)))
        time.sleep(LIT_S)
        side.desk.ping()
        return popup_picture(popup)

    def areas(self, side: Side, popup: Popup, base: np.ndarray, lit: np.ndarray) -> list:
        """What the pointer changes: boxes, px of the page, and the names of what is seen there. Where a list lets
        through what lies below, it stays as it is."""
        out = []
        for box in changes.boxes_of((base != lit).any(axis=2)):
            x0, y0, x1, y1 = box
            picture = lit[y0:y1, x0:x1].copy()
            picture[picture[..., 3] < 255] = 0
            if picture[..., 3].any():
                at = shifted(shifted(box, *popup.box[:2]), -side.origin[0], -side.origin[1])
                out.append([list(at), self.finds.keep(picture)])
        return out


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
