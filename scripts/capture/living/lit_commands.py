"""`capture.sh live --lit`: how entries of lists look with the pointer over them, for pages that a pack has."""

import json
from pathlib import Path

import numpy as np
from PIL import Image

from .. import programs
from ..files import read_lines, write_json, write_living
from ..programs import Program
from ..publish import locked
from ..sessions import Session
from .atlas import Atlas, Place, placed, stacked
from .known_pages import told_of, without_pictures
from .part_of_pack import run_beside
from .publish_living import drop_unused, write_atlas
from .verify_commands import SECONDS, SECONDS_BESIDE

# Longer lists take too long: their entries stay as the list's picture shows them.
MOST_ENTRIES = 24


def light(program_id: str, session: Session, arguments) -> dict:
    """Lists of one program's pages; the report of the session."""
    program = programs.load(program_id, session.persona.id)
    pages = unlit(program, session, arguments.out)
    if not pages:
        return {"program": program_id, "session": session.id, "lit": {}, "missed": [], "failures": [], "seconds": 0}
    seconds = arguments.seconds or SECONDS
    out, report = run_beside("lit_session", program, session, arguments.out, arguments.windesk, {"unlit.json": pages},
                             str(seconds), seconds=(seconds + SECONDS_BESIDE) * len(pages))  # fmt: skip
    if report.get("lit"):
        with np.load(out / "lit.npz") as pictures, locked(arguments.out / "windows"):
            for page, popups in report["lit"].items():
                tell(arguments.out / "windows" / program.id, page, popups, pictures)
    return {"program": program.id, "session": session.id, "lit": {}, "missed": [], **report}


def unlit(program: Program, session: Session, pack: Path) -> dict[str, dict]:
    """By page: what leads to its lists, and those of which nobody knows how entries look with the pointer over them."""
    out = {}
    for page, told in told_of(program, session, pack).items():
        popups = [line for line in told["lines"] if line["line"] == "popup" and not line.get("lit")]
        popups = [p["id"] for p in popups if 0 < sum(e["interactive"] for e in p["elements"]) <= MOST_ENTRIES]
        if popups:
            out[page] = {**told, "lines": without_pictures(told["lines"]), "unlit": popups}
    return out


def tell(folder: Path, page: str, popups: dict[str, dict[str, list]], pictures) -> None:
    """Writes into a page's living file and atlas how entries look with the pointer over them."""
    path = folder / f"{page.split('/')[1]}.json"
    capture = json.loads(path.read_text(encoding="utf-8"))
    living = capture["living"]
    lines = read_lines(folder / living["file"])
    crops = Atlas()
    # Where colours say how areas look without the focus, each area has to say so itself.
    of_letters = lines[0]["inactive"]["kind"] == "colours"
    for line in lines:
        entries = popups.get(line["id"], {}) if line["line"] == "popup" else {}
        layers = [_layer(name, areas, pictures, crops, of_letters) for name, areas in entries.items() if areas]
        if layers:
            line["lit"] = layers
    strip = crops.pack()
    if strip is None:
        return
    atlas = living.get("atlas") and np.asarray(Image.open(folder / living["atlas"]["file"]).convert("RGBA"))
    lines = [placed(line, crops, 0 if atlas is None else atlas.shape[0]) for line in lines]
    picture = Image.fromarray(stacked(atlas, strip), "RGBA")
    living = {**write_living(folder, lines), "atlas": write_atlas(folder, picture)}
    write_json(path, {**capture, "living": living})
    drop_unused(folder)


def _layer(entry: str, areas: list, pictures, crops: Atlas, of_letters: bool) -> dict:
    told = []
    for rect, name in areas:
        place = Place(crops.add(pictures[name]))
        told.append({"rect": rect, "at": place, **({"inactive": place} if of_letters else {})})
    return {"kind": "hover", "element": entry, "areas": told}
