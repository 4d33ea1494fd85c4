import io
import xml.etree.ElementTree as ET

from PIL import Image

from png_rows import OVERLAP, TOLERANCE, set_in_rows

SVG = "{http://www.w3.org/2000/svg}"


def png(picture):
    out = io.BytesIO()
    picture.save(out, "png")
    return out.getvalue()


def disc():
    """A disc that goes from red to blue, with a soft edge, on nothing."""
    picture = Image.new("RGBA", (16, 16))
    for y in range(16):
        for x in range(16):
            away = ((x - 7.5) ** 2 + (y - 7.5) ** 2) ** 0.5
            if away < 7.5:
                picture.putpixel((x, y), (250 - 10 * x, 8 * y, 15 * x, 255 if away < 6.5 else 120))
    return picture


def colour_at(gradient, x):
    """What a gradient shows at the middle of pixel `x`, by its stops."""
    start, end = float(gradient.get("x1")), float(gradient.get("x2"))
    part = (x + 0.5 - start) / (end - start)
    stops = []
    for stop in gradient:
        colour = stop.get("stop-color")
        channels = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
        stops.append((float(stop.get("offset")), [*channels, float(stop.get("stop-opacity", 1)) * 255]))
    below = max((s for s in stops if s[0] <= part + 1e-3), key=lambda s: s[0])
    above = min((s for s in stops if s[0] >= part - 1e-3), key=lambda s: s[0])
    between = (part - below[0]) / (above[0] - below[0]) if above[0] > below[0] else 0
    return [a + (b - a) * between for a, b in zip(below[1], above[1], strict=True)]


def test_each_row_has_the_colours_of_its_pixels():
    picture = disc()
    root = ET.fromstring(set_in_rows(png(picture)))
    gradients = {gradient.get("id"): gradient for gradient in root.iter(f"{SVG}linearGradient")}
    covered = set()
    for rect in root.iter(f"{SVG}rect"):
        y, left, width = (int(rect.get(key)) for key in ("y", "x", "width"))
        gradient = gradients[rect.get("fill")[5:-1]]
        for x in range(left, left + width):
            covered.add((x, y))
            for made, wanted in zip(colour_at(gradient, x), picture.getpixel((x, y)), strict=True):
                # Stops are written with few digits.
                assert abs(made - wanted) <= TOLERANCE + 2, (x, y)
    assert covered == {(x, y) for x in range(16) for y in range(16) if picture.getpixel((x, y))[3]}


def test_rows_overlap_but_for_the_last():
    root = ET.fromstring(set_in_rows(png(Image.new("RGBA", (4, 3), (200, 20, 20, 255)))))
    assert [float(rect.get("height")) for rect in root.iter(f"{SVG}rect")] == [1 + OVERLAP, 1 + OVERLAP, 1]


def test_even_rows_need_two_stops():
    assert set_in_rows(png(Image.new("RGBA", (16, 1), (9, 9, 9, 255)))).count("<stop") == 2


def test_a_single_pixel_has_a_colour():
    assert 'stop-color="#090807"' in set_in_rows(png(Image.new("RGBA", (1, 1), (9, 8, 7, 255))))


def test_nothing_is_drawn_where_nothing_is():
    assert "<rect" not in set_in_rows(png(Image.new("RGBA", (4, 4))))


def test_large_pictures_are_made_smaller():
    assert 'viewBox="0 0 48 24"' in set_in_rows(png(Image.new("RGBA", (96, 48), (1, 2, 3, 255))))
