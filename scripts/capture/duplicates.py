"""Elements that say what another one says, or claim a place that is another one's."""

from collections.abc import Callable

from .boxes import Box, alike, area, centre, covered_share, holds, intersection
from .elements import Element


def without_duplicates(elements: list[Element]) -> list[Element]:
    """Drops what repeats an element at the same place: the label of a button, a wrapper of the same name."""
    drop = set()
    for i, element in enumerate(elements):
        if element.parent is None:
            continue
        parent = elements[element.parent]
        same_place = alike(element.box, parent.box, 4) or covered_share(parent.box, element.box) > 0.9
        if (
            same_place
            and parent.interactive
            and (element.name in ("", parent.name))
            and element.role not in ("check box", "entry")
        ):
            drop.add(i)
        elif (
            same_place
            and element.interactive
            and parent.role in ("panel", "label")
            and parent.name in ("", element.name)
        ):
            drop.add(element.parent)
    return without(elements, drop)


def without_hidden(elements: list[Element], is_hit: Callable[[Element, int, int], bool]) -> list[Element]:
    """Where two unrelated elements claim one place, the pointer decides which of them is there."""
    lines = [_line(elements, i) for i in range(len(elements))]
    inner = [i for i, e in enumerate(elements) if e.node is not None and (e.interactive or e.role == "label")]
    drop = set()
    for i in inner:
        x, y = centre(elements[i].box)
        rivals = [
            j
            for j in inner
            if j != i
            and holds(elements[j].box, x, y)
            and elements[j].popup == elements[i].popup
            and i not in lines[j]
            and j not in lines[i]
            and area(elements[j].box) < 6 * area(elements[i].box)
        ]
        if rivals and not is_hit(elements[i], x, y):
            drop.add(i)
    return without(elements, drop)


def _line(elements: list[Element], index: int) -> set:
    line, at = set(), elements[index].parent
    while at is not None:
        line.add(at)
        at = elements[at].parent
    return line


def inside(elements: list[Element], box: Box) -> list[Element]:
    """Drops what lies outside a picture, such as a frame part beyond the screen's edge."""
    return without(elements, {i for i, e in enumerate(elements) if intersection(e.box, box) is None})


def without(elements: list[Element], drop: set) -> list[Element]:
    """The elements but those of some indexes; what is left finds its next ancestor."""
    new_index, out = {}, []
    for i, element in enumerate(elements):
        if i in drop:
            continue
        parent = element.parent
        while parent is not None and parent in drop:
            parent = elements[parent].parent
        element.parent = new_index.get(parent)
        new_index[i] = len(out)
        out.append(element)
    return out
