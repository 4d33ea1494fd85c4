"""Runs inside a session: random walks on a live program, with `windesk pack act` beside it."""

import json
import random
import sys
import time
import traceback
from dataclasses import replace

from Xlib import error

from .. import programs
from ..atspi import GLib
from ..live import LiveProgram
from ..looks import LOOKS
from ..picture import CaptureError
from ..session import IN, OUT
from ..shots import slug
from .server import Server
from .walker import Walker

MOST_SETTLE_S = 1.5


def main(
    program_id: str, look_name: str, suffix: str, walks: str, steps: str, first: str = "0", texts: str = "0"
) -> int:
    """`texts`: how many are typed into each field that is set from letters, after the walks."""
    program = programs.load(program_id)
    # What a program looks like is compared before each walk: so long need not be waited.
    program = replace(program, settle=min(program.settle, MOST_SETTLE_S))
    live = LiveProgram(program, LOOKS[look_name])
    server = Server(IN / "windesk", IN / "pack.tar", OUT / "act.log")
    started = time.time()
    pages = json.loads((IN / "pages.json").read_text(encoding="utf-8"))
    walker = Walker(live, server, OUT, suffix)
    entries = [e for e in program.live if f"{program_id}/live-{slug(e.name)}{suffix}" in pages]
    failures = []
    numbers = range(int(first), int(first) + int(walks))
    runs = [(n, entries[n % len(entries)], walker.walk, int(steps)) for n in numbers]
    if int(texts):
        runs += [(int(first) + int(walks) + n, entry, walker.write, int(texts)) for n, entry in enumerate(entries)]
    for number, entry, run, count in runs:
        chance = random.Random(f"walk/{program_id}/{suffix}/{number}")
        try:
            run(entry, number, count, chance)
        except (CaptureError, GLib.Error, error.XError, RuntimeError) as fault:
            failures.append(f"walk {number}: {fault or type(fault).__name__}")
        except Exception:
            failures.append(f"walk {number}: {traceback.format_exc()}")
        report = {
            "states": [],
            "transitions": [],
            "failures": failures,
            "toolkit": walker.toolkit,
            "events": [e.record() for e in walker.events],
            "seconds": round(time.time() - started, 1),
        }
        (OUT / "report.json").write_text(json.dumps(report, default=_plain), encoding="utf-8")
    server.close()
    return 0


def _plain(value):
    return value.item()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
