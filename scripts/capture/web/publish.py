"""Puts crawled pages into a pack."""

import hashlib
import io
import json
from pathlib import Path

import numpy as np
from PIL import Image

from ..files import write_json, write_living
from .crawl import Crawled
from .lines import living, record
from .sources import Page

CAPTURED = "2026-11-23"


def publish(pack: Path, page: Page, dark: bool, out: Crawled) -> dict:
    """Writes one look of a page and returns what it has."""
    folder = pack / "windows" / page.program
    folder.mkdir(parents=True, exist_ok=True)
    page_id = page.id(dark)
    lines, atlas, moves = living(out, page_id)
    image = picture(folder, out.base.picture)
    high, wide = out.base.picture.shape[:2]
    capture = {
        "format_version": 2, "id": page_id, "session": page.session(dark), "platform": page.platform,
        "title": page.title, "kind": "main", "image": image, "inactive": None, "frame": [0, 0, wide, high],
        "popups": [], "parent_window": None, "parent_offset": None, "modal": False,
        "variant_of": f"{page.program}/{page.name}" if dark else None, "placement": "floating",
        "theme": page.library.look, "frame_style": "none", "dark": dark, "scale": float(page.scale), "language": "en",
        "elements": json.loads(json.dumps([record(e) for e in out.elements], default=_plain)),
        "source": {"recipe": page.program, "steps": ["open " + page.title], "captured": CAPTURED},
        "living": {**write_living(folder, lines, _plain), "atlas": None if atlas is None else picture(folder, atlas)},
    }  # fmt: skip
    write_json(page.file(pack, dark), capture)
    write_json(folder / "program.json", page.library.program())
    path = folder / "transitions.jsonl"
    kept = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    kept = [line for line in kept if json.loads(line)["from"] != page_id]
    kept += [json.dumps(move, ensure_ascii=False, default=_plain) for move in moves]
    path.write_text("".join(line + "\n" for line in kept), encoding="utf-8")
    drop_unused(folder)
    types: dict[str, int] = {}
    told = {c.told["id"]: c.type for c in out.controls}
    for kind in told.values():
        types[kind] = types.get(kind, 0) + 1
    return {
        "page": page_id, "controls": types, "patches": len(out.patches),
        "verified": sum(p.verified for p in out.patches), "conflicts": len(out.conflicts),
        "joint": [sum(out.joint), len(out.joint)], "notes": out.notes,
    }  # fmt: skip


def picture(folder: Path, pixels: np.ndarray) -> dict:
    """A lossless file named by what it holds."""
    buffer = io.BytesIO()
    if pixels.shape[2] == 3:
        pixels = np.dstack([pixels, np.full(pixels.shape[:2], 255, np.uint8)])
    Image.fromarray(pixels, "RGBA").save(buffer, "WEBP", lossless=True, exact=True, quality=60, method=4)
    digest = hashlib.sha256(buffer.getvalue()).hexdigest()
    (folder / f"{digest[:16]}.webp").write_bytes(buffer.getvalue())
    return {"file": f"{digest[:16]}.webp", "sha256": digest, "size": [pixels.shape[1], pixels.shape[0]]}


def drop_unused(folder: Path) -> None:
    """Files that captures no longer name."""
    used = {"transitions.jsonl"}
    for path in folder.glob("*.json"):
        capture = json.loads(path.read_text(encoding="utf-8"))
        if "image" in capture:
            files = [capture["image"], capture["living"], capture["living"]["atlas"]]
            used |= {part["file"] for part in files if part}
    for path in (*folder.glob("*.webp"), *folder.glob("*.jsonl")):
        if path.name not in used:
            path.unlink()


def _plain(value):
    """What numpy counts with."""
    return value.item()
