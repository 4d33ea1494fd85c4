"""What a page's scroll areas mean for all else that is known of it: rings of the focus that move along, clicks that
would scroll, and areas that can't be told. Nothing here touches the screen."""

from collections.abc import Iterable

from ..boxes import Box, covered_share, intersection, shifted
from .changes import Piece
from .page import Control, Page, Patch, page_box
from .strips import Bar, Refused, ScrollArea, thumb_at
from .wheels import NOTCHES, TURNED, is_wheel

IN_PART = "shown in part once its list is scrolled: a click may scroll to it"


def settle(page: Page, large: Page | None = None) -> None:
    """Keeps the areas that hold in every state of the page; tells what the wheel does over them. `large`: the page of
    the same window as large as it gets."""
    areas, page.areas = page.areas, []
    for area in areas:
        inside = _inside(page, area)
        try:
            _check_frames(page, page_box(page, area.viewport))
            _cut_pieces(page, page_box(page, area.viewport))
            _check(page, area, inside)
        except Refused as why:
            page.notes.append(f"no scroll area {area.id}: {why}")
            page.tell(area.element, {"scroll": [0, 1]}, [{"kind": "unmodelled", "why": str(why)}])
            continue
        page.areas.append(area)
        _move_rings(page, area, inside)
        _leave_cut(page, area, inside)
        _tell_wheel(page, area)
        hidden = [e for e in area.elements if e["interactive"] and not _is_captured(area, inside, e)]
        page.notes.append(
            f"scroll area {area.id}: {area.last} px, {len(hidden)} elements to click show only further down"
        )
    if page.areas:
        _leave_pictured(page, large is not None and bool(large.areas))
    _drop_wheels_of_unknown(page)


def _inside(page: Page, area: ScrollArea) -> dict[str, dict]:
    """The page's elements that move with the content, by id."""
    by_id = {e["id"]: e for e in page.elements}
    bars = {bar.element for bar in area.bars}

    def ancestors(element: dict):
        while element["parent"] is not None:
            element = by_id[element["parent"]]
            yield element["id"]

    return {
        e["id"]: e for e in page.elements
        if area.element in (up := set(ancestors(e)))
        and covered_share(tuple(e["bbox"]), area.viewport) == 1
        and not bars & {*up, e["id"]}
    }  # fmt: skip


def _cut_at_edge(pieces: list[Piece], viewport: Box) -> list[Piece]:
    """The same in pieces of which each lies in the viewport or beside it: what changes near its edge was one piece."""
    out = []
    for piece in pieces:
        if _lies(piece, viewport) is not None:
            out.append(piece)
            continue
        (x0, y0, x1, y1), (left, top, right, bottom) = piece.rect, viewport
        beside = (x0, y0, x1, top), (x0, bottom, x1, y1), (x0, top, left, bottom), (right, top, x1, bottom)
        boxes = [viewport, *(box for box in beside if box[0] < box[2] and box[1] < box[3])]
        out += [part for box in boxes if (part := piece.within(box))]
    return out


def _lies(piece: Piece, viewport: Box) -> bool | None:
    """Whether a piece lies in the viewport; None if it lies across its edge. Both in px of the client window."""
    if intersection(piece.rect, viewport) is None:
        return False
    return True if covered_share(piece.rect, viewport) == 1 else None


def _lies_in(pieces: Iterable[Piece], viewport: Box) -> bool:
    return any(_lies(piece, viewport) for piece in pieces)


def _check_frames(page: Page, viewport: Box) -> None:
    """What is drawn around the viewport, and may reach into it, does not move with the content."""
    pieces = [piece for part in (*page.patches, *page.layers) for piece in part.pieces]
    if any(
        piece.rect[1] < viewport[1] and piece.rect[3] > viewport[3]
        for piece in pieces
        if _lies(piece, viewport) is None
    ):
        raise Refused("a frame around it changes")


def _cut_pieces(page: Page, viewport: Box) -> None:
    for patch in page.patches:
        patch.pieces = _cut_at_edge(patch.pieces, viewport)
        patch.focused = patch.focused and _cut_at_edge(patch.focused, viewport)
    for layer in page.layers:
        layer.pieces = _cut_at_edge(layer.pieces, viewport)


def _check(page: Page, area: ScrollArea, inside: dict[str, dict]) -> None:
    """Whether all that is known of the page still holds once the area is scrolled."""
    viewport = page_box(page, area.viewport)
    if page.focus_home in inside:
        raise Refused("the focus is at home in it")
    if any(intersection(box, viewport) for box in page.volatile):
        raise Refused("it changes by itself")
    if any(popup.opener in inside for popup in page.popups):
        raise Refused("a list of it opens elsewhere once it is scrolled")
    if any(intersection(piece.rect, viewport) for popup in page.popups for piece in popup.pieces):
        raise Refused("a list that opens changes what it shows")
    if any(page.controls[field.control].element in inside for field in page.fields if field.control in page.controls):
        raise Refused("a field of it is set from letters")
    for patch in page.patches:
        element = page.controls[patch.control].element
        if element not in inside and _lies_in((*patch.pieces, *(patch.focused or ())), viewport):
            raise Refused(f"{patch.control} changes what it shows")
        if element not in inside and any(c["id"] in inside and ("bbox" in c or c.get("gone")) for c in patch.changes):
            raise Refused(f"{patch.control} moves what it shows")
        if any(intersection(tuple(e["bbox"]), area.viewport) for e in patch.added):
            raise Refused(f"{patch.control} adds to what it shows")
    for layer in page.layers:
        if layer.element not in inside and _lies_in(layer.pieces, viewport):
            raise Refused(f"the focus at {layer.element} changes what it shows")


