"""Half-open pixel boxes `(x0, y0, x1, y1)`; on the screen unless a name says otherwise."""

from collections.abc import Iterable

Box = tuple[int, int, int, int]


def width(box: Box) -> int:
    return box[2] - box[0]


def height(box: Box) -> int:
    return box[3] - box[1]


def size(box: Box) -> tuple[int, int]:
    return width(box), height(box)


def area(box: Box | None) -> int:
    return 0 if box is None else max(0, width(box)) * max(0, height(box))


def centre(box: Box) -> tuple[int, int]:
    return (box[0] + box[2]) // 2, (box[1] + box[3]) // 2


def shifted(box: Box, dx: int, dy: int) -> Box:
    return box[0] + dx, box[1] + dy, box[2] + dx, box[3] + dy


def grown(box: Box, by: int) -> Box:
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def intersection(a: Box, b: Box) -> Box | None:
    box = max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])
    return box if box[0] < box[2] and box[1] < box[3] else None


def union(boxes: Iterable[Box]) -> Box:
    boxes = list(boxes)
    return min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes)


def holds(box: Box, x: int, y: int) -> bool:
    return box[0] <= x < box[2] and box[1] <= y < box[3]


def covered_share(box: Box, by: Box) -> float:
    """Share of `box` that lies inside `by`, 0..=1."""
    return area(intersection(box, by)) / max(1, area(box))


def alike(a: Box, b: Box, tolerance: int) -> bool:
    return all(abs(p - q) <= tolerance for p, q in zip(a, b, strict=True))
