"""Writes a program's captures into a pack (docs/pack.md): pictures by content, one JSON per capture, transitions."""

import contextlib
import fcntl
import hashlib
import io
import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image

from .brightness import is_dark
from .clean import clean_folder
from .dates import with_date
from .files import leads_to, remove_captures, write_json
from .looks import LOOKS
from .programs import Program
from .prune import prune_program
from .sessions import Session

# Captures with an open popup per capture without: 3 in 10 over all.
POPUPS_PER_PLAIN = 3 / 7
# A program with little else shows two menus in a session.
POPUPS_OF_A_SESSION = 2
# Boxes of the same element in two sessions.
SAME_BOX_PX = 3
# Of a pack and of captures that name their session, and of those that do not.
SESSIONS_VERSION, VERSION = 2, 1
HEADER = {
    "format_version": VERSION,
    "name": "windesk-default",
    "version": "0.1.0",
    "description": "Windows of free desktop programs, captured on Debian 12",
    "language": "en",
}


def publish(program: Program, outs: dict[str, Path], pack: Path) -> dict:
    """`outs` maps look names to session folders, the recipe's first look first. Returns the figures of the run."""
    records, transitions, figures = _collect(program, outs)
    if not records:
        return figures
    records = _within_popup_share(records, transitions)
    folder = pack / "windows" / program.id
    fresh = folder.with_name(folder.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    write_json(fresh / "program.json", header_of(program, records))
    _write_captures(fresh, program, records, transitions)
    _count(fresh, {r["id"] for r in records}, figures)
    shutil.rmtree(folder, ignore_errors=True)
    fresh.rename(folder)
    if not (pack / "pack.json").exists():
        write_json(pack / "pack.json", HEADER)
    return figures


def add(program: Program, outs: dict[str, Path], pack: Path) -> dict:
    """Adds captures to a program that the pack has. What the pack has already stays as it is:
    others may refer to its elements."""
    records, transitions, figures = _collect(program, outs)
    folder = pack / "windows" / program.id
    if not (folder / "program.json").is_file():
        raise ValueError(f"{folder}: expected a program of the pack, found none")
    present = {c["id"]: c for c in map(_read, folder.glob("*.json")) if "elements" in c}
    records = _within_popup_share(records, transitions, set(present))
    by_id = {r["id"]: r for r in records}
    transitions = [t for t in (_on_present(t, by_id, present) for t in transitions) if t is not None]
    _write_captures(folder, program, records, transitions, present)
    _count(folder, set(by_id) - set(present), figures)
    return figures


def publish_session(
    program: Program, session: Session, out: Path, pack: Path, all_sessions: dict[str, Session]
) -> dict:
    """Puts what a session of the pack gave in place of what the pack has of it; a program's captures of other sessions
    stay as they are. Runs of several sessions may publish at the same time."""
    records, transitions, figures = _collect(program, {session.look_name: out}, session.suffix)
    if not records:
        return figures
    records = _within_popup_share(records, transitions, least=POPUPS_OF_A_SESSION)
    (pack / "windows").mkdir(parents=True, exist_ok=True)
    with locked(pack / "windows"):
        _replace_session(program, session, records, transitions, pack, all_sessions)
        _count(pack / "windows" / program.id, {r["id"] for r in records}, figures)
    if not (pack / "pack.json").exists():
        write_json(pack / "pack.json", dict(HEADER, format_version=SESSIONS_VERSION))
    return figures


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Alone among those who ask."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _replace_session(
    program: Program,
    session: Session,
    records: list[dict],
    transitions: list[dict],
    pack: Path,
    all_sessions: dict[str, Session],
) -> None:
    folder = pack / "windows" / program.id
    fresh = folder.with_name(folder.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    if folder.is_dir():
        shutil.copytree(folder, fresh)
    else:
        fresh.mkdir(parents=True)
    lines = fresh / "transitions.jsonl"
    lines.touch()
    present = {p: _read(p) for p in sorted(fresh.glob("*.json")) if p.name != "program.json"}
    remove_captures(fresh, present, {c["id"] for c in present.values() if c.get("session") == session.id})
    kept = {c["id"]: c for c in map(_read, fresh.glob("*.json")) if "elements" in c}
    if not (fresh / "program.json").is_file():
        write_json(fresh / "program.json", header_of(program, records))
    for record in records:
        record.update(session=session, twin=twin_of_sessions(record, session, kept, all_sessions))
    parents = {r["id"]: r["parent"] for r in records}
    _write_captures(fresh, program, records, [with_outcome(t, parents) for t in transitions], kept)
    shutil.rmtree(folder, ignore_errors=True)
    fresh.rename(folder)


def with_outcome(transition: dict, parents: dict[str, str | None]) -> dict:
    """A click as packs with sessions tell it: what opens has an offset; what leads to a dialog's parent closes it."""
    told = {key: transition[key] for key in ("from", "element", "action")}
    to, offset = transition["to"], transition.get("offset")
    if offset is not None:
        outcome = {"kind": "window", "to": to, "offset": offset}
    else:
        outcome = {"kind": "closed" if parents.get(transition["from"]) == to else "page", "to": to}
    return {**told, "outcomes": [outcome]}


def has_session(program_id: str, session: Session, pack: Path) -> bool:
    """Whether a pack has the program's main window in a session."""
    captures = [_read(p) for p in (pack / "windows" / program_id).glob("*.json") if p.stem != "program"]
    return any(c["kind"] == "main" and session.owns(c) for c in captures)


def twin_of_sessions(
    record: dict, session: Session, kept: dict[str, dict], all_sessions: dict[str, Session]
) -> str | None:
    """The capture of the same state in the first of the session's twins that has it."""
    program_id, _, _ = record["id"].partition("/")
    for twin in (all_sessions[name] for name in session.twins):
        names = (record["state"] + twin.suffix, record["state"], f"{record['state']}-{twin.look_name}")
        for capture_id in (f"{program_id}/{name}" for name in names):
            if capture_id in kept and twin.owns(kept[capture_id]):
                return capture_id
    return None


def states(program: Program, look_name: str, pack: Path) -> list[str]:
    """The states of a program that a pack has in one look."""
    suffix = "" if look_name == program.looks[0] else f"-{look_name}"
    others = tuple(f"-{name}" for name in program.looks[1:] if name != look_name)
    names = [
        p.stem
        for p in (pack / "windows" / program.id).glob("*.json")
        if p.stem != "program" and not p.stem.endswith(others or ("\0",))
    ]
    return sorted(name[: len(name) - len(suffix)] for name in names if name.endswith(suffix))


def _read(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def _on_present(transition: dict, records: dict[str, dict], present: dict[str, dict]) -> dict | None:
    """The transition with the element's id in the pack's own capture of its start; None if
    that does not show the element."""
    start = transition["from"]
    if start not in present or start not in records:
        return transition
    x, y = (records[start]["frame"][i] - present[start]["frame"][i] for i in (0, 1))
    clicked = next(e for e in records[start]["elements"] if e["id"] == transition["element"])
    for element in present[start]["elements"]:
        shifted_box = [v + (x, y)[i % 2] for i, v in enumerate(element["bbox"])]
        if (
            element["role"] == clicked["role"]
            and element["name"] == clicked["name"]
            and max(abs(a - b) for a, b in zip(shifted_box, clicked["bbox"], strict=True)) <= SAME_BOX_PX
        ):
            return dict(transition, element=element["id"])
    return None


def add_states(program: Program, look_name: str, folder: Path, states: list[str], pack: Path) -> None:
    """Adds one session's captures under their own names as they are: nothing is judged or left out."""
    records = []
    for state in states:
        record = json.loads((folder / f"{state}.json").read_text())
        record.update(
            id=f"{program.id}/{state}",
            look=look_name,
            folder=folder,
            parent=record["parent"] and f"{program.id}/{record['parent']}",
        )
        records.append(record)
    target = pack / "windows" / program.id
    target.mkdir(parents=True, exist_ok=True)
    write_json(target / "program.json", header_of(program, records))
    for record in records:
        write_capture(target, program, record, None, {r["id"] for r in records})


def header_of(program: Program, records: list[dict]) -> dict:
    return {
        "id": program.id,
        "name": program.name,
        "category": program.category,
        "purpose": program.purpose,
        "package": _package(program),
        "version": _version(program),
        "origin": program.origin,
        "licence": program.licence,
        "toolkit": records[0]["toolkit"],
        "trademark": program.trademark,
    }


def _collect(
    program: Program, outs: dict[str, Path], session_suffix: str | None = None
) -> tuple[list[dict], list[dict], dict]:
    """What the sessions left: records, transitions with full ids, and the figures so far. Ids end in the look where it
    is not the recipe's first, or in the session of the pack."""
    records, transitions = [], []
    failures: list[str] = []
    seconds = 0.0
    for look_name, out in outs.items():
        report = json.loads((out / "report.json").read_text())
        seconds += report["seconds"]
        failures += [f"{look_name}: {fault}" for fault in report["failures"]]
        suffix = "" if look_name == program.looks[0] else f"-{look_name}"
        suffix = suffix if session_suffix is None else session_suffix
        for state in report["states"]:
            record = json.loads((out / f"{state}.json").read_text())
            record.update(
                id=f"{program.id}/{state}{suffix}",
                look=look_name,
                folder=out,
                parent=record["parent"] and f"{program.id}/{record['parent']}{suffix}",
            )
            records.append(record)
        transitions += [
            dict(t, **{key: f"{program.id}/{t[key]}{suffix}" for key in ("from", "to")}) for t in report["transitions"]
        ]
    figures = {
        "program": program.id,
        "captures": 0,
        "elements": 0,
        "named": 0,
        "transitions": 0,
        "seconds": round(seconds),
        "bytes": 0,
        "failures": failures,
    }
    return records, transitions, figures


def _write_captures(
    folder: Path, program: Program, records: list[dict], transitions: list[dict], present: dict[str, dict] | None = None
) -> None:
    """`present` are the captures that the folder holds already: they are kept, even where a new one repeats them."""
    present = present or {}
    fresh = [r for r in records if r["id"] not in present]
    ids = {r["id"] for r in records} | set(present)
    for record in fresh:
        twin = record["twin"] if "session" in record else _twin(program, record, records)
        write_capture(folder, program, record, twin, ids)
    lines = folder / "transitions.jsonl"
    already = lines.read_text(encoding="utf-8").splitlines() if lines.is_file() else []
    told = {(t["from"], t["element"], t["action"]) for t in map(json.loads, already)}
    with lines.open("a", encoding="utf-8") as out:
        out.writelines(
            json.dumps(t, ensure_ascii=False) + "\n"
            for t in transitions
            if t["from"] in ids and leads_to(t) <= ids and (t["from"], t["element"], t["action"]) not in told
        )
    clean_folder(folder, set(present))
    prune_program(folder, program, set(present))


def _count(folder: Path, ids: set, figures: dict) -> None:
    """Completes the figures by what is left of the captures with these ids."""
    for path in folder.glob("*.json"):
        capture = _read(path)
        if capture["id"] in ids:
            figures["captures"] += 1
            figures["elements"] += len(capture["elements"])
            figures["named"] += sum(
                e["interactive"] and bool(e["name"] or e["description"]) for e in capture["elements"]
            )
    figures["transitions"] = len((folder / "transitions.jsonl").read_text(encoding="utf-8").splitlines())
    figures["bytes"] = sum(p.stat().st_size for p in folder.iterdir())


def _within_popup_share(
    records: list[dict], transitions: list[dict], present: set[str] = frozenset(), least: int = 1
) -> list[dict]:
    """Keeps open popups to their share, or a few: those that the pack has, then the ones that lead somewhere."""
    leading = {t["from"] for t in transitions}
    with_popup = [r for r in records if r["popups"]]
    most = max(least, int((len(records) - len(with_popup)) * POPUPS_PER_PLAIN))
    ranked = sorted(with_popup, key=lambda r: (r["id"] not in present, r["id"] not in leading))
    dropped = {r["id"] for r in ranked[most:]} - present
    return [r for r in records if r["id"] not in dropped]


def _twin(program: Program, record: dict, records: list[dict]) -> str | None:
    """The capture of the same state in the first look, if that is this look's other brightness."""
    first = program.looks[0]
    if record["look"] == first or LOOKS[record["look"]].twin != first:
        return None
    size = [record["frame"][i + 2] - record["frame"][i] for i in (0, 1)]
    for other in records:
        if (
            other["look"] == first
            and other["state"] == record["state"]
            and [other["frame"][i + 2] - other["frame"][i] for i in (0, 1)] == size
        ):
            return other["id"]
    return None


def write_capture(folder: Path, program: Program, record: dict, twin: str | None, ids: set) -> None:
    look = LOOKS[record["look"]]
    source = record["folder"]
    image = _write_picture(folder, source / f"{record['state']}.png")
    inactive_source = source / f"{record['state']}.inactive.png"
    inactive = _write_picture(folder, inactive_source) if inactive_source.is_file() else None
    parent = record["parent"] if record["parent"] in ids else None
    session: Session | None = record.get("session")
    capture = {
        "format_version": SESSIONS_VERSION if session else VERSION,
        "id": record["id"],
        "title": record["title"],
        "kind": record["kind"],
        "image": dict(image, size=record["size"]),
        "inactive": inactive,
        "frame": record["frame"],
        "popups": record["popups"],
        "parent_window": parent,
        "parent_offset": record["parent_offset"] if parent else None,
        "modal": record["modal"],
        "variant_of": twin,
        "placement": record["placement"],
        **({"session": session.id} if session else {}),
        "theme": look.theme,
        "frame_style": look.frame_style,
        "dark": is_dark(look.dark, record["elements"], _pixels(source / f"{record['state']}.png"), record["frame"]),
        "scale": 1.0,
        "language": "en",
        "elements": record["elements"],
        "source": {"recipe": program.id, "steps": record["steps"], "captured": time.strftime("%Y-%m-%d")},
    }
    if session:
        capture = with_date(capture, session.newest_date(capture))
    write_json(folder / f"{record['id'].split('/')[1]}.json", capture)


def _write_picture(folder: Path, source: Path) -> dict:
    buffer = io.BytesIO()
    with Image.open(source) as picture:
        picture.save(buffer, "WEBP", lossless=True, exact=True, quality=70, method=4)
    data = buffer.getvalue()
    digest = hashlib.sha256(data).hexdigest()
    (folder / f"{digest[:16]}.webp").write_bytes(data)
    return {"file": f"{digest[:16]}.webp", "sha256": digest}


def _pixels(source: Path) -> np.ndarray:
    with Image.open(source) as picture:
        return np.asarray(picture)


def _package(program: Program) -> str:
    return (
        (program.packages or program.npm or program.pip)[0].split("==")[0]
        if not program.npm
        else program.npm[0].rpartition("@")[0] or program.npm[0]
    )


def _version(program: Program) -> str:
    if program.npm or program.pip:
        pinned = (program.npm or program.pip)[0]
        return pinned.rpartition("@" if program.npm else "==")[2]
    query = subprocess.run(
        ["dpkg-query", "-W", "-f=${Version}", program.packages[0]], capture_output=True, text=True, check=False
    )
    return query.stdout.strip() or "unknown"
