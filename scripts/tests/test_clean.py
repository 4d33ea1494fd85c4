import json

import numpy as np
import pytest

from builders import capture_record, element_record, speckled, write_capture
from capture.clean import clean, clean_elements, clean_folder

PIXELS = speckled(200, 100)
MENU = {"rect": [20, 20, 120, 90], "kind": "menu"}


def dropped(*elements, popups=(), pixels=PIXELS):
    capture = capture_record(
        "main", elements=[element_record(i, **e) for i, e in enumerate(elements)], popups=list(popups)
    )
    return clean_elements(capture, pixels), capture


def test_fit_elements_stay():
    gone, capture = dropped({}, {}, {"role": "label", "interactive": False})
    assert gone == set()
    assert len(capture["elements"]) == 3


def test_the_same_twice():
    twin = {"name": "Add", "bbox": [10, 10, 30, 30]}
    gone, _ = dropped(twin, twin, twin | {"role": "link"})
    assert gone == {"e1"}


def test_a_blank_box_that_acts():
    pixels = PIXELS.copy()
    pixels[10:30, 40:60] = (200, 200, 200, 255)
    assert dropped({}, {}, pixels=pixels)[0] == {"e1"}
    assert dropped({}, {"interactive": False}, pixels=pixels)[0] == set()


def test_what_a_popup_covers():
    covered, beside = {"bbox": [30, 30, 80, 60]}, {"bbox": [130, 10, 180, 30]}
    item = {"bbox": [30, 30, 80, 60], "name": "Item", "popup": 0}
    assert dropped(covered, beside, item, popups=[MENU])[0] == {"e0"}


def test_what_a_later_popup_covers():
    submenu = {"rect": [60, 20, 180, 90], "kind": "menu"}
    below, shown = {"bbox": [30, 30, 110, 50], "popup": 0}, {"bbox": [70, 30, 170, 50], "popup": 1}
    assert dropped(below, shown, popups=[MENU, submenu])[0] == {"e0"}


def test_elements_of_a_popup_are_cut_to_it():
    gone, capture = dropped({"bbox": [10, 30, 140, 50], "popup": 0}, popups=[MENU])
    assert gone == set()
    assert capture["elements"][0]["bbox"] == [20, 30, 120, 50]


def test_pages_of_closed_submenus():
    filling = {"bbox": [0, 0, 200, 100], "role": "menu item", "popup": 0}
    shown = {"bbox": [30, 30, 110, 50], "role": "menu item", "popup": 0}
    assert dropped(filling, shown, popups=[MENU])[0] == {"e0"}
    assert dropped(filling, popups=[MENU])[0] == set(), "an item alone may fill its menu"


def test_children_move_to_the_next_ancestor():
    blank = PIXELS.copy()
    blank[10:30, 40:60] = 200
    _, capture = dropped({}, {"parent": "e0"}, {"parent": "e1"}, {"parent": "e2"}, pixels=blank)
    assert [(e["id"], e["parent"]) for e in capture["elements"]] == [("e0", None), ("e2", "e0"), ("e3", "e2")]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "windows" / "editor").mkdir(parents=True)
    (tmp_path / "windows" / "editor" / "transitions.jsonl").write_text("")
    return tmp_path / "windows" / "editor"


def captures(folder):
    return sorted(path.stem for path in folder.glob("*.json"))


def test_a_capture_that_repeats_another(folder):
    ring = PIXELS.copy()
    ring[0, :100] = (90, 0, 0, 255)  # half a per cent of the pixels
    write_capture(folder, capture_record("main"))
    write_capture(folder, capture_record("dialog-a"), ring)
    write_capture(folder, capture_record("tab-b", elements=[element_record(0)]), ring)
    assert clean(folder.parent.parent) == ["editor/dialog-a: repeats another capture"]
    assert captures(folder) == ["main", "tab-b"]


def test_another_picture_is_another_capture(folder):
    write_capture(folder, capture_record("main"))
    write_capture(folder, capture_record("dialog-a"), np.roll(PIXELS, 1, axis=1))
    assert clean_folder(folder) == []


def test_kept_captures_stay_as_they_are(folder):
    write_capture(folder, capture_record("dialog-a", elements=[element_record(0), element_record(0)]))
    write_capture(folder, capture_record("dialog-b", elements=[element_record(0)]))
    assert clean_folder(folder, {"editor/dialog-a", "editor/dialog-b"}) == []
    assert captures(folder) == ["dialog-a", "dialog-b"]


def test_a_new_capture_gives_way_to_a_kept_one(folder):
    write_capture(folder, capture_record("main"))
    write_capture(folder, capture_record("tab-a"))
    assert clean_folder(folder, {"editor/tab-a"}) == ["editor/main: repeats another capture"]


def test_a_popup_of_which_nothing_is_known(folder):
    tooltip = {"rect": [150, 50, 190, 60], "kind": "tooltip"}
    write_capture(folder, capture_record("main", popups=[tooltip]))
    write_capture(folder, capture_record("menu-file", popups=[{"rect": [150, 50, 190, 90], "kind": "menu"}]))
    assert clean_folder(folder) == ["editor/menu-file: nothing is known of its popup"]
    assert captures(folder) == ["main"]


def test_clicks_on_dropped_elements_go(folder):
    twins = [element_record(0), element_record(0, id="e1"), element_record(2)]
    write_capture(folder, capture_record("main", elements=twins))
    lines = [{"from": "editor/main", "element": e, "to": "editor/main"} for e in ("e0", "e1")]
    lines.append({"from": "editor/other", "element": "e1", "to": "editor/main"})
    (folder / "transitions.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert clean_folder(folder) == ["editor/main: 1 elements"]
    assert [json.loads(line) for line in (folder / "transitions.jsonl").read_text().splitlines()] == [
        lines[0],
        lines[2],
    ]
    assert len(json.loads((folder / "main.json").read_text())["elements"]) == 2
