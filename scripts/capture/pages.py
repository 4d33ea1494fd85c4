"""Pages of a stack that are not shown, in toolkits that call everything shown.

GTK 4 sets no state on what a stack hides, and a page keeps the box that it had when it was last open.
"""

from collections.abc import Callable

from .boxes import area, intersection
from .tree import Tree

# Pages lie at one place: the share of the smaller one that the other holds.
SAME_PLACE = 0.5
# What is asked for per page, and the share of it that is found on a hidden and on an open one.
MOST_QUESTIONS = 12
HIDDEN, OPEN = 0.2, 0.5
LEAST_ANSWERS = 2


def hidden_nodes(tree: Tree, is_there: Callable[[int], bool]) -> set[int]:
    """What lies in pages that another page stands in front of. `is_there` says whether the toolkit finds a node (by its
    index) at its own middle."""
    families = _children(tree)
    hidden: set[int] = set()
    for index, children in families.items():
        if index in hidden:
            continue
        pages = [c for c in children if _has_rival(tree, c, children)]
        shares = {page: _share_found(tree, families, page, is_there) for page in pages}
        for child, share in shares.items():
            rivals = [s for c, s in shares.items() if c != child and s is not None and _same_place(tree, c, child)]
            if share is not None and share <= HIDDEN and max(rivals, default=0) >= OPEN:
                hidden |= {child, *_below(families, child)}
    return hidden


def _children(tree: Tree) -> dict[int, list[int]]:
    families: dict[int, list[int]] = {}
    for index, node in enumerate(tree.nodes):
        if node.box is not None:
            families.setdefault(node.parent, []).append(index)
    return families


def _has_rival(tree: Tree, child: int, children: list[int]) -> bool:
    return any(other != child and _same_place(tree, other, child) for other in children)


def _same_place(tree: Tree, a: int, b: int) -> bool:
    first, second = tree.nodes[a].box, tree.nodes[b].box
    return area(intersection(first, second)) > SAME_PLACE * min(area(first), area(second))


def _below(families: dict[int, list[int]], index: int) -> list[int]:
    out = list(families.get(index, ()))
    for inner in out:
        out.extend(families.get(inner, ()))
    return out


def _share_found(
    tree: Tree, families: dict[int, list[int]], page: int, is_there: Callable[[int], bool]
) -> float | None:
    """The share of the page's innermost nodes that are found; None if there are too few to tell."""
    inner = [i for i in _below(families, page) if i not in families and tree.nodes[i].role in ("label", "image")]
    asked = inner[:: max(1, len(inner) // MOST_QUESTIONS)][:MOST_QUESTIONS]
    if len(asked) < LEAST_ANSWERS:
        return None
    return sum(map(is_there, asked)) / len(asked)
