"""A small PNG picture as an SVG drawing without pictures inside: each row of pixels is a rectangle with a gradient.

The pack takes no pictures in drawings, and some programs have their icon as PNG only. Between two stops of a gradient
the colour changes evenly, so a run of pixels that do needs its ends alone.
"""

import io

from PIL import Image

# How far a colour may be from the picture's, of 255 and per channel.
TOLERANCE = 6
# How far a row goes below its own place, to leave no seam to the next, which is drawn over it.
OVERLAP = 0.5
# Side that larger pictures are made smaller to: icons are drawn at up to 48 pixels.
MOST_SIDE = 48

Pixel = tuple[int, int, int, int]


def set_in_rows(data: bytes) -> str:
    with Image.open(io.BytesIO(data)) as picture:
        rgba = picture.convert("RGBA")
    if max(rgba.size) > MOST_SIDE:
        rgba.thumbnail((MOST_SIDE, MOST_SIDE), Image.Resampling.LANCZOS)
    width, height = rgba.size
    data = rgba.tobytes()
    pixels: list[Pixel] = [tuple(data[at : at + 4]) for at in range(0, len(data), 4)]
    gradients, rows = [], []
    for y in range(height):
        row = pixels[y * width : (y + 1) * width]
        seen = [x for x, pixel in enumerate(row) if pixel[3]]
        if not seen:
            continue
        first, last = seen[0], seen[-1]
        stops = "".join(_stop(x, row[x], first, last) for x in _stops(row, first, last))
        below = pixels[(y + 1) * width : (y + 2) * width]
        # The picture's lower edge stays where it is.
        drop = OVERLAP if below and any(pixel[3] for pixel in below[first : last + 1]) else 0
        # The stops stand at the middles of pixels; outside of them the gradient keeps its colour.
        gradients.append(
            f'<linearGradient id="r{y}" gradientUnits="userSpaceOnUse" x1="{first + 0.5}" '
            f'x2="{max(last, first + 1) + 0.5}" y1="0" y2="0">{stops}</linearGradient>'
        )
        rows.append(f'<rect x="{first}" y="{y}" width="{last + 1 - first}" height="{1 + drop}" fill="url(#r{y})"/>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f"<defs>{''.join(gradients)}</defs>{''.join(rows)}</svg>"
    )


def _stops(row: list[Pixel], first: int, last: int) -> list[int]:
    """Places whose colours, joined by straight lines, come near to all between them."""
    places = [first]
    while places[-1] < last:
        start, end = places[-1], places[-1] + 1
        while end < last and all(_near(row, start, end + 1, x) for x in range(start + 1, end + 1)):
            end += 1
        places.append(end)
    return places


def _near(row: list[Pixel], start: int, end: int, x: int) -> bool:
    part = (x - start) / (end - start)
    between = (a + (b - a) * part for a, b in zip(row[start], row[end], strict=True))
    return all(abs(made - wanted) <= TOLERANCE for made, wanted in zip(between, row[x], strict=True))


def _stop(x: int, pixel: Pixel, first: int, last: int) -> str:
    offset = (x - first) / max(last - first, 1)
    opacity = f' stop-opacity="{pixel[3] / 255:.3g}"' if pixel[3] < 255 else ""
    return f'<stop offset="{offset:.4g}" stop-color="#{pixel[0]:02x}{pixel[1]:02x}{pixel[2]:02x}"{opacity}/>'
