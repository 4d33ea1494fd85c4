"""Build `assets/icons`: icons of desktop, taskbar and tray, of programs and sessions as SVG files, with `icons.json`.

    python scripts/assets/collect_icons.py

What is taken, and what it may stand for, is written in `icon_lists/*.toml`.
"""

import hashlib
import json
import tomllib
from pathlib import Path

from icon_shapes import SHAPES, Glyph, shaped
from icon_sources import SourceError, drawing_of_package, source_of
from pointer_shapes import POINTERS
from svg_cleaning import as_text, cleaned, inner_text, view_box

ROOT = Path(__file__).resolve().parents[2]
LISTS = Path(__file__).resolve().parent / "icon_lists"
FOLDER = ROOT / "assets" / "icons"
# What the icons of a list are for: `session` icons are drawn only where a session names them.
LIST_USES = {
    "desktop": "desktop",
    "taskbar": "taskbar",
    "programs": "taskbar",
    "files": "session",
    "tray": "tray",
    "pointers": "pointer",
}
# `package`, `author` and `licence` belong to a file of a Debian package, `without` names elements to leave out.
PACKAGED = {"package", "author", "licence"}
KEYS = {"from", "label", "labels", "programs", "categories", "also_desktop", "without", "pointer", *PACKAGED, *SHAPES}


def drawing(row: dict) -> tuple[str, dict]:
    """SVG text of one icon and where it comes from."""
    shapes = [shape for shape in SHAPES if shape in row]
    own = {"author": "windesk contributors", "licence": "MIT OR Apache-2.0"}
    if "pointer" in row:
        return POINTERS[row["pointer"]], {**own, "source": "scripts/assets/pointer_shapes.py"}
    if "from" not in row:
        # A plain folder is the project's own drawing.
        return shaped(shapes[0], row[shapes[0]], None), {**own, "source": "scripts/assets/icon_shapes.py"}
    without = tuple(row.get("without", ()))
    if "package" in row:
        text = drawing_of_package(row["package"], row["from"])
        about = {
            "author": row["author"],
            "source": f"Debian {row['package']} (/{row['from']})",
            "licence": row["licence"],
        }
        return as_text(cleaned(text, row["from"], without)), about
    source, name = source_of(row["from"])
    root = cleaned(source.read(name), row["from"], without)
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
    if 0 < len(PACKAGED.intersection(row)) < len(PACKAGED):
        raise SourceError(f"{where}: expected package, author and licence together")


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
    for name, use in LIST_USES.items():
        for identifier, row in tomllib.loads((LISTS / f"{name}.toml").read_text()).items():
            where = f"{name}.toml: [{identifier}]"
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
