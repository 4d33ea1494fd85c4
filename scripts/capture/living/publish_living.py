"""Puts crawled pages into a pack: captures, living files and atlases named by their content, transitions."""

import hashlib
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image

from ..files import write_json
from ..programs import Program
from ..publish import HEADER, SESSIONS_VERSION, header_of, locked, twin_of_sessions, write_capture
from ..sessions import Session, all_sessions
from .home_values import completed
from .joined import Told, join, unlike
from .lines import as_text

BY_CONTENT = re.compile(r"[0-9a-f]{16}")


def pages_of(program: Program, session: Session, pack: Path) -> set[str]:
    """Names of the pages that a pack has in a session, with a living file."""
    folder, out = pack / "windows" / program.id, set()
    for path in folder.glob(f"live-*{session.suffix}.json"):
        if json.loads(path.read_text(encoding="utf-8")).get("living"):
            out.add(path.stem.removeprefix("live-").removesuffix(session.suffix))
    return out


def windows_of(program: Program, session: Session, pack: Path) -> list[dict]:
    """Windows that living pages of a pack open: the title and the state of each, and the element that opens it."""
    folder, out = pack / "windows" / program.id, []
    pages = {f"{program.id}/live-{name}{session.suffix}" for name in pages_of(program, session, pack)}
    for line in map(json.loads, _lines(folder / "transitions.jsonl")):
        for outcome in line["outcomes"] if line["from"] in pages else ():
            if outcome["kind"] == "window":
                name = outcome["to"].split("/")[1]
                title = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))["title"]
                state = name.removesuffix(session.suffix)
                out.append({"title": title, "element": line["element"], "state": state})
    return out


def publish(program: Program, session: Session, out: Path, pack: Path) -> dict:
    """Adds what a crawl left; pages of the same ids are replaced. Returns the figures of the crawl."""
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    folder = pack / "windows" / program.id
    folder.mkdir(parents=True, exist_ok=True)
    with locked(pack / "windows"):
        if not (pack / "pack.json").exists():
            write_json(pack / "pack.json", dict(HEADER, format_version=SESSIONS_VERSION, name="windesk-living"))
        same = repeats(out, report["states"])
        records = [_record(program, session, out, state) for state in report["states"] if state not in same]
        met = _join(program, session, out, folder, records)
        if records and not (folder / "program.json").is_file():
            write_json(folder / "program.json", header_of(program, records))
        for state in same:
            (folder / f"{state}{session.suffix}.json").unlink(missing_ok=True)
        present = {c["id"]: c for c in _captures(folder)}
        ids = {r["id"] for r in records} | set(present)
        for record in records:
            twin = twin_of_sessions(record, session, present, all_sessions())
            write_capture(folder, program, record, twin, ids)
            _add_living(folder, out, record)
        _write_transitions(folder, program, session, out, records, ids, same)
        _tell_known(folder, met)
        drop_unused(folder)
    pages = report.get("pages", [])
    return {"program": program.id, "session": session.id, "pages": pages, "failures": report["failures"],
            "seconds": report["seconds"]}  # fmt: skip


def _captures(folder: Path) -> list[dict]:
    read = (json.loads(p.read_text(encoding="utf-8")) for p in sorted(folder.glob("*.json")))
    return [capture for capture in read if "elements" in capture]


def _record(program: Program, session: Session, out: Path, state: str) -> dict:
    record = json.loads((out / f"{state}.json").read_text(encoding="utf-8"))
    record["parent"] = record["parent"] and f"{program.id}/{record['parent']}{session.suffix}"
    kept = out / f"{state}.elements.json"
    if kept.is_file():
        record["elements"] = json.loads(kept.read_text(encoding="utf-8"))
    return {**record, "id": f"{program.id}/{state}{session.suffix}", "look": session.look_name, "folder": out,
            "session": session}  # fmt: skip


def _join(program: Program, session: Session, out: Path, folder: Path, records: list[dict]) -> dict[str, dict]:
    """Pages of windows as large as they get become pages with the ids of the same windows in their usual size. Returns
    what transitions of pages that the pack has, and the crawl has not, say from now on: by page, the outcome."""
    by_state = {record["state"]: record for record in records}
    told = {state: _told(out, record) for state, record in by_state.items()}
    living = {state for state, page in told.items() if page.lines}
    living |= {f"live-{name}" for name in pages_of(program, session, folder.parent.parent)} - set(by_state)
    known = {}
    for state, page in list(told.items()):
        if state not in living:
            continue
        page.transitions = [_as_pictured(t, page, living) for t in page.transitions]
        small = next((o["to"] for o in _carried(page) if state == f"{o['to']}-max"), None)
        if small is not None:
            name = f"{program.id}/{small}{session.suffix}"
            first = told[small] if small in told else _told_in(folder, name)
            joined = told[state] = join(first, page)
            without = unlike(first, joined)
            for outcome in (*_carried(first), *_carried(joined)):
                outcome["carries"] |= {"without": without} if without else {}
            if small not in told:
                known[name] = {**_carried(joined)[0], "to": by_state[state]["id"]}
            by_state[state]["elements"] = joined.elements
    for state in living & set(told):
        _keep(out, state, told[state])
    return known


