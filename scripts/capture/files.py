"""How a program's folder of a pack is written, and how captures are taken out of it."""

import hashlib
import json
from collections.abc import Callable, Iterable
from pathlib import Path

# Outcomes of transitions that name a capture.
LEADING = ("page", "window", "closed", "maximised", "launch")


def write_json(path: Path, value: dict) -> None:
    """One line per key, and one per element: small, and readable in a diff."""
    lines = []
    for key, part in value.items():
        text = json.dumps(part, ensure_ascii=False)
        if key == "elements" and part:
            text = "[\n  " + ",\n  ".join(json.dumps(e, ensure_ascii=False) for e in part) + "]"
        lines.append(f"{json.dumps(key)}: {text}")
    path.write_text("{" + ",\n ".join(lines) + "}\n", encoding="utf-8")


def read_lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def text_of(lines: Iterable[dict], default: Callable | None = None) -> str:
    """JSON Lines. `default` is what `json.dumps` takes."""
    return "".join(json.dumps(line, ensure_ascii=False, default=default) + "\n" for line in lines)


def write_living(folder: Path, lines: Iterable[dict], default: Callable | None = None) -> dict:
    """Writes a living file, named by what it holds; returns how a capture names it."""
    data = text_of(lines, default).encode()
    digest = hashlib.sha256(data).hexdigest()
    (folder / f"{digest[:16]}.jsonl").write_bytes(data)
    return {"file": f"{digest[:16]}.jsonl", "sha256": digest}


def remove_captures(folder: Path, captures: dict[Path, dict], gone: set[str]) -> None:
    """Deletes the captures with these ids, dialogs that belonged to them, pictures nobody
    uses, and transitions to them."""
    while orphans := {c["id"] for c in captures.values() if c["parent_window"] in gone} - gone:
        gone |= orphans
    if not gone:
        return
    for path, capture in captures.items():
        if capture["id"] in gone:
            path.unlink()
        elif capture["variant_of"] in gone:
            capture["variant_of"] = None
            write_json(path, capture)
    kept = [c for c in captures.values() if c["id"] not in gone]
    parts = [part for c in kept for part in (c["image"], c["inactive"], (c.get("living") or {}).get("atlas"))]
    used = {part["file"] for part in parts if part}
    for picture in folder.glob("*.webp"):
        if picture.name not in used:
            picture.unlink()
    transitions = folder / "transitions.jsonl"
    lines = transitions.read_text(encoding="utf-8").splitlines(keepends=True)
    transitions.write_text(
        "".join(line for line in lines if not {(told := json.loads(line))["from"], *leads_to(told)} & gone),
        encoding="utf-8",
    )


def leads_to(transition: dict) -> set[str]:
    """The captures that a transition leads to, in either version of packs."""
    if "outcomes" not in transition:
        return {transition["to"]}
    return {o["to"] for o in transition["outcomes"] if o["kind"] in LEADING and o["to"] is not None}
