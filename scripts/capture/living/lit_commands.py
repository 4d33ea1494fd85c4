"""`capture.sh live --lit`: how entries of lists look with the pointer over them, for pages that a pack has."""

import io
import json
from pathlib import Path

import numpy as np
from PIL import Image

from .. import programs, sandbox
from ..files import read_lines, write_json, write_living
from ..programs import Program
from ..publish import locked
from ..sessions import Session
from .atlas import Atlas, Place, placed, stacked
from .known_pages import told_of, without_pictures
from .part_of_pack import inputs_of
from .publish_living import drop_unused, write_atlas
from .verify_commands import SECONDS, SECONDS_BESIDE

# Longer lists take too long: their entries stay as the list's picture shows them.
MOST_ENTRIES = 24


def light(program_id: str, session: Session, arguments) -> dict:
    """Lists of one program's pages; the report of the session."""
    program = programs.load(program_id, session.persona.id)
    work = sandbox.WORK / "lit" / f"{program_id}.{session.id}"
    work.mkdir(parents=True, exist_ok=True)
    pages = unlit(program, session, arguments.out)
    if not pages:
        return {"program": program_id, "session": session.id, "lit": {}, "missed": [], "failures": [], "seconds": 0}
    told = work / "unlit.json"
    told.write_text(json.dumps(pages), encoding="utf-8")
    inputs = (*inputs_of(work, arguments.out, arguments.windesk, program_id), told)
    seconds = arguments.seconds or SECONDS
    out = sandbox.run("living.lit_session", program_id, session.look, session.suffix, str(seconds), inputs=inputs,
                      session=session, seconds=(seconds + SECONDS_BESIDE) * len(pages))  # fmt: skip
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
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
    buffer = io.BytesIO()
    Image.fromarray(stacked(atlas, strip), "RGBA").save(buffer, "PNG", compress_level=1)
    living = {**write_living(folder, lines), "atlas": write_atlas(folder, buffer)}
    write_json(path, {**capture, "living": living})
    drop_unused(folder)


def _layer(entry: str, areas: list, pictures, crops: Atlas, of_letters: bool) -> dict:
    told = []
    for rect, name in areas:
        place = Place(crops.add(pictures[name]))
        told.append({"rect": rect, "at": place, **({"inactive": place} if of_letters else {})})
    return {"kind": "hover", "element": entry, "areas": told}
