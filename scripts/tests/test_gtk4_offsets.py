import numpy as np
import pytest

from builders import node, tree
from capture.gtk4_offsets import is_gtk4, pad, place, visible_popups
from capture.screen import Popup


@pytest.mark.parametrize(
    ("toolkit", "version", "expected"),
    [("gtk", "4.8.3", True), ("GTK", "4.8.3", True), ("gtk", "3.24", False), ("Qt", "4.8", False)],
)
def test_is_gtk4(toolkit, version, expected):
    assert is_gtk4(toolkit, version) is expected


def test_boxes_move_with_the_frame_and_popovers_to_their_surface():
    surface = (300, 200, 380, 260)
    window = tree(
        node(box=(10, 20, 70, 50)),
        node("panel", box=(5, 5, 85, 65)),
        node("push button", "Item", box=(15, 15, 75, 35), parent=2),
        frame=(0, 0, 400, 300),
    )
    place(window, (100, 100, 500, 400), [Popup(surface, surface, "POPOVER")])
    assert [n.box for n in window.nodes] == [
        (100, 100, 500, 400),
        (110, 120, 170, 150),
        (300, 200, 380, 260),
        (310, 210, 370, 230),
    ]
    assert [n.popup for n in window.nodes] == [None, None, 0, 0]


def test_popups_without_their_shadow():
    surface = (300, 200, 400, 300)
    menu, other = Popup(surface, surface, "MENU"), Popup(surface, surface, "MENU")
    window = tree(node("panel", "GtkPopoverContent", (310, 215, 390, 320), popup=0))
    assert visible_popups(window, [menu, other]) == [Popup((310, 215, 390, 300), surface, "POPOVER"), other]


def test_a_control_ends_at_the_edge_of_its_background():
    pixels = np.full((100, 200, 4), 230, np.uint8)
    pixels[34:66, 48:112] = 200
    window = tree(node("push button", "Save", (60, 40, 100, 60)))
    pad(window, pixels, (0, 0))
    assert window.nodes[1].box == (48, 34, 112, 66)


def test_flat_buttons_get_the_padding_of_the_theme():
    blank = np.full((100, 200, 4), 230, np.uint8)
    window = tree(node("push button", "Save", (60, 40, 100, 60)), node("push button", box=(120, 40, 140, 60)))
    pad(window, blank, (0, 0))
    assert [n.box for n in window.nodes[1:]] == [(51, 35, 109, 65), (115, 35, 145, 65)]


def test_menu_buttons_frame_buttons_and_texts():
    blank = np.full((100, 200, 4), 230, np.uint8)
    window = tree(
        node("toggle button", "Menu", (60, 40, 100, 60)),
        node("toggle button", box=(65, 45, 95, 55), parent=1),
        node("push button", "Close", (150, 10, 170, 30)),
        node("text", box=(10, 70, 150, 95), states={"multi_line"}),
        node("menu item", "Copy", (20, 10, 60, 30), popup=0),
    )
    pad(window, blank, (0, 0))
    boxes = [n.box for n in window.nodes[1:]]
    assert boxes == [(51, 35, 109, 65), (51, 35, 109, 65), (150, 10, 170, 30), (10, 70, 150, 95), (8, 10, 72, 30)]
