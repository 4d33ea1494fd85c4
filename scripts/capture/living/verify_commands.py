"""`capture.sh live --verify`: values of living pages that a pack has and that were seen once are seen again."""

import json
from pathlib import Path

from .. import programs
from ..files import read_lines, write_json, write_living
from ..programs import Program
from ..publish import locked
from ..sessions import Session
from .known_pages import told_of, without_pictures
from .part_of_pack import run_beside
from .publish_living import drop_unused

# The most that the pages of a program take, and what starting them takes besides.
SECONDS, SECONDS_BESIDE = 600, 300


def see_again(program_id: str, session: Session, arguments) -> dict:
    """The values of one program's pages; the report of the session."""
    program = programs.load(program_id, session.persona.id)
    once = seen_once(program, session, arguments.out)
    if not once:
        return {"program": program_id, "session": session.id, "seen": {}, "missed": [], "failures": [], "seconds": 0}
    seconds = arguments.seconds or SECONDS
    _, report = run_beside("verify_session", program, session, arguments.out, arguments.windesk, {"once.json": once},
                           str(seconds), seconds=(seconds + SECONDS_BESIDE) * len(once))  # fmt: skip
    with locked(arguments.out / "windows"):
        for page, numbers in report.get("seen", {}).items():
            tell(arguments.out / "windows" / program.id, page, numbers, once[page])
    return {"program": program.id, "session": session.id, "seen": {}, "missed": [], **report}


def seen_once(program: Program, session: Session, pack: Path) -> dict[str, dict]:
    """By page: what leads to its values, and the numbers of the patches among its lines that change something and were
    seen once."""
    out = {}
    for page, told in told_of(program, session, pack).items():
        lines = told["lines"]
        once = [n for n, line in enumerate(lines) if changes_something(line) and not line.get("verified")]
        if once:
            out[page] = {**told, "lines": without_pictures(lines), "once": once}
    return out


def changes_something(line: dict) -> bool:
    return line["line"] == "patch" and any(line.get(key) for key in ("areas", "elements", "added"))


def tell(folder: Path, page: str, numbers: list[int], once: dict) -> None:
    """Writes into a page's living file which values were seen again."""
    path = folder / f"{page.split('/')[1]}.json"
    capture = json.loads(path.read_text(encoding="utf-8"))
    lines = read_lines(folder / capture["living"]["file"])
    if not set(numbers) <= set(once["once"]) or len(lines) != len(once["lines"]):
        raise ValueError(f"{page}: its living file is not the one whose values were seen")
    for number in numbers:
        lines[number]["verified"] = True
    write_json(path, {**capture, "living": {**capture["living"], **write_living(folder, lines)}})
    drop_unused(folder)
