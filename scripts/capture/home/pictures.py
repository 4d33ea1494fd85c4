"""Pictures drawn with cairo and numpy: landscapes, a harbour, a still life, a night sky, a plan of garden plots.

Each scene gets its own seed, so adding one leaves the others as they are. Noise is added at the end: flat vector
colours would look like clip art beside the photographs that these files stand for.
"""

import math
import pathlib
import random
from itertools import pairwise

import cairo
import numpy as np
from PIL import Image, ImageFilter

from persona import Persona


def canvas(width, height):
    surface = cairo.ImageSurface(cairo.FORMAT_RGB24, width, height)
    return surface, cairo.Context(surface)


def to_image(surface):
    width, height = surface.get_width(), surface.get_height()
    pixels = np.frombuffer(bytes(surface.get_data()), np.uint8).reshape(height, surface.get_stride() // 4, 4)[:, :width]
    return Image.fromarray(pixels[:, :, 2::-1].copy())


def grain(image, seed, strength=5.0):
    noise = np.random.default_rng(seed).normal(0, strength, (image.height, image.width, 1))
    return Image.fromarray(np.clip(np.asarray(image).astype(float) + noise, 0, 255).astype(np.uint8))


def gradient(context, width, top, bottom, stops):
    pattern = cairo.LinearGradient(0, top, 0, bottom)
    for position, colour in stops:
        pattern.add_color_stop_rgb(position, *colour)
    context.set_source(pattern)
    context.rectangle(0, top, width, bottom - top)
    context.fill()


def ridge(rng, width, base, height, roughness):
    """A skyline as a list of (x, y): midpoint displacement, so near and far hills differ only in parameters."""
    points = [(0.0, base - rng.uniform(0, height)), (width, base - rng.uniform(0, height))]
    spread = height
    while points[1][0] - points[0][0] > 6:
        finer = [points[0]]
        for (x0, y0), (x1, y1) in pairwise(points):
            finer += [((x0 + x1) / 2, (y0 + y1) / 2 + rng.uniform(-spread, spread)), (x1, y1)]
        points, spread = finer, spread * roughness
    return points


def fill_below(context, points, width, height, colour):
    context.move_to(0, height)
    for point in points:
        context.line_to(*point)
    context.line_to(width, height)
    context.close_path()
    context.set_source_rgb(*colour)
    context.fill()


def mix(a, b, t):
    return tuple(x + (y - x) * t for x, y in zip(a, b, strict=True))


def hills(seed, sky, far, near, sun=None, layers=6, size=(1800, 1200)):
    rng, (width, height) = random.Random(seed), size
    surface, context = canvas(width, height)
    gradient(context, width, 0, height, sky)
    if sun:
        x, y, radius, colour = sun
        glow = cairo.RadialGradient(x, y, radius * 0.3, x, y, radius * 6)
        glow.add_color_stop_rgba(0, *colour, 0.9)
        glow.add_color_stop_rgba(1, *colour, 0)
        context.set_source(glow)
        context.paint()
        context.arc(x, y, radius, 0, 2 * math.pi)
        context.set_source_rgb(*mix(colour, (1, 1, 1), 0.6))
        context.fill()
    for layer in range(layers):
        t = layer / (layers - 1)
        points = ridge(rng, width, height * (0.50 + 0.42 * t), height * (0.16 - 0.06 * t), 0.5 + 0.05 * t)
        fill_below(context, points, width, height, mix(far, near, t))
    return grain(to_image(surface).filter(ImageFilter.GaussianBlur(0.8)), seed)


def harbour(seed, size=(1800, 1200)):
    rng, (width, height) = random.Random(seed), size
    surface, context = canvas(width, height)
    horizon = int(height * 0.52)
    gradient(context, width, 0, horizon, [(0, (0.16, 0.20, 0.38)), (0.6, (0.72, 0.45, 0.42)), (1, (0.98, 0.76, 0.48))])
    fill_below(context, ridge(rng, width, horizon, 90, 0.5), width, horizon, (0.26, 0.22, 0.32))
    walls = [(0.78, 0.30, 0.22), (0.88, 0.72, 0.42), (0.45, 0.52, 0.60), (0.86, 0.84, 0.78), (0.36, 0.45, 0.38)]
    x = 60
    while x < width - 160:
        w, h = rng.randint(80, 150), rng.randint(110, 210)
        context.set_source_rgb(*mix(rng.choice(walls), (0.2, 0.15, 0.25), 0.25))
        context.rectangle(x, horizon - h, w, h)
        context.fill()
        context.set_source_rgb(0.24, 0.16, 0.18)
        context.move_to(x - 6, horizon - h)
        context.line_to(x + w / 2, horizon - h - 50)
        context.line_to(x + w + 6, horizon - h)
        context.fill()
        for wx in range(x + 14, x + w - 20, 32):
            for wy in range(horizon - h + 22, horizon - 30, 42):
                context.set_source_rgb(*((1, 0.86, 0.5) if rng.random() < 0.55 else (0.2, 0.2, 0.28)))
                context.rectangle(wx, wy, 16, 22)
                context.fill()
        x += w + rng.randint(4, 26)
    top = np.asarray(to_image(surface))[:horizon][::-1][: height - horizon]
    water = top.astype(float) * 0.62 + np.array([14, 24, 40])
    shift = (6 * np.sin(np.arange(len(water)) / 4.2) * np.linspace(0.3, 2.2, len(water))).astype(int)
    water = np.stack([np.roll(row, s, axis=0) for row, s in zip(water, shift, strict=True)])
    picture = np.vstack([np.asarray(to_image(surface))[:horizon], np.clip(water, 0, 255).astype(np.uint8)])
    rest = height - len(picture)
    if rest > 0:
        picture = np.vstack([picture, np.repeat(picture[-1:], rest, axis=0)])
    return grain(Image.fromarray(picture).filter(ImageFilter.GaussianBlur(0.9)), seed, 6)


def still_life(seed, size=(1600, 1200)):
    rng, (width, height) = random.Random(seed), size
    surface, context = canvas(width, height)
    gradient(context, width, 0, height * 0.62, [(0, (0.30, 0.33, 0.34)), (1, (0.50, 0.50, 0.46))])
    gradient(context, width, height * 0.62, height, [(0, (0.46, 0.31, 0.20)), (1, (0.30, 0.19, 0.12))])
    fruits = [(0.83, 0.22, 0.16), (0.93, 0.62, 0.14), (0.55, 0.62, 0.18), (0.42, 0.18, 0.36), (0.88, 0.45, 0.20)]
    for index in range(11):
        radius = rng.randint(95, 150)
        x, y = (
            width * (0.14 + 0.075 * index) + rng.uniform(-30, 30),
            height * (0.66 + 0.10 * (index % 3)) - radius * 0.4,
        )
        context.save()
        context.translate(x + 30, y + radius * 0.95)
        context.scale(1, 0.22)
        context.arc(0, 0, radius * 1.1, 0, 2 * math.pi)
        context.restore()
        context.set_source_rgba(0, 0, 0, 0.35)
        context.fill()
        colour = rng.choice(fruits)
        ball = cairo.RadialGradient(x - radius * 0.4, y - radius * 0.45, radius * 0.05, x, y, radius)
        ball.add_color_stop_rgb(0, *mix(colour, (1, 1, 1), 0.65))
        ball.add_color_stop_rgb(0.35, *colour)
        ball.add_color_stop_rgb(1, *mix(colour, (0, 0, 0), 0.6))
        context.arc(x, y, radius, 0, 2 * math.pi)
        context.set_source(ball)
        context.fill()
        context.set_source_rgb(0.22, 0.15, 0.08)
        context.set_line_width(9)
        context.move_to(x, y - radius * 0.86)
        context.curve_to(x + 4, y - radius, x + 16, y - radius * 1.12, x + 22, y - radius * 1.22)
        context.stroke()
    return grain(to_image(surface).filter(ImageFilter.GaussianBlur(1.6)), seed, 6)


def meadow(seed, size=(1800, 1200)):
    rng, (width, height) = random.Random(seed), size
    surface, context = canvas(width, height)
    gradient(context, width, 0, height * 0.55, [(0, (0.36, 0.60, 0.86)), (1, (0.82, 0.91, 0.96))])
    gradient(context, width, height * 0.55, height, [(0, (0.48, 0.66, 0.30)), (1, (0.22, 0.42, 0.14))])
    for row in range(4):
        y, scale = height * (0.56 + 0.07 * row), 0.55 + 0.35 * row
        for _ in range(9 - row):
            x = rng.uniform(0, width)
            context.set_source_rgb(0.33, 0.24, 0.17)
            context.rectangle(x - 7 * scale, y - 90 * scale, 14 * scale, 95 * scale)
            context.fill()
            for _ in range(70):
                angle, reach = rng.uniform(0, 2 * math.pi), rng.uniform(0, 90) * scale
                shade = rng.uniform(0, 1)
                context.set_source_rgb(
                    *(mix((0.20, 0.45, 0.16), (0.62, 0.78, 0.36), shade) if rng.random() < 0.7 else (0.98, 0.86, 0.90))
                )
                context.arc(
                    x + reach * math.cos(angle),
                    y - 120 * scale + 0.75 * reach * math.sin(angle),
                    rng.uniform(6, 17) * scale,
                    0,
                    2 * math.pi,
                )
                context.fill()
    for _ in range(2600):
        x, depth = rng.uniform(0, width), rng.random() ** 0.6
        y = height * (0.66 + 0.34 * depth)
        context.set_source_rgb(
            *rng.choice(
                [(0.98, 0.96, 0.86), (0.97, 0.82, 0.24), (0.86, 0.36, 0.42), (0.36, 0.56, 0.20), (0.28, 0.48, 0.16)]
            )
        )
        context.arc(x, y, 1 + 5 * depth, 0, 2 * math.pi)
        context.fill()
    return grain(to_image(surface).filter(ImageFilter.GaussianBlur(1.0)), seed)


def night_sky(seed, size=(1800, 1200)):
    rng, (width, height) = random.Random(seed), size
    surface, context = canvas(width, height)
    gradient(context, width, 0, height, [(0, (0.02, 0.03, 0.10)), (0.7, (0.10, 0.12, 0.28)), (1, (0.32, 0.26, 0.36))])
    for _ in range(1700):
        context.set_source_rgba(1, 1, rng.uniform(0.8, 1), rng.uniform(0.2, 1))
        context.arc(rng.uniform(0, width), rng.uniform(0, height * 0.85), rng.uniform(0.6, 2.4), 0, 2 * math.pi)
        context.fill()
    fill_below(context, ridge(rng, width, height * 0.92, 110, 0.55), width, height, (0.03, 0.04, 0.07))
    return grain(to_image(surface).filter(ImageFilter.GaussianBlur(0.6)), seed)


def plan_of_plots(seed, title, size=(1400, 1000)):
    rng, (width, height) = random.Random(seed), size
    surface, context = canvas(width, height)
    context.set_source_rgb(0.97, 0.95, 0.90)
    context.paint()
    context.select_font_face("Inter")
    for index in range(31):
        x, y = 90 + (index % 8) * 150, 150 + (index // 8) * 190
        context.rectangle(x, y, 128, 150)
        context.set_source_rgb(
            *rng.choice([(0.78, 0.88, 0.70), (0.87, 0.92, 0.76), (0.92, 0.87, 0.70), (0.80, 0.84, 0.74)])
        )
        context.fill_preserve()
        context.set_source_rgb(0.35, 0.40, 0.30)
        context.set_line_width(2)
        context.stroke()
        context.set_font_size(26)
        context.move_to(x + 12, y + 34)
        context.show_text(str(index + 1))
    context.set_font_size(34)
    context.move_to(90, 90)
    context.show_text(title)
    return to_image(surface)


def floor_plan(seed, title, size=(1500, 1050)):
    """Rooms of a house with doors, windows and sizes. Walls are where a coin put them; rooms are large enough."""
    rng, (width, height) = random.Random(seed), size
    surface, context = canvas(width, height)
    context.set_source_rgb(0.99, 0.99, 0.98)
    context.paint()
    context.set_source_rgb(0.86, 0.90, 0.94)
    context.set_line_width(1)
    for step in range(0, width, 30):
        context.move_to(step, 0)
        context.line_to(step, height)
        context.move_to(0, step)
        context.line_to(width, step)
    context.stroke()
    left, top, right, bottom = 150, 160, width - 150, height - 130
    across = rng.randint(int(left + 0.38 * (right - left)), int(left + 0.6 * (right - left)))
    down = rng.randint(int(top + 0.38 * (bottom - top)), int(top + 0.6 * (bottom - top)))
    aside = rng.randint(across + 200, right - 220)
    context.set_source_rgb(0.15, 0.16, 0.18)
    context.set_line_width(16)
    context.rectangle(left, top, right - left, bottom - top)
    context.stroke()
    context.set_line_width(9)
    for x0, y0, x1, y1 in ((across, top, across, bottom), (left, down, right, down), (aside, down, aside, bottom)):
        context.move_to(x0, y0)
        context.line_to(x1, y1)
    context.stroke()
    # Doors: a gap in the wall, and a quarter of a circle.
    for x, y in ((across, (top + down) / 2), (across, (down + bottom) / 2), (aside, (down + bottom) / 2 + 60)):
        context.set_source_rgb(0.99, 0.99, 0.98)
        context.rectangle(x - 8, y, 16, 88)
        context.fill()
        context.set_source_rgb(0.35, 0.40, 0.46)
        context.set_line_width(3)
        context.move_to(x, y)
        context.arc(x, y, 88, 0, math.pi / 2)
        context.close_path()
        context.stroke()
    context.set_source_rgb(0.42, 0.66, 0.85)
    context.set_line_width(8)
    for x in (left + 110, across + 140, right - 260):
        for y in (top, bottom):
            context.move_to(x, y)
            context.line_to(x + 130, y)
    context.stroke()
    context.select_font_face("Inter")
    context.set_source_rgb(0.15, 0.16, 0.18)
    names = ["Kitchen", "Living room", "Hall", "Bath", "Workshop", "North room", "Pantry"]
    rooms = ((left, top, across, down), (across, top, right, down), (left, down, across, bottom))
    rooms += ((across, down, aside, bottom), (aside, down, right, bottom))
    for name, (x0, y0, x1, y1) in zip(rng.sample(names, len(rooms)), rooms, strict=True):
        context.set_font_size(28)
        context.move_to((x0 + x1) / 2 - 8 * len(name), (y0 + y1) / 2)
        context.show_text(name)
        context.set_font_size(20)
        context.move_to((x0 + x1) / 2 - 50, (y0 + y1) / 2 + 32)
        context.show_text(f"{(x1 - x0) * (y1 - y0) / 19600:.1f} m²")
    context.set_font_size(34)
    context.move_to(left, 90)
    context.show_text(title)
    context.set_font_size(22)
    context.move_to((left + right) / 2, bottom + 75)
    context.show_text(f"{(right - left) / 140:.2f} m")
    context.set_line_width(2)
    context.move_to(left, bottom + 45)
    context.line_to(right, bottom + 45)
    context.stroke()
    return to_image(surface)


SKIES = {
    "day": [(0, (0.30, 0.52, 0.82)), (0.6, (0.78, 0.88, 0.95)), (1, (0.92, 0.94, 0.92))],
    "dusk": [(0, (0.22, 0.18, 0.38)), (0.45, (0.80, 0.42, 0.40)), (0.7, (0.98, 0.74, 0.46)), (1, (0.98, 0.84, 0.60))],
    "mist": [(0, (0.66, 0.72, 0.76)), (1, (0.88, 0.88, 0.86))],
    "snow": [(0, (0.52, 0.66, 0.82)), (1, (0.93, 0.95, 0.98))],
}
SCENES = {
    "floor_plan": floor_plan,
    "harbour": harbour,
    "hills": hills,
    "meadow": meadow,
    "night_sky": night_sky,
    "plan_of_plots": plan_of_plots,
    "still_life": still_life,
}


def draw(scene: str, seed: int, **choices) -> Image.Image:
    if "sky" in choices:
        choices["sky"] = SKIES[choices["sky"]]
    return SCENES[scene](seed, **choices)


def make(home: pathlib.Path, persona: Persona) -> None:
    for entry in persona.parts["pictures"]["files"]:
        target = home / entry["path"]
        target.parent.mkdir(parents=True, exist_ok=True)
        draw(**{key: value for key, value in entry.items() if key != "path"}).save(target, quality=88)
