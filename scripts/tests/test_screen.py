import pytest

from capture.boxes import area, intersection
from capture.programs import PLACEMENTS
from capture.screen import DESKTOP_BOX, slot


@pytest.mark.parametrize(
    ("placement", "box"),
    [
        ("maximized", (0, 0, 2560, 1392)),
        ("left_half", (0, 0, 1280, 1392)),
        ("right_half", (1280, 0, 2560, 1392)),
        ("top_left", (0, 0, 1280, 696)),
        ("top_right", (1280, 0, 2560, 696)),
        ("bottom_left", (0, 696, 1280, 1392)),
        ("bottom_right", (1280, 696, 2560, 1392)),
    ],
)
def test_slots(placement, box):
    assert slot(placement) == box


def test_every_placement_of_recipes_has_a_slot_above_the_taskbar():
    for placement in PLACEMENTS:
        assert intersection(slot(placement), DESKTOP_BOX) == slot(placement)
    quarters = [slot(p) for p in PLACEMENTS if p.startswith(("top", "bottom"))]
    assert sum(map(area, quarters)) == area(DESKTOP_BOX)
