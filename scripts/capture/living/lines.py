"""Makes a page's living file: its lines, and the atlas of its pictures."""

import json
from collections.abc import Iterator

import numpy as np

from ..boxes import Box, shifted
from .atlas import Atlas
from .changes import Piece, boxes_of, run_lengths
from .page import Page, Patch, break_cycles, derive, order
from .strips import ScrollArea

PATCH_VERSION = 1
# A mask of more runs than this is larger than what it saves: the whole box is replaced instead. Where less than this
# share of the box changes (a frame around others), the box is cut in two: what it surrounds stays.
MOST_RUNS, SPARSE_SHARE = 400, 0.15
# Of a list, what may differ from the look at its first value.
MOST_OF_A_LIST = 0.5


class PageWriter:
    """`offset` is the place of the client window in the page's picture."""

    def __init__(self, page: Page, offset: tuple[int, int]):
        self.page, self.offset, self.atlas = page, offset, Atlas()
        # Of each list, by opener and size, the first picture.
        self.lists: dict[tuple, np.ndarray] = {}

    def lines(self, page_id: str) -> tuple[list[dict], np.ndarray | None]:
        """The lines of the file, the page's first, and the atlas."""
        page = self.page
        page.offset = self.offset
        derive(page)
        break_cycles(page)
        order(page)
        head = {
            "line": "page",
            "patch_version": PATCH_VERSION,
            "page": page_id,
            "inactive": {"kind": "captured"},
            "focus_home": page.focus_home,
            "volatile": [list(shifted(box, *self.offset)) for box in page.volatile],
            "coverage": page.coverage(),
        }
        lines = [head]
        for control in page.controls.values():
            line = {"line": "control", "id": control.id, "element": control.element, "type": control.type}
            line |= {"values": control.domain(), "value": control.value}
            if control.click_map:
                line["click_map"] = control.click_map
            lines.append(line)
        lines += [self._patch(patch) for patch in page.patches]
        for layer in page.layers:
            line = {"line": "layer", "kind": layer.kind, "element": layer.element}
            lines.append({**line, **_when(layer.when), "areas": self._areas(layer.pieces)})
        lines += [{"line": "rule", **rule} for rule in page.rules]
        lines += [self._popup(popup) for popup in page.popups]
        lines += [self._scroll_area(area) for area in page.areas]
        picture = self.atlas.pack()
        return [_placed(line, self.atlas) for line in lines], picture

    def _patch(self, patch: Patch) -> dict:
        line = {"line": "patch", "control": patch.control, "value": patch.value, **_when(patch.when)}
        line["areas"] = self._areas([*patch.pieces, *patch.caption])
        if patch.focused is not None:
            line["focused"] = self._areas(patch.focused)
        parts = {"elements": patch.changes, "added": patch.added, "over": sorted(patch.over)}
        line |= {key: part for key, part in parts.items() if part}
        return {**line, "verified": patch.verified}

    def _popup(self, popup) -> dict:
        lit = []
        for element, box, look in popup.lit:
            area = {"rect": list(box), "at": _Crop(self.atlas.add(look))}
            lit.append({"kind": "hover", "element": element, "areas": [area]})
        line = {"line": "popup", "id": popup.id, "kind": popup.kind, "opener": popup.opener, **_when(popup.when)}
        areas = [*self._areas(popup.pieces), *self._list_areas(popup)]
        line |= {"rect": list(popup.rect), "areas": areas, "elements": popup.elements}
        return {**line, "lit": lit} if lit else line

    def _scroll_area(self, area: ScrollArea) -> dict:
        """The pictures of its content are files of their own, which are named by their content once published."""
        line = {"line": "scroll_area", "id": area.id, "element": area.element, "viewport": list(area.viewport)}
        line["content"] = {"file": content_file(self.page.state, area.id), "size": list(area.content.shape[1::-1])}
        if area.inactive is not None:
            line["inactive"] = {"file": content_file(self.page.state, area.id, inactive=True)}
        line |= {"offset": [0, area.offset], "step": [0, area.step], "elements": area.elements}
        bars = []
        for bar in area.bars:
            track, thumb = self._area(bar.track), self._area(bar.thumb)
            travel = [y + self.offset[1] for y in bar.travel]
            bars.append({"axis": "y", "element": bar.element, "track": track, "thumb": thumb, "travel": travel})
        return {**line, "bars": bars} if bars else line

    def _list_areas(self, popup) -> list[dict]:
        """A list looks much the same at each value: as at the first one, with what differs from that laid over it."""
        base = self.lists.setdefault((popup.opener, popup.picture.shape), popup.picture)
        boxes = differing(base, popup.picture)
        if boxes is None:
            base, boxes = popup.picture, []
        x, y = popup.rect[:2]
        areas = [{"rect": list(popup.rect), "at": _Crop(self.atlas.add(base))}]
        for x0, y0, x1, y1 in boxes:
            look = popup.picture[y0:y1, x0:x1]
            areas.append({"rect": list(shifted((x0, y0, x1, y1), x, y)), "at": _Crop(self.atlas.add(look))})
        return areas

    def _areas(self, parts: list[Piece]) -> list[dict]:
        return [self._area(piece) for part in parts for piece in compact(part)]

    def _area(self, part: Piece) -> dict:
        area = {"rect": list(shifted(part.rect, *self.offset)), "at": _Crop(self.atlas.add(part.active))}
        if part.inactive is not None:
            area["inactive"] = _Crop(self.atlas.add(part.inactive))
        runs = run_lengths(part.mask)
        if not part.mask.all() and len(runs) <= MOST_RUNS:
            area["mask"] = runs
        return area


