"""What a crawl knows of a page, and the lines that are made of it."""

import json
from types import SimpleNamespace

import numpy as np

from builders import element_record
from capture.living import carried, changes, sticky, verify
from capture.living.context import Context
from capture.living.lines import PageWriter, as_text
from capture.living.page import Control, Layer, LivingPopup, Page, Patch, break_cycles, find_conflicts, order
from capture.living.records import with_field
from capture.living.views import finish
from test_living_changes import plain, with_box

OFFSET = (5, 7)


def parts(box, level=20):
    return changes.pieces(plain(), with_box(box, level), None)


def page():
    """Two check boxes, and a button that lights up with either."""
    elements = [{**element_record(n), "interactive": True} for n in range(3)]
    elements[2] |= {"role": "push button", "bbox": [45, 37, 65, 45], "state": {"enabled": False}}
    out = Page("live-x", elements, focus_home="e0")
    for n, box in ((0, (0, 0, 8, 8)), (1, (0, 20, 8, 28))):
        out.controls[f"c-e{n}"] = Control(f"c-e{n}", f"e{n}", "check_box", False, [False, True])
        lit = [{"id": f"e{n}", "state": {"checked": True}}, {"id": "e2", "state": {}}]
        out.patches.append(Patch(f"c-e{n}", True, {}, [*parts(box), *parts((42, 31, 58, 37))], lit))
        out.tell(f"e{n}", "click", [{"kind": "value", "control": f"c-e{n}", "next": True}])
    return out


def lines_of(known):
    lines, atlas = PageWriter(known, OFFSET).lines("x/live-x")
    return [json.loads(line) for line in as_text(lines).splitlines()], atlas


def test_a_button_that_follows_from_others_is_derived():
    lines, _ = lines_of(page())
    (rule,) = [line for line in lines if line["line"] == "rule"]
    assert rule["test"] == {"is": "changed", "controls": ["c-e0", "c-e1"]}
    patches = [line for line in lines if line["line"] == "patch"]
    assert [[e["id"] for e in p["elements"]] for p in patches] == [["e2"], ["e0"], ["e1"]]
    assert [len(p["areas"]) for p in patches] == [1, 1, 1]


def test_lines_lie_in_the_pages_picture_and_in_its_atlas():
    lines, atlas = lines_of(page())
    assert lines[0]["coverage"] == {"elements": 3, "known": 2}
    areas = [area for line in lines for area in line.get("areas", ())]
    assert [5, 7, 13, 15] in [area["rect"] for area in areas]
    for area in areas:
        x, y = area["at"]
        wide, high = (area["rect"][i + 2] - area["rect"][i] for i in (0, 1))
        assert x + wide <= atlas.shape[1]
        assert y + high <= atlas.shape[0]


def test_what_was_told_of_a_control_is_forgotten_whole():
    known = page()
    told = (("e0", {}), ("e1", {"c-e0": True}), ("e1", {}))
    known.layers = [Layer("focus", element, when, []) for element, when in told]
    known.tell("p1i0", "click", [{"kind": "popup_closed"}, {"kind": "value", "control": "c-e0", "to": False}])
    known.forget("e0", {})
    assert list(known.controls) == ["c-e1"]
    assert [p.control for p in known.patches] == ["c-e1"]
    assert [(la.element, la.when) for la in known.layers] == [("e1", {})]
    assert [t["element"] for t in known.transitions] == ["e1"]


def test_every_change_sets_what_stays_changed():
    known = page()
    known.sticky = {"e2": (40, 30, 60, 40)}
    known.tell("e2", "click", [{"kind": "value", "control": "s-e2", "to": False}])
    known.tell(None, {"key": "Escape"}, [{"kind": "closed", "to": None}])
    sticky.tell(known)
    sets = {"kind": "value", "control": "s-e2", "to": True}
    assert [sets in t["outcomes"] for t in known.transitions] == [True, True, False, False]


def test_the_first_that_is_told_of_a_click_stands():
    known = page()
    known.unknown("e0", "later")
    known.unknown("e2", "not tried")
    assert [t["outcomes"][0]["kind"] for t in known.transitions] == ["value", "value", "unmodelled"]
    assert known.coverage() == {"elements": 3, "known": 2}


def two_that_differ():
    """Two check boxes whose looks share a box and do not agree."""
    known = page()
    known.patches = [
        Patch("c-e0", True, {}, parts((0, 0, 8, 8)), []),
        Patch("c-e1", True, {}, parts((4, 4, 16, 16), 90), []),
    ]
    return known


