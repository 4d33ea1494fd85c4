"""Pages of one window in two sizes: what is the same on both has the same ids."""

import json
from types import SimpleNamespace

from capture.living.joined import Told, aligned, differences, join, unlike
from capture.living.publish_living import _join


def element(name, words, role="check box", **more):
    return {"id": name, "parent": None, "role": role, "name": words, "bbox": [0, 0, 9, 9], "state": {}, **more}


def control(name, of, values=(False, True), kind="check_box"):
    domain = {"kind": "choices", "values": list(values)}
    return {"line": "control", "id": name, "element": of, "type": kind, "values": domain, "value": values[0]}


def patch(name, value, added=(), when=None, changes=()):
    line = {"line": "patch", "control": name, "value": value, "areas": [], "added": list(added)}
    return {**line, **({"when": when} if when else {}), "elements": list(changes)}


def small():
    """A box, and a list of tabs of which the second one shows another box."""
    shown = [element("n1", "Case")]
    lines = [
        {"line": "page", "focus_home": "e2"},
        control("c-e1", "e1"),
        control("g-e2", "e2", ("View", "Edit"), "tabs"),
        control("c-n1", "n1"),
        patch("c-e1", True, changes=[{"id": "e1", "state": {"checked": True}}]),
        patch("g-e2", "Edit", shown),
        patch("c-n1", True, when={"g-e2": "Edit"}),
    ]
    base = [element("e0", "Maximize", "push button"), element("e1", "Wrap"), element("e2", "View", "page tab")]
    return Told(base, lines)


def large():
    """The same with a row that only shows here, so that all ids are others."""
    elements = [
        element("e0", "Restore", "push button"),
        element("e1", "More"),
        element("e2", "Wrap"),
        element("e3", "View", "page tab"),
    ]
    lines = [
        {"line": "page", "focus_home": "e3"},
        control("c-e1", "e1"),
        control("c-e2", "e2"),
        control("g-e3", "e3", ("View", "Edit"), "tabs"),
        control("c-n2", "n2", (False,)),
        patch("c-e1", True),
        patch("c-e2", True, changes=[{"id": "e2", "state": {"checked": True}}]),
        patch("g-e3", "Edit", [element("n1", "Also"), element("n2", "Case")]),
        patch("c-n2", True, when={"g-e3": "Edit"}),
        {"line": "rule", "kind": "conflict", "controls": ["c-e1", "c-n2"]},
        {"line": "layer", "kind": "focus", "element": "n2", "when": {"g-e3": "Edit"}, "areas": []},
    ]
    back = {"kind": "maximised", "to": "live-x", "carries": {"focus": True}}
    sets = [{"kind": "value", "control": "c-e2", "next": True}, {"kind": "focus", "element": "e2"}]
    tell = {"part": None, "action": "click", "when": {}, "focused": []}
    transitions = [
        {**tell, "element": "e0", "outcomes": [back]},
        {**tell, "element": "e2", "outcomes": sets, "when": {"c-n2": False}, "focused": ["n1"]},
    ]
    return Told(elements, lines, transitions)


def test_what_is_the_same_on_both_pages_gets_the_same_ids():
    joined = join(small(), large())
    assert {e["name"]: e["id"] for e in joined.elements} == {"Restore": "e0", "More": "le1", "Wrap": "e1", "View": "e2"}
    assert [line["id"] for line in joined.of("control")] == ["lc-e1", "c-e1", "g-e2", "c-n1"]
    (views,) = [line for line in joined.of("patch") if line["control"] == "g-e2"]
    assert {e["name"]: e["id"] for e in views["added"]} == {"Also": "ln1", "Case": "n1"}
    assert joined.of("page")[0]["focus_home"] == "e2"
    assert joined.of("rule")[0]["controls"] == ["lc-e1", "c-n1"]
    assert joined.of("layer")[0] == {**large().of("layer")[0], "element": "n1", "when": {"g-e2": "Edit"}}
    told = joined.transitions[1]
    assert (told["element"], told["when"], told["focused"]) == ("e1", {"c-n1": False}, ["ln1"])
    assert [o.get("control") or o.get("element") for o in told["outcomes"]] == ["c-e1", "e1"]
    # Once it has these ids, it keeps them.
    assert join(small(), joined) == joined


