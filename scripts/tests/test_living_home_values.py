"""Layers of the focus at the other values of a check box that is its home."""

import numpy as np

from capture.living.home_values import completed
from capture.living.joined import Told

# Marks of check boxes: off and on without the focus, and as the home has them.
OFF, ON, OFF_LIT, ON_LIT = ([8 * n, 0] for n in range(4))


def atlas(on_lit=2):
    out = np.zeros((8, 32, 4), np.uint8)
    out[:, 0:8], out[:, 8:16], out[:, 16:24], out[:, 24:32] = 1, 2, 3, on_lit
    return out


def box(number):
    return [0, 10 * number, 60, 10 * number + 8]


def mark(number, at):
    x, y = box(number)[:2]
    return {"rect": [x, y, x + 8, y + 8], "at": at}


def lines(off=3):
    """Check boxes 0 to 3, of which 0 is home: the others have a layer that takes its ring away."""
    out = [{"line": "page", "focus_home": "e0"}]
    out += [{"line": "control", "id": f"c-e{n}", "element": f"e{n}", "type": "check_box"} for n in range(4)]
    out += [{"line": "patch", "control": f"c-e{n}", "value": True, "areas": [mark(n, ON)]} for n in range(1, 4)]
    out.append({"line": "patch", "control": "c-e0", "value": True, "areas": [mark(0, ON_LIT)]})
    layers = [
        {"line": "layer", "kind": "focus", "element": f"e{n}", "areas": [mark(0, OFF)]} for n in range(1, 1 + off)
    ]
    return [*out, *layers, {"line": "rule"}]


def complete(base, look, clicked=()):
    focus = [{"outcomes": [{"kind": "focus", "element": name}]} for name in clicked]
    return completed(Told([{"id": f"e{n}", "bbox": box(n)} for n in range(4)], base, focus), look)


def told(base, look, clicked=()):
    return [line for line in complete(base, look, clicked) if line not in base]


def test_a_ticked_home_that_shows_no_ring_has_none_to_lose():
    added = told(lines(), atlas())
    assert sorted((la["element"], la["when"], la["areas"]) for la in added) == [
        (name, {"c-e0": True}, []) for name in ("e1", "e2", "e3")
    ]


def test_a_ticked_home_with_a_ring_looks_as_the_others_without_the_focus():
    added = told(lines(), atlas(on_lit=4))
    assert [la["areas"] for la in added] == [[mark(0, ON)]] * 3


def test_what_lies_beside_the_home_stays():
    base = lines()
    # Ten rows: those of the home, none, and one of the next box.
    base[-2]["areas"] = [{"rect": [0, 0, 8, 11], "at": [0, 0], "mask": [0, 64, 16, 8]}]
    added = {la["element"]: la for la in told(base, atlas())}
    assert added["e3"]["areas"] == [{"rect": [0, 10, 8, 11], "at": [0, 10]}]


def test_layers_come_after_those_that_are_there():
    assert [line["line"] for line in complete(lines(), atlas())[-7:]] == ["layer"] * 6 + ["rule"]


def test_values_of_other_controls_stay_conditions():
    base = lines()
    base[-2]["when"] = {"c-e3": True}
    assert {"c-e3": True, "c-e0": True} in [la["when"] for la in told(base, atlas())]


def test_it_is_told_once():
    once = complete(lines(), atlas())
    assert complete(once, atlas()) == once


def test_a_home_that_shows_its_ring_at_the_other_value_alone_loses_it_to_what_takes_the_focus():
    added = told(lines(off=0), atlas(on_lit=4), ["e0", "e2", "e9"])
    assert sorted((la["element"], la["areas"]) for la in added) == [("e2", [mark(0, ON)]), ("e9", [mark(0, ON)])]


def test_a_list_leaves_the_home_to_the_layer_of_what_opened_it():
    drawn = [mark(0, OFF), {"rect": [40, 40, 60, 80], "at": [0, 0]}]
    base = [*lines(), {"line": "popup", "opener": "e1", "rect": [40, 40, 60, 80], "areas": drawn}]
    assert complete(base, atlas())[-1]["areas"] == drawn[1:]


def test_nothing_is_told_where_others_look_different():
    base = lines()
    base[5]["areas"] = [mark(1, OFF)]
    assert told(base, atlas()) == []


def test_nothing_is_told_of_a_box_that_few_others_touch():
    assert told(lines(off=2), atlas()) == []
