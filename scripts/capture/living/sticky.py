"""Buttons that light up with the first change and stay so when it is undone, such as Apply of some dialogs: a control
of their own that every change sets."""

from ..boxes import Box, covered_share, grown, shifted
from . import changes
from .context import Context
from .page import Control, Page, Patch

# Around a button, how far its own look reaches.
OWN_PX = 4
CHANGES = ("value", "mapped")


def found(crawl, context: Context) -> bool:
    """Whether buttons that have become usable are all that keeps the page from being what it was. They are then a
    control of the page, and are not compared any more."""
    seen = crawl.desk.grab()
    if seen.shape != context.active.shape:
        return False
    boxes = changes.boxes_of(changes.changed(context.active, seen, crawl.ignored))
    records, _ = crawl.read()
    wakes = {
        c["id"]: c
        for c in crawl_difference(crawl, context, records)
        if set(c) == {"id", "state"} and _role(context, c["id"]) == "push button"
    }
    own = {name: _box(crawl, context, name) for name in wakes}
    if not boxes or not all(any(covered_share(box, area) == 1 for area in own.values()) for box in boxes):
        return False
    inactive = crawl.desk.inactive()
    crawl.desk.go_home()
    parts = changes.pieces(context.active, seen, (context.inactive, inactive), crawl.ignored)
    for name, box in own.items():
        pieces = [part for p in parts if (part := p.within(box))]
        control = Control(f"s-{name}", name, "toggle_button", False, [False, True])
        page: Page = crawl.page
        page.controls[control.id] = control
        page.sticky[name] = box
        for patch in page.patches:
            patch.changes = [c for c in patch.changes if c["id"] != name]
            patch.pieces = [part for p in patch.pieces if (part := p.without(box))]
        page.patches.append(Patch(control.id, True, {}, pieces, [wakes[name]], verified=True))
        page.notes.append(f"{name} stays changed")
    return True


def crawl_difference(crawl, context: Context, records: list[dict]) -> list[dict]:
    from .matching import difference

    return difference(context.elements, records, crawl.names).changes


def _role(context: Context, name: str) -> str:
    return next((e["role"] for e in context.elements if e["id"] == name), "")


def _box(crawl, context: Context, name: str) -> Box:
    element = next(e for e in context.elements if e["id"] == name)
    return grown(shifted(tuple(element["bbox"]), -crawl.offset[0], -crawl.offset[1]), OWN_PX)


def tell(page: Page) -> None:
    """Whatever changes a value sets these controls, too."""
    for transition in page.transitions:
        told = {o.get("control") for o in transition["outcomes"]}
        if any(o["kind"] in CHANGES for o in transition["outcomes"]):
            for name in page.sticky:
                if f"s-{name}" not in told and transition["element"] != name:
                    sets = {"kind": "value", "control": f"s-{name}", "to": True}
                    transition["outcomes"] = [*transition["outcomes"], sets]
