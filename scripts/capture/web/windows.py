"""Browser windows that show the pages: a real window, whose content is a page that the pack has, with all that is known
of it."""

import json
import shutil
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

from .. import programs, sandbox, sessions
from ..boxes import area, shifted
from ..files import read_lines, text_of, write_json, write_living
from ..publish import write_capture
from .browser import script_of
from .sources import Page

BROWSER, SECONDS = "chromium", 300
# What comes behind a page's address (live_page.py).
LOOKS = ("light", "dark")


class Unlike(RuntimeError):
    """The window shows the page in another way than the pack does."""


def capture(page: Page, dark: bool, document: Path, pack: Path) -> str:
    """Pictures the browser with the page and puts it into the pack, which has the page; returns the window's id."""
    session = sessions.load(page.session(dark))
    host, state = _host(page), f"{page.program.removeprefix('web-')}-{page.name}"
    with tempfile.TemporaryDirectory() as place:
        files = _site(document, dark, Path(place))
        told = (state, host, document.name, *map(str, page.size))
        out = sandbox.run(
            "window_of_page", BROWSER, session.look, *told, inputs=files, seconds=SECONDS, session=session
        )
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    if not report["states"] or report.get("content") is None:
        raise Unlike("; ".join(report["failures"]) or "no picture")
    return publish(out, state, report["content"], page.id(dark), session, pack)


def publish(out: Path, state: str, content: list[int], page_id: str, session: sessions.Session, pack: Path) -> str:
    """`content` is where in the window's picture the page is."""
    folder, suffix = pack / "windows" / BROWSER, "" if session.keeps else session.suffix
    page_path = pack / "windows" / f"{page_id}.json"
    page = json.loads(page_path.read_text(encoding="utf-8"))
    _require_equal(out, state, content, pack / "windows" / page_id.split("/")[0] / page["image"]["file"])
    window_id = f"{BROWSER}/{state}{suffix}"
    record = json.loads((out / f"{state}.json").read_text(encoding="utf-8"))
    elements = _elements(record["elements"], page["elements"], content)
    record |= {"id": window_id, "look": session.look_name, "folder": out, "session": session, "elements": elements}
    has_twin = session.twins and (folder / f"{state}.json").is_file()
    twin = f"{BROWSER}/{state}" if has_twin else None
    write_capture(folder, programs.load(BROWSER, session.persona.id), record, twin, {window_id})
    write_json(page_path, {**page, "inside": {"window": window_id, "at": content[:2]}})
    follow(page_id, pack)
    return window_id


def follow(page_id: str, pack: Path) -> None:
    """Writes all that is known of a page into the window that shows it, anew."""
    page = json.loads((pack / "windows" / f"{page_id}.json").read_text(encoding="utf-8"))
    window_id, at = page["inside"]["window"], page["inside"]["at"]
    path = pack / "windows" / f"{window_id}.json"
    window, own = json.loads(path.read_text(encoding="utf-8")), {e["id"] for e in page["elements"]}
    more = sum(e["interactive"] for e in window["elements"] if e["id"] not in own)
    former = window.get("living")
    window["living"] = _living(page, page_id, window_id, more, at, pack, path.parent)
    write_json(path, window)
    if former and former["file"] != window["living"]["file"]:
        (path.parent / former["file"]).unlink(missing_ok=True)
    _transitions(page_id, window_id, at, pack, path.parent)


def _host(page: Page) -> str:
    return "www." + page.title.rpartition(" - ")[2].lower().replace(" ", "-") + ".example"


def _site(document: Path, dark: bool, place: Path) -> list[Path]:
    """The page's files, with what calms it as a script of its own. The address does not say that a page is dark."""
    first, last = f'location.hash = "{LOOKS[dark]}";', "history.replaceState(null, '', location.pathname);"
    (place / "calm.js").write_text(first + script_of("probe.js"), encoding="utf-8")
    text = document.read_text(encoding="utf-8").replace("<head>", '<head><script src="calm.js"></script>', 1)
    text = text.replace("</body>", f"<script>{last}</script></body>")
    (place / document.name).write_text(text, encoding="utf-8")
    for kind in ("css", "js"):
        shutil.copy(document.with_suffix(f".{kind}"), place)
    return sorted(place.iterdir())


