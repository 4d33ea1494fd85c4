import numpy as np

from builders import element_record
from capture.brightness import is_dark

FRAME = [0, 0, 200, 100]


def window(ground, controls):
    """A page of one lightness with three buttons on another."""
    pixels = np.full((100, 200, 4), 255, np.uint8)
    pixels[..., :3] = ground
    elements = [element_record(n, bbox=[10 + 40 * n, 10, 40 + 40 * n, 30]) for n in range(3)]
    for element in elements:
        x0, y0, x1, y1 = element["bbox"]
        pixels[y0:y1, x0:x1, :3] = controls
    return elements, pixels, FRAME


def test_a_dark_program_in_a_light_look_is_dark():
    assert is_dark(False, *window(40, 50))
    assert not is_dark(False, *window(230, 240))


def test_a_dark_page_between_light_controls_is_not_dark():
    assert not is_dark(False, *window(10, 220))


def test_a_dark_look_stays_dark_around_a_light_page():
    assert is_dark(True, *window(240, 220))


def test_a_window_without_elements_is_as_its_look():
    _, pixels, frame = window(10, 10)
    assert not is_dark(False, [], pixels, frame)
