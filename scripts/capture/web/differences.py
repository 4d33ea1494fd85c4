"""What has become of a page's elements: those of the same node of the document are the same element."""

import numpy as np

from ..boxes import Box, shifted
from ..living.changes import MOST_LEVELS, Piece, pieces
from ..living.matching import KEYS, Difference, Names, pair

# A rounded corner's size.
CORNER_PX = 6


def changed_part(a: np.ndarray, b: np.ndarray) -> Box | None:
    """The box around all pixels of two pictures that differ: looking at rows first is much faster."""
    high = len(a)
    rows = np.flatnonzero((a.reshape(high, -1) != b.reshape(high, -1)).any(axis=1))
    if not len(rows):
        return None
    y0, y1 = int(rows[0]), int(rows[-1]) + 1
    columns = np.flatnonzero((a[y0:y1] != b[y0:y1]).any(axis=(0, 2)))
    return int(columns[0]), y0, int(columns[-1]) + 1, y1


def off(a: np.ndarray, b: np.ndarray) -> int:
    """How many pixels differ by more than a few levels."""
    box = changed_part(a, b)
    if box is None:
        return 0
    x0, y0, x1, y1 = box
    return int((np.abs(a[y0:y1, x0:x1].astype(np.int16) - b[y0:y1, x0:x1]).max(axis=2) > MOST_LEVELS).sum())


def all_pieces(before: np.ndarray, now: np.ndarray) -> list[Piece]:
    """What differs at all."""
    box = changed_part(before, now)
    if box is None:
        return []
    x0, y0, x1, y1 = box
    out = pieces(before[y0:y1, x0:x1], now[y0:y1, x0:x1], None)
    for piece in out:
        piece.rect = shifted(piece.rect, x0, y0)
    return out


def levels(before: np.ndarray, piece: Piece) -> np.ndarray:
    """By how much each pixel of a piece differs."""
    left, top, right, bottom = piece.rect
    return np.abs(before[top:bottom, left:right].astype(np.int16) - piece.active).max(axis=2)


def seen_pieces(before: np.ndarray, changed: list[Piece]) -> list[Piece]:
    """What has to be replaced. Corners that are drawn anew may come out a little differently; nobody sees that."""
    out = []
    for piece in changed:
        left, top, right, bottom = piece.rect
        strong = levels(before, piece) > MOST_LEVELS
        if strong.sum() > 1 or (strong.any() and max(right - left, bottom - top) > CORNER_PX):
            out.append(piece)
    return out


def with_ids(elements: list[dict]) -> list[dict]:
    return [{**element, "id": f"e{element['uid']}"} for element in elements]


def difference(before: list[dict], now: list[dict], names: Names) -> Difference:
    """`before` with the ids of the page. Nodes that were made anew are told by role, name and place."""
    by_uid = {element["uid"]: index for index, element in enumerate(before)}
    known = {n: by_uid[e["uid"]] for n, e in enumerate(now) if e["uid"] in by_uid}
    pairs = {n: index for n, index in known.items() if before[index]["role"] == now[n]["role"]}
    left_before = [index for index in range(len(before)) if index not in set(pairs.values())]
    left_now = [index for index in range(len(now)) if index not in pairs]
    found = pair([before[index] for index in left_before], [now[index] for index in left_now])
    pairs |= {left_now[a]: left_before[b] for a, b in found.items()}
    out, kept = Difference(), set(pairs.values())
    out.changes = [{"id": e["id"], "gone": True} for index, e in enumerate(before) if index not in kept]
    taken, own = {e["id"] for e in before}, {}
    for index, element in enumerate(now):
        old = before[pairs[index]] if index in pairs else None
        name = names.of(element, taken) if old is None else old["id"]
        taken.add(name)
        own[f"e{element['uid']}"] = name
        out.ids.append(name)
        if old is None:
            out.added.append({**element, "id": name, "parent": own.get(element["parent"] or "")})
            continue
        change = {key: element[key] for key in KEYS if key != "description" and old[key] != element[key]}
        if change:
            out.changes.append({"id": name, **change})
    return out
