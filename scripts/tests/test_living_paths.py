"""Ways to values of a living page, and which values a pack has seen once."""

import json

import numpy as np
import pytest
from PIL import Image

from builders import element_record
from capture import sessions
from capture.living.lit_commands import tell as tell_lit
from capture.living.lit_commands import unlit
from capture.living.paths import Click, PagePaths
from capture.living.verify_commands import seen_once, tell
from capture.programs import load

PAGE = "tali/live-preferences--gnome-light"


def control(name, element, values, value, **others):
    return {"line": "control", "id": name, "element": element, "type": "x", "values": values, "value": value, **others}


def choices(*values):
    return {"kind": "choices", "values": list(values)}


def patch(name, value, when=None, elements=(), **others):
    return {"line": "patch", "control": name, "value": value, "when": when or {}, "elements": list(elements),
            "areas": [{"rect": [0, 0, 4, 4], "at": [0, 0]}], "verified": False, **others}  # fmt: skip


def click(element, *outcomes, **others):
    return {"from": PAGE, "element": element, "action": "click", "outcomes": list(outcomes), **others}


def popup(name, when):
    entry = {"id": f"{name}i0", "interactive": True}
    return {"line": "popup", "id": name, "opener": "e5", "when": when, "elements": [entry]}


def sets(name, **how):
    return {"kind": "value", "control": name, **how}


FOCUS = {"kind": "focus", "element": "e1"}
# A tab; on its second side a box that disables the spin button below it; a list that shows its other entry only.
LINES = [
    {"line": "page", "page": PAGE, "inactive": {"kind": "captured"}},
    control("tab", "e0", choices("One", "Two"), "One"),
    control("box", "e3", choices(True, False), True),
    control("spin", "e4", {"kind": "range", "min": 0, "max": 3, "step": 0.5}, 1),
    control("list", "e5", choices("a", "b", "c"), "a"),
    patch("tab", "Two"),
    patch("box", False, {"tab": "Two"}, [{"id": "e4", "state": {"enabled": False}}]),
    patch("spin", 2.0, {"tab": "Two"}, [{"id": "e4", "state": {"value": 2.0}}]),
    patch("spin", 2.0, {"tab": "Two", "box": False}, [{"id": "e4", "state": {"enabled": False, "value": 2.0}}]),
    patch("list", "b"),
    patch("list", "c"),
    patch("spin", 9.0, {"tab": "Two"}),
    popup("p1", {}),
    popup("p2", {"list": "b"}),
]
UP, DOWN = [40, 0, 60, 10], [40, 10, 60, 20]
TRANSITIONS = [
    click("e1", sets("tab", to="One"), FOCUS),
    click("e2", sets("tab", to="Two"), FOCUS),
    click("e3", sets("box", next=True), FOCUS, when={"tab": "Two"}),
    click("e4", sets("spin", by=1), FOCUS, when={"tab": "Two"}, part=UP),
    click("e4", sets("spin", by=-1), FOCUS, when={"tab": "Two"}, part=DOWN),
    click("e5", {"kind": "popup", "popup": "p1"}),
    click("p1i0", {"kind": "popup_closed"}, sets("list", to="b")),
    click("e5", {"kind": "popup", "popup": "p2"}, when={"list": "b"}),
    click("p2i0", {"kind": "popup_closed"}, sets("list", to="c")),
    click("e9", {"kind": "window", "to": "tali/other"}),
]


@pytest.fixture
def paths():
    return PagePaths(LINES, TRANSITIONS, [])


def look(name, value, when=None):
    return next(p for p in LINES if p["line"] == "patch" and (p["control"], p["value"]) == (name, value)
                and (when is None or p["when"] == when))  # fmt: skip


def test_lists_are_opened_and_opened_again_where_they_show_other_entries(paths):
    assert paths.way({}, look("list", "b")) == [Click("e5"), Click("p1i0")]
    assert paths.way({}, look("list", "c")) == [Click("e5"), Click("p1i0"), Click("e5"), Click("p2i0")]
    assert paths.way({"list": "b"}, look("list", "c")) == [Click("e5"), Click("p2i0")]
    assert paths.way({"list": "b"}, look("list", "b")) == []


def test_a_list_is_opened_at_the_value_that_it_belongs_to(paths):
    assert paths.way_to_popup({}, "p1") == [Click("e5")]
    assert paths.way_to_popup({}, "p2") == [Click("e5"), Click("p1i0"), Click("e5")]
    assert paths.way_to_popup({"list": "b"}, "p2") == [Click("e5")]
    assert paths.way_to_popup({}, "p3") is None


