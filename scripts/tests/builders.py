"""Elements, nodes, trees and captures for the tests: what a test does not care about is filled in."""

import json
from pathlib import Path

import numpy as np
from PIL import Image

from capture.elements import Element
from capture.picture import Picture
from capture.shots import Shot
from capture.tree import Node, Tree

SHOWN = {"showing", "visible", "enabled", "sensitive"}
FRAME = (100, 100, 500, 400)


def element(role="push button", name="", box=(0, 0, 40, 20), **others) -> Element:
    values = {"description": "", "interactive": True, "popup": None, "state": {}, "parent": None, "node": object()}
    return Element(role=role, name=name, box=box, **(values | others))


def node(role="push button", name="", box=(110, 150, 170, 180), parent=0, states=(), **others) -> Node:
    own = {"description": "", "depth": 1, "handle": None} | others
    return Node(role=role, name=name, box=box, parent=parent, states=SHOWN | set(states), **own)


def tree(*nodes: Node, toolkit="gtk 3.24.38", frame=FRAME) -> Tree:
    """A tree below the window's own root, which is node 0."""
    return Tree([node("frame", "Window", frame, -1), *nodes], toolkit, "program", 0)


def speckled(width: int, height: int) -> np.ndarray:
    """A picture in which no part looks blank."""
    pixels = np.full((height, width, 4), 255, np.uint8)
    pixels[(np.indices((height, width)).sum(axis=0) % 2) == 0] = (0, 0, 0, 255)
    return pixels


def shot(state="main", elements=(), frame=FRAME, **others) -> Shot:
    high, wide = frame[3] - frame[1], frame[2] - frame[0]
    values = {
        "kind": "main",
        "title": "Window",
        "popups": [],
        "picture": Picture(np.full((high, wide, 4), 255, np.uint8), frame[:2]),
        "inactive": None,
        "toolkit": "gtk 3",
        "steps": ["launch"],
        "window_id": 1,
    }
    return Shot(state=state, frame=frame, elements=list(elements), **(values | others))


def element_record(number: int, **others) -> dict:
    values = {
        "id": f"e{number}",
        "parent": None,
        "role": "push button",
        "name": f"Button {number}",
        "description": "",
        "bbox": [10 + 30 * number, 10, 30 + 30 * number, 30],
        "interactive": True,
        "popup": None,
        "state": {},
    }
    return values | others


def capture_record(name: str, program="editor", **others) -> dict:
    values = {
        "format_version": 1,
        "id": f"{program}/{name}",
        "title": name,
        "kind": "main",
        "image": {"file": f"{name}.webp", "sha256": "", "size": [200, 100]},
        "inactive": None,
        "frame": [0, 0, 200, 100],
        "popups": [],
        "parent_window": None,
        "parent_offset": None,
        "modal": False,
        "variant_of": None,
        "placement": "floating",
        "theme": "Yaru",
        "frame_style": "xfwm4-Yaru",
        "dark": False,
        "elements": [element_record(0), element_record(1)],
    }
    return values | others


def write_capture(folder: Path, capture: dict, pixels: np.ndarray | None = None) -> Path:
    """A capture with its picture, speckled where none is given."""
    folder.mkdir(parents=True, exist_ok=True)
    wide, high = capture["image"]["size"]
    picture = Image.fromarray(speckled(wide, high) if pixels is None else pixels)
    picture.save(folder / capture["image"]["file"], "WEBP", lossless=True)
    path = folder / f"{capture['id'].split('/')[1]}.json"
    path.write_text(json.dumps(capture), encoding="utf-8")
    return path
