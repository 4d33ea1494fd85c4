"""`capture.sh live` and `capture.sh walk`: sessions that crawl living pages into a pack, and that walk on them."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor

from .. import programs, sandbox, sessions
from . import judge, letters_commands, links_commands, lit_commands, publish_living, verify_commands
from .part_of_pack import run_beside

SECONDS_OF_A_CRAWL, SECONDS_OF_WALKS = 2400, 3000
# A page that takes longer keeps what it has; the rest of it is unmodelled. Its long lists and what proves it come on
# top, and the same window maximised takes as long again.
SECONDS_OF_A_PAGE, SECONDS_BESIDE = 420, 600


def crawl(arguments) -> int:
    """Crawls programs; a failure costs one program. Pages that the pack has are left alone."""
    session = sessions.load(arguments.session)
    sandbox.demo_home(session.persona.id)
    if arguments.letters:
        return _take_letters(session, arguments)
    if arguments.verify:
        return _see_again(session, arguments)
    if arguments.lit:
        return _light(session, arguments)
    if arguments.links:
        return _follow_links(session, arguments)
    results = _of_each(_crawl, session, arguments)
    _print_crawls(results)
    return 0 if all(r["pages"] for r in results) else 2


def _of_each(run, session, arguments) -> list[dict]:
    """What is told of each program, also written into the report that was asked for."""
    with ThreadPoolExecutor(arguments.jobs) as pool:
        results = list(pool.map(lambda i: _guarded(run, i, session, arguments), arguments.program))
    if arguments.report:
        arguments.report.write_text(json.dumps(results, indent=1), encoding="utf-8")
    return results


def _guarded(run, program_id: str, session, arguments) -> dict:
    try:
        result = run(program_id, session, arguments)
    except Exception as fault:
        result = {"program": program_id, "session": session.id, "pages": [], "events": [], "toolkit": "unknown",
                  "failures": [str(fault) or repr(fault)], "seconds": 0}  # fmt: skip
    parts = ", ".join(f"{len(result[key])} {key}" for key in ("pages", "events", "fields") if key in result)
    told = f"{program_id}: {parts}"
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


def _take_letters(session, arguments) -> int:
    results = _of_each(letters_commands.take, session, arguments)
    fields = [field for result in results for field in result.get("fields", ())]
    for field in fields:
        share = f"{field.get('right', 0)} of {field.get('tried', 0)} texts"
        print(f"{field['page'] + ' ' + field['control']:56} {share:20} {field['seconds']:6} s  {field['why']}")
    for result in results:
        for page, gained in result.get("gained", {}).items():
            print(f"{page:56} {gained['fields']} fields, {gained['bytes']} bytes more")
        for fault in result["failures"]:
            print(f"    {result['program']}: {fault.strip().splitlines()[-1]}")
    return 0 if fields and not any(field["why"] for field in fields) else 2


def _see_again(session, arguments) -> int:
    def show(page: str, seen, missed: list[dict]) -> None:
        print(f"{page:56} {len(seen)} of {len(seen) + len(missed)} seen again")
        for miss in missed:
            print(f"    {miss['control']} {miss['value']!r}: {miss['why']}")

    return _print_by_page(_of_each(verify_commands.see_again, session, arguments), "seen", show)


def _light(session, arguments) -> int:
    def show(page: str, popups, missed: list[dict]) -> None:
        print(f"{page:56} {len(popups)} lists, {sum(len(popups[popup]) for popup in popups)} entries")
        for miss in missed:
            print(f"    {miss['popup']}: {miss['why']}")

    return _print_by_page(_of_each(lit_commands.light, session, arguments), "lit", show)


def _follow_links(session, arguments) -> int:
    def show(page: str, leads, missed: list[dict]) -> None:
        for link in leads:
            always = "always " if leads[link]["always"] else ""
            print(f"{page:56} {link} {always}leads to {leads[link]['state']}")
        for miss in missed:
            print(f"    {miss['link']}: {miss['why']}")

    return _print_by_page(_of_each(links_commands.follow, session, arguments), "leads", show)


def _print_by_page(results: list[dict], found: str, show) -> int:
    """Prints what was found of pages that a pack has, and what failed; the exit code. `show` prints one page: its id,
    what was found of it, and what was missed."""
    for result in results:
        for page in sorted({*result.get(found, {}), *(m["page"] for m in result.get("missed", ()))}):
            show(page, result[found].get(page, {}), [m for m in result["missed"] if m["page"] == page])
        for fault in result["failures"]:
            print(f"    {result['program']}: {fault.strip().splitlines()[-1]}")
    return 2 if any(result["failures"] for result in results) else 0


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
    results = _of_each(_walk, session, arguments)
    return print_walks(results, arguments.least)


def _walk(program_id: str, session, arguments) -> dict:
    program = programs.load(program_id, session.persona.id)
    words = map(str, (arguments.walks, arguments.steps, arguments.first, arguments.texts))
    _, report = run_beside("walk_session", program, session, arguments.pack, arguments.windesk, {}, *words,
                           seconds=SECONDS_OF_WALKS)  # fmt: skip
    return {"program": program.id, "session": session.id, "events": [], "toolkit": "unknown", **report}


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
