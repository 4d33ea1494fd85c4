"""A tree at the side of a dialog: which parts of a click belong to rows, and what the controls of it say."""

import numpy as np

from builders import element_record
from capture.living import changes, side_list
from capture.living.matching import Difference
from capture.living.page import Page, controls_of
from capture.living.side_list import NO_HEADING, SideList
from capture.living.views import finish, has_views
from test_living_changes import plain, with_box
from test_living_pages import lines_of

# A heading, two pages below it, and another heading; the first page shows.
LIST = (0, 0, 20, 38)
BOXES = [(2, top, 18, top + 6) for top in (1, 9, 17, 25)]
NAMES = ["Group", "First", "Second", "Other"]
HOME = 1
IDS = [f"e{number}" for number in range(4)]


def row(number, **state):
    return {**element_record(number), "role": "table cell", "name": NAMES[number], "interactive": True, "state": state}


def picture(chosen, shown=HOME):
    """The list with a row lit, and a page beside it."""
    base = with_box(BOXES[chosen], 20)
    return base if shown == HOME else with_box((30, 5, 50, 30), 90, base)


def clicked(number, shown=HOME):
    difference = Difference([{"id": IDS[HOME], "state": {"selected": False}}])
    difference.changes.append({"id": IDS[number], "state": {"selected": True}})
    if shown != HOME:
        difference.changes.append({"id": "e9", "gone": True})
        difference.added.append({**element_record(7), "id": "n1", "interactive": True})
    found = changes.pieces(picture(HOME), picture(number, shown), None)
    return side_list.split(found, difference, side_list.bands(BOXES, LIST), IDS)


def crawled():
    page = Page("live-x", [*(row(n, selected=n == HOME) for n in range(4)), {**element_record(9), "interactive": True}])
    known = SideList(page, IDS, NAMES, HOME)
    known.leave_home(clicked(2, 2))
    known.add_page(2, clicked(2, 2))
    for heading in (0, 3):
        known.add_heading(heading, clicked(heading))
    known.tell_rules()
    for number in range(4):
        page.tell(IDS[number], "click", known.outcome(number, number in (0, 3)))
    return page, known


def drawn(page, values):
    """The picture with the patches of these values, those of rows by the rules."""
    rules = {rule["control"]: rule for rule in page.rules}
    out = picture(HOME)
    for patch in page.patches:
        value = values.get(patch.control, page.controls[patch.control].value)
        if patch.control in rules:
            holds = holds_now(rules[patch.control]["test"], page, values)
            value = rules[patch.control]["value"] if holds else not rules[patch.control]["value"]
        if value == patch.value:
            out = changes.drawn(out, patch.pieces)
    return out


def holds_now(test, page, values):
    if test["is"] == "not":
        return not holds_now(test["test"], page, values)
    if test["is"] == "all":
        return all(holds_now(part, page, values) for part in test["tests"])
    return values.get(test["control"], page.controls[test["control"]].value) == test["value"]


def test_a_tree_has_rows_that_open():
    assert side_list.has_headings([row(0, expanded=True), row(1)])
    assert not side_list.has_headings([row(0), row(1)])
    assert not side_list.has_headings([{**row(0, expanded=True), "role": "page tab"}])


def test_rows_meet_in_the_middle_and_the_last_one_ends():
    assert side_list.bands(BOXES, LIST) == [(0, 0, 20, 8), (0, 8, 20, 16), (0, 16, 20, 24), (0, 24, 20, 37)]


def test_what_a_click_changes_is_told_row_by_row():
    parts = clicked(2, 2)
    assert set(parts.rows) == set(parts.states) == {1, 2}
    assert parts.shows_page
    assert [p.rect for p in parts.pieces] == [(30, 5, 50, 30)]
    assert [c["id"] for c in parts.difference.changes] == ["e9"]
    heading = clicked(3)
    assert not heading.shows_page
    assert set(heading.rows) == {1, 3}


def test_a_heading_leaves_the_page_that_shows():
    page, known = crawled()
    assert known.outcome(2, heading=False) == [
        {"kind": "value", "control": "p-e1", "to": "Second"},
        {"kind": "value", "control": "h-e0", "to": NO_HEADING},
    ]
    assert known.outcome(3, heading=True) == [{"kind": "value", "control": "h-e0", "to": "Other"}]
    for values, seen in (
        ({}, picture(HOME)),
        ({"p-e1": "Second"}, picture(2, 2)),
        ({"h-e0": "Group"}, picture(0)),
        ({"p-e1": "Second", "h-e0": "Other"}, picture(3, 2)),
    ):
        assert np.array_equal(drawn(page, values), seen)


def test_rows_that_follow_from_others_stay_in_the_page():
    page, _ = crawled()
    finish(page)
    assert set(page.controls) == {"p-e1", "h-e0", "r-e1", "r-e2"}
    lines, _ = lines_of(page)
    assert {line["kind"] for line in lines if line["line"] == "rule"} == {"derived"}
    assert page.coverage() == {"elements": 5, "known": 4}


def test_a_button_that_resets_may_mean_one_page_alone():
    page, known = crawled()
    assert has_views(page)
    known.remove()
    assert not has_views(page)


def test_a_heading_that_does_something_else_is_dropped():
    page, known = crawled()
    known.drop_heading(0)
    assert page.controls["h-e0"].values == [NO_HEADING, "Other"]
    known.drop_heading(3)
    assert known.headings is None
    assert not [p for p in page.patches if p.control == "h-e0"]
    assert known.outcome(2, heading=False) == [{"kind": "value", "control": "p-e1", "to": "Second"}]


def test_a_list_that_was_not_understood_leaves_nothing():
    page, known = crawled()
    known.remove()
    assert (page.controls, page.patches) == ({}, [])


def test_tests_of_rules_tell_their_controls():
    equal = {"is": "equal", "control": "a", "value": 1}
    both = {"is": "all", "tests": [equal, {"is": "not", "test": {"is": "changed", "controls": ["b", "c"]}}]}
    assert controls_of(both) == {"a", "b", "c"}


def test_a_title_that_changes_is_drawn_above_the_window():
    page, _ = crawled()
    patch = next(p for p in page.patches if p.control == "p-e1")
    patch.caption = [changes.Piece((2, -6, 6, -2), np.ones((4, 4), bool), plain(4, 4, 9), None)]
    lines, _ = lines_of(page)
    own = next(line for line in lines if line["line"] == "patch" and line["control"] == "p-e1")
    assert [7, 1, 11, 5] in [area["rect"] for area in own["areas"]]