def _carried(page: Told) -> list[dict]:
    """Outcomes of a page that take its values along."""
    return [o for t in page.transitions for o in t["outcomes"] if "carries" in o]


def _as_pictured(transition: dict, page: Told, living: set[str]) -> dict:
    """What a click shows instead of the page was pictured once, with the page's own values, unless it is a living page,
    too: nothing is known of it with others."""
    if all("carries" not in o or o["to"] in living for o in transition["outcomes"]):
        return transition
    base = {line["id"]: line["value"] for line in page.of("control") if line["type"] != "derived"}
    outcomes = [{key: part for key, part in o.items() if key != "carries"} for o in transition["outcomes"]]
    return {**transition, "when": {**base, **transition["when"]}, "outcomes": outcomes}


def _told(out: Path, record: dict) -> Told:
    """What a crawl left of a page."""
    lines, transitions = out / f"{record['state']}.living.jsonl", out / f"{record['state']}.transitions.json"
    told = Told(
        record["elements"],
        [json.loads(line) for line in _lines(lines)],
        json.loads(transitions.read_text(encoding="utf-8")) if transitions.is_file() else [],
    )
    atlas = out / f"{record['state']}.atlas.png"
    if atlas.is_file():
        with Image.open(atlas) as picture:
            told.lines = completed(told, np.asarray(picture.convert("RGBA")))
    return told


def _keep(out: Path, state: str, told: Told) -> None:
    (out / f"{state}.living.jsonl").write_text(as_text(told.lines), encoding="utf-8")
    (out / f"{state}.elements.json").write_text(json.dumps(told.elements), encoding="utf-8")
    (out / f"{state}.transitions.json").write_text(json.dumps(told.transitions), encoding="utf-8")


def _told_in(folder: Path, name: str) -> Told:
    """What a pack tells of a page."""
    capture = json.loads((folder / f"{name.split('/')[1]}.json").read_text(encoding="utf-8"))
    lines = [json.loads(line) for line in _lines(folder / capture["living"]["file"])]
    return Told(capture["elements"], lines)


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.is_file() else []


def _tell_known(folder: Path, known: dict[str, dict]) -> None:
    """Where values go along to a large page, what its small one said of itself as pictured is replaced."""
    if not known:
        return
    path = folder / "transitions.jsonl"
    told = []
    for text in _lines(path):
        line = json.loads(text)
        outcome = known.get(line["from"])
        if outcome is not None and any(o["kind"] == "maximised" for o in line["outcomes"]):
            line = {key: part for key, part in line.items() if key != "when"} | {"outcomes": [outcome]}
            told.append(json.dumps(line, ensure_ascii=False))
        else:
            told.append(text)
    path.write_text("".join(text + "\n" for text in told), encoding="utf-8")


def _add_living(folder: Path, out: Path, record: dict) -> None:
    lines = out / f"{record['state']}.living.jsonl"
    if not lines.is_file():
        return
    living = _write_lines(folder, as_text(list(_with_contents(folder, out, lines))).encode())
    atlas = out / f"{record['state']}.atlas.png"
    if atlas.is_file():
        with Image.open(atlas) as picture:
            living["atlas"] = write_atlas(folder, picture)
    path = folder / f"{record['id'].split('/')[1]}.json"
    capture = json.loads(path.read_text(encoding="utf-8"))
    write_json(path, {**capture, "living": living})


def _with_contents(folder: Path, out: Path, path: Path) -> Iterator[dict]:
    """The lines of a page, with the contents of its scroll areas named by theirs."""
    for text in _lines(path):
        line = json.loads(text)
        for key in ("content", "inactive") if line["line"] == "scroll_area" else ():
            if key in line:
                with Image.open(out / line[key]["file"]) as picture:
                    line[key] |= _write_picture(folder, picture)
        yield line


