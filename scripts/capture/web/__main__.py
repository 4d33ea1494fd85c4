"""`run`, `maps`, `prove`, `try`, `sheet`, `windows`, `follow` and `list`: see ../README.md."""

import argparse
import json
import sys
import time
import traceback
from pathlib import Path

from . import windows
from .browser import Browser
from .crawl import crawl
from .live_page import LivePage, address_of
from .maps import Kept, remeasure
from .prove import file_of, prove
from .publish import publish
from .sheet import sheet
from .sources import WORK, bundle, pages
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
        for page_id in (f"{p.program}/{p.name}{'-dark' if dark else ''}" for p in chosen for dark in looks):
            if "inside" in json.loads((told.pack / "windows" / f"{page_id}.json").read_text(encoding="utf-8")):
                windows.follow(page_id, told.pack)
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


def run(documents: dict, looks: list[bool], told) -> int:
    failures, reports = 0, []
    for page, document in documents.items():
        twin = None
        for dark in looks:
            name = page.name + ("-dark" if dark else "")
            if (told.pack / "windows" / page.program / f"{name}.json").is_file() and not told.again:
                continue
            start, browser = time.monotonic(), Browser()
            try:
                live = LivePage(browser, address_of(document, dark), page.size, page.scale, dark)
                twin = crawl(live, f"{told.seed} {page.program} {name}", twin)
                report = publish(told.pack, page, dark, twin)
            except Exception:
                failures += 1
                print(f"{page.program}/{name}: failed", file=sys.stderr)
                traceback.print_exc()
                continue
            finally:
                browser.close()
            report["seconds"] = round(time.monotonic() - start)
            reports.append(report)
            notes = report.pop("notes")
            print(json.dumps(report), flush=True)
            for note in notes:
                print(f"    {note}", flush=True)
            report["notes"] = notes
    if told.report:
        told.report.write_text(json.dumps(reports, indent=1) + "\n", encoding="utf-8")
    return 1 if failures else 0


def browser_windows(documents: dict, looks: list[bool], pack: Path) -> int:
    failures = 0
    for page, document in documents.items():
        for dark in looks if not page.library.phone else ():
            try:
                print(windows.capture(page, dark, document, pack), flush=True)
            except windows.Unlike as fault:
                failures += 1
                print(f"{page.program}/{page.name}{'-dark' if dark else ''}: {fault}", file=sys.stderr)
    return 1 if failures else 0


def maps(documents: dict, looks: list[bool], told) -> int:
    failures = 0
    for page, document in documents.items():
        twin = None
        for dark in looks:
            kept = Kept(told.pack, page, dark) if file_of(told.pack, page, dark).is_file() else None
            if kept is None or not kept.has(told.type):
                continue
            start, browser = time.monotonic(), Browser()
            try:
                live = LivePage(browser, address_of(document, dark), page.size, page.scale, dark)
                twin, report = remeasure(live, kept, told.type, twin)
            except Exception:
                failures += 1
                print(f"{kept.id}: failed", file=sys.stderr)
                traceback.print_exc()
                continue
            finally:
                browser.close()
            notes = report.pop("notes")
            print(json.dumps({**report, "seconds": round(time.monotonic() - start)}), flush=True)
            for note in notes:
                print(f"    {note}", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
