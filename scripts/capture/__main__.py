"""Command line: list the recipes, run captures into a pack, draw contact sheets."""

import argparse
import json
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import clean, dates, desktop_sets, programs, prune, publish, sandbox, sessions, shells
from .home import persona as personas
from .living import commands as living_commands
from .living import figures as living_figures
from .looks import LOOKS


def main() -> int:
    arguments = parse_arguments()
    try:
        return run_command(arguments)
    except programs.RecipeError as fault:
        print(f"capture: {fault}", file=sys.stderr)
        return 1


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="capture", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    add_capturing(commands)
    add_packs(commands)
    add_checking(commands)
    add_living(commands)
    return parser.parse_args()


def add_capturing(commands) -> None:
    commands.add_parser("list", help="the programs there are recipes for")
    run = commands.add_parser("run", help="capture programs into a pack (as root; see README.md)")
    run.add_argument("--program", nargs="+", metavar="ID", help="only these (default: all)")
    run.add_argument("--look", nargs="+", metavar="NAME", choices=sorted(LOOKS), help="instead of the recipes' looks")
    run.add_argument("--session", metavar="ID", help="in a session of sessions.toml, a few states of each program")
    run.add_argument("--out", type=Path, required=True, metavar="PACK")
    run.add_argument("--again", action="store_true", help="also programs that the pack already has")
    run.add_argument(
        "--snapped",
        action="store_true",
        help="only the recipes' `snap` placements, added to programs that the pack has",
    )
    run.add_argument(
        "--settings",
        action="store_true",
        help="only settings of dialogs, and the clicks between them, added to programs that the pack has",
    )
    run.add_argument(
        "--chains",
        action="store_true",
        help="only the recipes' chains that the pack lacks, added to programs that it has",
    )
    run.add_argument(
        "--more", action="store_true", help="only states that the pack lacks, added to programs that it has"
    )
    run.add_argument("--brief", action="store_true", help="only a few states, in the first look")
    run.add_argument("--jobs", type=int, default=1, metavar="N", help="sessions at a time")
    run.add_argument(
        "--persona",
        metavar="ID",
        choices=personas.all_ids(),
        help="whose home (default: who has the documents)",
    )


def add_packs(commands) -> None:
    sheet = commands.add_parser("sheet", help="draw a pack's captures with their boxes")
    sheet.add_argument("pack", type=Path)
    sheet.add_argument("picture", type=Path, help="a .png to write")
    sheet.add_argument("--program", nargs="+", metavar="ID")
    sheet.add_argument("--width", type=int, default=900, help="of one capture, in pixels")
    unfit = commands.add_parser("prune", help="remove what the recipes' `drop` lists name")
    unfit.add_argument("pack", type=Path)
    tidy = commands.add_parser(
        "clean", help="drop elements that nobody could point to, and captures that repeat another"
    )
    tidy.add_argument("pack", type=Path)
    final = commands.add_parser("squeeze", help="pack the pictures of a session's captures as small as they can be")
    final.add_argument("pack", type=Path)
    final.add_argument("--session", metavar="ID", required=True)
    told = commands.add_parser("dates", help="write into each capture of a pack the newest date that it shows")
    told.add_argument("pack", type=Path)
    surroundings = commands.add_parser("shells", help="write the pack's session files from shells.toml")
    surroundings.add_argument("pack", type=Path, help="whose windows say which programs may be pinned")
    surroundings.add_argument("--out", type=Path, metavar="DIR", help="where (default: PACK/sessions)")
    numbers = commands.add_parser("statistics", help="a pack in figures: tables on standard output, plots as SVG files")
    numbers.add_argument("pack", type=Path)
    numbers.add_argument("plots", type=Path, help="folder of the plots")


