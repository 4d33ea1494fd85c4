"""Whether names are written in their boxes. A control that does not show its name, where others of its role show
theirs, has another name or stands elsewhere."""

from collections.abc import Iterator
from pathlib import Path
from statistics import median

from .page import Page, Suspicion, box_of
from .texts import Found, Writing

# Roles whose names are written; icons alone have the others.
WRITTEN = frozenset(
    (
        "menu,menu item,check menu item,radio menu item,page tab,column header,table cell,list item,tree item,"
        "check box,radio button"
    ).split(",")
)
# Below, a name is not there; of the role's names, half must score so high that its font is known, and so many be told.
ABSENT, KNOWN, LEAST_NAMES = 0.45, 0.6, 4


def unwritten(page: Page, fonts: Path) -> Iterator[Suspicion]:
    writing = Writing(page.luma, fonts)
    by_role: dict[str, list[tuple[dict, Found]]] = {}
    for element in page.interactive():
        if element["role"] in WRITTEN and (found := writing.find(box_of(element), element["name"])):
            by_role.setdefault(element["role"], []).append((element, found))
    for told in by_role.values():
        if len(told) < LEAST_NAMES or median(found.score for _, found in told) < KNOWN:
            continue
        for element, found in told:
            if found.score >= ABSENT:
                continue
            place = f"; it is at {list(found.box_around)}" if found.score_around >= KNOWN else ""
            yield page.suspicion(element, "name", f"{element['name'][:40]!r} is not written in it{place}")