def content_file(state: str, area: str, inactive: bool = False) -> str:
    """The picture of a scroll area's content among what a crawl leaves."""
    return f"{state}.{area}{'-inactive' if inactive else ''}.png"


def content_pictures(page: Page) -> Iterator[tuple[str, np.ndarray]]:
    """The pictures of the contents of scroll areas, RGBA, with their files: those without the focus as what has to be
    added to the others."""
    for area in page.areas:
        solid = np.full(area.content.shape[:2], 255, np.uint8)
        content = np.dstack([area.content, solid])
        yield content_file(page.state, area.id), content
        if area.inactive is not None:
            yield content_file(page.state, area.id, inactive=True), np.dstack([area.inactive, solid]) - content


def differing(base: np.ndarray, picture: np.ndarray) -> list[Box] | None:
    """The boxes of a popup's picture that make it of another one; None if they are most of it, or let through what lies
    below."""
    mask = (base != picture).any(axis=2)
    boxes = boxes_of(mask)
    parts = [picture[y0:y1, x0:x1] for x0, y0, x1, y1 in boxes]
    solid = all((part[..., 3] == 255).all() for part in parts)
    return boxes if solid and sum(part[..., 3].size for part in parts) < MOST_OF_A_LIST * mask.size else None


def compact(piece: Piece) -> list[Piece]:
    """The same in parts whose masks are short, or of whose boxes much changes."""
    if len(run_lengths(piece.mask)) <= MOST_RUNS or piece.mask.mean() >= SPARSE_SHARE:
        return [piece]
    x0, y0, x1, y1 = piece.rect
    if x1 - x0 >= y1 - y0:
        halves = (x0, y0, (x0 + x1) // 2, y1), ((x0 + x1) // 2, y0, x1, y1)
    else:
        halves = (x0, y0, x1, (y0 + y1) // 2), (x0, (y0 + y1) // 2, x1, y1)
    parts = [part for half in halves if (part := piece.within(half))]
    return [small for part in parts for small in compact(part)]


class _Crop:
    """Stands for the place of a crop until the atlas is packed."""

    def __init__(self, number: int):
        self.number = number


def _when(when: dict) -> dict:
    return {"when": when} if when else {}


def _placed(part, atlas: Atlas):
    if isinstance(part, _Crop):
        return atlas.place(part.number)
    if isinstance(part, dict):
        return {key: _placed(value, atlas) for key, value in part.items()}
    if isinstance(part, list):
        return [_placed(value, atlas) for value in part]
    return part


def as_text(lines: list[dict]) -> str:
    return "".join(json.dumps(line, ensure_ascii=False, default=_plain) + "\n" for line in lines)


def _plain(value):
    """What numpy counts with."""
    return value.item()
