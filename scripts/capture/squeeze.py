"""Packs the pictures of a session's captures as small as lossless WebP can, once, before they enter the repository:
this takes seconds a picture, which a capture run does not have."""

import hashlib
import io
import json
from pathlib import Path

import numpy as np
from PIL import Image

from .files import write_json


def squeeze(pack: Path, session: str) -> tuple[int, int]:
    """Bytes of the session's pictures before and after. A picture that does not get smaller stays as it is."""
    before = after = 0
    for folder in sorted(p for p in (pack / "windows").iterdir() if p.is_dir()):
        captures = {p: json.loads(p.read_text(encoding="utf-8")) for p in folder.glob("*.json") if p.stem != "program"}
        own = {p: c for p, c in captures.items() if c.get("session") == session}
        smaller = {}
        for name in sorted({part["file"] for c in own.values() for part in _pictures(c)}):
            data = (folder / name).read_bytes()
            packed = _packed(data)
            before, after = before + len(data), after + min(len(data), len(packed))
            if len(packed) < len(data):
                smaller[name] = packed
        # Another session's capture may show the very same picture.
        for path, capture in captures.items():
            changed = [part for part in _pictures(capture) if part["file"] in smaller]
            for part in changed:
                packed = smaller[part["file"]]
                digest = hashlib.sha256(packed).hexdigest()
                (folder / f"{digest[:16]}.webp").write_bytes(packed)
                part.update(file=f"{digest[:16]}.webp", sha256=digest)
            if changed:
                write_json(path, capture)
        for name in smaller:
            (folder / name).unlink()
    return before, after


def _pictures(capture: dict) -> list[dict]:
    return [part for part in (capture["image"], capture["inactive"]) if part]


def _packed(data: bytes) -> bytes:
    with Image.open(io.BytesIO(data)) as picture:
        pixels = np.asarray(picture.convert("RGBA"))
    buffer = io.BytesIO()
    Image.fromarray(pixels, "RGBA").save(buffer, "WEBP", lossless=True, exact=True, quality=100, method=6)
    with Image.open(buffer) as again:
        if not np.array_equal(pixels, np.asarray(again.convert("RGBA"))):
            raise ValueError("a picture packed without loss differs from what it was")
    return buffer.getvalue()
