"""`capture.sh live --links`: where the links of living pages lead that a pack has. What they show is pictured, and
belongs to no page that lives."""

import json
from pathlib import Path

from .. import choices, programs
from ..files import read_lines, text_of, write_json, write_living
from ..programs import Program, never_clicked
from ..publish import locked
from ..sessions import Session
from . import publish_living
from .known_pages import told_of, without_pictures
from .part_of_pack import run_beside
from .verify_commands import SECONDS, SECONDS_BESIDE


def follow(program_id: str, session: Session, arguments) -> dict:
    """Links of one program's pages; the report of the session."""
    program = programs.load(program_id, session.persona.id)
    pages = unknown_links(program, session, arguments.out)
    if not pages:
        return {"program": program_id, "session": session.id, "leads": {}, "missed": [], "failures": [], "seconds": 0}
    seconds = arguments.seconds or SECONDS
    out, report = run_beside("links_session", program, session, arguments.out, arguments.windesk, {"links.json": pages},
                             str(seconds), seconds=(seconds + SECONDS_BESIDE) * len(pages))  # fmt: skip
    publish_living.publish(program, session, out, arguments.out)
    same = publish_living.repeats(out, report["states"])
    folder = arguments.out / "windows" / program.id
    with locked(arguments.out / "windows"):
        for page, leads in report.get("leads", {}).items():
            kept = {link: {**lead, "state": same.get(lead["state"], lead["state"])} for link, lead in leads.items()}
            told = {link: {**lead, "to": f"{program.id}/{lead['state']}{session.suffix}"}
                    for link, lead in kept.items() if lead["state"]}  # fmt: skip
            tell(folder, page, told)
    return {"program": program.id, "session": session.id, "leads": {}, "missed": [], **report}


def unknown_links(program: Program, session: Session, pack: Path) -> dict[str, dict]:
    """By page: what leads to its values, and the links of its picture that may be clicked and of which nothing is
    known, each with the values under which the pack says so."""
    out = {}
    for page, told in told_of(program, session, pack).items():
        skip = never_clicked(program, program.way(told["entry"]))
        capture = json.loads((pack / "windows" / f"{page}.json").read_text(encoding="utf-8"))
        links = [e["id"] for e in capture["elements"] if e["role"] == "link" and _may_click(e["name"], skip)]
        unknown = {link: conditions(told["transitions"], link) for link in links}
        unknown = {link: found for link, found in unknown.items() if found is not None}
        if unknown:
            out[page] = {**told, "lines": without_pictures(told["lines"]), "links": unknown}
    return out


def _may_click(words: str, skip) -> bool:
    return bool(words) and not choices.NEVER_CLICK.search(words) and not skip.has(words)


def conditions(transitions: list[dict], link: str) -> list[dict] | None:
    """The values under which a link is said to be unknown, besides those of the page's picture; None if some click on
    it is known."""
    own = [t for t in transitions if t["element"] == link and t["action"] == "click"]
    if not all(is_unknown(t) for t in own):
        return None
    return [t["when"] for t in own if t.get("when")]


def is_unknown(transition: dict) -> bool:
    return all(outcome["kind"] == "unmodelled" for outcome in transition["outcomes"])


def tell(folder: Path, page: str, leads: dict[str, dict]) -> None:
    """Writes where a page's links lead, and how many of its elements are known now."""
    path = folder / f"{page.split('/')[1]}.json"
    capture = json.loads(path.read_text(encoding="utf-8"))
    living = read_lines(folder / capture["living"]["file"])
    values = {c["id"]: c["value"] for c in living if c["line"] == "control" and c["type"] != "derived"}
    transitions = folder / "transitions.jsonl"
    transitions.write_text(text_of(with_leads(read_lines(transitions), page, leads, values)), encoding="utf-8")
    living[0]["coverage"]["known"] += len(leads)
    write_json(path, {**capture, "living": {**capture["living"], **write_living(folder, living)}})
    publish_living.drop_unused(folder)


def with_leads(lines: list[dict], page: str, leads: dict[str, dict], values: dict) -> list[dict]:
    """Transitions with a line for each link: in place of what was said of it if it always leads there, otherwise for
    the page's own values."""
    always = {link for link, lead in leads.items() if lead["always"]}
    out = [t for t in lines if t["from"] != page or t["element"] not in always]
    told = []
    for link, lead in leads.items():
        when = {} if lead["always"] else {"when": values}
        outcomes = [{"kind": "page", "to": lead["to"]}]
        told.append({"from": page, **when, "element": link, "action": "click", "outcomes": outcomes})
    at = max((n for n, t in enumerate(out) if t["from"] == page), default=len(out) - 1)
    return [*out[: at + 1], *told, *out[at + 1 :]]
