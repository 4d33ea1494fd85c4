"""`capture.sh live` and `capture.sh walk`: sessions that crawl living pages into a pack, and that walk on them."""

import io
import json
import sys
import tarfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .. import programs, sandbox, sessions
from . import judge, publish_living

SECONDS_OF_A_CRAWL, SECONDS_OF_WALKS = 2400, 3000
# A page that takes longer keeps what it has; the rest of it is unmodelled. Its long lists and what proves it come on
# top, and the same window maximised takes as long again.
SECONDS_OF_A_PAGE, SECONDS_BESIDE = 420, 600
# Of a pack: what is made from all of its programs.
OF_ALL_PROGRAMS = ("index", "starter", "workflows.jsonl")


def crawl(arguments) -> int:
    """Crawls programs; a failure costs one program. Pages that the pack has are left alone."""
    session = sessions.load(arguments.session)
    sandbox.demo_home(session.persona.id)
    with ThreadPoolExecutor(arguments.jobs) as pool:
        results = list(pool.map(lambda i: _guarded(_crawl, i, session, arguments), arguments.program))
    _print_crawls(results)
    return 0 if all(r["pages"] for r in results) else 2


def _guarded(run, program_id: str, session, arguments) -> dict:
    try:
        result = run(program_id, session, arguments)
    except Exception as fault:
        result = {"program": program_id, "session": session.id, "pages": [], "events": [], "toolkit": "unknown",
                  "failures": [str(fault) or repr(fault)], "seconds": 0}  # fmt: skip
    told = f"{program_id}: {len(result.get('pages', []))} pages, {len(result.get('events', []))} events"
    print(f"{told} in {result['seconds']} s", file=sys.stderr, flush=True)
    return result


def _crawl(program_id: str, session, arguments) -> dict:
    program = programs.load(program_id, session.persona.id)
    if not program.live:
        raise programs.RecipeError(f"programs/{program_id}.toml: expected a [[live]] page, found none")
    known = publish_living.pages_of(program, session, arguments.out)
    done = set() if arguments.again else known
    if arguments.large:
        # Of the pages that the pack has, those of which it has no large one.
        done = {e.name for e in program.live if e.name not in known or (f"{e.name}-max" in done)}
    missing = [e.name for e in program.live if e.name not in done]
    if not missing:
        return {"program": program_id, "session": session.id, "pages": ["known"], "failures": [], "seconds": 0}
    seconds = arguments.seconds or SECONDS_OF_A_PAGE
    inputs = ()
    if arguments.large:
        windows = sandbox.WORK / "known" / f"{program_id}.{session.id}" / "windows.json"
        windows.parent.mkdir(parents=True, exist_ok=True)
        windows.write_text(json.dumps(publish_living.windows_of(program, session, arguments.out)), encoding="utf-8")
        inputs = (windows,)
    limit = max(SECONDS_OF_A_CRAWL, 2 * (seconds + SECONDS_BESIDE))
    out = sandbox.run("living.session", program_id, session.look, session.suffix, ",".join(sorted(done)), str(seconds),
                      "large" if arguments.large else "whole", inputs=inputs, session=session,
                      seconds=limit)  # fmt: skip
    return publish_living.publish(program, session, out, arguments.out)


def _print_crawls(results: list[dict]) -> None:
    columns = ("controls", "patches", "verified", "layers", "popups", "transitions", "seconds")
    print(f"{'page':48}" + "".join(f"{c:>12}" for c in columns) + "    coverage")
    for result in results:
        for page in result["pages"]:
            if page == "known":
                continue
            of = page["coverage"]
            numbers = "".join(f"{page[c]:>12}" for c in columns)
            print(f"{result['program'] + '/' + page['state']:48}{numbers}    {of['known']} of {of['elements']}")
        for fault in result["failures"]:
            print(f"    {result['program']}: {fault.strip().splitlines()[-1]}")


def walk(arguments) -> int:
    """Random walks; prints the shares by program and toolkit. Exit code 2 if fewer changes than asked are right."""
    session = sessions.load(arguments.session)
    sandbox.demo_home(session.persona.id)
    with ThreadPoolExecutor(arguments.jobs) as pool:
        results = list(pool.map(lambda i: _guarded(_walk, i, session, arguments), arguments.program))
    if arguments.report:
        arguments.report.write_text(json.dumps(results, indent=1), encoding="utf-8")
    return print_walks(results, arguments.least)


def _walk(program_id: str, session, arguments) -> dict:
    program = programs.load(program_id, session.persona.id)
    work = sandbox.WORK / "walks" / f"{program_id}.{session.id}"
    work.mkdir(parents=True, exist_ok=True)
    pack, pages = work / "pack.tar", work / "pages.json"
    part_of_pack(arguments.pack, program_id, pack)
    pages.write_text(json.dumps(_pages(arguments.pack / "windows" / program_id)), encoding="utf-8")
    binary = work / "windesk"
    binary.write_bytes(arguments.windesk.read_bytes())
    binary.chmod(0o755)
    out = sandbox.run("living.walk_session", program_id, session.look, session.suffix, str(arguments.walks),
                      str(arguments.steps), str(arguments.first), inputs=(binary, pack, pages), session=session,
                      seconds=SECONDS_OF_WALKS)  # fmt: skip
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    return {"program": program.id, "session": session.id, "events": [], "toolkit": "unknown", **report}


def part_of_pack(pack: Path, program_id: str, target: Path) -> None:
    """The pack with the windows of one program alone: what is asked needs no other. What names others is left out."""
    with tarfile.open(target, "w") as archive:
        for path in sorted(pack.rglob("*")):
            name = path.relative_to(pack)
            if not path.is_file() or name.parts[0] in OF_ALL_PROGRAMS:
                continue
            if name.parts[0] == "sessions":
                session = json.loads(path.read_text(encoding="utf-8"))
                if "shell" in session:
                    session["shell"]["pinned"] = [p for p in session["shell"].get("pinned", []) if p == program_id]
                told = json.dumps(session).encode()
                entry = tarfile.TarInfo(str(name))
                entry.size = len(told)
                archive.addfile(entry, io.BytesIO(told))
            elif name.parts[0] != "windows" or name.parts[1] == program_id:
                archive.add(path, str(name), recursive=False)


def _pages(folder: Path) -> dict:
    captures = [json.loads(p.read_text(encoding="utf-8")) for p in folder.glob("*.json")]
    return {c["id"]: {"frame": c["frame"], "living": bool(c.get("living"))} for c in captures if "frame" in c}


def print_walks(results: list[dict], least: float) -> int:
    """The table of walks; the exit code."""
    toolkits: dict[str, list[dict]] = {}
    for result in results:
        print(_line(result["program"], result["events"]))
        toolkits.setdefault(result["toolkit"], []).extend(result["events"])
        for fault in result["failures"]:
            print(f"    {fault.strip().splitlines()[-1]}")
    for toolkit, events in sorted(toolkits.items()):
        print(_line(toolkit, events))
    every = [e for r in results for e in r["events"]]
    print(_line("all", every))
    changed = judge.summary(every)["changed"]
    return 0 if every and changed["right"] >= least * changed["of"] else 2


def _line(name: str, events: list[dict]) -> str:
    parts = []
    for key, share in judge.summary(events).items():
        low, high = share["interval"]
        told = "-" if share["share"] is None else f"{share['share']:.1%} ({low:.1%} to {high:.1%})"
        parts.append(f"{key} {share['right']} of {share['of']}: {told}")
    return f"{name:28} " + ", ".join(parts)
