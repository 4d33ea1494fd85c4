"""Sees values a second time, several controls at once: a patch is verified if the page then looks as composed."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from . import changes
from .context import Context
from .domains import MOST_CHOICES
from .page import Patch

# Controls that are set at once.
TOGETHER = 5
# Views replace most of a page: they are seen alone.
LARGE_SHARE = 0.2


@dataclass
class Setter:
    """How a value is set on the live page, and how the context's own value is set again."""

    control: str
    value: object
    when: dict
    do: Callable[[], None]
    undo: Callable[[], None]
    inner: Context | None = None


def verify(page, context: Context) -> None:
    """Patches of a context whose setters are known."""
    patches = {(p.control, str(p.value)): p for p in page.page.patches if p.when == context.when}
    setters = [s for s in page.setters if s.when == context.when and (s.control, str(s.value)) in patches]
    chance = random.Random(page.page.state)
    chance.shuffle(setters)
    setters = of_each(setters, MOST_CHOICES)
    while setters and not page.late:
        group: list[Setter] = []
        for setter in list(setters):
            alone = _is_large(patches[setter.control, str(setter.value)], context)
            if len(group) >= TOGETHER or any(s.control == setter.control for s in group) or (alone and group):
                continue
            group.append(setter)
            setters.remove(setter)
            if alone:
                break
        _see(page, context, group, patches)


def of_each(setters: list[Setter], most: int) -> list[Setter]:
    """The first few of each control: values of a long list look alike, and other controls need the time."""
    count: Counter[str] = Counter()
    out = []
    for setter in setters:
        count[setter.control] += 1
        if count[setter.control] <= most:
            out.append(setter)
    return out


def _is_large(patch: Patch, context: Context) -> bool:
    share = sum(p.mask.sum() for p in patch.pieces) / (context.active.shape[0] * context.active.shape[1])
    awakes = any(c.get("gone") or "bbox" in c for c in patch.changes) or bool(patch.added)
    changes_others = sum("state" in c for c in patch.changes) > 1
    return bool(share > LARGE_SHARE or awakes or changes_others)


def _see(page, context: Context, group: list[Setter], patches: dict) -> None:
    page.guarded(context, f"verifying {', '.join(s.control for s in group)}", _set, group, patches)


def _set(page, context: Context, group: list[Setter], patches: dict) -> None:
    rank = {name: n for n, name in enumerate(page.page.controls)}
    for setter in group:
        setter.do()
    page.aim(group[0].inner if group[0].inner is not None and len(group) == 1 else context)
    page.desk.go_home()
    seen = page.desk.grab()
    chosen = sorted((patches[s.control, str(s.value)] for s in group), key=lambda p: rank[p.control])
    composed = changes.drawn(context.active, [part for p in chosen for part in p.pieces])
    if seen.shape == composed.shape and not changes.alike(seen, composed, page.ignored):
        page.desk.settle(still=0.4)
        seen = page.desk.grab()
    if changes.alike(seen, composed, page.ignored):
        for patch in chosen:
            patch.verified = True
    else:
        page.show(composed, seen)
        off = changes.strayed(seen, composed, page.ignored) if seen.shape == composed.shape else "all"
        page.page.notes.append(f"together {[(p.control, p.value) for p in chosen]}: {off} px differ")
    for setter in reversed(group):
        setter.undo()
    page.back(context)
