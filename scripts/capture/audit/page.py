"""A capture as the audit sees it: its elements, who belongs to whom, and its pixels."""

import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from PIL import Image

from ..boxes import Box


@dataclass(frozen=True)
class Suspicion:
    window: str  # the capture's id
    element: str  # its id in the capture
    check: str
    reason: str


@dataclass
class Page:
    record: dict
    toolkit: str
    pixels: np.ndarray  # height x width x 3, over grey where the window is not solid
    luma: np.ndarray
    parents: dict[str, str | None] = field(default_factory=dict)

    @property
    def elements(self) -> list[dict]:
        return self.record["elements"]

    def interactive(self) -> list[dict]:
        return [e for e in self.elements if e["interactive"]]

    def line(self, element: dict) -> set[str]:
        """The ids of all elements around this one."""
        out, at = set(), self.parents.get(element["id"])
        while at is not None:
            out.add(at)
            at = self.parents.get(at)
        return out

    def part(self, box: Box) -> np.ndarray:
        return self.pixels[max(0, box[1]) : max(0, box[3]), max(0, box[0]) : max(0, box[2])]

    def suspicion(self, element: dict, check: str, reason: str) -> Suspicion:
        return Suspicion(self.record["id"], element["id"], check, reason)


def box_of(element: dict) -> Box:
    return tuple(element["bbox"])


def open_page(path: Path, picture: Path | None = None) -> Page:
    """A capture of a pack. `picture` stands for its picture if it lies elsewhere."""
    record = json.loads(path.read_text(encoding="utf-8"))
    program = path.parent / "program.json"
    toolkit = json.loads(program.read_text(encoding="utf-8")).get("toolkit") or "" if program.is_file() else ""
    with Image.open(picture or path.parent / record["image"]["file"]) as image:
        window = image.convert("RGBA")
    ground = Image.new("RGBA", window.size, (128, 128, 128, 255))
    ground.alpha_composite(window)
    page = Page(
        record, toolkit, np.asarray(ground.convert("RGB")).astype(int), np.asarray(ground.convert("L"), np.float32)
    )
    page.parents = {e["id"]: e["parent"] for e in record["elements"]}
    return page