def _write_lines(folder: Path, data: bytes) -> dict:
    digest = hashlib.sha256(data).hexdigest()
    (folder / f"{digest[:16]}.jsonl").write_bytes(data)
    return {"file": f"{digest[:16]}.jsonl", "sha256": digest, "atlas": None}


def write_atlas(folder: Path, picture: Image.Image) -> dict:
    return {**_write_picture(folder, picture), "size": list(picture.size)}


def _write_picture(folder: Path, picture: Image.Image) -> dict:
    buffer = io.BytesIO()
    picture.save(buffer, "WEBP", lossless=True, exact=True, quality=100, method=6)
    digest = hashlib.sha256(buffer.getvalue()).hexdigest()
    (folder / f"{digest[:16]}.webp").write_bytes(buffer.getvalue())
    return {"file": f"{digest[:16]}.webp", "sha256": digest}


def _write_transitions(
    folder: Path, program: Program, session: Session, out: Path, records, ids: set[str], same: dict[str, str | None]
) -> None:
    """Those of other pages stay; what leads to a page that is not there is not modelled. `same`: see `repeats`."""
    path = folder / "transitions.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    fresh = {r["id"] for r in records}
    kept = [line for line in lines if json.loads(line)["from"] not in fresh]
    for record in records:
        source = out / f"{record['state']}.transitions.json"
        own = json.loads(source.read_text(encoding="utf-8")) if source.is_file() else []
        told = (_with_ids(redirected(t, same), record["id"], program, session, ids) for t in own)
        kept += [json.dumps(line, ensure_ascii=False) for line in told]
    path.write_text("".join(line + "\n" for line in kept), encoding="utf-8")


def repeats(out: Path, states: list[str]) -> dict[str, str | None]:
    """Windows without a living file that show the same elements as an earlier one: two buttons may open the same.
    Those that look the same, too, with the earlier one; other dialogs with None: a pack has no two captures that only
    differ in details. What a program's own window shows, such as another board of a game, differs in more."""
    first: dict[str, tuple[str, bytes]] = {}
    same: dict[str, str | None] = {}
    for state in states:
        if (out / f"{state}.living.jsonl").is_file():
            continue
        with Image.open(out / f"{state}.png") as picture:
            look, size = picture.convert("RGBA").tobytes(), picture.size
        record = json.loads((out / f"{state}.json").read_text(encoding="utf-8"))
        shown = repr((size, sorted((e["role"], e["name"]) for e in record["elements"] if e["name"])))
        if record["kind"] == "main":
            shown += hashlib.sha256(look).hexdigest()
        kept, kept_look = first.setdefault(shown, (state, look))
        if kept != state:
            same[state] = kept if look == kept_look else None
    return same


def redirected(transition: dict, same: dict[str, str | None]) -> dict:
    """A transition that leads to the window that is kept."""
    outcomes = [{**o, "to": same[o["to"]] or o["to"]} if o.get("to") in same else o for o in transition["outcomes"]]
    return {**transition, "outcomes": outcomes}


def _with_ids(transition: dict, start: str, program: Program, session: Session, ids: set[str]) -> dict:
    line = {"from": start}
    if transition["when"]:
        line["when"] = transition["when"]
    if transition.get("focused"):
        line["focused"] = transition["focused"]
    line["element"] = transition["element"]
    if transition["part"]:
        line["part"] = transition["part"]
    outcomes = []
    for outcome in transition["outcomes"]:
        if outcome.get("to") and outcome["kind"] in ("window", "page", "maximised", "closed"):
            to = f"{program.id}/{outcome['to']}{session.suffix}"
            if to not in ids:
                outcomes = [{"kind": "unmodelled", "why": "it opens a window that was not captured"}]
                break
            outcomes.append({**outcome, "to": to})
        else:
            outcomes.append(outcome)
    return {**line, "action": transition["action"], "outcomes": outcomes}


def drop_unused(folder: Path) -> None:
    """Files named by their content that pages no longer name."""
    used = set()
    for path in folder.glob("*.json"):
        capture = json.loads(path.read_text(encoding="utf-8"))
        living = capture.get("living") or {}
        for part in (capture.get("image"), capture.get("inactive"), living, living.get("atlas")):
            if part:
                used.add(part["file"])
        if living:
            for line in (folder / living["file"]).read_text(encoding="utf-8").splitlines():
                entry = json.loads(line)
                if entry["line"] == "scroll_area":
                    used |= {part["file"] for part in (entry["content"], entry.get("inactive")) if part}
    for path in (*folder.glob("*.webp"), *folder.glob("*.jsonl")):
        if path.name not in used and BY_CONTENT.fullmatch(path.stem):
            path.unlink()
