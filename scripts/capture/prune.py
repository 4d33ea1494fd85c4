"""Removes the captures that a recipe's `drop` names from a pack: states that turned out unfit to be published."""

import json
import re
from pathlib import Path
from typing import List

from . import programs


def prune(pack: Path) -> List[str]:
    """Ids of the captures removed."""
    removed = []
    for folder in sorted(p for p in (pack / "windows").iterdir() if (programs.FOLDER / f"{p.name}.toml").is_file()):
        patterns = [re.compile(p) for p in programs.load(folder.name).drop]
        captures = {p: json.loads(p.read_text(encoding="utf-8")) for p in sorted(folder.glob("*.json")) if p.name != "program.json"}
        gone = {c["id"] for c in captures.values() if any(p.fullmatch(c["id"].split("/")[1]) for p in patterns)}
        # A dialog without the window it belongs to goes with it.
        gone |= {c["id"] for c in captures.values() if c["parent_window"] in gone}
        if gone:
            _remove(folder, captures, gone)
            removed += sorted(gone)
    return removed


def _remove(folder: Path, captures: dict, gone: set) -> None:
    for path, capture in captures.items():
        if capture["id"] in gone:
            path.unlink()
        elif capture["variant_of"] in gone:
            path.write_text(path.read_text(encoding="utf-8").replace(f'"variant_of": "{capture["variant_of"]}"', '"variant_of": null', 1), encoding="utf-8")
    kept = [c for c in captures.values() if c["id"] not in gone]
    used = {part["file"] for c in kept for part in (c["image"], c["inactive"]) if part}
    for picture in folder.glob("*.webp"):
        if picture.name not in used:
            picture.unlink()
    transitions = folder / "transitions.jsonl"
    lines = [line for line in transitions.read_text(encoding="utf-8").splitlines(keepends=True) if not {json.loads(line)["from"], json.loads(line)["to"]} & gone]
    transitions.write_text("".join(lines), encoding="utf-8")