def test_a_value_is_set_before_what_disables_it(paths):
    up = Click("e4", tuple(UP))
    plain, disabled = look("spin", 2.0, {"tab": "Two"}), look("spin", 2.0, {"tab": "Two", "box": False})
    assert paths.way({}, plain) == [Click("e2"), up, up]
    assert paths.way({}, disabled) == [Click("e2"), up, up, Click("e3")]
    # The box is ticked again first.
    way = paths.way({"tab": "Two", "box": False}, disabled)
    assert way == [Click("e3"), up, up, Click("e3")]


def test_a_value_is_set_whatever_shows_it(paths):
    assert paths.way_to_value({}, "tab", "Two") == [Click("e2")]
    assert paths.way_to_value({}, "tab", "One") == []
    assert paths.way_to_value({}, "tab", "Three") is None


def test_other_values_are_those_that_clicks_set(paths):
    # The tab's shows the box; numbers are left.
    assert paths.others() == {"tab": "Two", "box": False, "list": "b"}
    assert paths.others(most=1) == {"tab": "Two"}


def test_what_no_clicks_lead_to_has_no_way(paths):
    assert paths.way({}, look("spin", 9.0)) is None
    assert PagePaths(LINES, TRANSITIONS, ["e5"]).way({}, look("list", "b")) is None
    assert PagePaths(LINES, [], []).way({}, look("list", "b")) is None


@pytest.fixture
def pack(tmp_path):
    folder = tmp_path / "windows" / "tali"
    folder.mkdir(parents=True)
    (folder / "0011223344556677.jsonl").write_text("".join(json.dumps(line) + "\n" for line in LINES))
    (folder / "transitions.jsonl").write_text("".join(json.dumps(t) + "\n" for t in TRANSITIONS))
    elements = [{**element_record(n), "state": {"enabled": False} if n == 9 else {}} for n in range(10)]
    living = {"file": "0011223344556677.jsonl", "sha256": "0" * 64, "atlas": None}
    capture = {"id": PAGE, "image": None, "inactive": None, "living": living, "elements": elements}
    (folder / "live-preferences--gnome-light.json").write_text(json.dumps(capture))
    return tmp_path


def test_values_seen_again_are_written_into_the_living_file(pack):
    session = sessions.load("gnome-light")
    once = seen_once(load("tali"), session, pack)
    assert list(once) == [PAGE]
    assert once[PAGE]["entry"] == "preferences"
    assert once[PAGE]["enlarge"] is None
    assert once[PAGE]["disabled"] == ["e9"]
    assert once[PAGE]["once"] == [5, 6, 7, 8, 9, 10, 11]
    folder = pack / "windows" / "tali"
    tell(folder, PAGE, [5, 9], once[PAGE])
    assert not (folder / "0011223344556677.jsonl").exists()
    assert seen_once(load("tali"), session, pack)[PAGE]["once"] == [6, 7, 8, 10, 11]
    with pytest.raises(ValueError, match=PAGE):
        tell(folder, PAGE, [0], once[PAGE])


def test_entries_with_the_pointer_over_them_join_the_file_and_its_atlas(pack):
    session, folder = sessions.load("gnome-light"), pack / "windows" / "tali"
    assert unlit(load("tali"), session, pack)[PAGE]["unlit"] == ["p1", "p2"]
    pictures = {"a": np.full((3, 5, 4), 200, np.uint8), "b": np.full((2, 4, 4), 90, np.uint8)}
    lit = {"p1": {"p1i0": [[[1, 2, 6, 5], "a"], [[1, 6, 5, 8], "b"]]}, "p2": {"p2i0": [[[1, 9, 6, 12], "a"]]}}
    tell_lit(folder, PAGE, lit, pictures)
    capture = json.loads((folder / "live-preferences--gnome-light.json").read_text())
    lines = [json.loads(line) for line in (folder / capture["living"]["file"]).read_text().splitlines()]
    popups = {line["id"]: line["lit"] for line in lines if line["line"] == "popup"}
    atlas = np.asarray(Image.open(folder / capture["living"]["atlas"]["file"]))
    for name, entries in lit.items():
        (layer,) = popups[name]
        ((entry, areas),) = entries.items()
        assert (layer["kind"], layer["element"]) == ("hover", entry)
        for (rect, picture), area in zip(areas, layer["areas"], strict=True):
            (x, y), (high, wide) = area["at"], pictures[picture].shape[:2]
            assert area["rect"] == rect
            assert (atlas[y : y + high, x : x + wide] == pictures[picture]).all()
    # The same picture lies there once.
    assert popups["p1"][0]["areas"][0]["at"] == popups["p2"][0]["areas"][0]["at"]
    assert unlit(load("tali"), session, pack) == {}
