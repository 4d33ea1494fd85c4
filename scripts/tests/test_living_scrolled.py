"""Scroll areas: strips put together, what a notch does, how a bar follows, and what a page can tell of them."""

import random

import numpy as np
import pytest

from builders import element_record
from capture.living import changes, judge, scrolled, wheels
from capture.living.page import Control, Layer, Page, Patch
from capture.living.part_of_pack import heights_in
from capture.living.strips import (
    Bar,
    Refused,
    ScrollArea,
    bar_of,
    is_shifted,
    merged,
    reachable,
    shift,
    step_of,
    stitched,
    thumb_at,
)
from test_living_changes import plain
from test_living_pages import lines_of

HIGH, WIDE = 30, 12


def content(high=75):
    """Rows that all differ."""
    rows = np.random.default_rng(3).integers(0, 256, (high, 1, 3), np.uint8)
    return np.repeat(rows, WIDE, axis=1)


def view(offset, strip=None):
    return (content() if strip is None else strip)[offset : offset + HIGH].copy()


def test_the_shift_of_a_content_is_found():
    assert shift(view(0), view(7)) == 7
    assert shift(view(7), view(20), 13) == 13
    assert is_shifted(view(20), view(7), -13)


def test_what_is_no_exact_shift_is_refused():
    blurred = view(7)
    blurred[0] += 1
    for told in (None, 7):
        with pytest.raises(Refused):
            shift(view(0), blurred, told)
    with pytest.raises(Refused, match="both"):
        shift(np.zeros((HIGH, WIDE, 3), np.uint8), np.zeros((HIGH, WIDE, 3), np.uint8))
    with pytest.raises(Refused, match="size"):
        shift(view(0), view(7)[:, :5])


def test_a_notch_has_one_step_up_to_the_ends():
    assert step_of([0, 20, 40, 45], [45, 25, 5, 0]) == 20
    assert step_of([0, 15], [15, 0]) == 15
    # Steps of parts of a px: GTK 3 takes the page's height to the power of two thirds.
    for down, up in (([0, 33, 67, 80], [80, 46, 12, 0]), ([0, 33, 66, 80], [80, 46, 12, 0]), ([0, 20], [30, 10, 0])):
        with pytest.raises(Refused):
            step_of(down, up)


def test_notches_lead_to_few_offsets():
    assert reachable(0, 20, 45) == [0, 5, 20, 25, 40, 45]
    assert reachable(0, 15, 15) == [0, 15]


def test_a_strip_is_put_together_where_its_parts_agree():
    strip = content()
    assert np.array_equal(stitched((at, view(at)) for at in (0, 20, 40, 45)), strip)
    other = view(20)
    other[0] += 1
    with pytest.raises(Refused, match="something else"):
        stitched([(0, view(0)), (20, other)])
    with pytest.raises(Refused, match="nothing shows"):
        stitched([(0, view(0)), (40, view(40))])


def row(number, top, bottom, name=None):
    return {
        **element_record(number),
        "role": "table cell",
        "name": name or f"row {number}",
        "bbox": [2, top, 10, bottom],
    }


def test_elements_of_a_content_are_as_large_as_all_that_shows_of_them():
    views = [(0, [row(0, 0, 20), row(1, 20, 30)]), (15, [row(0, 0, 5), row(1, 5, 25)])]
    assert [e["bbox"] for e in merged(views, HIGH)] == [[2, 0, 10, 20], [2, 20, 10, 40]]
    # Two rows of one name are two.
    twice = [(0, [row(0, 0, 10, "same"), row(1, 10, 20, "same")]), (15, [row(1, 0, 5, "same")])]
    assert [e["bbox"] for e in merged(twice, HIGH)] == [[2, 0, 10, 10], [2, 10, 10, 20]]


def bar(offset, last=45, travel=(2, 11), high=18, wide=4):
    track = np.full((HIGH, wide, 3), 200, np.uint8)
    y = thumb_at(travel, offset, last)
    track[y : y + high, 1:3] = 90
    track[y, 1], track[y + high - 1, 2] = 120, 130
    return track


