#!/usr/bin/env python3
"""Kill windesk at every system call that writes, renames, makes, removes or syncs, and run the same command again.

    python3 scripts/drills/kill_everywhere.py [--program target/release/windesk] [COMMAND ..]

Afterwards every file must be what an undisturbed run writes, with nothing left beside it. A command that ends with exit
code 2 because its result is whole already has ended well.

strace counts the calls of each thread for itself. So the drill goes through the calls of the main thread once, and then
through those of all threads, one kind of call at a time: whichever thread is first to make its n-th call dies with its
process. Without strace, the drill says so and does nothing.
"""

import argparse
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
PACK = CHECKOUT / "tests/fixtures/mini-pack"
LIST = CHECKOUT / "docs/examples/pack/list.json"
# Calls that a system does not have are left out by strace for their `?`.
CALLS = {
    "writes": "?write,?pwrite64,?writev,?ftruncate,?copy_file_range,?sendfile",
    "renames": "?rename,?renameat,?renameat2",
    "makes": "?mkdir,?mkdirat,?link,?linkat,?symlink,?symlinkat",
    "removes": "?unlink,?unlinkat,?rmdir",
    "syncs": "?fsync,?fdatasync",
}
LEVEL = """name = "quick"
windows = [2, 2]
visible_ratio = [1.0, 1.0]
canvas = [800, 600]
chrome = "none"
"""
# Far longer than any of these commands takes.
LIMIT_S = 300


@dataclass
class Drill:
    """A command, and the files that it finds."""

    command: list[str]
    prepare: Callable[["Runner", Path], None] | None = None
    variables: dict[str, str] = field(default_factory=dict)
    # What the result is; if it is whole, the command may refuse to write it again.
    result: str = "out"


@dataclass
class Runner:
    """The program, in folders of its own."""

    program: Path

    def run(self, place: Path, drill: Drill, before: list[str] | None = None) -> subprocess.CompletedProcess:
        """Runs a command in a folder; `before` is what runs it."""
        variables = {**os.environ, "WINDESK_CACHE_DIR": "none", **drill.variables}
        words = [*(before or []), str(self.program), *drill.command]
        quiet = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True}
        return subprocess.run(words, check=False, cwd=place, env=variables, timeout=LIMIT_S, **quiet)

    def make(self, place: Path, *command: str) -> None:
        """Runs a command that must succeed."""
        done = self.run(place, Drill(list(command)))
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr}")


def synth(out: str, *more: str) -> list[str]:
    """A command that makes a small dataset."""
    return ["synth", "--level", "quick.toml", "--n", "3", "--pack", str(PACK), "--threads", "1", "--out", out, *more]


def shards(runner: Runner, place: Path) -> None:
    for shard in range(2):
        runner.make(place, *synth(f"shard-{shard}", "--shard", f"{shard}/2"))


def dataset(runner: Runner, place: Path) -> None:
    runner.make(place, *synth("dataset"))


def exported(runner: Runner, place: Path) -> None:
    dataset(runner, place)
    runner.make(place, "export", "dataset", "--to", "yolo", "--allow-lossy", "--out", "out")


def other_run(runner: Runner, place: Path) -> None:
    runner.make(place, *synth("out", "--seed", "1"))


def pack_without_index(_: Runner, place: Path) -> None:
    shutil.copytree(PACK, place / "out", ignore=shutil.ignore_patterns("index"))


ICONS = ["icons", "--n", "2", "--icons", "6", "--canvas", "800x600", "--chrome", "none", "--threads", "1"]
# The small pack has no transitions.
SMALL_SCREEN = ["--canvas", "1280x720", "--chrome", "none"]
TASKS = ["tasks", "--n", "2", "--kind", "workflow", "--steps", "2", "--level", "L1", "--app", "gnome-calculator"]
DRILLS = {
    "synth": Drill(synth("out", "--overlay")),
    "synth --force": Drill(synth("out", "--force"), other_run),
    "icons": Drill([*ICONS, "--library", "my-icons", "--pack", str(PACK), "--out", "out"]),
    "tasks": Drill([*TASKS, *SMALL_SCREEN, "--threads", "1", "--pack", str(CHECKOUT / "assets"), "--out", "out"]),
    "merge": Drill(["merge", "--pack", str(PACK), "--out", "out", "shard-0", "shard-1"], shards),
    "export": Drill(["export", "dataset", "--to", "coco", "--out", "out"], dataset),
    "export --force": Drill(["export", "dataset", "--to", "coco", "--out", "out", "--force"], exported),
    "predict": Drill(["predict", "dataset", "--agent", "center", "--out", "out"], dataset),
    "pack build": Drill(
        # The small pack holds no texts of licences.
        ["pack", "build", str(LIST), "--assets-from", str(PACK), "--out", "out", "--keep-findings"]
    ),
    "pack embed": Drill(["pack", "embed", "out"], pack_without_index),
    "cache": Drill(synth("out"), variables={"WINDESK_CACHE_DIR": "cache"}),
}


