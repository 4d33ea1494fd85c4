"""The content of a scroll area, put together from what shows of it at each offset; how far a notch moves it, and how
its scroll bar follows. Whatever is not an exact shift is refused. Nothing here touches the screen.

Offsets are px of the content: its row at the top of the viewport."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from ..boxes import Box, shifted
from .changes import Piece

# A shift of rows that are all alike says nothing: of a picture, at least so many rows have to differ from the next one.
LEAST_LINES = 8


class Refused(Exception):
    """It does not scroll as a strip does; says why."""


@dataclass
class Bar:
    """A scroll bar. `travel`: where the thumb's upper edge is at the first and at the last offset; px as of `track`.
    `turns`: whether the wheel over it moves the content as it does over that."""

    element: str
    track: Piece
    thumb: Piece
    travel: tuple[int, int]
    turns: bool = False


@dataclass
class ScrollArea:
    """A part of the page whose content scrolls up and down. `viewport` is in px of the page's picture; boxes of
    `elements` are in px of the content."""

    id: str
    element: str
    viewport: Box
    content: np.ndarray
    inactive: np.ndarray | None  # None where it looks the same
    offset: int
    step: int
    elements: list[dict]
    bars: list[Bar] = field(default_factory=list)

    @property
    def last(self) -> int:
        """The offset at which the end of the content shows."""
        return self.content.shape[0] - (self.viewport[3] - self.viewport[1])

    def offsets(self) -> list[int]:
        return reachable(self.offset, self.step, self.last)


def shift(before: np.ndarray, now: np.ndarray, told: int | None = None) -> int:
    """By how many rows the content of a picture has moved up. `told`: what elements say of it; where they say nothing,
    only one shift may fit."""
    if before.shape != now.shape:
        raise Refused("the window changes its size")
    if told is not None:
        if not is_shifted(before, now, told):
            raise Refused(f"moved by {told} px, other pixels differ, too")
        return told
    found = [by for by in range(1, len(before) - LEAST_LINES) if is_shifted(before, now, by)]
    if len(found) != 1:
        raise Refused("no shift gives what shows" if not found else f"shifts of {found[0]} and {found[1]} px fit both")
    return found[0]


def is_shifted(before: np.ndarray, now: np.ndarray, by: int) -> bool:
    """Whether a picture shows the rows of another one, moved up; moved down where `by` is below 0."""
    if by < 0:
        before, now, by = now, before, -by
    return by < len(before) and np.array_equal(before[by:], now[: len(now) - by])


def step_of(down: Sequence[int], up: Sequence[int]) -> int:
    """How far a notch moves the content. `down`: offsets notch by notch from the first to the last; `up`: from the last
    to the first."""
    last = down[-1]
    if len(down) < 2 or down[0] != 0 or up[0] != last or up[-1] != 0:
        raise Refused(f"the ends of the content are not the same: {list(down)}, then {list(up)}")
    step = down[1]
    if any(b - a != min(step, last - a) for a, b in pairwise(down)):
        raise Refused(f"notches do not all move it by {step} px: {list(down)}")
    if any(a - b != min(step, a) for a, b in pairwise(up)):
        raise Refused(f"notches back do not all move it by {step} px: {list(up)}")
    return step


def reachable(start: int, step: int, last: int) -> list[int]:
    """The offsets to which notches lead."""
    found, edge = {start}, [start]
    while edge:
        at = edge.pop()
        for to in (min(at + step, last), max(at - step, 0)):
            if to not in found:
                found.add(to)
                edge.append(to)
    return sorted(found)


def stitched(views: Iterable[tuple[int, np.ndarray]]) -> np.ndarray:
    """The content from what the viewport shows at some offsets: all rows that two of them show have to be the same."""
    views = sorted(views, key=lambda view: view[0])
    offset, high = views[-1][0], len(views[-1][1])
    content = np.zeros((offset + high, *views[0][1].shape[1:]), np.uint8)
    filled = 0
    for at, picture in views:
        if at > filled:
            raise Refused(f"nothing shows the rows from {filled} to {at}")
        if not np.array_equal(content[at:filled], picture[: filled - at]):
            raise Refused(f"at {at} px, it shows something else than before")
        content[filled : at + high] = picture[filled - at :]
        filled = at + high
    return content


def merged(views: Iterable[tuple[int, list[dict]]], high: int) -> list[dict]:
    """The elements of the content, from those that show at each offset, in px of the content: an element that shows in
    part is as large as all its parts together. `high`: the viewport's height."""
    out: list[dict] = []
    for offset, elements in views:
        for element in elements:
            x0, y0, x1, y1 = shifted(tuple(element["bbox"]), 0, offset)
            same = next((e for e in out if _is_part(e, element, (x0, y0, x1, y1), offset, high)), None)
            if same is None:
                out.append({**element, "bbox": [x0, y0, x1, y1]})
            else:
                box = same["bbox"]
                same["bbox"] = [x0, min(y0, box[1]), x1, max(y1, box[3])]
    return out


