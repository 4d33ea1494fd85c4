import json

import pytest

from builders import capture_record, element_record
from capture.walks import chains, placed_everywhere, stateful_controls, transitions


def walked(*steps):
    return [{"from": f"editor/{a}", "to": f"editor/{b}"} for a, b in steps]


STATES = [capture_record(name) for name in ("main", "menu", "dialog", "page", "set")]
WAY = [("main", "menu"), ("menu", "dialog"), ("dialog", "page"), ("page", "set")]


@pytest.mark.parametrize(
    ("steps", "number"),
    [
        ([], 0),
        (WAY[:2], 0),
        (WAY[:3], 1),  # page is three clicks away
        (WAY, 2),
        ([*WAY, ("main", "page")], 1),  # a shorter way to the page: now the click on it leads back
        ([*WAY, ("main", "dialog")], 1),
        ([*WAY[:3], ("dialog", "main")], 2),  # and back from a dialog two clicks away
        ([*WAY[:3], ("menu", "main")], 1),
        ([("other", "page")], 0),  # no way from a main window
    ],
)
def test_chains_of_three_clicks(steps, number):
    assert chains(STATES, walked(*steps)) == number


def box(checked, **others):
    return element_record(0, role="check box", name="Wrap", state={"checked": checked}, **others)


def controls(*elements, **window):
    return stateful_controls([capture_record(f"s{i}", elements=[e], **window) for i, e in enumerate(elements)])


def test_controls_in_two_states():
    assert controls(box(True), box(False)) == (1, 1)
    assert controls(box(True), box(True)) == (1, 0)
    assert controls(box(True), box(False, bbox=[90, 90, 99, 99])) == (2, 0), "another place is another control"
    assert controls(box(True), box(False) | {"state": {"enabled": False}}) == (1, 0), "no state that a click sets"
    assert controls(element_record(0, role="push button", state={"checked": True})) == (0, 0)
    assert controls(box(True) | {"name": ""}) == (0, 0)


def test_a_place_is_told_from_the_window():
    moved = box(False) | {"bbox": [15, 17, 35, 37]}
    pair = [capture_record("a", elements=[box(True)]), capture_record("b", elements=[moved], frame=[5, 7, 205, 107])]
    assert stateful_controls(pair) == (1, 1)


def test_programs_in_all_kinds_of_places():
    def at(program, *placements):
        return [capture_record(p, program, placement=p) for p in placements]

    everywhere = at("a", "floating", "maximized", "right_half", "bottom_left")
    assert placed_everywhere(everywhere + at("b", "maximized", "left_half", "right_half")) == 1


def test_transitions_of_all_programs(tmp_path):
    for name in ("b", "a"):
        (tmp_path / "windows" / name).mkdir(parents=True)
        former = {"from": f"{name}/main", "to": f"{name}/menu", "offset": None}
        outcomes = [{"kind": "popup_closed"}, {"kind": "window", "to": f"{name}/dialog", "offset": [1, 2]}]
        present = {"from": f"{name}/menu", "outcomes": outcomes}
        nowhere = {"from": f"{name}/menu", "outcomes": [{"kind": "inert"}]}
        lines = "".join(json.dumps(line) + "\n" for line in (former, present, nowhere))
        (tmp_path / "windows" / name / "transitions.jsonl").write_text(lines)
    steps = [(t["from"], t["to"]) for t in transitions(tmp_path)]
    assert steps == [("a/main", "a/menu"), ("a/menu", "a/dialog"), ("b/main", "b/menu"), ("b/menu", "b/dialog")]
