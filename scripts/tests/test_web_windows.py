"""A page in a browser's window: its elements and its living file, moved to its place."""

import json

import pytest

pytest.importorskip("numpy")
from capture.web import windows


def told(number, role, box, parent=None, **others):
    return {
        "id": f"e{number}",
        "role": role,
        "name": role,
        "bbox": box,
        "parent": parent,
        "interactive": True,
        **others,
    }


WINDOW = [
    told(0, "push button", [10, 2, 20, 12]),
    told(1, "document", [5, 20, 105, 120]),
    told(2, "push button", [15, 30, 35, 40], "e1"),
    told(3, "label", [16, 31, 34, 39], "e2"),
    told(4, "page tab", [30, 2, 60, 18]),
]
PAGE = [told(0, "slider", [10, 10, 90, 20], state={"core": [40, 10, 50, 20]}), told(7, "label", [0, 0, 9, 9], "e0")]


def test_a_page_takes_the_place_of_what_the_browser_says_of_it():
    elements = windows._elements(WINDOW, PAGE, [5, 20, 105, 120])
    assert [(e["id"], e["role"], e["parent"]) for e in elements] == [
        ("e1", "push button", None),
        ("e2", "document", None),
        ("e0", "slider", "e2"),
        ("e7", "label", "e0"),
        ("e3", "page tab", None),
    ]
    assert elements[2]["bbox"] == [15, 30, 95, 40]
    assert elements[2]["state"]["core"] == [45, 30, 55, 40]


def test_maps_move_and_places_in_the_atlas_do_not():
    stops = {"kind": "stops", "area": [0, 0, 9, 9], "axis": "y", "stops": [{"from": 3, "value": 1}]}
    line = {"drag_map": {"handle": None, "release": stops}, "areas": [{"rect": [1, 1, 2, 2], "at": [7, 7]}]}
    assert windows._moved(line, [10, 100]) == {
        "drag_map": {
            "handle": None,
            "release": {**stops, "area": [10, 100, 19, 109], "stops": [{"from": 103, "value": 1}]},
        },
        "areas": [{"rect": [11, 101, 12, 102], "at": [7, 7]}],
    }


def test_clicks_of_a_page_become_the_windows(tmp_path):
    home, folder = tmp_path / "windows" / "web-x", tmp_path / "windows" / "chromium"
    for place in (home, folder):
        place.mkdir(parents=True)
    mapped = {"action": "click", "outcomes": [{"kind": "mapped", "control": "c"}]}
    lines = [
        {"from": "web-x/a", "element": "e0", "part": [1, 2, 3, 4], **mapped},
        {"from": "web-x/b", "element": "e1", **mapped},
    ]
    (home / "transitions.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    windows._transitions("web-x/a", "chromium/x-a", [10, 100], tmp_path, folder)
    windows._transitions("web-x/a", "chromium/x-a", [10, 100], tmp_path, folder)
    written = [json.loads(line) for line in (folder / "transitions.jsonl").read_text().splitlines()]
    assert written == [{"from": "chromium/x-a", "element": "e0", "part": [11, 102, 13, 104], **mapped}]
