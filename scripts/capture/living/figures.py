"""The table of living pages in docs/pack.md: what a pack holds of each program, and how its walks went. The figures of
walks are kept in walks.jsonl, one line per program and session; nothing here touches the screen."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from ..statistics import table
from .judge import summary, wilson

WALKS = Path(__file__).with_name("walks.jsonl")
HEAD = (
    "program", "toolkit", "pages", "controls", "patches (seen twice)", "transitions", "coverage", "walks",
    "changes foretold", "events foretold", "KiB", "crawl, min",
)  # fmt: skip
# Programs that GTK reads the tree of, and that draw themselves.
OWN_TOOLKITS = ("LibreOffice",)
TOOLKITS = {"gtk": "GTK", "GAIL": "GTK"}
LEADS_TO = ("window", "page", "maximised")


@dataclass
class Count:
    right: int = 0
    of: int = 0

    def __add__(self, other: "Count") -> "Count":
        return Count(self.right + other.right, self.of + other.of)

    def __str__(self) -> str:
        if not self.of:
            return "-"
        low, high = (100 * share for share in wilson(self.right, self.of))
        return f"{self.right} of {self.of}, {100 * self.right / self.of:.1f} % ({low:.1f} to {high:.1f})"


@dataclass
class Walked:
    """The walks on the present pages of a program in a session. `seeds`: the walks of which every event was counted;
    of earlier ones, only the changes were."""

    program: str
    session: str
    crawl_min: float
    walks: int = 0
    changes: Count = field(default_factory=Count)
    seeds: list[int] = field(default_factory=list)
    events: Count = field(default_factory=Count)


@dataclass
class Held:
    """What a pack holds of living pages."""

    pages: int = 0
    controls: int = 0
    patches: int = 0
    verified: int = 0
    transitions: int = 0
    known: int = 0
    elements: int = 0
    octets: int = 0


def read(path: Path = WALKS) -> list[Walked]:
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [Walked(**{**line, **{key: Count(*line[key]) for key in ("changes", "events")}}) for line in lines]


def write(told: list[Walked], path: Path = WALKS) -> None:
    records = [asdict(w) for w in sorted(told, key=lambda w: (w.program, w.session))]
    for record in records:
        record |= {key: list(record[key].values()) for key in ("changes", "events")}
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


def add(told: list[Walked], report: list[dict], anew: bool = False) -> None:
    """Counts the walks of a report (`capture.sh walk --report`). `anew`: the pages were crawled again, so that earlier
    walks of these programs do not count."""
    for result in (r for r in report if r["events"]):
        key = result["program"], result["session"]
        own = next((w for w in told if (w.program, w.session) == key), None)
        if own is None:
            own = Walked(*key, 0.0)
            told.append(own)
        if anew:
            own.walks, own.changes, own.seeds, own.events = 0, Count(), [], Count()
        seeds = sorted({event["walk"] for event in result["events"]})
        if set(seeds) & set(own.seeds):
            raise ValueError(f"{key[0]}, {key[1]}: walks {sorted(set(seeds) & set(own.seeds))} were counted before")
        shares = summary(result["events"])
        own.walks, own.seeds = own.walks + len(seeds), sorted([*own.seeds, *seeds])
        own.changes += Count(shares["changed"]["right"], shares["changed"]["of"])
        own.events += Count(shares["all"]["right"], shares["all"]["of"])


def held(folder: Path, session: str) -> Held:
    """Of one program's folder. A patch counts if it changes something; a transition if all that it leads to is known.
    The size is that of living files, atlases, and pictures of the pages and of the windows that open from them."""
    captures = [json.loads(p.read_text(encoding="utf-8")) for p in folder.glob("*.json") if p.stem != "program"]
    by_id = {c["id"]: c for c in captures}
    pages = {c["id"]: c for c in captures if c.get("living") and c["session"] == session}
    out, told, shown = Held(pages=len(pages)), set(), set(pages)
    for page in pages.values():
        for line in map(json.loads, (folder / page["living"]["file"]).read_text(encoding="utf-8").splitlines()):
            if line["line"] == "page":
                out.known += line["coverage"]["known"]
                out.elements += line["coverage"]["elements"]
            out.controls += line["line"] == "control"
            if line["line"] == "patch" and any(line.get(key) for key in ("areas", "elements", "added")):
                out.patches += 1
                out.verified += bool(line.get("verified"))
    for line in map(json.loads, (folder / "transitions.jsonl").read_text(encoding="utf-8").splitlines()):
        if line["from"] not in pages:
            continue
        shown |= {o["to"] for o in line["outcomes"] if o["kind"] in LEADS_TO and o.get("to")}
        if all(o["kind"] != "unmodelled" for o in line["outcomes"]):
            told.add((line["from"], line["element"], json.dumps(line["action"])))
    out.transitions = len(told)
    parts = [part for name in shown for part in _files(by_id[name]) if part]
    out.octets = sum((folder / name).stat().st_size for name in {part["file"] for part in parts})
    return out


def _files(capture: dict) -> list[dict | None]:
    living = capture.get("living")
    return [capture["image"], capture["inactive"], living, living and living.get("atlas")]


def toolkit(folder: Path) -> str:
    program = json.loads((folder / "program.json").read_text(encoding="utf-8"))
    own = next((name for name in OWN_TOOLKITS if program["name"].startswith(name)), None)
    if own is not None:
        return own
    name, _, version = program["toolkit"].partition(" ")
    return name if name == "Chromium" else f"{TOOLKITS.get(name, name)} {version.split('.')[0]}"


def living_table(pack: Path, told: list[Walked]) -> str:
    rows = []
    for walked in sorted(told, key=lambda w: (w.program, w.session)):
        folder = pack / "windows" / walked.program
        name = f"{walked.program}, {walked.session}"
        rows.append((name, toolkit(folder), walked, held(folder, walked.session)))
    sums = []
    for kit in sorted({row[1] for row in rows}):
        own = [row for row in rows if row[1] == kit]
        sums.append(_sum(f"{len({row[2].program for row in own})} of {kit}", kit, own))
    sums.append(_sum(f"all {len({row[2].program for row in rows})}", "", rows))
    out = table(HEAD, [_cells(*row) for row in (*rows, *sums)])
    return out.replace("| --- | ---: |", "| --- | --- |", 1)


def _sum(name: str, kit: str, rows: Sequence[tuple]) -> tuple[str, str, Walked, Held]:
    walked, all_held = Walked("", "", 0.0), Held()
    for _, _, one, own in rows:
        walked.crawl_min += one.crawl_min
        walked.walks += one.walks
        walked.changes += one.changes
        walked.events += one.events
        for key, value in asdict(own).items():
            setattr(all_held, key, getattr(all_held, key) + value)
    return name, kit, walked, all_held


def _cells(name: str, kit: str, walked: Walked, own: Held) -> tuple:
    return (
        name, kit, own.pages, own.controls, f"{own.patches:,} ({own.verified:,})", own.transitions,
        f"{own.known} of {own.elements}", walked.walks, str(walked.changes), str(walked.events),
        round(own.octets / 1024), f"{walked.crawl_min:.1f}",
    )  # fmt: skip


def replaced(text: str, fresh: str) -> str:
    """A document with another table of living pages."""
    start = text.index(f"| {HEAD[0]} | {HEAD[1]} | {HEAD[2]} | {HEAD[3]} |")
    end = text.index("\n\n", start)
    return text[:start] + fresh + text[end:]


def command(arguments) -> int:
    """`capture.sh figures`: counts walks, and writes the table of a pack into a document."""
    told = read()
    for path in arguments.add:
        add(told, json.loads(path.read_text(encoding="utf-8")), arguments.anew)
    write(told)
    fresh = living_table(arguments.pack, told)
    text = arguments.document.read_text(encoding="utf-8")
    arguments.document.write_text(replaced(text, fresh), encoding="utf-8")
    print("\n".join(line for line in fresh.splitlines() if " of " in line.split("|")[1] or line.startswith("| all ")))
    return 0