def _require_equal(out: Path, state: str, content: list[int], page: Path) -> None:
    """Every pixel of the content is the page's, with the focus and without."""
    with Image.open(out / f"{state}.png") as window, Image.open(page) as picture:
        shown, wanted = (np.asarray(image.convert("RGBA")).astype(int) for image in (window.crop(content), picture))
    if shown.shape != wanted.shape:
        raise Unlike(f"a content of {shown.shape[1]}x{shown.shape[0]} px, expected {wanted.shape[1]}x{wanted.shape[0]}")
    unlike = int((shown != wanted).any(axis=2).sum())
    if unlike:
        raise Unlike(f"{unlike} px of the content are not the page's")
    inactive = out / f"{state}.inactive.png"
    if inactive.is_file():
        with Image.open(inactive) as delta:
            changed = int(np.asarray(delta.crop(content)).any(axis=2).sum())
        if changed:
            raise Unlike(f"{changed} px of the content change with the focus")


def _elements(window: list[dict], page: list[dict], content: list[int]) -> list[dict]:
    """The page's elements at their place under their own ids, and the browser's own ones under new ids."""
    holder = max((e for e in window if e["role"] == "document"), key=lambda e: area(e["bbox"]))
    inner = {holder["id"]}
    for element in window:
        if element["parent"] in inner:
            inner.add(element["id"])
    taken = {e["id"] for e in page}
    fresh = (
        f"e{number}"
        for number in range(len(page) + len(window) + max(int(i[1:]) for i in taken))
        if f"e{number}" not in taken
    )
    new = {e["id"]: next(fresh) for e in window if e["id"] not in inner or e is holder}
    own = [{**e, "id": new[e["id"]], "parent": new.get(e["parent"])} for e in window if e["id"] in new]
    at = next(number for number, e in enumerate(own) if e["id"] == new[holder["id"]]) + 1
    placed = [_moved({**e, "parent": e["parent"] or new[holder["id"]]}, content[:2]) for e in page]
    return own[:at] + placed + own[at:]


# Keys of boxes; `at` is a place in the atlas.
BOXES = ("bbox", "rect", "area", "handle", "core")


def _moved(value, by: list[int], axis: str | None = None):
    """What a page's files say, with boxes and positions of maps moved."""
    if isinstance(value, list):
        return [_moved(v, by, axis) for v in value]
    if not isinstance(value, dict):
        return value
    axis = value.get("axis", axis)
    out = {}
    for key, inner in value.items():
        if key in BOXES and isinstance(inner, list):
            out[key] = list(shifted(inner, *by))
        elif key in ("from", "to") and isinstance(inner, int):
            out[key] = inner + by["xy".index(axis)]
        else:
            out[key] = _moved(inner, by, axis)
    return out


def _living(page: dict, page_id: str, window_id: str, own: int, by: list[int], pack: Path, folder: Path) -> dict:
    """The page's living file for the window, in which `own` more elements can be clicked."""
    home = pack / "windows" / page_id.split("/")[0]
    lines = [_moved(line, by) for line in read_lines(home / page["living"]["file"])]
    for line in lines:
        if line["line"] == "page":
            line["page"] = window_id
            line["coverage"]["elements"] += own
    atlas = page["living"]["atlas"]
    if atlas:
        shutil.copy(home / atlas["file"], folder)
    return {**write_living(folder, lines), "atlas": atlas}


def _transitions(page_id: str, window_id: str, by: list[int], pack: Path, folder: Path) -> None:
    path = folder / "transitions.jsonl"
    # Other pages' lines stay as they are written.
    former = path.read_text(encoding="utf-8").splitlines(keepends=True) if path.is_file() else []
    kept = [line for line in former if json.loads(line)["from"] != window_id]
    moves = []
    for move in read_lines(pack / "windows" / page_id.split("/")[0] / "transitions.jsonl"):
        if move["from"] == page_id:
            part = {"part": list(shifted(move["part"], *by))} if "part" in move else {}
            moves.append({**move, "from": window_id, **part})
    path.write_text("".join(kept) + text_of(moves), encoding="utf-8")
