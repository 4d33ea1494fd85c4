import numpy as np
import pytest

from capture.edges import edge_distance

BOX = (20, 20, 40, 40)
LEFT, TOP, RIGHT, BOTTOM = range(4)


def control(left=5, top=6, right=7, bottom=8) -> np.ndarray:
    """A light control on a dark ground that ends so many pixels outside of BOX."""
    pixels = np.full((80, 80, 4), 30, np.uint8)
    pixels[20 - top : 40 + bottom, 20 - left : 40 + right] = 200
    return pixels


@pytest.mark.parametrize(("side", "distance"), [(LEFT, 5), (TOP, 6), (RIGHT, 7), (BOTTOM, 8)])
def test_distance_to_the_edge(side, distance):
    assert edge_distance(control(), BOX, side, 20) == distance


def test_no_edge_within_reach():
    assert edge_distance(control(left=5), BOX, LEFT, 5) is None
    assert edge_distance(np.full((80, 80, 4), 90, np.uint8), BOX, TOP, 12) is None


def test_the_picture_ends_first():
    pixels = np.full((60, 42, 4), 90, np.uint8)
    assert edge_distance(pixels, BOX, RIGHT, 20) is None


@pytest.mark.parametrize(("level", "distance"), [(195, None), (194, 5), (206, 5)])
def test_a_slight_change_is_no_edge(level, distance):
    pixels = control()
    pixels[:, :15] = level  # beside the control's 200
    assert edge_distance(pixels, BOX, LEFT, 18) == distance


def test_an_edge_in_the_first_column_of_the_picture():
    pixels = control(left=19)
    assert edge_distance(pixels, BOX, LEFT, 30) == 19
    assert edge_distance(pixels[:, 1:], (19, 20, 39, 40), LEFT, 30) is None


def test_an_empty_box_has_no_edge():
    assert edge_distance(control(), (20, 20, 40, 20), LEFT, 20) is None


def test_only_the_middle_third_counts():
    pixels = control(left=8)
    pixels[20:26, 16] = 30  # a notch beside the upper third
    assert edge_distance(pixels, BOX, LEFT, 20) == 8
