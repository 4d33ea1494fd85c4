import numpy as np

from builders import FRAME, node, tree
from capture.screen import Popup
from capture.tree import inner_popovers, shift_libreoffice


def test_ancestors_from_the_parent_to_the_root():
    family = tree(node("panel"), node("list", parent=1), node("list item", parent=2))
    assert list(family.ancestors(3)) == [2, 1, 0]
    assert list(family.ancestors(0)) == []


def popover_on(pixels):
    """GTK 3: a modal panel below the root, with a visible margin and an invisible shadow around its content."""
    outer, content = (200, 150, 320, 250), (220, 175, 300, 225)
    panel = node("panel", box=outer, states={"modal"})
    window = tree(panel, node("push button", "Copy", content, parent=1), node("push button", "Elsewhere"))
    popups = inner_popovers(window, 2, lambda box: pixels[box[1] : box[3], box[0] : box[2]])
    return window, popups


def test_a_popover_ends_where_its_background_does():
    pixels = np.full((400, 600, 3), 60, np.uint8)
    pixels[165:235, 210:310] = 240
    window, popups = popover_on(pixels)
    assert popups == [Popup((210, 165, 310, 235), (200, 150, 320, 250), "POPOVER")]
    assert [n.popup for n in window.nodes] == [None, 2, 2, None]


def test_the_nearer_edge_counts_beside_the_arrow():
    pixels = np.full((400, 600, 3), 60, np.uint8)
    pixels[165:235, 210:310] = 240
    pixels[155:165, 222:232] = 240  # an arrow that points up from the left part
    assert popover_on(pixels)[1][0].box == (210, 165, 310, 235)


def test_a_popover_without_an_edge_gets_a_narrow_border():
    assert popover_on(np.full((400, 600, 3), 90, np.uint8))[1][0].box == (218, 173, 302, 227)


def test_plain_panels_are_no_popovers():
    window = tree(node("panel"), node("panel", parent=1, states={"modal"}))
    assert inner_popovers(window, 0, None) == []
    assert all(n.popup is None for n in window.nodes)


def test_libreoffice_forgets_its_menu_bar():
    window = tree(
        node("panel", box=FRAME),
        node("root pane", box=(100, 75, 500, 375), parent=1),
        node("tool bar", box=(100, 80, 500, 110), parent=2),
        node("split pane", box=(100, 110, 500, 370), parent=2),
        node("panel", "Sidebar", box=(400, 135, 500, 370), parent=4),
    )
    shift_libreoffice(window)
    assert [n.box[1] for n in window.nodes] == [100, 100, 100, 105, 135, 135]


def test_a_root_pane_in_its_place_stays():
    window = tree(node("panel", box=FRAME), node("root pane", box=FRAME, parent=1))
    shift_libreoffice(window)
    assert [n.box for n in window.nodes] == [FRAME] * 3
