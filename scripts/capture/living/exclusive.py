"""Radio buttons, tabs, rows, and toggle buttons that put each other out: one of several is chosen. One control stands
for all of them."""

from . import changes, matching, side_rows
from .carried import Switch
from .context import Context
from .desk import Lost
from .domains import MOST_ROWS, unique_names
from .groups import TYPES, apart, cut_off, is_on, rows
from .page import Control
from .page_crawl import NEVER, PageCrawl
from .records import is_enabled, with_focus
from .side_list import has_headings
from .spots import spot

NONE = "(none)"


def drive(page: PageCrawl, context: Context, members: list[dict]) -> None:
    """Chooses one after the other, and then again the one that the page shows chosen. Where several are chosen, the
    parent holds several groups."""
    if has_headings(members) and side_rows.drive(page, context, members):
        return
    if members[0]["role"] == "radio button" and sum(map(is_on, members)) > 1:
        for group in apart(members, _goes_out(page, context, members)):
            _drive_group(page, context, group)
    else:
        _drive_group(page, context, members)


def _goes_out(page: PageCrawl, context: Context, members: list[dict]) -> dict[str, str]:
    """Which of the radio buttons that are on goes out when another one is chosen."""
    on = [m for m in members if is_on(m)]
    out: dict[str, str] = {}
    for member in members:
        if is_on(member) or not is_enabled(member) or page.late:
            continue
        seen = page.click(spot(member["role"], member["bbox"]))
        if seen.kind != "seen":
            raise Lost(f"a radio button: {seen.kind}")
        difference = page.differ(context, seen)
        now = dict(zip(difference.ids, seen.records, strict=True))
        left = next((m for m in on if m["id"] in now and not is_on(now[m["id"]])), None)
        if left is None:
            page.back(context)
            continue
        out[member["id"]] = left["id"]
        page.back(context, page.clicker(spot(left["role"], left["bbox"])))
    return out


def _drive_group(page: PageCrawl, context: Context, members: list[dict]) -> None:
    role = members[0]["role"]
    choices = rows([m for m in members if m["state"].get("enabled", True)])
    names = unique_names([" ".join(m["name"] for m in row if m["name"]) for row in choices], role)
    chosen = next((n for n, row in enumerate(choices) if any(map(is_on, row))), None)
    if chosen is None and role != "page tab":
        names.append(NONE)
    value = names[chosen] if chosen is not None else NONE
    if chosen is None and NONE not in names:
        names.append(NONE)
    control = Control(f"g-{members[0]['id']}", members[0]["id"], TYPES.get(role, "list_box"), value, [value])
    control = page.page.controls.setdefault(control.id, control)
    if chosen is not None:
        named = {**context.when, control.id: value}
        here = Context(named, context.active, context.inactive, context.elements)
        _again(page, here, choices[chosen])
        _unconditional(page, control.id, value, context)
        page.back(context)
    visited, parts = 0, cut_off(choices)
    tabs = [m["id"] for m in members]
    home = None if chosen is None else choices[chosen][0]
    failed, inners = None, []
    for number, row in enumerate(choices):
        if number == chosen:
            continue
        never = not page.may_click(row[0], context.when)
        if visited >= MOST_ROWS or page.late or failed or number in parts or never:
            why = "a click scrolls to it" if number in parts else failed or "not tried"
            why = NEVER if never else why
            for member in row:
                page.page.unknown(member["id"], why, context.when)
            continue
        visited += 1
        failed = _choose(page, context, control, row, names[number], home, tabs, inners)
    page.crawler.enter_all(page, context, inners, control.id)
    if len(control.values) == 1:
        page.page.drop(control.id)
        return
    if chosen is None:
        page.reopen(context)
        return
    point = spot(role, home["bbox"])
    seen = page.event(lambda: page.desk.click(*page.screen(point)))
    focus = page.focus_of(page.differ(context, seen), seen) if seen.kind == "seen" else None
    if seen.kind == "seen" and focus is None:
        focus = page.ring_at(home["id"], context, context.active, seen.active)
    outcome = with_focus([{"kind": "value", "control": control.id, "to": value}], focus)
    for member in choices[chosen]:
        page.page.tell(member["id"], "click", outcome, context.when)
    if seen.active is not None:
        page.add_focus(context.when, context.active, context.inactive, focus, seen.active)
    page.back(context)