def _is_part(known: dict, element: dict, box: Box, offset: int, high: int) -> bool:
    """Whether two boxes may be parts of one element: where the one ends earlier, it is cut off."""
    if (known["role"], known["name"]) != (element["role"], element["name"]):
        return False
    x0, y0, x1, y1 = known["bbox"]
    if (x0, x1) != (box[0], box[2]) or y0 > box[3] or box[1] > y1:
        return False
    window = offset, offset + high
    return max(y0, window[0]) == box[1] and min(max(y1, box[3]), window[1]) == box[3]


def thumb_at(travel: tuple[int, int], offset: int, last: int) -> int:
    """Where the thumb's upper edge is, rounded to the nearest px."""
    start, end = travel
    return start + (2 * (end - start) * offset + last) // (2 * last)


def bar_of(element: str, box: Box, views: Sequence[tuple[int, np.ndarray, np.ndarray]], offset: int) -> Bar:
    """A scroll bar from pictures of its box: offset, look with the focus and without. `offset`: that of the page's
    picture. The bar has to look as told at each of the offsets."""
    views = sorted(views, key=lambda view: view[0])
    last = views[-1][0]
    first_look, last_look = np.dstack(views[0][1:]), np.dstack(views[-1][1:])
    differs = np.flatnonzero((first_look != last_look).any(axis=(1, 2)))
    if not len(differs):
        raise Refused("its scroll bar does not move")
    # The thumb lies from where the two differ first to where they do last, and is as much shorter as it moves: of all
    # lengths, the one with which it looks alike at both ends.
    top, bottom = int(differs[0]), int(differs[-1]) + 1
    for moved in range(1, bottom - top):
        high = bottom - top - moved
        if np.array_equal(first_look[top : top + high], last_look[top + moved : bottom]):
            break
    else:
        raise Refused("the thumb of its scroll bar does not keep its length")
    track = first_look.copy()
    track[top : top + moved] = last_look[top : top + moved]
    # What the thumb never leaves is never seen: as above it.
    track[top + moved : top + high] = last_look[top + moved - 1]
    travel = (box[1] + top, box[1] + top + moved)
    thumb = first_look[top : top + high]
    for at, active, inactive in views:
        drawn, y = track.copy(), thumb_at(travel, at, last) - box[1]
        drawn[y : y + high] = thumb
        if not np.array_equal(drawn, np.dstack((active, inactive))):
            raise Refused(f"its scroll bar looks otherwise at {at} px")
    y = thumb_at(travel, offset, last)
    return Bar(element, _piece(box, track), _piece((box[0], y, box[2], y + high), thumb), travel)


def _piece(box: Box, looks: np.ndarray) -> Piece:
    active, inactive = looks[..., :3].copy(), looks[..., 3:].copy()
    mask = np.ones(looks.shape[:2], bool)
    return Piece(box, mask, active, None if np.array_equal(active, inactive) else inactive)
