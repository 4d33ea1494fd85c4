from builders import element
from capture.duplicates import inside, without_duplicates, without_hidden


def told(elements):
    return [(e.role, e.name, e.parent) for e in elements]


def test_the_label_of_a_button_is_dropped():
    button, label = element("push button", "OK", (0, 0, 40, 20)), element("label", "OK", (2, 2, 38, 18), parent=0)
    assert told(without_duplicates([button, label])) == [("push button", "OK", None)]


def test_a_label_that_says_more_stays():
    button, label = element("push button", "OK"), element("label", "Enter", parent=0)
    assert len(without_duplicates([button, label])) == 2


def test_a_wrapper_of_the_same_name_is_dropped_and_its_children_move_up():
    wrapper = element("panel", "Volume", (0, 0, 40, 20), interactive=False)
    slider, mark = element("slider", "Volume", (1, 1, 39, 19), parent=0), element("label", "50", (0, 0, 5, 5), parent=1)
    assert told(without_duplicates([wrapper, slider, mark])) == [("slider", "Volume", None), ("label", "50", 0)]


def test_a_check_box_in_a_cell_stays():
    cell, box = element("table cell", "", (0, 0, 20, 20)), element("check box", "", (2, 2, 18, 18), parent=0)
    assert len(without_duplicates([cell, box])) == 2


def test_the_pointer_decides_between_rivals():
    page, other = element("link", "Below", (0, 0, 40, 20)), element("link", "Above", (5, 0, 45, 20))
    left = without_hidden([page, other], lambda e, _x, _y: e.name == "Above")
    assert told(left) == [("link", "Above", None)]
    assert len(without_hidden([page, other], lambda _e, _x, _y: True)) == 2


def test_nobody_asks_for_elements_without_a_rival():
    parent, child = element("list", "List", (0, 0, 40, 40)), element("list item", "Row", (0, 0, 40, 40), parent=0)
    far, large = element("link", "Far", (90, 0, 99, 9)), element("canvas", "Sheet", (0, 0, 400, 400))
    in_popup = element("menu item", "Item", (0, 0, 40, 40), popup=0)
    frame_part = element("push button", "Close", (0, 0, 40, 40), node=None)
    everyone = [parent, child, far, large, in_popup, frame_part]
    asked = []
    without_hidden(everyone, lambda e, _x, _y: asked.append(e.name) or True)
    # The small ones hide the sheet's middle from nobody; the sheet is too large to be their rival.
    assert asked == []


def test_rivals_are_asked_at_their_own_middle():
    asked = []
    pair = [element("link", "a", (0, 0, 40, 20)), element("link", "b", (10, 0, 50, 20))]
    without_hidden(pair, lambda e, x, y: asked.append((e.name, x, y)) or True)
    assert asked == [("a", 20, 10), ("b", 30, 10)]


def test_inside_a_picture():
    kept = inside(
        [element(name="in"), element(name="out", box=(-50, 0, -10, 20)), element(name="child", parent=1)], (0, 0, 9, 9)
    )
    assert told(kept) == [("push button", "in", None), ("push button", "child", None)]