def test_controls_that_two_pages_do_not_have_alike():
    assert unlike(small(), small()) == []
    assert unlike(small(), join(small(), large())) == ["c-n1", "lc-e1"]
    one, other = (Told([], [control("c", "e", values)]) for values in ((1, 2.0, "a"), ("a", 2, 1.0)))
    assert unlike(one, other) == []
    other.lines[0]["type"] = "derived"
    assert unlike(one, other) == ["c"]


def test_elements_are_paired_in_order_by_role_and_name():
    before = [element(str(n), name) for n, name in enumerate(["A", "", "B", "", "C"])]
    now = [element(str(n), name) for n, name in enumerate(["A", "", "C", "", "D"])]
    assert aligned(before, now) == {0: 0, 1: 1, 4: 2}
    assert aligned([], now) == {}


def test_what_two_sizes_of_a_window_say_differently():
    elements = [element("e7", "Wrap", interactive=True), element("e8", "Case", interactive=True)]
    ticked = [dict(elements[0], state={"checked": True, "focused": True, "core": [1, 2, 3, 4]}), elements[1]]
    moved = [element("e0", "More"), dict(ticked[0], state={"checked": True, "core": [5, 6, 7, 8]})]
    assert differences(elements, (ticked, 0), (moved, None), ["e7"]) == []
    assert differences(elements, (ticked, 0), (moved, None), ["e8"]) == ["e8 is not there"]
    # What is set may name it.
    called = dict(ticked[0], name="On")
    assert differences(elements, ([called], 0), ([called], 0), ["e7"]) == []
    (told,) = differences(elements, (ticked, 0), (elements, None), ["e7"])
    assert told.startswith("check box Wrap: ")


def left(tmp_path, state, told):
    """A crawl's files of a page, and its record."""
    (tmp_path / f"{state}.living.jsonl").write_text("".join(json.dumps(line) + "\n" for line in told.lines))
    (tmp_path / f"{state}.transitions.json").write_text(json.dumps(told.transitions))
    return {"state": state, "id": f"x/{state}", "elements": told.elements}


def joined_in(tmp_path, first, second):
    first.transitions = [
        {"element": "e0", "part": None, "action": "click", "when": {}, "focused": [], "outcomes": [
            {"kind": "maximised", "to": "live-x-max", "carries": {"focus": True}}]}
    ]  # fmt: skip
    records = [left(tmp_path, "live-x", first), left(tmp_path, "live-x-max", second)]
    place = SimpleNamespace(id="x", suffix="")
    known = _join(place, place, tmp_path, tmp_path / "windows" / "x", records)
    told = [json.loads((tmp_path / f"{r['state']}.transitions.json").read_text()) for r in records]
    return known, records, told


def test_both_ways_say_which_controls_stay_behind(tmp_path):
    known, records, told = joined_in(tmp_path, small(), large())
    carries = {"focus": True, "without": ["c-n1", "lc-e1"]}
    assert [t["outcomes"][0]["carries"] for t, *_ in told] == [carries, carries]
    assert [t["when"] for t, *_ in told] == [{}, {}]
    assert [e["id"] for e in records[1]["elements"]] == ["e0", "le1", "e1", "e2"]
    assert known == {}


def test_a_large_window_that_does_not_live_was_pictured_once(tmp_path):
    _, _, told = joined_in(tmp_path, small(), Told(large().elements))
    (line,) = told[0]
    assert line["outcomes"] == [{"kind": "maximised", "to": "live-x-max"}]
    assert line["when"] == {"c-e1": False, "g-e2": "View", "c-n1": False}


def test_scroll_areas_of_the_large_page_keep_their_bars():
    told = large()
    bars = [{"axis": "y", "element": "e2"}]
    told.lines.append({"line": "scroll_area", "element": "e3", "elements": [element("s1-0", "Row")], "bars": bars})
    first = small()
    first.lines.append({"line": "scroll_area", "element": "e1", "elements": [element("s1-0", "Other")]})
    (area,) = join(first, told).of("scroll_area")
    assert (area["element"], area["bars"][0]["element"]) == ("e2", "e1")
    assert area["elements"][0]["id"] == "ls1-0"
