"""Tabs and the like hide parts of a page: what belongs to a hidden control says when it shows, and looks like nothing
else."""

from . import sticky
from .page import Layer, Page, Patch, Values

# Outcomes that lead to a picture of the same window.
PICTURED = ("page", "maximised")


def finish(page: Page) -> None:
    """Completes the conditions of patches and layers, once all controls are known."""
    sticky.tell(page)
    sets = {o.get("control") for t in page.transitions for o in t["outcomes"]}
    for control in list(page.controls.values()):
        if control.id not in sets and control.click_map is None and control.type != "derived":
            _drop(page, control.id)
    shown = Shown(page)
    for control in list(page.controls.values()):
        hiders = shown.hiders(control.element, control.id)
        own = [p for p in page.patches if p.control == control.id]
        for patch in own:
            for name in hiders:
                if name not in patch.when and _is_base(page, control.element):
                    patch.when[name] = page.controls[name].value
    for layer in page.layers:
        owners = {c.id for c in page.controls.values() if c.element == layer.element}
        for name in shown.hiders(layer.element, None):
            if name not in layer.when and name not in owners and _is_base(page, layer.element):
                layer.when[name] = page.controls[name].value
    page.layers = _once(page.layers)
    page.patches += _unseen(page, shown)
    _as_pictured(page)
    known = {e["id"] for part in (page, *page.popups) for e in part.elements}
    known |= {e["id"] for patch in page.patches for e in patch.added} | {None}
    page.transitions = [t for t in page.transitions if t["element"] in known]


def has_views(page: Page) -> bool:
    """Whether tabs, or rows of a list, show other parts of the page."""
    rows = {p.control for p in page.patches if p.added and page.controls[p.control].type == "list_box"}
    return bool(rows) or any(c.type == "tabs" for c in page.controls.values())


def _once(layers: list[Layer]) -> list[Layer]:
    """Of two layers of an element for the same values the first: a row that a key has reached shows a ring, one that
    was clicked does not, and no state tells which it was."""
    first: dict[tuple[str, str, str], Layer] = {}
    for layer in layers:
        first.setdefault((layer.kind, layer.element, _key(layer.when)), layer)
    return list(first.values())


def _as_pictured(page: Page) -> None:
    """What a click shows instead of the page was pictured once, with the page's own values: with others it may look
    different. Where values go along, it is a page of its own that knows how it looks with them. What a button does that
    had to be woken was seen with one value set, too, which sets what every change sets."""
    values = {c.id: c.value for c in page.controls.values() if c.type != "derived"}
    changed = {**values, **{f"s-{name}": True for name in page.sticky}}
    for transition in page.transitions:
        pictured = any(o["kind"] in PICTURED and "carries" not in o for o in transition["outcomes"])
        if (pictured and not transition["always"]) or transition["element"] in page.woken:
            of_others = changed if transition["element"] in page.woken else values
            transition["when"] = {**of_others, **transition["when"]}


def _drop(page: Page, control: str) -> None:
    """A control that was seen changed, but that nothing is known to set."""
    page.patches = [p for p in page.patches if p.control != control and control not in p.when]
    page.layers = [la for la in page.layers if control not in la.when]
    page.popups = [p for p in page.popups if control not in p.when]
    page.transitions = [t for t in page.transitions if control not in t["when"]]
    del page.controls[control]


def _is_base(page: Page, element: str) -> bool:
    return any(e["id"] == element for e in page.elements)


class Shown:
    """At which values of other controls an element shows."""

    def __init__(self, page: Page):
        self.page = page
        self.base = {e["id"] for e in page.elements}
        self.gone: dict[tuple[str, str], set[str]] = {}
        self.added: dict[tuple[str, str], set[str]] = {}
        for patch in page.patches:
            key = patch.control, repr(patch.value)
            self.gone.setdefault(key, set()).update(c["id"] for c in patch.changes if c.get("gone"))
            self.added.setdefault(key, set()).update(e["id"] for e in patch.added)

    def is_shown(self, element: str, control: str, value) -> bool:
        key = control, repr(value)
        if element in self.added.get(key, ()):
            return True
        is_view = any(element in ids for (name, _), ids in self.added.items() if name == control)
        if element in self.gone.get(key, ()):
            return False
        return element in self.base or not is_view

    def hiders(self, element: str, besides: str | None) -> list[str]:
        """Controls that hide it at some value."""
        names = {name for (name, _), ids in self.gone.items() if element in ids}
        return sorted(names - {besides})


def _unseen(page: Page, shown: Shown) -> list[Patch]:
    """A hidden control keeps its value, and nothing of it shows."""
    out: list[Patch] = []
    known = {(p.control, repr(p.value), _key(p.when)) for p in page.patches}
    for patch in page.patches:
        element = page.controls[patch.control].element
        for name in patch.when:
            for value in page.controls[name].values:
                when = {name: value}
                key = patch.control, repr(patch.value), _key(when)
                if value == patch.when[name] or key in known or shown.is_shown(element, name, value):
                    continue
                known.add(key)
                out.append(Patch(patch.control, patch.value, when, [], [], verified=patch.verified, joint=patch.joint))
    return out


def _key(when: Values) -> str:
    return repr(sorted(when.items()))
