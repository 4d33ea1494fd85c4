"""Runs all checks over a pack."""

import json
from collections import Counter
from collections.abc import Iterable
from multiprocessing import Pool
from pathlib import Path

from . import drawing, names, neighbours
from .page import Suspicion, open_page

CHECKS = (
    neighbours.overlapping,
    neighbours.crowded,
    neighbours.holding,
    neighbours.under_heading,
    drawing.in_margins,
    drawing.faded,
    drawing.under_bars,
    drawing.half_blank,
)


def audit(pack: Path, programs: Iterable[str] | None, jobs: int, report: Path | None) -> list[str]:
    """A line per check; `report` becomes a JSON file with the suspicions of each window."""
    wanted = set(programs or ())
    paths = [
        (path, pack / "fonts")
        for path in sorted((pack / "windows").glob("*/*.json"))
        if path.name != "program.json" and (not wanted or path.parent.name in wanted)
    ]
    with Pool(jobs) as pool:
        found = [s for suspicions in pool.imap(_look_at, paths, chunksize=4) for s in suspicions]
    if report is not None:
        windows: dict[str, list[dict]] = {}
        for s in found:
            windows.setdefault(s.window, []).append({"element": s.element, "check": s.check, "reason": s.reason})
        report.write_text(json.dumps(windows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    counts = Counter(s.check for s in found)
    boxes = len({(s.window, s.element) for s in found})
    return [
        f"{len(paths)} windows, {boxes} suspicious boxes",
        *(f"{check:12} {n:>6}" for check, n in counts.most_common()),
    ]


def _look_at(job: tuple[Path, Path]) -> list[Suspicion]:
    path, fonts = job
    page = open_page(path)
    found = {(s.element, s.check): s for check in CHECKS for s in check(page)}
    found |= {(s.element, s.check): s for s in names.unwritten(page, fonts)}
    return list(found.values())
