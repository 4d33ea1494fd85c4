"""Build `assets/icons`: desktop, taskbar and tray icons as SVG files, with `icons.json`.

    python scripts/assets/collect_icons.py

What is taken, and what it may stand for, is written in `icon_lists/*.toml`.
"""

import hashlib
import json
import tomllib
from pathlib import Path

from icon_shapes import SHAPES, Glyph, shaped
from icon_sources import SourceError, source_of
from svg_cleaning import as_text, cleaned, inner_text, view_box

ROOT = Path(__file__).resolve().parents[2]
LISTS = Path(__file__).resolve().parent / "icon_lists"
FOLDER = ROOT / "assets" / "icons"
KEYS = {"from", "label", "labels", "programs", "categories", "also_desktop", *SHAPES}


def drawing(row: dict) -> tuple[str, dict]:
    """SVG text of one icon and where it comes from."""
    shapes = [shape for shape in SHAPES if shape in row]
    if "from" not in row:
        # A plain folder is the project's own drawing.
        return shaped(shapes[0], row[shapes[0]], None), {
            "author": "windesk contributors",
            "source": "scripts/assets/icon_shapes.py",
            "licence": "MIT OR Apache-2.0",
        }
    source, name = source_of(row["from"])
    root = cleaned(source.read(name), row["from"])
    about = {"author": source.author, "source": f"{source.title} ({name})", "licence": source.licence}
    if shapes:
        glyph = Glyph(inner_text(root), *view_box(root, row["from"]))
        about["source"] = f"{source.title} ({name}, set on a shape drawn by the project)"
        return shaped(shapes[0], row[shapes[0]], glyph), about
    return as_text(root), about


def tinted(text: str) -> str:
    """A tray glyph in `currentColor`."""
    return text.replace("<svg ", '<svg fill="currentColor" ', 1)


def check(where: str, row: dict) -> None:
    unknown = set(row) - KEYS
    if unknown:
        raise SourceError(f"{where}: unknown key {min(unknown)!r}, expected one of {', '.join(sorted(KEYS))}")
    if ("label" in row) == ("labels" in row):
        raise SourceError(f"{where}: expected either label or labels")


def entry(identifier: str, row: dict, use: str) -> dict:
    text, about = drawing(row)
    if use == "tray":
        text = tinted(text)
    file = FOLDER / f"{identifier}.svg"
    file.write_text(text)
    labels = row.get("labels", [row.get("label")])
    entry = {
        "id": identifier,
        "file": file.name,
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
        "label": labels[0],
        "labels": labels,
        "use": [use, "desktop"] if row.get("also_desktop") else [use],
    }
    for key in ("programs", "categories"):
        if key in row:
            entry[key] = row[key]
    return {**entry, **about}


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    entries = []
    for use in ("desktop", "taskbar", "tray"):
        for identifier, row in tomllib.loads((LISTS / f"{use}.toml").read_text()).items():
            where = f"{use}.toml: [{identifier}]"
            check(where, row)
            if any(entry["id"] == identifier for entry in entries):
                raise SourceError(f"{where}: this id is taken already")
            entries.append(entry(identifier, row, use))
    listed = {entry["file"] for entry in entries}
    for stale in FOLDER.glob("*.svg"):
        if stale.name not in listed:
            stale.unlink()
    (FOLDER / "icons.json").write_text(json.dumps(entries, indent=1, ensure_ascii=False) + "\n")
    print(f"{len(entries)} icons")


if __name__ == "__main__":
    main()
