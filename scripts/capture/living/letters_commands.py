"""`capture.sh live --letters`: letters for the fields of pages that a pack has."""

import json
from pathlib import Path

import numpy as np
from PIL import Image

from .. import programs
from ..files import read_lines, write_json
from ..programs import Program
from ..publish import locked
from ..sessions import Session
from . import lettered, letters, told_letters
from .known_pages import without_pictures
from .lines import as_text
from .part_of_pack import run_beside
from .publish_living import _lines, _write_lines, drop_unused, pages_of, write_atlas
from .records import ENLARGE, is_enabled, is_frame

SECONDS = 1800


def take(program_id: str, session: Session, arguments) -> dict:
    """Letters for one program's pages; the report of the session."""
    program = programs.load(program_id, session.persona.id)
    known = fields_of(program, session, arguments.out)
    if not any(page["fields"] for page in known.values()):
        return {"program": program_id, "session": session.id, "fields": [], "failures": [], "seconds": 0}
    out, report = run_beside("letters_session", program, session, arguments.out, arguments.windesk,
                             {"fields.json": known}, str(arguments.texts), seconds=SECONDS)  # fmt: skip
    publish(program, out, arguments.out, report)
    return {"program": program.id, "session": session.id, "fields": [], **report}


def fields_of(program: Program, session: Session, pack: Path) -> dict[str, dict]:
    """Living pages of a program with the fields whose letters a pack lacks; what stands in the way of some."""
    folder, out = pack / "windows" / program.id, {}
    for name in sorted(pages_of(program, session, pack)):
        capture = json.loads((folder / f"live-{name}{session.suffix}.json").read_text(encoding="utf-8"))
        lines = [json.loads(line) for line in _lines(folder / capture["living"]["file"])]
        fields = []
        for line in lines:
            if line["line"] == "control" and line["type"] == "text_entry" and "text" not in line:
                own = {key: line[key] for key in ("id", "element", "value")}
                told = {"obstacle": lettered.obstacle(lines, capture["elements"], line["element"], line["id"])}
                fields.append({**own, **told, "when": lettered.when_of(lines, line["element"])})
        enlarge = next((e for e in capture["elements"] if e["name"] == ENLARGE[0] and is_frame(e)), None)
        large = f"{name}-max" in pages_of(program, session, pack)
        transitions = [t for t in read_lines(folder / "transitions.jsonl") if t["from"] == capture["id"]]
        disabled = [e["id"] for e in capture["elements"] if not is_enabled(e)]
        sets = told_letters.of_page(lines, _atlas(folder, capture["living"]))
        places = told_letters.rasters(lines, sets)
        known = [{**letters.letters_told(own), "shift": places[at].shift} for at, own in sets.items() if at in places]
        out[capture["id"]] = {"elements": capture["elements"], "fields": fields, "enlarge": enlarge if large else None,
                              "sets": known,
                              "lines": without_pictures(lines), "transitions": transitions,
                              "disabled": disabled}  # fmt: skip
    return out


def publish(program: Program, out: Path, pack: Path, report: dict) -> None:
    """Adds the letters of fields that passed; tells of each page what it gained."""
    kept = {(r["page"], r["control"]) for r in report.get("fields", ()) if not r["why"]}
    path = out / "letters.json"
    told = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    folder = pack / "windows" / program.id
    with locked(pack / "windows"):
        for page, texts in told.items():
            fields = [letters.read(text) for text in texts if (page, text["control"]) in kept]
            if fields:
                gained = _add(folder, page, fields)
                report.setdefault("gained", {})[page] = gained
        drop_unused(folder)


def _add(folder: Path, page: str, fields: list[letters.Field]) -> dict:
    path = folder / f"{page.split('/')[1]}.json"
    capture = json.loads(path.read_text(encoding="utf-8"))
    living = capture["living"]
    lines = [json.loads(line) for line in _lines(folder / living["file"])]
    atlas = _atlas(folder, living)
    told = [json.loads(line) for line in _lines(folder / "transitions.jsonl")]
    own = [line for line in told if line["from"] == page]
    before = sum((folder / part["file"]).stat().st_size for part in (living, living.get("atlas")) if part)
    lines, atlas, transitions = lettered.add(lines, atlas, own, fields)
    living = _write_lines(folder, as_text(lines).encode())
    living["atlas"] = write_atlas(folder, Image.fromarray(atlas, "RGBA"))
    write_json(path, {**capture, "living": living})
    others = [line for line in told if line["from"] != page]
    plain = [_plain(line) for line in transitions]
    at = next((n for n, line in enumerate(told) if line["from"] == page), len(others))
    ordered = [*others[:at], *plain, *others[at:]]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in ordered)
    (folder / "transitions.jsonl").write_text(text, encoding="utf-8")
    after = sum((folder / part["file"]).stat().st_size for part in (living, living["atlas"]))
    return {"fields": len(fields), "bytes": after - before}


def _atlas(folder: Path, living: dict) -> np.ndarray | None:
    picture = living.get("atlas") and Image.open(folder / living["atlas"]["file"]).convert("RGBA")
    return np.asarray(picture) if picture else None


def _plain(line: dict) -> dict:
    """A transition as a pack writes it: nothing that is empty."""
    return {key: value for key, value in line.items() if not (key in ("when", "part", "focused") and not value)}
