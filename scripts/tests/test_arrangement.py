import random

import pytest

from builders import element, shot
from capture.arrangement import FEWEST, MOST, Member, choose, draw_places, partly_covered
from capture.boxes import intersection, size
from capture.screen import TASKBAR_PX

REGION = (640, 480)


def member(frame=(0, 0, 240, 180), parent=None, elements=()):
    return Member(recorder=None, window=object(), shot=shot(elements=elements, frame=frame), parent=parent)


def maximized():
    window = member((0, 0, 640, 432))
    window.shot.placement = "maximized"
    return window


def many(count):
    return [member() for _ in range(count)]


def test_every_window_is_on_top_in_turn():
    members = many(5)
    leads = [choose(members, number, random.Random(number))[-1] for number in range(7)]
    assert [members.index(lead) for lead in leads] == [0, 1, 2, 3, 4, 0, 1]


@pytest.mark.parametrize("count", [3, 6, 12])
def test_no_window_twice_and_never_too_many(count):
    members = many(count)
    for number in range(40):
        shown = choose(members, number, random.Random(number))
        assert len({id(m) for m in shown}) == len(shown)
        assert FEWEST <= len(shown) <= min(MOST, count)


def test_a_dialog_comes_with_its_parent_right_above_it():
    members = many(9)
    dialog = member((0, 0, 300, 200), members[0])
    members.append(dialog)
    met = 0
    for number in range(60):
        shown = choose(members, number, random.Random(number))
        assert (dialog in shown) == (members[0] in shown)
        assert len(shown) <= MOST
        if dialog in shown:
            met += 1
            assert shown.index(dialog) == shown.index(members[0]) + 1
    assert met > 10


def test_a_window_with_a_dialog_is_not_on_top_of_it():
    members = many(3)
    members.append(member((0, 0, 300, 200), members[0]))
    assert [choose(members, n, random.Random(n))[-1] is members[0] for n in range(12)] == [False] * 12


def test_a_maximised_window_lies_below_the_others_on_every_second_desktop():
    members = [maximized(), *many(9), maximized()]
    members.append(member((0, 0, 300, 200), members[3]))
    lowest = []
    for number in range(40):
        shown = choose(members, number, random.Random(number), 5)
        assert 5 <= len(shown) <= MOST
        assert not any(m.maximized for m in shown[1:])
        lowest.append(members.index(shown[0]) if shown[0].maximized else None)
    assert lowest[:6] == [None, 0, None, 10, None, 0]
    assert set(lowest[::2]) == {None}


def test_a_maximised_window_keeps_its_place():
    members = [maximized(), *many(3)]
    for seed in range(8):
        assert draw_places(members, False, REGION, random.Random(seed))[0] == (0, 0, 640, 432)


def test_the_same_chance_gives_the_same_desktop():
    members = many(8)
    small = members[:3]
    orders = [[members.index(m) for m in choose(members, 3, random.Random("office"))] for _ in range(2)]
    assert orders[0] == orders[1]
    places = [draw_places(small, False, REGION, random.Random("office")) for _ in range(2)]
    assert places[0] == places[1]


def test_places_keep_sizes_and_leave_the_taskbar_free():
    members = [*many(2), member((0, 0, 120, 90))]
    members.append(member((0, 0, 60, 30), members[2]))
    for seed in range(8):
        places = draw_places(members, False, REGION, random.Random(seed))
        assert [size(p) for p in places] == [size(m.shot.frame) for m in members]
        assert all(p[1] >= 0 and p[3] <= REGION[1] for p in places)
        assert all(p[1] <= REGION[1] - TASKBAR_PX for p in places)
        assert intersection(places[3], places[2]) == places[3], "the dialog lies in the middle of its parent"


def test_a_window_whose_menu_opens_keeps_its_shadow_on_the_screen():
    for seed in range(8):
        top = draw_places([member(), member(), member()], True, REGION, random.Random(seed))[-1]
        assert min(top[0], top[1], REGION[0] - top[2]) >= 110


def test_elements_hidden_in_part():
    buttons = [element(box=(10, 10, 50, 30)), element(box=(100, 10, 140, 30)), element(box=(190, 10, 230, 30))]
    below, above = member((0, 0, 240, 100), elements=buttons), member((0, 0, 100, 100))
    # Covers the second button's right half, and the third one whole.
    assert partly_covered([below, above], [(0, 0, 240, 100), (120, 0, 220, 100)], (400, 300)) == 2
    assert partly_covered([below, above], [(0, 0, 240, 100), (300, 0, 400, 100)], (400, 300)) == 0


def test_elements_move_with_their_window():
    window = member((50, 20, 150, 120), elements=[element(box=(60, 30, 100, 50))])
    other = member((0, 0, 30, 30))
    assert partly_covered([window, other], [(200, 100, 300, 200), (200, 100, 230, 130)], (400, 300)) == 1
    assert partly_covered([window, other], [(200, 100, 300, 200), (260, 130, 290, 160)], (400, 300)) == 0


def test_the_edge_of_the_screen_hides_as_well():
    window = member((0, 0, 100, 100), elements=[element(box=(0, 0, 40, 20))])
    assert partly_covered([window], [(-20, 0, 80, 100)], (400, 300)) == 1


def test_a_window_of_which_next_to_nothing_is_left():
    below, above = member((0, 0, 100, 100)), member((0, 0, 100, 100))
    assert partly_covered([below, above], [(0, 0, 100, 100), (5, 0, 105, 100)], (400, 300)) == -1
