"""One capture on its way into a pack: what is stored about it, and what it looks like."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

import numpy as np
from PIL import Image

from .boxes import Box, intersection, union
from .elements import Element
from .picture import Picture
from .screen import Popup


def slug(text: str, limit: int = 28) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:limit].strip("-") or "unnamed"


@dataclass
class Shot:
    state: str  # "main", "menu-edit", ..: the capture id without program and look
    kind: str
    title: str
    frame: Box  # on the screen
    popups: list[Popup]
    elements: list[Element]
    picture: Picture
    inactive: np.ndarray | None
    toolkit: str
    steps: list[str]
    window_id: int
    parent: Optional["Shot"] = None
    modal: bool = False
    placement: str = "floating"

    def record(self) -> dict:
        """The capture's JSON with boxes in the picture; picture files are named by the publisher."""
        x, y = self.picture.origin
        height, width = self.picture.pixels.shape[:2]

        def local(box: Box) -> list:
            return [
                int(v) for v in intersection((box[0] - x, box[1] - y, box[2] - x, box[3] - y), (0, 0, width, height))
            ]

        elements = [
            {
                "id": f"e{index}",
                "parent": None if element.parent is None else f"e{element.parent}",
                "role": element.role,
                "name": element.name,
                "description": element.description,
                "bbox": local(element.box),
                "interactive": element.interactive,
                "popup": element.popup,
                "state": element.state,
            }
            for index, element in enumerate(self.elements)
        ]
        offset = [self.frame[i] - self.parent.frame[i] for i in (0, 1)] if self.parent else None
        return {
            "state": self.state,
            "title": self.title,
            "kind": self.kind,
            "size": [width, height],
            "frame": local(self.frame),
            "popups": [{"rect": local(p.box), "kind": popup_kind(p)} for p in self.popups],
            "parent": self.parent.state if self.parent else None,
            "parent_offset": offset,
            "modal": self.modal,
            "placement": self.placement,
            "toolkit": self.toolkit,
            "elements": elements,
            "steps": self.steps,
        }

    def shown(self) -> np.ndarray:
        """The pixels of the frame and the open popups, without the shadow."""
        return self.picture.within(union([self.frame, *(p.box for p in self.popups)]))

    def element_id(self, element: Element) -> str:
        """The id that `record` gives to one of the elements."""
        return f"e{next(i for i, e in enumerate(self.elements) if e is element)}"

    def offset_of(self, other: "Shot") -> list | None:
        """Where another window's frame lies relative to this one's; None within one window."""
        return None if other.window_id == self.window_id else [other.frame[i] - self.frame[i] for i in (0, 1)]

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        Image.fromarray(self.picture.pixels, "RGBA").save(folder / f"{self.state}.png", compress_level=1)
        if self.inactive is not None:
            Image.fromarray(self.inactive, "RGBA").save(folder / f"{self.state}.inactive.png", compress_level=1)
        (folder / f"{self.state}.json").write_text(json.dumps(self.record()), encoding="utf-8")


def popup_kind(popup: Popup) -> str:
    if "TOOLTIP" in popup.type_name:
        return "tooltip"
    if "COMBO" in popup.type_name:
        return "list"
    if popup.type_name == "POPOVER":
        return "popover"
    return "menu"
