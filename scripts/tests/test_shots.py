import json

import numpy as np
import pytest
from PIL import Image

from builders import element, shot
from capture.picture import Picture
from capture.screen import Popup
from capture.shots import popup_kind, slug


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Find & Replace...", "find-replace"),
        ("Préférences", "pr-f-rences"),
        ("…", "unnamed"),
        ("a" * 40, "a" * 28),
        ("aaaaaaaaaaaaaaaaaaaaaaaaaaa bbb", "a" * 27),  # no hyphen at the cut
    ],
)
def test_slug(text, expected):
    assert slug(text) == expected


@pytest.mark.parametrize(
    ("type_name", "kind"),
    [
        ("_NET_WM_WINDOW_TYPE_TOOLTIP", "tooltip"),
        ("_NET_WM_WINDOW_TYPE_COMBO", "list"),
        ("POPOVER", "popover"),
        ("_NET_WM_WINDOW_TYPE_POPUP_MENU", "menu"),
    ],
)
def test_popup_kinds(type_name, kind):
    assert popup_kind(Popup((0, 0, 1, 1), (0, 0, 1, 1), type_name)) == kind


def dialog():
    """A picture with 20 pixels of shadow around the frame, and an element that hangs out of the picture."""
    main = shot("main", window_id=1)
    menu = Popup((150, 120, 200, 180), (145, 115, 205, 185), "_NET_WM_WINDOW_TYPE_MENU")
    elements = [
        element("panel", "Body", (100, 100, 900, 400)),
        element("push button", "OK", (120, 110, 160, 130), parent=0),
    ]
    picture = Picture(np.full((340, 440, 4), 7, np.uint8), (80, 80))
    return main, shot(
        "dialog-find",
        elements,
        (100, 100, 500, 400),
        parent=main,
        popups=[menu],
        picture=picture,
        window_id=2,
        kind="dialog",
    )


def test_a_record_has_its_boxes_in_the_picture():
    main, find = dialog()
    main.frame = (60, 90, 500, 400)
    record = find.record()
    assert record["size"] == [440, 340]
    assert record["frame"] == [20, 20, 420, 320]
    assert record["popups"] == [{"rect": [70, 40, 120, 100], "kind": "menu"}]
    assert [e["bbox"] for e in record["elements"]] == [[20, 20, 440, 320], [40, 30, 80, 50]]
    assert [(e["id"], e["parent"]) for e in record["elements"]] == [("e0", None), ("e1", "e0")]
    assert (record["parent"], record["parent_offset"]) == ("main", [40, 10])


def test_elements_are_known_by_identity():
    twins = [element(name="Add"), element(name="Add")]
    assert shot(elements=twins).element_id(twins[1]) == "e1"


def test_the_offset_between_windows():
    main, find = dialog()
    assert main.offset_of(find) == [0, 0]
    assert main.offset_of(shot("menu-file")) is None, "the same window"


def test_what_is_shown_is_the_frame_and_its_popups():
    _, find = dialog()
    assert find.shown().shape == (300, 400, 4)


def test_saved_files(tmp_path):
    _, find = dialog()
    find.inactive = np.full((340, 440, 4), 3, np.uint8)
    find.save(tmp_path / "new")
    assert json.loads((tmp_path / "new" / "dialog-find.json").read_text())["state"] == "dialog-find"
    with Image.open(tmp_path / "new" / "dialog-find.png") as active:
        assert (active.size, active.getpixel((0, 0))) == ((440, 340), (7, 7, 7, 7))
    with Image.open(tmp_path / "new" / "dialog-find.inactive.png") as inactive:
        assert inactive.getpixel((0, 0)) == (3, 3, 3, 3)
