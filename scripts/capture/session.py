"""Runs inside a session: explores one program in one look and writes what it found to the job's out folder."""

import json
import sys
import time
import traceback
from dataclasses import replace
from pathlib import Path

from . import programs
from .looks import LOOKS

# What a session is given, and what it leaves.
IN, OUT = Path("/srv/capture/in"), Path("/srv/capture/out")


def main(program_id: str, look_name: str, part: str = "all", known: str = "", snap: str | None = None) -> int:
    """`part` is what Explorer.run takes; `known` names, between commas, the states that need no picture; `snap` is the
    one place to snap the window to, or nothing, instead of the recipe's."""
    from .explore import Explorer
    from .picture import CaptureError

    program = programs.load(program_id)
    if snap is not None:
        program = replace(program, snap=(snap,) if snap else ())
    started = time.time()

    def report() -> None:
        """What there is so far: a session that is cut short keeps it."""
        text = {
            "states": [shot.state for shot in explorer.recorder.shots],
            "transitions": explorer.recorder.transitions,
            "failures": explorer.recorder.failures,
            "seconds": round(time.time() - started, 1),
        }
        (OUT / "report.json").write_text(json.dumps(text), encoding="utf-8")

    explorer = Explorer(
        program,
        LOOKS[look_name],
        OUT,
        part in ("brief", "few") or look_name != program.looks[0],
        frozenset(filter(None, known.split(","))),
        report,
    )
    try:
        explorer.run(part)
    except CaptureError as fault:
        explorer.recorder.failures.append(str(fault))
    except Exception:
        explorer.recorder.failures.append(traceback.format_exc())
    report()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
