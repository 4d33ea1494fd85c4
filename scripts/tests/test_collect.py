"""The whole way from a tree to elements, on a picture in which nothing is blank."""

import numpy as np
import pytest

from builders import FRAME, node, speckled, tree
from capture.collect import collect, is_blank
from capture.screen import FramePart, Popup

ORIGIN = (FRAME[0] - 20, FRAME[1] - 20)
PIXELS = speckled(440, 340)
TITLE_BAR = [
    FramePart("title bar", "Window", (100, 100, 500, 125)),
    FramePart("push button", "Close", (470, 104, 490, 120)),
]


def collected(*nodes, popups=(), parts=(), pixels=PIXELS, is_hit=lambda *_: True, toolkit="gtk 3.24"):
    return collect(tree(*nodes, toolkit=toolkit), FRAME, list(popups), list(parts), pixels, ORIGIN, is_hit)


def told(elements):
    return [(e.role, e.name) for e in elements]


def test_what_a_program_tells_becomes_elements():
    found = collected(
        node("panel", "Tools", (110, 140, 300, 180)),
        node("push button", "_Save", (120, 145, 180, 175), parent=1, description="Save"),
        node("entry", "", (200, 145, 290, 175), parent=1, states={"editable"}, description="Search"),
    )
    assert told(found) == [("panel", "Tools"), ("push button", "Save"), ("entry", "")]
    assert [e.parent for e in found] == [None, 0, 0]
    assert [e.interactive for e in found] == [False, True, True]
    assert [e.description for e in found] == ["", "", "Search"], "a description that repeats the name says nothing"
    assert found[2].state == {"editable": True}


def test_the_window_managers_frame_comes_first():
    found = collected(node("push button", "Save"), parts=TITLE_BAR)
    assert told(found) == [("title bar", "Window"), ("push button", "Close"), ("push button", "Save")]
    assert [e.node is None for e in found] == [True, True, False]


def test_buttons_of_a_title_bar_of_the_program_belong_to_the_frame():
    bar = node("panel", "Header", (100, 100, 500, 140))
    close = node("push button", "close", (460, 105, 490, 135), parent=1)
    assert [(e.name, e.parent) for e in collected(bar, close)] == [("Header", None), ("Close", None)]


def test_what_says_nothing_is_left_out():
    assert collected(node("panel"), node("label"), node("list item", "")) == []
    assert told(collected(node("push button"), node("separator", box=(110, 200, 300, 205)))) == [
        ("push button", ""),
        ("separator", ""),
    ]
    assert collected(node("panel", "Everything", (101, 101, 499, 399))) == []


def test_what_shows_nothing_is_left_out():
    blank = np.full((340, 440, 4), 200, np.uint8)
    assert collected(node("push button", "Save"), pixels=blank) == []
    assert told(collected(node("text", "Notes", (110, 150, 300, 300)), pixels=blank)) == [("text", "Notes")]


def test_parts_of_buttons_and_combo_boxes():
    button = node("push button", "Save", (110, 150, 170, 180))
    label = node("label", "Save as", (112, 152, 168, 178), parent=1)
    assert told(collected(button, label)) == [("push button", "Save")]
    box = node("combo box", "Size", (110, 150, 210, 180))
    arrow = node("push button", "", (180, 152, 208, 178), parent=1)
    assert told(collected(box, arrow)) == [("combo box", "Size")]


def test_default_names_of_toolkits_say_nothing():
    found = collected(node("toggle button", "Switch"), node("push button", "unnamed", (200, 150, 260, 180)))
    assert told(found) == [("switch", ""), ("push button", "")]


def test_items_of_an_open_menu():
    menu = Popup((110, 130, 210, 230), (110, 130, 210, 230), "MENU")
    found = collected(
        node("menu", "File", (110, 126, 150, 146)),
        node("menu item", "Open", (112, 150, 208, 170), parent=1),
        node("push button", "Covered", (120, 150, 180, 180)),
        popups=[menu],
    )
    assert [(e.name, e.popup) for e in found] == [("Open", 0)]


def test_the_toolkit_is_asked_about_rivals():
    pair = node("link", "Below", (110, 150, 170, 180)), node("link", "Above", (115, 150, 175, 180))
    asked = []

    def is_hit(_tree, element, x, y, frame):
        asked.append((element.name, x, y, frame))
        return element.name == "Above"

    assert told(collected(*pair, is_hit=is_hit)) == [("link", "Above")]
    assert asked == [("Below", 140, 165, FRAME), ("Above", 145, 165, FRAME)]


def test_cells_of_uneven_rows_are_one():
    row = node("table cell", "", (110, 150, 290, 170))
    heading = node("table cell", "Devices", (110, 150, 200, 170), parent=1)
    other = node("table cell", "Eject", (200, 150, 290, 170), parent=1)
    hidden = node("table cell", "", None, parent=1)
    found = collected(row, heading, other, hidden)
    assert [(e.name, e.box) for e in found] == [("Devices", (110, 150, 290, 170))]


@pytest.mark.parametrize(("brightest", "expected"), [(90, True), (113, True), (114, False)])
def test_blank_below_a_contrast(brightest, expected):
    pixels = np.full((20, 20, 4), 90, np.uint8)
    pixels[5, 5] = brightest
    assert is_blank((0, 0, 20, 20), pixels, (0, 0)) is expected


def test_a_box_outside_the_picture_is_blank():
    assert is_blank((50, 50, 60, 60), PIXELS[:10, :10], (0, 0))