def test_values_of_which_nobody_knows_the_look_together_are_in_conflict():
    known = two_that_differ()
    ((upper, lower),) = find_conflicts(known, known.patches)
    assert (upper.control, lower.control) == ("c-e1", "c-e0")
    order(known)
    assert known.rules == [{"kind": "conflict", "controls": ["c-e0", "c-e1"]}]


def test_values_that_were_seen_together_are_not_in_conflict():
    known = two_that_differ()
    known.patches.append(Patch("c-e1", True, {"c-e0": True}, parts((4, 4, 16, 16), 50), [], over={"c-e0"}))
    assert find_conflicts(known, known.patches) == []
    order(known)
    assert known.rules == []
    assert [p.over for p in known.patches] == [set(), {"c-e0"}, {"c-e0"}]


def test_a_click_may_do_something_else_while_tabs_have_the_focus():
    known = Page("live-x", [])
    for focused in ([], ["e1", "e2"], ["e1", "e2"]):
        known.tell("e1", "click", [{"kind": "inert"}], focused=focused)
    assert [t["focused"] for t in known.transitions] == [[], ["e1", "e2"]]


def test_another_page_was_seen_from_the_values_of_the_picture_alone():
    known = page()
    known.tell("e2", "click", [{"kind": "page", "to": "live-y"}], {"c-e0": True})
    finish(known)
    whens = [t["when"] for t in known.transitions]
    assert whens == [{}, {}, {"c-e0": True, "c-e1": False}]


def test_another_page_that_came_at_all_values_says_so():
    known = page()
    known.tell("e2", "click", [{"kind": "popup_closed"}, {"kind": "page", "to": "live-y"}], always=True)
    finish(known)
    assert known.transitions[-1]["when"] == {}


def test_what_a_woken_button_does_was_seen_with_one_value_set():
    known = page()
    known.woken, known.sticky = {"e2"}, {"e9": (0, 0, 8, 8)}
    known.tell("e2", "click", [{"kind": "window", "to": "live-y"}], {"c-e0": True})
    finish(known)
    assert known.transitions[-1]["when"] == {"c-e0": True, "c-e1": False, "s-e9": True}


def test_a_list_with_a_field_is_opened_beside_it():
    box = {**element_record(0), "role": "combo box", "bbox": [10, 10, 90, 30], "state": {}}
    field = {**element_record(1), "role": "entry", "bbox": [10, 10, 70, 30], "state": {"editable": True}}
    assert with_field(box, [box, field])["state"] == {"editable": True}
    assert with_field(box, [box, {**field, "bbox": [10, 40, 70, 60]}]) == box


def test_a_key_may_close_a_list_and_otherwise_the_window():
    known = Page("live-x", [])
    for kind in ("popup_closed", "closed", "closed"):
        known.tell(None, {"key": "Escape"}, [{"kind": kind}])
    assert [t["outcomes"][0]["kind"] for t in known.transitions] == ["popup_closed", "closed"]


def test_of_two_controls_one_depends_on_the_other():
    known = two_that_differ()
    together = [("c-e1", {"c-e0": True}), ("c-e0", {"c-e1": True})]
    known.patches += [Patch(control, True, when, [], [], joint=True) for control, when in together]
    break_cycles(known)
    assert [(p.control, p.when) for p in known.patches[2:]] == [("c-e1", {"c-e0": True})]


def test_a_control_lies_over_those_that_it_depends_on():
    known = two_that_differ()
    known.patches.append(Patch("c-e0", True, {"c-e1": True}, parts((4, 4, 16, 16), 50), [], over={"c-e1"}, joint=True))
    order(known)
    assert known.rules == []
    assert [p.over for p in known.patches] == [{"c-e1"}, set(), {"c-e1"}]


def test_nothing_is_told_of_what_the_page_does_not_have():
    known = page()
    known.tell("p1i0", "click", [{"kind": "popup_closed"}])
    finish(known)
    assert {t["element"] for t in known.transitions} == {"e0", "e1"}


def test_what_was_told_of_the_only_value_of_a_control_holds_always():
    known = page()
    known.layers = [Layer("focus", "e1", {"c-e0": False}, [])]
    known.tell("e1", {"key": "space"}, [{"kind": "inert"}], {"c-e0": False})
    known.tell("e1", {"key": "Tab"}, [{"kind": "inert"}], {"c-e0": True})
    known.drop("c-e0")
    assert list(known.controls) == ["c-e1"]
    assert [p.control for p in known.patches] == ["c-e1"]
    assert known.layers[0].when == {}
    told = [t["when"] for t in known.transitions if t["element"] == "e1"]
    assert told == [{}, {}]


