"""Values that stay while they can't be set, and values that look different together: seen jointly."""

from collections.abc import Callable
from dataclasses import dataclass

from . import changes, matching
from .context import Context, Seen
from .page import Patch, find_conflicts
from .records import is_enabled

# Pairs of values that are seen together, per context, beyond those of controls that others switch off.
MOST_PAIRS = 16


@dataclass
class Switch:
    """A value that was set in a context, the context that it leads to, and how to go there and back."""

    control: str
    outer: Context
    inner: Context
    do: Callable[[], None]
    undo: Callable[[], None]


def carry(page, outer: Context) -> None:
    """What controls look like that a value switches off (or on again) after they were set."""
    for switch in [s for s in page.switches if s.outer.when == outer.when and s.control in page.page.controls]:
        for element, inside in _flips(switch):
            home = switch.inner if inside else switch.outer
            for setter in [s for s in page.setters if s.when == home.when and _element(page, s.control) == element]:
                if page.late:
                    return
                when = _when(page, outer, switch, inside)
                # A value that several choices wake is kept once under what puts it to sleep.
                if not _is_seen(page, setter, when):
                    page.guarded(outer, f"keeping {setter.control}", _keep, switch, setter, inside, when)


def _flips(switch: Switch) -> list[tuple[str, bool]]:
    """Elements that one of the two contexts can't use, and whether it is the inner one that can."""
    before = {e["id"]: is_enabled(e) for e in switch.outer.elements}
    now = {e["id"]: is_enabled(e) for e in switch.inner.elements}
    return [(name, now[name]) for name in now if name in before and before[name] != now[name]]


def _element(page, control: str) -> str | None:
    known = page.page.controls.get(control)
    return known and known.element


def _when(page, outer: Context, switch: Switch, inside: bool) -> dict:
    """What holds while the value can't be set."""
    return {**outer.when, switch.control: page.page.controls[switch.control].value} if inside else switch.inner.when


def _is_seen(page, setter, when: dict) -> bool:
    return any((p.control, p.value, p.when) == (setter.control, setter.value, when) for p in page.page.patches)


def _keep(page, outer: Context, switch: Switch, setter, inside: bool, when: dict) -> None:
    if inside:
        switch.do()
        setter.do()
        switch.undo()
        _see(page, switch.outer, setter, when)
        switch.do()
        setter.undo()
        switch.undo()
    else:
        setter.do()
        switch.do()
        _see(page, switch.inner, setter, when)
        switch.undo()
        setter.undo()
    page.back(outer)


def _see(page, shown: Context, setter, when: dict) -> None:
    """A patch of a value, as the picture of a context has changed."""
    found, *_ = page.look(shown)
    records, _ = page.read()
    difference = page.differ(shown, Seen("seen", records=records))
    patch = Patch(setter.control, setter.value, dict(when), found, difference.changes, difference.added)
    patch.over, patch.joint = set(when), True
    page.page.patches.append(patch)


def together(page, context: Context) -> None:
    """Two values whose patches do not agree are set one after the other: the upper one then has a look of its own."""
    setters = {(s.control, str(s.value)): s for s in page.setters if s.when == context.when and s.inner is None}
    count = 0
    for upper, lower in find_conflicts(page.page, [p for p in page.page.patches if p.when == context.when]):
        first, second = (setters.get((p.control, str(p.value))) for p in (lower, upper))
        if first is None or second is None:
            continue
        count += 1
        if page.late or count > MOST_PAIRS:
            break
        page.guarded(context, f"{lower.control} and {upper.control}", _pair, lower, first, second)


def _pair(page, context: Context, lower: Patch, first, second) -> None:
    active, inactive = context.active.copy(), context.inactive.copy()
    for piece in lower.pieces:
        piece.on(active)
        piece.on(inactive, inactive=True)
    change = matching.Difference(changes=lower.changes, added=lower.added)
    elements = matching.applied(context.elements, change)
    when = {**context.when, lower.control: lower.value}
    below = Context(when, active, inactive, elements, context.home_id, context.opening, context.home)
    first.do()
    page.aim(context)
    page.desk.go_home()
    if not changes.alike(page.desk.grab(), active, page.ignored):
        page.page.notes.append(f"{lower.control} = {lower.value} is not as it was")
    else:
        second.do()
        _see(page, below, second, when)
        second.undo()
    first.undo()
    page.back(context)