def _move_rings(page: Page, area: ScrollArea, inside: dict[str, dict]) -> None:
    """Layers stay where they are, and patches move with the content: rings inside of it become the look with the focus
    of a control that has one value."""
    viewport = page_box(page, area.viewport)
    moving = {la.element for la in page.layers if _lies_in(la.pieces, viewport)} & set(inside)
    for element in sorted(moving):
        control = Control(f"f-{element}", element, "derived", True, [True])
        page.controls[control.id] = control
        page.rules.append({"kind": "derived", "control": control.id, "value": True, "test": {"is": "all", "tests": []}})
        for layer in [la for la in page.layers if la.element == element]:
            page.patches.append(Patch(control.id, True, dict(layer.when), [], [], focused=layer.pieces, verified=True))
    page.layers = [la for la in page.layers if la.element not in moving]


def _leave_cut(page: Page, area: ScrollArea, inside: dict[str, dict]) -> None:
    """A click on what shows in part may scroll. Which offset shows is no condition of a click: where one cuts an
    element off, nothing is told of it."""
    high = area.viewport[3] - area.viewport[1]
    for element in inside.values():
        top, bottom = (y - area.viewport[1] + area.offset for y in (element["bbox"][1], element["bbox"][3]))
        if element["interactive"] and any(is_cut(top, bottom, at, high) for at in area.offsets()):
            page.transitions = [t for t in page.transitions if t["element"] != element["id"]]
            page.unknown(element["id"], IN_PART)


def _leave_pictured(page: Page, large_scrolls: bool) -> None:
    """What else the window shows was pictured once, with its lists where they were: that is no condition of a click.
    As large as it gets, a window may show its lists whole."""
    kinds = {"page", "maximised"} if large_scrolls else {"page"}
    for transition in page.transitions:
        if any(o["kind"] in kinds and "carries" not in o for o in transition["outcomes"]):
            transition["outcomes"] = [{"kind": "unmodelled", "why": "pictured before a list was scrolled"}]


def is_cut(top: int, bottom: int, offset: int, high: int) -> bool:
    """Whether what lies from `top` to `bottom` in the content shows in part."""
    shown = min(bottom, offset + high) - max(top, offset)
    return 0 < shown < bottom - top


def _tell_wheel(page: Page, area: ScrollArea) -> None:
    for notches in NOTCHES:
        by = {"kind": "scrolled", "area": area.id, "by": [0, notches * area.step]}
        # Of the content, one notch holds for any number.
        for element in ([area.element] if abs(notches) == 1 else []) + [bar.element for bar in area.bars if bar.turns]:
            page.tell(element, {"scroll": [0, notches]}, [by])
    for element in page.elements:
        if (
            element["role"] in TURNED
            and element["role"] != "scroll bar"
            and intersection(tuple(element["bbox"]), area.viewport)
        ):
            for notches in NOTCHES:
                why = [{"kind": "unmodelled", "why": "the wheel may set it"}]
                page.tell(element["id"], {"scroll": [0, notches]}, why)
    for bar in area.bars:
        _tell_thumb(page, area, bar)


def _tell_thumb(page: Page, area: ScrollArea, bar: Bar) -> None:
    """A click on the thumb does nothing; one beside it scrolls, and was not tried. The thumb has to be there at every
    offset."""
    clicked = [t for t in page.transitions if t["element"] == bar.element and t["action"] == "click"]
    page.transitions = [t for t in page.transitions if t not in clicked]
    places = [thumb_at(bar.travel, at, area.last) for at in area.offsets()]
    high = bar.thumb.rect[3] - bar.thumb.rect[1]
    top, bottom = max(places), min(places) + high
    inert = clicked and all(o["kind"] == "inert" for t in clicked for o in t["outcomes"])
    if inert and top < bottom:
        x0, _, x1, _ = bar.thumb.rect
        part = list(shifted((x0, top, x1, bottom), *page.offset))
        page.tell(bar.element, "click", [{"kind": "inert"}], part=part)
    else:
        page.unknown(bar.element, "a click beside the thumb scrolls")


def _is_captured(area: ScrollArea, inside: dict[str, dict], element: dict) -> bool:
    """Whether the page's picture shows an element of the content."""
    x, y = area.viewport[0], area.viewport[1] - area.offset
    part = intersection(shifted(tuple(element["bbox"]), x, y), area.viewport)
    return any(
        (e["role"], e["name"], tuple(e["bbox"])) == (element["role"], element["name"], part) for e in inside.values()
    )


def _drop_wheels_of_unknown(page: Page) -> None:
    """Coverage counts elements of which anything is known: the wheel alone makes none known."""
    interactive = {e["id"] for e in page.elements if e["interactive"]}
    known = {
        t["element"] for t in page.transitions
        if not is_wheel(t["action"]) and all(o["kind"] != "unmodelled" for o in t["outcomes"])
    } | {c.element for c in page.controls.values() if c.click_map}  # fmt: skip
    page.transitions = [
        t for t in page.transitions if not (is_wheel(t["action"]) and t["element"] in interactive - known)
    ]
