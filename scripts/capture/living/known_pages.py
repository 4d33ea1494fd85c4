"""Living pages that a pack has, as those sessions need them that bring the live program into their states."""

import json
from pathlib import Path

from ..files import read_lines
from ..programs import Program
from ..sessions import Session
from ..shots import slug
from .publish_living import pages_of
from .records import ENLARGE, is_enabled, is_frame

# What of a line no way to a state depends on.
PICTURES = ("areas", "focused")


def told_of(program: Program, session: Session, pack: Path) -> dict[str, dict]:
    """By living page: its lines, the transitions from it, the elements that its picture shows disabled, the page of the
    recipe, and the button that leads to it if it is the large page of a window."""
    folder, out = pack / "windows" / program.id, {}
    pages = pages_of(program, session, pack)
    transitions = read_lines(folder / "transitions.jsonl")
    for name in sorted(pages):
        small = name.removesuffix("-max")
        entry = next((e.name for e in program.live if slug(e.name) == small), None)
        if small not in pages or entry is None:
            continue
        capture = _capture(folder, f"live-{name}{session.suffix}")
        out[capture["id"]] = {
            "entry": entry,
            "enlarge": _enlarge(_capture(folder, f"live-{small}{session.suffix}")) if name != small else None,
            "lines": read_lines(folder / capture["living"]["file"]),
            "transitions": [t for t in transitions if t["from"] == capture["id"]],
            "disabled": [e["id"] for e in capture["elements"] if not is_enabled(e)],
        }
    return out


def without_pictures(lines: list[dict]) -> list[dict]:
    """Lines as far as ways to states depend on them."""
    return [{key: part for key, part in line.items() if key not in PICTURES} for line in lines]


def _capture(folder: Path, state: str) -> dict:
    return json.loads((folder / f"{state}.json").read_text(encoding="utf-8"))


def _enlarge(capture: dict) -> str:
    return next(e["id"] for e in capture["elements"] if e["name"] == ENLARGE[0] and is_frame(e))
