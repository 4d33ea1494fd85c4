import pytest

from capture.boxes import alike, area, centre, covered_share, grown, holds, intersection, shifted, size, union


def test_sides_and_area():
    assert size((10, 20, 40, 25)) == (30, 5)
    assert area((10, 20, 40, 25)) == 150
    assert area(None) == 0
    assert area((5, 5, 3, 9)) == 0, "a box turned inside out holds nothing"


def test_centre_rounds_towards_the_top_left():
    assert centre((0, 0, 5, 3)) == (2, 1)


def test_shifting_and_growing():
    assert shifted((1, 2, 3, 4), 10, -2) == (11, 0, 13, 2)
    assert grown((10, 10, 20, 20), 3) == (7, 7, 23, 23)
    assert grown((10, 10, 20, 20), -3) == (13, 13, 17, 17)


@pytest.mark.parametrize(
    ("a", "b", "common"),
    [
        ((0, 0, 10, 10), (5, 5, 20, 20), (5, 5, 10, 10)),
        ((0, 0, 10, 10), (2, 3, 4, 5), (2, 3, 4, 5)),
        ((0, 0, 10, 10), (10, 0, 20, 10), None),  # half-open: they only touch
        ((0, 0, 10, 10), (30, 30, 40, 40), None),
    ],
)
def test_intersection(a, b, common):
    assert intersection(a, b) == common
    assert intersection(b, a) == common


def test_union_takes_any_iterable():
    assert union(box for box in [(0, 5, 2, 9), (-3, 6, 1, 20)]) == (-3, 5, 2, 20)


def test_boxes_are_half_open():
    assert holds((0, 0, 10, 10), 0, 0)
    assert holds((0, 0, 10, 10), 9, 9)
    assert not holds((0, 0, 10, 10), 10, 5)
    assert not holds((0, 0, 10, 10), 5, 10)


def test_covered_share_is_of_the_first_box():
    assert covered_share((0, 0, 10, 10), (5, 0, 100, 100)) == 0.5
    assert covered_share((5, 0, 100, 100), (0, 0, 10, 10)) == pytest.approx(50 / 9500)
    assert covered_share((0, 0, 10, 10), (20, 20, 30, 30)) == 0
    assert covered_share((0, 0, 0, 0), (0, 0, 10, 10)) == 0


def test_alike_within_the_tolerance():
    assert alike((0, 0, 10, 10), (2, -2, 12, 8), 2)
    assert not alike((0, 0, 10, 10), (0, 0, 10, 13), 2)