def test_a_bar_is_told_by_its_track_and_its_thumb():
    views = [(at, bar(at), bar(at) // 2) for at in (0, 20, 40, 45)]
    found = bar_of("e3", (50, 10, 54, 10 + HIGH), views, 0)
    assert found.travel == (12, 21)
    assert found.thumb.rect == (50, 12, 54, 30)
    assert np.array_equal(found.track.active[:2], bar(0)[:2])
    drawn = found.track.active.copy()
    found.thumb.rect = (0, 2, 4, 20)
    found.thumb.on(drawn)
    assert np.array_equal(drawn, bar(0))
    assert found.track.inactive is not None


def test_bars_that_do_not_follow_are_refused():
    box = (0, 0, 4, HIGH)
    late = [(at, bar(at if at < 40 else 30), bar(0)) for at in (0, 20, 40)]
    with pytest.raises(Refused):
        bar_of("e3", box, [*late, (45, bar(45), bar(0))], 0)
    with pytest.raises(Refused, match="does not move"):
        bar_of("e3", box, [(0, bar(0), bar(0)), (45, bar(0), bar(0))], 0)
    grown = [(0, bar(0, high=10), bar(0, high=10)), (45, bar(45), bar(45))]
    with pytest.raises(Refused):
        bar_of("e3", box, grown, 0)


def page_with_list(last=15):
    """A list of three rows in a window, of which the third is cut off, beside its bar; a button below."""
    cells = [{**row(n, 2 + 10 * n, 12 + 10 * n), "interactive": True, "parent": "e9", "id": f"e{n}"} for n in range(2)]
    table = {**element_record(9), "role": "table", "name": "", "bbox": [2, 2, 10, 2 + HIGH], "interactive": False}
    thumb = {**element_record(8), "role": "scroll bar", "bbox": [10, 2, 14, 2 + HIGH], "interactive": True}
    button = {**element_record(7), "bbox": [20, 38, 50, 44], "interactive": True}
    out = Page("live-x", [table, *cells, thumb, button], focus_home="e7")
    strip = np.zeros((HIGH + last, 8, 3), np.uint8)
    boxes = [[0, 10 * n, 8, 10 * n + 10] for n in range(4)]
    elements = [{**row(n, 0, 0), "interactive": True, "id": f"s1-{n}", "bbox": box} for n, box in enumerate(boxes)]
    piece = changes.Piece((10, 2, 14, 20), np.ones((18, 4), bool), np.zeros((18, 4, 3), np.uint8), None)
    out.areas.append(
        ScrollArea(
            "s1", "e9", (2, 2, 10, 2 + HIGH), strip, None, 0, last, elements, [Bar("e8", piece, piece, (2, 9), True)]
        )
    )
    for name in ("e0", "e1", "e8"):
        out.tell(name, "click", [{"kind": "inert"}])
    return out


def ring(box):
    lit = plain()
    lit[box[1] : box[3], box[0] : box[2]] = 77
    return changes.pieces(plain(), lit, None)


def test_the_wheel_is_told_and_clicks_that_would_scroll_are_not():
    page = page_with_list()
    scrolled.settle(page)
    told = {(t["element"], str(t["action"])): t for t in page.transitions}
    assert told["e9", "{'scroll': [0, 1]}"]["outcomes"] == [{"kind": "scrolled", "area": "s1", "by": [0, 15]}]
    assert told["e8", "{'scroll': [0, -1]}"]["outcomes"][0]["by"] == [0, -15]
    # At 15 px, half of the second row shows.
    assert told["e1", "click"]["outcomes"][0]["kind"] == "unmodelled"
    assert told["e0", "click"]["outcomes"] == [{"kind": "inert"}]
    # The thumb is between 9 and 20 at both ends.
    assert told["e8", "click"]["part"] == [10, 9, 14, 20]
    (line,) = [line for line in lines_of(page)[0] if line["line"] == "scroll_area"]
    assert line["content"]["size"] == [8, 45]
    assert line["bars"][0]["travel"] == [9, 16]


def test_pictures_of_what_shows_instead_are_of_lists_where_they_were():
    for large, kinds in ((Page("live-x-max", []), ["unmodelled", "maximised"]), (page_with_list(), ["unmodelled"] * 2)):
        page = page_with_list()
        page.tell("e7", "click", [{"kind": "page", "to": "y"}])
        page.tell("e7", "double_click", [{"kind": "maximised", "to": "z"}])
        scrolled.settle(page, large)
        assert [t["outcomes"][0]["kind"] for t in page.transitions if t["element"] == "e7"] == kinds


def test_rings_in_a_list_move_with_it():
    page = page_with_list()
    page.layers = [Layer("focus", "e0", {}, ring((3, 3, 9, 8))), Layer("focus", "e7", {}, ring((20, 38, 50, 44)))]
    scrolled.settle(page)
    assert [layer.element for layer in page.layers] == ["e7"]
    (patch,) = page.patches
    assert (patch.control, patch.pieces, len(patch.focused)) == ("f-e0", [], 1)
    assert page.controls["f-e0"].type == "derived"


def test_a_change_across_the_edge_is_two():
    page = page_with_list()
    page.controls["c"] = Control("c", "e0", "check_box", False, [False, True])
    page.patches.append(Patch("c", True, {}, ring((3, 20, 9, 40)), []))
    scrolled.settle(page)
    assert [piece.rect for piece in page.patches[0].pieces] == [(3, 20, 9, 32), (3, 32, 9, 40)]
    assert len(page.areas) == 1


@pytest.mark.parametrize("what", ["other", "home", "frame", "ring", "moving"])
def test_areas_that_do_not_hold_in_every_state_are_refused(what):
    page = page_with_list()
    own = "e7" if what != "frame" else "e0"
    page.controls["c"] = Control("c", own, "check_box", False, [False, True])
    if what == "home":
        page.focus_home = "e0"
    elif what == "ring":
        page.layers.append(Layer("focus", "e7", {}, ring((3, 3, 9, 8))))
    elif what == "moving":
        page.patches.append(Patch("c", True, {}, [], [{"id": "e1", "gone": True}]))
    else:
        page.patches.append(Patch("c", True, {}, ring((3, 0, 9, 36) if what == "frame" else (3, 20, 9, 24)), []))
    scrolled.settle(page)
    assert page.areas == []
    assert "no scroll area s1" in page.notes[0]


def test_what_shows_in_part_may_be_missing():
    page = page_with_list()
    line = {"viewport": [2, 2, 10, 2 + HIGH], "offset": [0, 0], "elements": page.areas[0].elements}
    heights = heights_in(line, page.elements)
    assert heights["e1"] == 10
    told = [{**page.elements[2], "bbox": [2, 2, 10, 7]}]
    assert judge.state_faults(told, []) == ["not there: table cell row 1"]
    assert judge.state_faults(told, [], heights) == []


def test_the_wheel_turns_over_lists_alone():
    page = page_with_list()
    lists = [{**e, "bbox": [v * 10 for v in e["bbox"]]} for e in page.elements]
    allowed, chance = [e for e in lists if e["interactive"]], random.Random(5)
    drawn = [judge.choose_with_wheel(allowed, lists, "gtk 3.24", chance) for _ in range(400)]
    turned = [element["role"] for element, event in drawn if "scroll" in event]
    assert set(turned) == {"table", "table cell", "scroll bar"}
    assert 0.2 < len(turned) / len(drawn) < 0.6
    assert all("scroll" in event for element, event in drawn if element and element["role"] == "table")


def test_the_wheel_is_not_turned_over_what_it_sets():
    page = page_with_list()
    table = {**page.elements[0], "bbox": [0, 0, 200, 100]}
    spin = {**element_record(5), "role": "spin button", "bbox": [80, 40, 120, 60]}
    assert wheels.spot_in(table, [table]) == (100, 50)
    assert wheels.spot_in(table, [table, spin]) == (100, 25)
    assert wheels.holders([table, spin, page.elements[0]]) == [table]
