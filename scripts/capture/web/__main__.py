"""`run`, `maps`, `prove`, `try`, `sheet`, `windows`, `follow` and `list`: see ../README.md."""

import argparse
import json
import sys
import time
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path

from . import windows
from .browser import Browser
from .crawl import crawl
from .live_page import LivePage, address_of
from .maps import Kept, remeasure
from .prove import prove
from .publish import publish
from .sheet import sheet
from .sources import WORK, Page, bundle, pages
from .tries import tries


def main() -> int:
    parser = argparse.ArgumentParser(prog="web.sh")
    commands = ["list", "run", "maps", "prove", "try", "sheet", "windows", "follow"]
    parser.add_argument("command", choices=commands)
    parser.add_argument("--page", nargs="*", default=[], help="programs or pages, as web-mui or web-mui/settings")
    parser.add_argument("--type", nargs="*", default=[], help="maps, try: types of controls, as reorder; else all")
    parser.add_argument("--look", choices=["light", "dark", "both"], default="both")
    parser.add_argument("--again", action="store_true", help="replace pages that the pack has")
    parser.add_argument("--out", "--pack", type=Path, default=WORK / "pack", dest="pack")
    parser.add_argument("--windesk", type=Path, default=Path("target/release/windesk"))
    parser.add_argument("--states", type=int, default=300)
    parser.add_argument("--points", type=int, default=2, help="try: points at random per box, beside its corners")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--report", type=Path)
    told = parser.parse_args()
    chosen = [p for p in pages() if not told.page or p.program in told.page or f"{p.program}/{p.name}" in told.page]
    looks = {"light": [False], "dark": [True], "both": [False, True]}[told.look]
    if not chosen:
        parser.error("no page has such a name; `list` says which there are")
    if told.command == "list":
        for page in chosen:
            print(f"{page.program}/{page.name}: {page.title}")
        return 0
    if told.command == "follow":
        for page, dark in ((page, dark) for page in chosen for dark in looks):
            if "inside" in json.loads(page.file(told.pack, dark).read_text(encoding="utf-8")):
                windows.follow(page.id(dark), told.pack)
        return 0
    if told.command == "prove":
        return prove(chosen, looks, told)
    if told.command == "try":
        return tries(chosen, looks, told)
    documents = bundle(chosen)
    if told.command == "sheet":
        return sheet(documents, looks, told.pack)
    if told.command == "windows":
        return browser_windows(documents, looks, told.pack)
    return (maps if told.command == "maps" else run)(documents, looks, told)


def on_page(page: Page, dark: bool, document: Path, work: Callable[[LivePage], dict]) -> dict | None:
    """Does work on a live page and prints its report, with the seconds that it took; null if it failed."""
    start, browser = time.monotonic(), Browser()
    try:
        report = work(LivePage(browser, address_of(document, dark), page.size, page.scale, dark))
    except Exception:
        print(f"{page.id(dark)}: failed", file=sys.stderr)
        traceback.print_exc()
        return None
    finally:
        browser.close()
    notes = report.pop("notes")
    report["seconds"] = round(time.monotonic() - start)
    print(json.dumps(report), flush=True)
    for note in notes:
        print(f"    {note}", flush=True)
    return {**report, "notes": notes}


def run(documents: dict, looks: list[bool], told) -> int:
    reports = []
    for page, document in documents.items():
        twin = None

        def crawled(live: LivePage, page: Page, dark: bool) -> dict:
            nonlocal twin
            twin = crawl(live, f"{told.seed} {page.program} {page.look(dark)}", twin)
            return publish(told.pack, page, dark, twin)

        wanted = [dark for dark in looks if told.again or not page.file(told.pack, dark).is_file()]
        reports += [on_page(page, dark, document, partial(crawled, page=page, dark=dark)) for dark in wanted]
    done = [report for report in reports if report]
    if told.report:
        told.report.write_text(json.dumps(done, indent=1) + "\n", encoding="utf-8")
    return 1 if len(done) < len(reports) else 0


def browser_windows(documents: dict, looks: list[bool], pack: Path) -> int:
    failures = 0
    for page, document in documents.items():
        for dark in looks if not page.library.phone else ():
            try:
                print(windows.capture(page, dark, document, pack), flush=True)
            except windows.Unlike as fault:
                failures += 1
                print(f"{page.id(dark)}: {fault}", file=sys.stderr)
    return 1 if failures else 0


def maps(documents: dict, looks: list[bool], told) -> int:
    reports = []
    for page, document in documents.items():
        twin = None

        def measured(live: LivePage, kept: Kept) -> dict:
            nonlocal twin
            twin, report = remeasure(live, kept, told.type, twin)
            return report

        for dark in looks:
            kept = Kept(told.pack, page, dark) if page.file(told.pack, dark).is_file() else None
            if kept is not None and kept.has(told.type):
                reports.append(on_page(page, dark, document, partial(measured, kept=kept)))
    return 1 if None in reports else 0


if __name__ == "__main__":
    sys.exit(main())