def add_checking(commands) -> None:
    measured = commands.add_parser("audit", help="measure a pack's boxes against its pictures; list suspicious ones")
    measured.add_argument("pack", type=Path)
    measured.add_argument("--program", nargs="+", metavar="ID")
    measured.add_argument("--jobs", type=int, default=2, metavar="N", help="windows at a time")
    measured.add_argument("--report", type=Path, metavar="FILE", help="each suspicious box with the reason, as JSON")
    check = commands.add_parser("check", help="click elements in live programs and see whether they react (as root)")
    check.add_argument("--program", nargs="+", metavar="ID", required=True)
    check.add_argument("--clicks", type=int, default=12, metavar="N", help="per program")
    check.add_argument("--jobs", type=int, default=1, metavar="N", help="sessions at a time")
    check.add_argument(
        "--least",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="exit code 2 if fewer of the clicks are answered (0 to 1)",
    )
    real = commands.add_parser(
        "desktops", help="take real desktops for `windesk fidelity` (as root; see desktops.toml)"
    )
    real.add_argument("--session", nargs="+", metavar="NAME", help="only these of the list (default: all)")
    real.add_argument("--sets", type=Path, default=desktop_sets.SPEC, metavar="FILE", help="instead of desktops.toml")
    real.add_argument("--out", type=Path, required=True, metavar="DIR")


def add_living(commands) -> None:
    living = commands.add_parser("live", help="crawl the living pages of programs into a pack (as root)")
    walking = commands.add_parser("walk", help="random walks on live programs, with `windesk pack act` beside them")
    for command in (living, walking):
        command.add_argument("--program", nargs="+", metavar="ID", required=True)
        command.add_argument("--session", metavar="ID", default="gnome-light", help="of sessions.toml")
        command.add_argument("--jobs", type=int, default=1, metavar="N", help="sessions at a time")
    living.add_argument("--out", type=Path, required=True, metavar="PACK")
    living.add_argument("--again", action="store_true", help="also pages that the pack has")
    living.add_argument("--seconds", type=int, metavar="N", help="most of one page")
    living.add_argument("--large", action="store_true", help="only pages that the pack has, their windows maximised")
    living.add_argument("--letters", action="store_true", help="only letters of the fields of pages that the pack has")
    living.add_argument(
        "--verify",
        action="store_true",
        help="only values of pages that the pack has that were seen once: a second time",
    )
    living.add_argument(
        "--lit",
        action="store_true",
        help="only the entries of lists of pages that the pack has, with the pointer over them",
    )
    living.add_argument("--links", action="store_true", help="only where links lead, of pages that the pack has")
    living.add_argument(
        "--windesk",
        type=Path,
        metavar="FILE",
        help="the program that composes pages (--letters, --verify, --lit, --links)",
    )
    living.add_argument("--report", type=Path, metavar="FILE", help="everything that was found, as JSON")
    for command, count in ((living, 20), (walking, 0)):
        command.add_argument("--texts", type=int, default=count, metavar="N", help="random ones typed into each field")
    walking.add_argument("--pack", type=Path, required=True, metavar="PACK")
    walking.add_argument("--windesk", type=Path, required=True, metavar="FILE", help="the program that answers")
    walking.add_argument("--walks", type=int, default=20, metavar="N", help="per program")
    walking.add_argument("--steps", type=int, default=10, metavar="N", help="events of a walk")
    walking.add_argument("--first", type=int, default=0, metavar="N", help="number of the first walk: its seed")
    walking.add_argument("--report", type=Path, metavar="FILE", help="every event, as JSON")
    walking.add_argument(
        "--least", type=float, default=0.0, metavar="SHARE", help="exit code 2 if fewer changes are right (0 to 1)"
    )
    numbers = commands.add_parser("figures", help="write the table of living pages into a document")
    numbers.add_argument("pack", type=Path)
    numbers.add_argument("document", type=Path, help="which has such a table, as docs/pack.md")
    numbers.add_argument(
        "--add", type=Path, nargs="+", default=[], metavar="FILE", help="reports of walks to be counted"
    )
    numbers.add_argument("--anew", action="store_true", help="earlier walks of the same programs count no longer")