def test_what_was_told_of_a_control_of_which_nothing_is_known_goes_with_it():
    known = page()
    known.layers = [Layer("focus", "e1", {"c-e0": False}, []), Layer("focus", "e1", {}, [])]
    known.tell("e1", {"key": "Tab"}, [{"kind": "inert"}], {"c-e0": True})
    others = [t for t in known.transitions if "c-e0" not in t["when"]]
    known.discard("c-e0")
    assert list(known.controls) == ["c-e1"]
    assert [p.control for p in known.patches] == ["c-e1"]
    assert [layer.when for layer in known.layers] == [{}]
    assert known.transitions == others


def test_an_element_has_one_layer_for_the_same_values():
    known = page()
    first, second = (Layer("focus", "e1", {"c-e0": True}, parts((0, 0, 8, 8), level)) for level in (20, 30))
    known.layers = [first, second, Layer("focus", "e1", {}, [])]
    finish(known)
    assert [layer is first for layer in known.layers] == [True, False]


def test_a_list_is_pictured_whole_once_and_then_where_it_differs():
    looks = [np.dstack([look, np.full(look.shape[:2], 255, np.uint8)]) for look in (plain(), with_box((8, 8, 24, 16)))]
    known = page()
    rect = (3, 4, 67, 44)
    for n, look in enumerate([*looks, 255 - looks[0]]):
        known.popups.append(LivingPopup(f"p{n}", "list", "e0", {}, rect, look, [], [], plain()))
    lines, atlas = lines_of(known)
    popups = [line for line in lines if line["line"] == "popup"]
    assert [len(popup["areas"]) for popup in popups] == [1, 2, 1]
    for popup, look in zip(popups, [*looks, 255 - looks[0]], strict=True):
        shown = np.zeros_like(look)
        for area in popup["areas"]:
            x0, y0, x1, y1 = (area["rect"][i] - rect[i % 2] for i in range(4))
            x, y = area["at"]
            shown[y0:y1, x0:x1] = atlas[y : y + y1 - y0, x : x + x1 - x0]
        assert np.array_equal(shown, look)


def test_of_a_long_list_some_values_are_seen_twice():
    told = [verify.Setter(control, n, {}, print, print) for n in range(20) for control in ("c-e0", "c-e1")]
    told = told[:31]
    seen = verify.of_each(told, 12)
    assert [(s.control, s.value) for s in seen] == [(s.control, s.value) for s in told[:24]]


def test_a_number_that_lies_beside_its_scale_has_one_that_holds_it():
    control = Control("c-n13", "n13", "stepper", 0.49, range=(0.2, 39.37, 0.02))
    assert control.domain() == {"kind": "range", "min": 0.21, "max": 39.37, "step": 0.02}


def test_what_two_choices_wake_is_kept_once(monkeypatch):
    """Two of three radio buttons wake a check box, which the first one puts to sleep."""
    asleep, awake = ([element_record(9, state={"enabled": on})] for on in (False, True))
    crawl, setters, switches = SimpleNamespace(page=page(), late=False), [], []
    crawl.page.controls["g"] = Control("g", "e8", "radio_group", "Auto", ["Auto", "Word", "Letter"])
    crawl.page.controls["c-e9"] = Control("c-e9", "e9", "check_box", False, [False, True])
    for value in ("Word", "Letter"):
        inner = Context({"g": value}, None, None, awake)
        switches.append(carried.Switch("g", Context({}, None, None, asleep), inner, None, None))
        setters.append(verify.Setter("c-e9", True, {"g": value}, None, None, None))
    crawl.switches, crawl.setters = switches, setters
    crawl.guarded = lambda context, _what, drive, *arguments: drive(crawl, context, *arguments)

    def keep(crawl, *arguments):
        setter, when = arguments[2], arguments[-1]
        crawl.page.patches.append(Patch(setter.control, setter.value, dict(when), [], []))

    monkeypatch.setattr(carried, "_keep", keep)
    carried.carry(crawl, switches[0].outer)
    assert [p.when for p in crawl.page.patches if p.control == "c-e9"] == [{"g": "Auto"}]


def test_a_patch_that_says_what_it_lies_over_is_in_no_conflict():
    known = page()
    for n, level in ((0, 30), (1, 60)):
        known.patches[n].pieces = parts((0, 0, 8, 8), level)
    known.patches[1].over = {"c-e0"}
    order(known)
    assert not [rule for rule in known.rules if rule["kind"] == "conflict"]
    assert [patch.over for patch in known.patches] == [set(), {"c-e0"}]