def _choose(
    page: PageCrawl, context: Context, control: Control, row: list[dict], name: str, home, tabs: list[str], inners: list
) -> str | None:
    """Chooses a row; a reason if that showed that the group can't be driven. `tabs` are all of the group; what the row
    shows joins `inners`."""
    first = row[0]
    role = first["role"]
    point = spot(first["role"], first["bbox"])
    seen = page.event(lambda: page.desk.click(*page.screen(point)))
    if seen.kind != "seen":
        page.crawler.led_away(page, context, first, seen)
        return "a click leads away"
    difference = page.differ(context, seen, view=first["role"] != "radio button")
    focus = page.focus_of(difference, seen)
    found, active, inactive = page.look(context, difference)
    shown = page.crawler.elements_in(context, difference)
    focus = focus or page.ring_at(first["id"], context, active, seen.active, shown)
    if not found and not difference.changes and not difference.added:
        for member in row:
            page.page.tell(member["id"], "click", with_focus([], focus) or [{"kind": "inert"}], context.when)
        return None
    control.allow(name)
    page.add_patch(context, control.id, name, found, difference)
    outcome = with_focus([{"kind": "value", "control": control.id, "to": name}], focus)
    for member in row:
        page.page.tell(member["id"], "click", outcome, context.when)
    when = {**context.when, control.id: name}
    page.add_focus(when, active, inactive, focus, seen.active)

    inner = Context(
        when,
        active,
        inactive,
        page.crawler.elements_in(context, difference),
        page.new_home,
        page.reopenings,
        page.desk.home_handle,
        [*context.enter, page.clicker(point)],
    )
    here = Context(when, active, inactive, page.crawler.elements_in(context, difference))
    _again(page, here, row)
    if role == "page tab" and home is not None:
        _between_tabs(page, context, here, control, (home, first), (value_of(page, control), name), tabs)
    if home is not None:
        undo = page.clicker(spot(home["role"], home["bbox"]))
        page.can_set(context, control.id, name, page.clicker(point), undo, inner)
        if first["role"] == "radio button":
            page.switches.append(Switch(control.id, context, inner, page.clicker(point), undo))
    inners.append(inner)
    return None


def value_of(page: PageCrawl, control: Control):
    return page.page.controls[control.id].value


def _between_tabs(page: PageCrawl, context: Context, here: Context, control: Control, pair, names, tabs) -> None:
    """Some toolkits leave the focus on the tabs if it was there: `pair` are the context's tab and another one, which
    shows now."""
    points = [spot("page tab", tab["bbox"]) for tab in pair]
    page.clicker(points[1])()
    for number, shown in ((0, context), (1, here)):
        seen = page.event(lambda at=points[number]: page.desk.click(*page.screen(at)))
        if seen.kind != "seen":
            raise Lost(f"between tabs: {seen.kind}")
        tab = pair[number]["id"]
        difference = matching.difference(shown.elements, seen.records, page.names, view=True)
        focus = page.focus_of(difference, seen)
        if focus is None and not changes.alike(shown.active, seen.active, page.ignored):
            focus = tab
        outcome = with_focus([{"kind": "value", "control": control.id, "to": names[number]}], focus)
        page.page.tell(tab, "click", outcome, context.when, focused=tabs)
    page.desk.go_home()


def _unconditional(page: PageCrawl, control: str, value, context: Context) -> None:
    """A layer of the value that the page shows needs no condition."""
    for layer in page.page.layers:
        if layer.when == {**context.when, control: value}:
            layer.when = dict(context.when)


def _again(page: PageCrawl, context: Context, row: list[dict]) -> None:
    """A click on what is chosen already: it may take the focus, which the choice itself may not have done."""
    first = row[0]
    seen, difference = page.choose_again(context, spot(first["role"], first["bbox"]))
    # GTK 3 does not say that a tab has the focus.
    focus = page.focus_of(difference, seen)
    if focus is None and not changes.alike(context.active, seen.active, page.ignored):
        focus = first["id"]
    page.add_focus(context.when, context.active, context.inactive, focus, seen.active)
    for member in row:
        page.page.tell(member["id"], "click", with_focus([], focus) or [{"kind": "inert"}], context.when)
    page.desk.go_home()