def run_command(arguments) -> int:
    if arguments.command == "list":
        return list_programs()
    if arguments.command == "sheet":
        from .sheet import draw

        draw(arguments.pack, arguments.picture, arguments.program, arguments.width)
        return 0
    if arguments.command == "statistics":
        from .statistics import statistics

        print(statistics(arguments.pack, arguments.plots))
        return 0
    if arguments.command == "audit":
        from .audit.command import audit

        print("\n".join(audit(arguments.pack, arguments.program, arguments.jobs, arguments.report)))
        return 0
    if arguments.command == "desktops":
        return 0 if desktop_sets.run(arguments.session, arguments.out, arguments.sets) else 2
    if arguments.command == "live":
        return living_commands.crawl(arguments)
    if arguments.command == "walk":
        return living_commands.walk(arguments)
    if arguments.command == "figures":
        return living_figures.command(arguments)
    if arguments.command == "check":
        return check_clicks(arguments.program, arguments.clicks, arguments.jobs, arguments.least)
    if arguments.command == "prune":
        print("\n".join(prune.prune(arguments.pack)))
        return 0
    if arguments.command == "dates":
        print("\n".join(dates.tell(arguments.pack, sessions.all_sessions())))
        return 0
    if arguments.command == "shells":
        print("\n".join(shells.write(arguments.pack, arguments.out or arguments.pack / "sessions")))
        return 0
    if arguments.command == "squeeze":
        from .squeeze import squeeze

        before, after = squeeze(arguments.pack, sessions.load(arguments.session).id)
        print(f"{before} bytes before, {after} after")
        return 0
    if arguments.command == "clean":
        print("\n".join(clean.clean(arguments.pack)))
        return 0
    return run_session(arguments) if arguments.session else run_all(arguments)


def list_programs() -> int:
    for program in map(programs.load, programs.all_ids()):
        print(f"{program.id:28} {program.category:24} {', '.join(program.looks)}")
    return 0


def run_all(arguments) -> int:
    wanted = arguments.program or programs.all_ids()
    missing = [
        i
        for i in wanted
        if arguments.again or is_adding(arguments) or not (arguments.out / "windows" / i / "program.json").is_file()
    ]
    for persona_id in {persona_of(i, arguments.persona) for i in missing}:
        sandbox.demo_home(persona_id)
    with ThreadPoolExecutor(arguments.jobs) as pool:
        figures = list(pool.map(lambda i: run_one(i, arguments), missing))
    print_table(figures)
    return 0 if all(f["captures"] for f in figures) else 2


def run_session(arguments) -> int:
    """Captures programs in a session of the pack, those that it lacks."""
    session = sessions.load(arguments.session)
    if arguments.look or arguments.brief or is_adding(arguments):
        raise programs.RecipeError("--session says the look and how much is captured: only --program and --again fit")
    wanted = arguments.program or session.programs or programs.all_ids()
    missing = [i for i in wanted if arguments.again or not publish.has_session(i, session, arguments.out)]
    sandbox.demo_home(session.persona.id)
    with ThreadPoolExecutor(arguments.jobs) as pool:
        figures = list(pool.map(lambda i: run_in_session(i, session, arguments.out), missing))
    print_table(figures)
    return 0 if all(f["captures"] for f in figures) else 2


def run_in_session(program_id: str, session: sessions.Session, pack: Path) -> dict:
    def publish_one() -> dict:
        program = programs.load(program_id, session.persona.id)
        snap = session.placement(program) or ""
        out = sandbox.run(
            "session",
            program_id,
            session.look,
            "few",
            "",
            snap,
            session=session,
            seconds=sandbox.SECONDS_OF_A_SESSION,
        )
        return publish.publish_session(program, session, out, pack, sessions.all_sessions())

    return guarded(program_id, publish_one)


def persona_of(program_id: str, wanted: str | None = None) -> str:
    """Whose home a program is captured in. One that nobody can open fails by itself, with its reason."""
    return wanted or (programs.able_personas(program_id) or ["alex"])[0]


