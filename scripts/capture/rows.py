"""Rows of a list that overlap: a list whose rows have grown and that has not been laid out anew."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

LEAST_ROWS = 3
OVERLAP_PX = 4
# What is left of a row must be one.
LEAST_ROW_PX = 12
ROLES = ("list item", "tree item")


def overlapping(elements: Sequence) -> list[tuple]:
    """Pairs of neighbouring rows (elements) of one list, the second of which begins before the first one ends, in lists
    where most do so."""
    return [pair for rows in _lists(elements) for pair in _overlaps(rows)]


def cut_overlapping(elements: Sequence) -> None:
    """What the next row is drawn over does not belong to a row: a click there is the next one's."""
    for row, following in overlapping(elements):
        if following.box[1] - row.box[1] >= LEAST_ROW_PX:
            row.box = (*row.box[:3], following.box[1])


def _lists(elements: Sequence) -> Iterator[list]:
    """Rows of the same list that are one below the other."""
    groups: dict[tuple, list] = {}
    for element in elements:
        if element.role in ROLES:
            groups.setdefault((element.parent, element.popup, element.box[0], element.box[2]), []).append(element)
    for rows in groups.values():
        if len(rows) >= LEAST_ROWS:
            yield sorted(rows, key=lambda e: (e.box[1], e.box[3]))


def _overlaps(rows: list) -> list[tuple]:
    pairs = list(pairwise(rows))
    found = [(a, b) for a, b in pairs if a.box[1] < b.box[1] < a.box[3] - OVERLAP_PX and a.box[3] < b.box[3]]
    return found if 2 * len(found) > len(pairs) else []
