"""Runs inside a session: crawls the living pages of a program into the job's out folder."""

import json
import sys
import time
import traceback

from .. import programs
from ..live import LiveProgram
from ..looks import LOOKS
from ..recorder import Recorder
from ..session import IN, OUT
from .crawler import Crawler


def main(
    program_id: str, look_name: str, suffix: str, known: str = "", seconds: str = "420", part: str = "whole"
) -> int:
    """`suffix` ends the ids of captures; `known` names, between commas, the pages that are left alone. `part`: `large`
    crawls pages only as large as their windows get."""
    program = programs.load(program_id)
    done = set(filter(None, known.split(",")))
    live = LiveProgram(program, LOOKS[look_name])
    recorder = Recorder(live, OUT)
    crawler = Crawler(live, recorder, OUT, lambda state: f"{program_id}/{state}{suffix}", float(seconds))
    if part == "large":
        windows = json.loads((IN / "windows.json").read_text(encoding="utf-8"))
        crawler.windows = {(w["title"], w["element"]): w["state"] for w in windows}
    started = time.time()

    def report() -> None:
        text = {
            "states": [shot.state for shot in recorder.shots],
            "transitions": [],
            "pages": crawler.reports,
            "failures": recorder.failures,
            "seconds": round(time.time() - started, 1),
        }
        (OUT / "report.json").write_text(json.dumps(text), encoding="utf-8")

    for entry in program.live:
        if entry.name in done:
            continue
        try:
            (crawler.run_large if part == "large" else crawler.run)(entry)
        except Exception:
            recorder.failures.append(f"{entry.name}: {traceback.format_exc()}")
        report()
    report()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
