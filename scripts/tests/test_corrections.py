import numpy as np
import pytest

from builders import element
from capture.corrections import correct

PAPER = np.full((100, 200, 4), 255, np.uint8)


def rows(*heights, parent=None):
    out, y = [], 0
    for high in heights:
        out.append(element("list item", "Place", (0, y, 100, y + high), parent=parent))
        y += high
    return out


def test_a_heading_above_a_row_is_cut_off():
    places = rows(20, 45, 20, 20)
    correct(places, "Qt 5.15.8", PAPER, (0, 0))
    assert [e.box for e in places] == [(0, 0, 100, 20), (0, 45, 100, 65), (0, 65, 100, 85), (0, 85, 100, 105)]


@pytest.mark.parametrize(
    ("toolkit", "heights"), [("gtk 3.24", (20, 45, 20, 20)), ("Qt 5", (20, 45, 20)), ("Qt 5", (20, 30, 20, 20))]
)
def test_headings_are_cut_only_where_they_are_sure(toolkit, heights):
    places = rows(*heights)
    before = [e.box for e in places]
    correct(places, toolkit, PAPER, (0, 0))
    assert [e.box for e in places] == before


def test_a_row_of_tabs_without_a_selected_one_knows_nothing():
    lost = [element("page tab", "A", state={"selected": False}), element("page tab", "B", state={"selected": False})]
    known = [
        element("page tab", "C", state={"selected": True}, parent=0),
        element("page tab", "D", state={"selected": False}, parent=0),
    ]
    correct(lost + known, "gail 2", PAPER, (0, 0))
    assert [e.state for e in lost + known] == [{}, {}, {"selected": True}, {"selected": False}]


def test_a_link_is_where_its_text_is():
    pixels = PAPER.copy()
    pixels[5:15, 30:60] = 0
    link = element("link", "Read on", (0, 0, 200, 20))
    correct([link], "gtk 3.24", pixels, (0, 0))
    assert link.box == (28, 0, 62, 20)


def test_links_of_other_toolkits_and_tight_links_stay():
    pixels = PAPER.copy()
    pixels[5:15, 30:60] = 0
    web, tight = element("link", "a", (0, 0, 200, 20)), element("link", "b", (20, 0, 70, 20))
    correct([web], "chromium", pixels, (0, 0))
    correct([tight], "gtk 3.24", pixels, (0, 0))
    assert (web.box, tight.box) == ((0, 0, 200, 20), (20, 0, 70, 20))


def test_the_origin_of_the_picture_counts():
    pixels = PAPER.copy()
    pixels[5:15, 30:60] = 0
    link = element("link", "Read on", (1000, 500, 1200, 520))
    correct([link], "gtk 3.24", pixels, (1000, 500))
    assert link.box == (1028, 500, 1062, 520)
