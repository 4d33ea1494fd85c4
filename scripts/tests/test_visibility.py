from builders import FRAME, node, tree
from capture.visibility import Visibility

MENU = (120, 130, 220, 230)


def part(*nodes, popups=()):
    """What shows of the last node, asked after all the others."""
    visibility = Visibility(tree(*nodes), FRAME, list(popups))
    return [visibility.visible_part(index) for index in range(len(nodes) + 1)][-1]


def test_what_lies_in_the_frame_shows():
    assert part(node(box=(110, 150, 170, 180))) == ((110, 150, 170, 180), None)


def test_what_hangs_out_is_cut():
    assert part(node("table", box=(450, 150, 600, 300))) == ((450, 150, 500, 300), None)
    assert part(node(box=(480, 150, 600, 180))) is None, "a button of which less than half shows"
    assert part(node(box=(600, 150, 660, 180))) is None


def test_the_root_hidden_nodes_and_slivers_are_left_out():
    assert part() is None
    hidden = node()
    hidden.states = {"visible"}
    assert part(hidden) is None
    assert part(node(box=(110, 150, 114, 180))) is None
    assert part(node(box=None)) is None


def test_a_scrolled_child_is_cut_by_its_parent():
    view = node("viewport", box=(110, 150, 210, 250))
    assert part(view, node("table", box=(110, 100, 210, 600), parent=1)) == ((110, 148, 210, 252), None)
    assert part(view, node(box=(110, 300, 170, 330), parent=1)) is None


def test_children_without_a_box_hand_the_clip_on():
    view = node("viewport", box=(110, 150, 210, 250))
    gap = node("filler", box=None, parent=1)
    assert part(view, gap, node(box=(110, 300, 170, 330), parent=2)) is None


def test_a_second_root_without_a_box_does_not_hide_its_children():
    root = node("window", box=None, parent=-1)
    assert part(root, node("label", box=(110, 150, 170, 180), parent=1)) == ((110, 150, 170, 180), None)


def test_a_page_lies_beside_its_tab():
    tab = node("page tab", "General", box=(110, 110, 160, 130))
    assert part(tab, node(box=(110, 200, 170, 230), parent=1)) == ((110, 200, 170, 230), None)


def test_items_of_a_closed_menu_do_not_show():
    bar, menu = node("menu bar"), node("menu", parent=1)
    assert part(bar, menu, node("menu item", parent=2)) is None
    assert part(bar, menu, node("menu item", box=(120, 130, 220, 150), parent=2), popups=[MENU]) == (
        (120, 130, 220, 150),
        0,
    )


def test_rows_of_a_closed_list_do_not_show():
    box, row = node("combo box", box=(110, 140, 230, 150)), node("list item", box=(120, 130, 220, 150), parent=2)
    open_list = node("list", box=(110, 130, 230, 230), parent=1)
    assert part(box, open_list, row, popups=[MENU]) == ((120, 130, 220, 150), 0)
    assert part(box, node("list", box=None, parent=1), row, popups=[MENU]) is None


def test_what_a_popup_covers_does_not_show():
    assert part(node(box=(130, 140, 190, 170)), popups=[MENU]) is None
    assert part(node(box=(300, 140, 360, 170)), popups=[MENU]) == ((300, 140, 360, 170), None)
    assert part(node("table", box=(110, 120, 490, 390)), popups=[MENU]) == ((110, 120, 490, 390), None)


def test_a_submenu_covers_the_menu_below_it():
    item = node("menu item", box=(130, 140, 210, 160))
    submenu = (200, 130, 300, 200)
    assert part(item, popups=[MENU, submenu]) is None
    assert part(node("menu item", box=(130, 205, 210, 225)), popups=[MENU, submenu]) == ((130, 205, 210, 225), 0)


def test_a_node_keeps_the_popup_that_it_was_matched_to():
    assert part(node(box=(110, 120, 190, 150), popup=0), popups=[MENU]) == ((120, 130, 190, 150), 0)
