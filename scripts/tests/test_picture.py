import numpy as np
import pytest

from capture.picture import (
    CaptureError,
    Picture,
    as_rgb,
    brightness_steps,
    cropped,
    differs,
    has_moved,
    moving_box,
    require_opaque,
    solved,
)


def over(colour: tuple, alpha: float, ground: int) -> np.ndarray:
    return np.full((4, 4, 3), [round(c * alpha + ground * (1 - alpha)) for c in colour], np.int16)


@pytest.mark.parametrize(("colour", "alpha"), [((200, 100, 50), 1.0), ((200, 100, 50), 0.5), ((0, 0, 0), 0.25)])
def test_colour_and_alpha_from_two_grounds(colour, alpha):
    black, white = over(colour, alpha, 0), over(colour, alpha, 255)
    pixels, moved = solved(black, white, black)
    assert not moved.any()
    assert np.abs(pixels[0, 0].astype(int) - [*colour, round(alpha * 255)]).max() <= 2


def test_nothing_is_fully_transparent():
    pixels, _ = solved(over((0, 0, 0), 0.0, 0), over((0, 0, 0), 0.0, 255), over((0, 0, 0), 0.0, 0))
    assert not pixels.any()


def test_what_moves_meanwhile_counts_as_solid():
    black, white = over((0, 0, 0), 0.0, 0), over((0, 0, 0), 0.0, 255)
    again = black.copy()
    again[1, 2] = 90
    pixels, moved = solved(black, white, again)
    assert list(zip(*np.nonzero(moved), strict=True)) == [(1, 2)]
    assert pixels[1, 2, 3] == 255


def test_grabs_are_bgrx():
    assert as_rgb(bytes([1, 2, 3, 0, 4, 5, 6, 0]), (10, 20, 12, 21)).tolist() == [[[3, 2, 1], [6, 5, 4]]]


def visible(box: tuple) -> np.ndarray:
    pixels = np.zeros((50, 80, 4), np.uint8)
    pixels[box[1] : box[3], box[0] : box[2]] = 255
    return pixels


def test_cropped_to_what_shows():
    picture = cropped(visible((10, 5, 70, 45)), (100, 200, 180, 250), False)
    assert picture.box() == (110, 205, 170, 245)
    assert picture.within((0, 0, 112, 206)).shape == (1, 2, 4)


def test_a_cut_shadow_is_refused_unless_the_window_is_snapped():
    pixels = visible((0, 5, 70, 45))
    with pytest.raises(CaptureError, match="shadow is cut"):
        cropped(pixels, (0, 0, 80, 50), False)
    assert cropped(pixels, (0, 0, 80, 50), True).box() == (0, 5, 70, 45)
    with pytest.raises(CaptureError, match="empty"):
        cropped(np.zeros((5, 5, 4), np.uint8), (0, 0, 5, 5), True)


def test_a_nearly_opaque_title_bar_becomes_opaque():
    pixels = np.full((100, 100, 4), 255, np.uint8)
    pixels[:20, :, 3] = 240
    require_opaque(pixels, (0, 0, 100, 100), (0, 0, 100, 100))
    assert pixels[5, 50, 3] == 255
    assert pixels[5, 5, 3] == 240, "corners are round and stay as they are"


def test_a_transparent_or_cut_frame_is_refused():
    pixels = np.full((100, 100, 4), 255, np.uint8)
    pixels[40:60, 40:60, 3] = 100
    with pytest.raises(CaptureError, match=r"4\.0% of the frame is transparent"):
        require_opaque(pixels, (0, 0, 100, 100), (0, 0, 100, 100))
    with pytest.raises(CaptureError, match="leaves the screen"):
        require_opaque(pixels, (-10, 0, 100, 100), (0, 0, 100, 100))


def test_differs_counts_visible_changes():
    a = np.zeros((10, 10, 3), np.uint8)
    b = a.copy()
    b[0, :5] = 200
    assert differs(a, b, 0.04)
    assert not differs(a, b, 0.05)
    assert not differs(a, a + 12, 0.0), "too little to be seen"
    assert differs(a, a[:5], 0.5), "another size"


def test_moving_box():
    moving = np.zeros((20, 30), bool)
    assert moving_box(moving) is None
    moving[3, 7] = moving[9, 21] = True
    assert moving_box(moving) == [7, 3, 22, 10]


def test_has_moved():
    box = (0, 0, 100, 100)
    still = bytes(100 * 100 * 4)
    blink = bytes([200]) * 16 + still[16:]  # 4 pixels of 10,000
    assert not has_moved((box, still), (box, blink))
    assert has_moved((box, still), (box, bytes([200]) * 40 + still[40:]))
    assert has_moved((box, still), ((0, 0, 100, 101), still))


def test_the_part_of_a_picture_within_a_box_of_the_screen():
    pixels = np.arange(6 * 4 * 4, dtype=np.uint8).reshape(6, 4, 4)
    part = Picture(pixels, (10, 20)).within((11, 22, 13, 100))
    assert np.array_equal(part, pixels[2:6, 1:3])


def test_pictures_are_told_apart_by_where_they_get_darker():
    plain = np.zeros((64, 68, 3), np.uint8)
    bright = plain.copy()
    bright[:4, 8:12] = 200
    steps = brightness_steps(bright)
    assert [tuple(place) for place in np.argwhere(steps)] == [(0, 2)]
    assert not brightness_steps(plain).any()
