"""What differs between two pictures, and how pieces of it are kept and put together."""

import numpy as np
import pytest

from capture.living import changes
from capture.living.atlas import Atlas
from capture.living.lines import MOST_RUNS, SPARSE_SHARE, compact


def plain(width=64, height=40, level=200):
    return np.full((height, width, 3), level, np.uint8)


def with_box(box, level=20, base=None):
    out = plain() if base is None else base.copy()
    x0, y0, x1, y1 = box
    out[y0:y1, x0:x1] = level
    return out


def test_boxes_hold_what_differs_and_nothing_beside_it():
    after = with_box((3, 4, 9, 10), base=with_box((40, 20, 50, 30)))
    mask = changes.changed(plain(), after)
    assert sorted(changes.boxes_of(mask)) == [(3, 4, 9, 10), (40, 20, 50, 30)]
    assert changes.boxes_of(np.zeros((5, 5), bool)) == []


def test_what_changes_by_itself_does_not_count():
    after = with_box((3, 4, 9, 10))
    assert not changes.changed(plain(), after, [(0, 0, 20, 20)]).any()
    assert not changes.alike(plain(), after)
    assert changes.alike(plain(), after, [(0, 0, 20, 20)])


@pytest.mark.parametrize(("pixels", "level", "same"), [(2, 0, True), (3, 0, False), (40, 191, True), (40, 190, False)])
def test_a_few_pixels_may_differ_and_all_by_a_little(pixels, level, same):
    other = plain()
    other.reshape(-1, 3)[:pixels] = level
    assert changes.alike(plain(), other) is same


def test_pieces_turn_one_picture_into_the_other_in_both_looks():
    before, after = plain(), with_box((10, 10, 20, 14))
    faded, faded_after = plain(level=220), with_box((10, 10, 20, 14), 90, plain(level=220))
    parts = changes.pieces(before, after, (faded, faded_after))
    assert np.array_equal(changes.drawn(before, parts), after)
    inactive = faded.copy()
    for part in parts:
        part.on(inactive, inactive=True)
    assert np.array_equal(inactive, faded_after)


def test_a_piece_is_cut_into_what_lies_inside_a_box_and_what_does_not():
    (piece,) = changes.pieces(plain(), with_box((10, 10, 20, 14)), None)
    inside, outside = piece.within((0, 0, 15, 40)), piece.without((0, 0, 15, 40))
    assert (inside.rect, outside.rect) == ((10, 10, 15, 14), (15, 10, 20, 14))
    assert piece.within((30, 30, 40, 40)) is None
    assert piece.without((30, 30, 40, 40)) is piece
    assert piece.without((0, 0, 64, 40)) is None


@pytest.mark.parametrize(
    ("rows", "runs"),
    [(["##"], [0, 2]), (["..", ".#"], [3, 1]), (["#.", "##"], [0, 1, 1, 2]), ([".#", ".."], [1, 1, 2])],
)
def test_runs_begin_with_pixels_that_stay(rows, runs):
    mask = np.array([[c == "#" for c in row] for row in rows])
    assert changes.run_lengths(mask) == runs
    assert sum(runs) == mask.size


def test_an_atlas_holds_each_picture_once_and_none_over_another():
    atlas = Atlas()
    chance = np.random.default_rng(1)
    crops = [chance.integers(0, 255, (h, w, 3), np.uint8) for h, w in ((10, 700), (30, 500), (8, 8), (30, 400))]
    numbers = [atlas.add(crop) for crop in crops]
    assert atlas.add(crops[1].copy()) == numbers[1]
    picture = atlas.pack()
    for crop, number in zip(crops, numbers, strict=True):
        x, y = atlas.place(number)
        assert np.array_equal(picture[y : y + crop.shape[0], x : x + crop.shape[1], :3], crop)
    assert Atlas().pack() is None


def test_an_atlas_gets_wider_before_it_is_higher_than_a_picture_may_be():
    atlas = Atlas()
    for level in range(17):
        atlas.add(np.full((1000, 4, 3), level, np.uint8))
    assert atlas.pack().shape[:2] == (1000, 68)
    for level in range(17):
        atlas.add(np.full((1000, 1000, 3), level, np.uint8))
    assert atlas.pack().shape[:2] == (9000, 2000)


def test_a_look_that_is_still_fading_strays_beside_what_has_changed():
    before, after = plain(), with_box((0, 0, 8, 8))
    assert not changes.strays_beside(before, after, before, after)
    assert changes.strays_beside(before, with_box((20, 20, 40, 40)), before, after)
    assert changes.strays_beside(before, after[1:], before, after)


def test_a_frame_around_others_leaves_what_it_surrounds():
    mask = np.zeros((600, 400), bool)
    mask[:, :2] = mask[:, -2:] = mask[:2] = mask[-2:] = True
    look = np.zeros((600, 400, 3), np.uint8)
    parts = compact(changes.Piece((10, 20, 410, 620), mask, look, None))
    covered = np.zeros((640, 420), bool)
    for part in parts:
        assert len(changes.run_lengths(part.mask)) <= MOST_RUNS or part.mask.mean() >= SPARSE_SHARE
        x0, y0, x1, y1 = part.rect
        covered[y0:y1, x0:x1] |= part.mask
    assert np.array_equal(covered[20:620, 10:410], mask)
    assert covered.sum() == mask.sum()
