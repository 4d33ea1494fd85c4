"""The drawings, small: their code takes the size from the canvas."""

import hashlib
import io
import json
import re
from itertools import combinations

import numpy as np
import pytest
from PIL import Image

import collect_wallpapers
from collect_wallpapers import FOLDER, PICTURES, ROOT, changes, cover, encode
from draw_wallpapers import DRAWINGS
from wallpaper_art import canvas, gradients, landscapes, lines, ribbons

HIGH, WIDE = 90, 160


@pytest.fixture
def small(monkeypatch):
    """A canvas of 160x90 pixels in every module that has its size."""
    sizes = {"WIDTH": WIDE, "HEIGHT": HIGH, "PIXEL": 1 / HIGH}
    for module in (canvas, gradients, landscapes, lines, ribbons):
        for name, value in sizes.items():
            if hasattr(module, name):
                monkeypatch.setattr(module, name, value)
    monkeypatch.setattr(ribbons, "STEPS_ALONG", 60)
    monkeypatch.setattr(ribbons, "STEPS_ACROSS", 12)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_is_the_same_on_every_run(name):
    first, second = (DRAWINGS[name][1]() for _ in range(2))
    assert (first.shape, first.dtype) == ((HIGH, WIDE, 3), np.uint8)
    assert np.array_equal(first, second)


# The others have lines or stars whose size is in pixels, or are drawn in coarser steps here.
@pytest.mark.parametrize("name", sorted(DRAWINGS.keys() - {"night_lake", "paper_contours", "slate_contours"}))
@pytest.mark.usefixtures("small")
def test_the_pack_has_these_drawings(name):
    drawn = DRAWINGS[name][1]().astype(int)
    with Image.open(collect_wallpapers.FOLDER / f"{name}.jpg") as picture:
        kept = picture.convert("RGB").resize((WIDE, HIGH), Image.Resampling.BOX)
    # The grain alone makes about 1.
    assert np.abs(drawn - np.asarray(kept)).mean() < 5


@pytest.mark.usefixtures("small")
def test_no_two_drawings_are_alike():
    assert len({hashlib.sha256(draw().tobytes()).digest() for _, draw in DRAWINGS.values()}) == len(DRAWINGS)


@pytest.mark.usefixtures("small")
def test_the_grid_is_in_units_of_the_height():
    x, y = canvas.grid()
    assert x.shape == (HIGH, WIDE)
    assert (x[0, 0], y[0, 0]) == pytest.approx((0.5 / HIGH, 0.5 / HIGH))
    assert x[0, -1] == pytest.approx(WIDE / HIGH - 0.5 / HIGH)


def test_a_ramp_goes_through_its_stops():
    stops = [(0.0, "#ff0000"), (0.5, "#00ff00"), (1.0, "#0000ff")]
    colours = canvas.ramp(np.array([-1.0, 0.0, 0.5, 1.0, 2.0]), stops)
    assert np.abs(colours - np.array([[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 1]])).max() < 0.01


def test_halfway_between_black_and_white_looks_like_halfway():
    grey = canvas.ramp(np.array([0.5]), [(0.0, "#000000"), (1.0, "#ffffff")])[0]
    assert grey == pytest.approx([0.388] * 3, abs=0.01)


def test_over_and_screen():
    picture = np.full((1, 2, 3), 0.25, np.float32)
    assert canvas.over(picture, np.ones(3), np.array([[0.0, 0.5]]))[0, :, 0] == pytest.approx([0.25, 0.625])
    assert canvas.screen(picture, np.full((1, 2, 3), 0.5))[0, 0, 0] == pytest.approx(0.625)


@pytest.mark.usefixtures("small")
def test_coverage_is_soft_over_one_pixel():
    assert canvas.coverage(np.array([-1.0, 0.0, 0.25 / HIGH, 1.0])) == pytest.approx([0, 0.5, 0.75, 1])


def test_noise_is_seeded_and_small():
    x, y = np.meshgrid(np.linspace(0, 9, 50), np.linspace(0, 9, 50))
    noise = canvas.fractal_noise(5, x, y, 3)
    assert np.array_equal(noise, canvas.fractal_noise(5, x, y, 3))
    assert not np.array_equal(noise, canvas.fractal_noise(6, x, y, 3))
    assert np.abs(noise).max() < 1.5
    assert canvas.gradient_noise(5, np.array([3.0]), np.array([4.0]))[0] == 0, "it is nought at whole numbers"


@pytest.mark.usefixtures("small")
def test_a_blur_keeps_what_there_is():
    plane = np.zeros((HIGH, WIDE), np.float32)
    plane[45, 80] = 1
    blurred = canvas.blur(plane, 0.05)
    assert blurred.sum() == pytest.approx(1, abs=1e-4)
    assert blurred[45, 80] == blurred.max() < 0.1
    assert np.allclose(blurred[45, 80 - 5], blurred[45, 80 + 5])


