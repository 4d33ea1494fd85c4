"""What the boxes of neighbours say about a box: two controls do not stand at one place."""

from collections.abc import Iterator

from ..boxes import area, covered_share, height, holds, intersection, width
from .page import Page, Suspicion, box_of

# Rows and cells that overlap by more than this are not at their places.
OVERLAP_PX = 4
ROWS = frozenset(("list item", "tree item", "table cell", "column header", "page tab"))
# A smaller control in the middle of a larger one belongs to it, unless it is not much smaller.
RIVAL_SIZE = 6
HEADED = frozenset(("table cell", "list item", "tree item"))
COVERED_SHARE = 0.25


def overlapping(page: Page) -> Iterator[Suspicion]:
    """Rows, cells, headings and tabs of one container that reach into each other."""
    groups: dict[tuple, list[dict]] = {}
    for element in page.interactive():
        if element["role"] in ROWS:
            groups.setdefault((element["parent"], element["role"], element["popup"]), []).append(element)
    for members in groups.values():
        group = sorted(members, key=lambda e: (e["bbox"][1], e["bbox"][0]))
        for i, first in enumerate(group):
            for second in group[i + 1 :]:
                if second["bbox"][1] >= first["bbox"][3]:
                    break
                shared = intersection(box_of(first), box_of(second))
                if shared and width(shared) > OVERLAP_PX and height(shared) > OVERLAP_PX:
                    reason = f"shares {width(shared)}x{height(shared)} px with {second['name'][:40]!r}"
                    yield page.suspicion(first, "overlap", reason)
                    reason = f"shares {width(shared)}x{height(shared)} px with {first['name'][:40]!r}"
                    yield page.suspicion(second, "overlap", reason)


def crowded(page: Page) -> Iterator[Suspicion]:
    """Controls in whose middle another one stands that is no part of them."""
    found = page.interactive()
    lines = {e["id"]: page.line(e) for e in found}
    for element in found:
        box = box_of(element)
        x, y = (box[0] + box[2]) // 2, (box[1] + box[3]) // 2
        for other in found:
            if other is element or other["popup"] != element["popup"] or not holds(box_of(other), x, y):
                continue
            if other["id"] in lines[element["id"]] or element["id"] in lines[other["id"]]:
                continue
            if area(box_of(other)) < RIVAL_SIZE * area(box):
                yield page.suspicion(element, "crowded", f"{other['role']} {other['name'][:40]!r} stands in its middle")
                break


def holding(page: Page) -> Iterator[Suspicion]:
    """Opened rows and expanders in whose middle their own content stands."""
    for element in page.interactive():
        if not element["state"].get("expanded") or element["role"] not in ("tree item", "toggle button", "table row"):
            continue
        box = box_of(element)
        x, y = (box[0] + box[2]) // 2, (box[1] + box[3]) // 2
        for other in page.interactive():
            if element["id"] in page.line(other) and holds(box_of(other), x, y) and other["role"] != "push button":
                yield page.suspicion(element, "opened", f"holds {other['role']} {other['name'][:40]!r}")
                break


def under_heading(page: Page) -> Iterator[Suspicion]:
    """Rows that reach under the headings of their table."""
    headings = [e for e in page.elements if e["role"] == "column header"]
    for element in page.interactive():
        if element["role"] not in HEADED:
            continue
        for heading in headings:
            if heading["parent"] != element["parent"] or heading["popup"] != element["popup"]:
                continue
            if covered_share(box_of(element), box_of(heading)) > COVERED_SHARE:
                yield page.suspicion(element, "heading", f"lies under the heading {heading['name'][:40]!r}")
                break