def is_adding(arguments) -> bool:
    return any((arguments.snapped, arguments.settings, arguments.chains, arguments.more))


def run_one(program_id: str, arguments) -> dict:
    def publish_one() -> dict:
        persona_id = persona_of(program_id, arguments.persona)
        program = programs.load(program_id, persona_id)
        adding = is_adding(arguments)
        looks = arguments.look or (program.looks[:1] if adding or arguments.brief else program.looks)
        part = next((part for part in ("snapped", "settings", "chains", "brief") if getattr(arguments, part)), "all")
        outs = {}
        for name in looks:
            known = publish.states(program, name, arguments.out) if adding else []
            outs[name] = sandbox.run("session", program_id, LOOKS[name], part, ",".join(known), persona_id=persona_id)
        return (publish.add if adding else publish.publish)(program, outs, arguments.out)

    return guarded(program_id, publish_one)


def guarded(program_id: str, publish_one: Callable[[], dict]) -> dict:
    """A program's failure is part of the table and stops no other."""
    try:
        figures = publish_one()
    except Exception as fault:
        figures = {
            "program": program_id,
            "captures": 0,
            "elements": 0,
            "named": 0,
            "transitions": 0,
            "seconds": 0,
            "bytes": 0,
            "failures": [str(fault) or repr(fault)],
        }
    reason = f": {figures['failures'][0].strip().splitlines()[-1]}" if figures["failures"] else ""
    told = f"{program_id}: {figures['captures']} captures in {figures['seconds']} s{reason}"
    print(told, file=sys.stderr, flush=True)
    return figures


def check_clicks(program_ids, clicks: int, jobs: int, least: float) -> int:
    """Prints the share of elements that reacted, per toolkit, and those that did not."""
    for persona_id in set(map(persona_of, program_ids)):
        sandbox.demo_home(persona_id)
    with ThreadPoolExecutor(jobs) as pool:
        reports = list(pool.map(lambda i: check_program(i, clicks), program_ids))
    by_toolkit = {}
    for report in reports:
        print(f"{report['program']}: {len(report['results'])} clicks", file=sys.stderr)
        by_toolkit.setdefault(report["toolkit"], []).extend(
            dict(r, program=report["program"]) for r in report["results"]
        )
    for toolkit, results in sorted(by_toolkit.items()):
        print(f"{toolkit:20} {sum(map(has_reacted, results)):>4} of {len(results):>4} reacted")
        for r in results:
            if not has_reacted(r):
                print(f"    {r['reaction']}: {r['program']}: {r['role']} {r['name']!r} {r['box']}")
    every = [r for results in by_toolkit.values() for r in results]
    print(f"{'all':20} {sum(map(has_reacted, every)):>4} of {len(every):>4} reacted")
    return 0 if every and sum(map(has_reacted, every)) >= least * len(every) else 2


def check_program(program_id: str, clicks: int) -> dict:
    program, persona_id = programs.load(program_id), persona_of(program_id)
    out = sandbox.run("click_check", program_id, LOOKS[program.looks[0]], str(clicks), persona_id=persona_id)
    return {"program": program_id, "toolkit": "unknown", "results": [], **json.loads((out / "report.json").read_text())}


def has_reacted(result: dict) -> bool:
    return result["reaction"] not in ("none", "popup elsewhere", "drawn wider")


def print_table(figures) -> None:
    columns = ("captures", "elements", "named", "transitions", "seconds", "bytes")
    print(f"{'program':28}" + "".join(f"{c:>13}" for c in columns) + "  failures")
    for row in figures:
        print(f"{row['program']:28}" + "".join(f"{row[c]:>13}" for c in columns) + f"  {len(row['failures'])}")
        for fault in row["failures"]:
            print(f"    {fault.strip().splitlines()[-1]}")
    print(f"{'total':28}" + "".join(f"{sum(r[c] for r in figures):>13}" for c in columns))


if __name__ == "__main__":
    sys.exit(main())