def tree(place: Path) -> dict[str, str]:
    """Files with their digests, and folders. `run.json` holds time and machine."""
    found = {}
    for path in sorted(place.rglob("*")):
        name = path.relative_to(place).as_posix()
        if path.is_dir():
            found[name] = "folder"
        elif path.name != "run.json":
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def below(found: dict[str, str], result: str) -> dict[str, str]:
    return {name: digest for name, digest in found.items() if name == result or name.startswith(f"{result}/")}


def prepared(runner: Runner, drill: Drill, place: Path) -> None:
    """Fills a folder with what the command finds there."""
    place.mkdir()
    (place / "quick.toml").write_text(LEVEL)
    icons = place / "my-icons"
    icons.mkdir()
    for at in range(12):
        shape = f'<rect x="{at}" y="2" width="{30 - at}" height="{8 + 4 * at % 23}" fill="#{at * 20:02x}40a0"/>'
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">{shape}</svg>'
        (icons / f"icon-{chr(97 + at)}.svg").write_text(svg)
    if drill.prepare:
        drill.prepare(runner, place)


def moments(step: int) -> Iterator[tuple[str, list[str], Iterator[int]]]:
    """Kinds of calls, how strace is to watch them, and which to kill at."""
    everything = ",".join(calls for kind, calls in CALLS.items() if kind != "syncs")
    watched = [("main thread", [], everything)] + [(kind, ["-f"], calls) for kind, calls in CALLS.items()]
    for kind, follow, calls in watched:
        watching = [*follow, "-e", f"trace={calls}", "-e", f"inject={calls}:signal=KILL:when="]
        yield kind, watching, iter(range(1, 1 << 30, step))


def drill_one(runner: Runner, drill: Drill, step: int, keep: Path) -> tuple[int, int, list[str]]:
    """Kills a command at all its moments. Gives kills, results that were whole already, and what went wrong."""
    template, whole_place, place = keep / "template", keep / "whole", keep / "killed"
    prepared(runner, drill, template)
    shutil.copytree(template, whole_place)
    undisturbed = runner.run(whole_place, drill)
    if undisturbed.returncode not in (0, 1):
        return 0, 0, [f"not killed at all: exit code {undisturbed.returncode}: {undisturbed.stderr.strip()}"]
    whole = tree(whole_place)
    kills, complete, problems = 0, 0, []
    for kind, watching, numbers in moments(step):
        for number in numbers:
            shutil.rmtree(place, ignore_errors=True)
            shutil.copytree(template, place)
            before = ["strace", "-qq", "-o", "/dev/null", *watching[:-1], f"{watching[-1]}{number}", "--"]
            killed = runner.run(place, drill, before)
            if killed.returncode not in (-signal.SIGKILL, 128 + signal.SIGKILL):
                if killed.returncode != undisturbed.returncode:
                    problems.append(f"{kind} {number}: exit code {killed.returncode}: {killed.stderr.strip()}")
                break
            kills += 1
            was_whole = below(tree(place), drill.result) == below(whole, drill.result)
            again = runner.run(place, drill)
            after = tree(place)
            differ = sorted(name for name in {*whole, *after} if whole.get(name) != after.get(name))
            refused = again.returncode != undisturbed.returncode
            complete += was_whole and refused
            if differ:
                said = again.stderr.strip() if refused else ""
                problems.append(f"{kind} {number}: {', '.join(differ[:4])} differ afterwards. {said}")
            elif refused and not was_whole:
                problems.append(f"{kind} {number}: exit code {again.returncode}: {again.stderr.strip()}")
    return kills, complete, problems


def has_strace() -> bool:
    """Whether strace is there and may trace."""
    try:
        tried = subprocess.run(["strace", "-qq", "-o", "/dev/null", "true"], check=False, capture_output=True)
        return tried.returncode == 0
    except FileNotFoundError:
        return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commands", nargs="*", help=f"of {', '.join(DRILLS)} [default: all]")
    parser.add_argument("--program", type=Path, default=CHECKOUT / "target/release/windesk")
    parser.add_argument("--step", type=int, default=1, help="kill at every n-th call only")
    parser.add_argument("--json", action="store_true", help="print a line of JSON per command")
    args = parser.parse_args()
    if not has_strace():
        print("kill_everywhere: skipped: found no strace that may trace", file=sys.stderr)
        return 0
    unknown = [name for name in args.commands if name not in DRILLS]
    if unknown or not args.program.is_file():
        parser.error(f"found {unknown or args.program}, expected commands of {list(DRILLS)}, and the program")
    failed = False
    for name in args.commands or DRILLS:
        started = time.monotonic()
        with tempfile.TemporaryDirectory() as keep:
            kills, complete, problems = drill_one(Runner(args.program.resolve()), DRILLS[name], args.step, Path(keep))
        failed |= bool(problems)
        held = max(kills - len(problems), 0)
        seconds = round(time.monotonic() - started)
        if args.json:
            facts = {"command": name, "kills": kills, "held": held, "complete": complete, "s": seconds}
            print(json.dumps(facts), flush=True)
        else:
            print(f"{name}: {held} of {kills} kills held, {complete} of them after the end, {seconds} s", flush=True)
        for problem in problems:
            print(f"  {problem}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