def test_photos_are_cut_without_distortion():
    photo = Image.new("RGB", (4000, 1440), "red")
    photo.paste("blue", (2000, 0, 4000, 1440))
    left, right = cover(photo, 0.0), cover(photo, 1.0)
    assert left.size == right.size == (collect_wallpapers.WIDTH, collect_wallpapers.HEIGHT)
    assert left.getpixel((1990, 700)) == (255, 0, 0)
    assert right.getpixel((570, 700)) == (0, 0, 255)


def test_nothing_is_enlarged():
    with pytest.raises(SystemExit, match="has 4000x1439 pixels, expected at least 2560x1440"):
        cover(Image.new("RGB", (4000, 1439)), 0.5)
    picture = Image.effect_noise((2560, 1440), 90)
    assert cover(picture, 0.5).tobytes() == picture.tobytes()


def test_changes_say_how_large_the_picture_was():
    assert changes((3840, 2160)) == "scaled from 3840x2160 to 2560x1440"
    assert changes((3840, 2560)) == "cropped and scaled from 3840x2560 to 2560x1440"


@pytest.mark.parametrize("smooth", [True, False])
def test_gradients_are_stored_with_full_colour_and_all_in_one_pass(smooth):
    with Image.open(io.BytesIO(encode(Image.new("RGB", (32, 32), "#c02040"), smooth))) as picture:
        assert (picture.format, picture.info.get("progressive")) == ("JPEG", None)
        assert [component[1:3] for component in picture.layer] == [(1, 1) if smooth else (2, 2), (1, 1), (1, 1)]


def test_no_wallpaper_takes_more_bytes_than_it_may(monkeypatch):
    monkeypatch.setattr(collect_wallpapers, "MAX_BYTES", 3_000)
    with pytest.raises(SystemExit, match=r"takes \d+ bytes, expected at most 3000"):
        encode(Image.effect_noise((64, 64), 90).convert("RGB"), smooth=True)


@pytest.fixture(scope="module")
def listed():
    return json.loads((FOLDER / "wallpapers.json").read_text())


def test_the_list_is_what_the_script_makes(listed):
    packaged = [(p.id, p.title, p.author, p.licence, p.photograph) for p in PICTURES]
    drawn = [(name, title, "windesk contributors", "MIT OR Apache-2.0", False) for name, (title, _) in DRAWINGS.items()]
    found = [(w["id"], w["title"], w["author"], w["licence"], w.get("photograph", False)) for w in listed]
    assert found == packaged + drawn
    files = {w["file"]: hashlib.sha256((FOLDER / w["file"]).read_bytes()).hexdigest() for w in listed}
    assert files == {w["file"]: w["sha256"] for w in listed}
    assert {p.name for p in FOLDER.iterdir()} == files.keys() | {"wallpapers.json"}


def test_there_are_enough_wallpapers_and_photographs(listed):
    photographs = [w for w in listed if w.get("photograph")]
    assert len(listed) >= 40
    assert len(photographs) >= 20
    for w in photographs:
        width, height = map(int, re.search(r" from (\d+)x(\d+) to ", w["changes"]).groups())
        assert (width >= collect_wallpapers.WIDTH, height >= collect_wallpapers.HEIGHT) == (True, True), w["id"]
    assert sum(p.stat().st_size for p in FOLDER.iterdir()) <= 25_000_000


def test_no_default_wallpaper_is_share_alike(listed):
    assert all(w["default"] and not w["share_alike"] for w in listed)
    # Every licence has its text; none of these says "share alike".
    licences = {part for w in listed for part in w["licence"].split(" OR ")}
    assert licences == {"CC0-1.0", "CC-BY-4.0", "MIT", "Apache-2.0"}
    assert all((ROOT / "assets" / "licenses" / f"{licence}.txt").is_file() for licence in licences)


def test_no_wallpaper_is_there_twice(listed):
    small = {}
    for w in listed:
        with Image.open(FOLDER / w["file"]) as picture:
            assert picture.size == (collect_wallpapers.WIDTH, collect_wallpapers.HEIGHT), w["id"]
            picture.draft("RGB", (WIDE, HIGH))
            small[w["id"]] = np.asarray(picture.convert("RGB").resize((32, 18), Image.Resampling.BOX)).astype(int)
    alike = {pair: np.abs(small[pair[0]] - small[pair[1]]).mean() for pair in combinations(small, 2)}
    closest = min(alike, key=alike.get)
    assert alike[closest] > 8, closest
