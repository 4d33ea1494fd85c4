"""Stylised landscapes: hills in haze, dunes, a night sky with northern lights."""

import numpy as np

from wallpaper_art.canvas import PIXEL, blur, coverage, finish, fractal_noise, grid, over, ramp, rgb, screen, smoothstep


def ridge(seed: int, x: np.ndarray, level: float, height: float, frequency: float, octaves: int = 5) -> np.ndarray:
    """Height line of a row of hills: y for every x."""
    along = x[:1]
    line = level - height * fractal_noise(
        seed, along * frequency + seed, np.full_like(along, seed * 0.37), octaves, 0.42
    )
    return np.broadcast_to(line, x.shape)


def misty_hills() -> np.ndarray:
    """Rows of hills that pale with distance, mist lying in the valleys, a low sun."""
    x, y = grid()
    picture = ramp(y / 0.62, [(0.0, "#8fb7d9"), (0.45, "#cfdfe6"), (0.8, "#f8e3cb"), (1.0, "#fbd3ae")])
    sun = np.hypot(x - 1.22, y - 0.36)
    picture = screen(picture, (np.exp(-((sun / 0.28) ** 2)) * 0.55)[..., None] * rgb("#ffdfae"))
    picture = over(picture, rgb("#fff6e3"), coverage(0.045 - sun))
    rows = [
        ("#c3cfd6", "#f4dcc6"),
        ("#a3b7c4", "#e6d2c4"),
        ("#7f9bac", "#cfc9c4"),
        ("#5b7f92", "#b3bdc0"),
        ("#3c6273", "#86a2a8"),
        ("#25495a", "#5d8088"),
        ("#15323f", "#2c4e58"),
    ]
    for index, (crest, valley) in enumerate(rows):
        near = index / (len(rows) - 1)
        line = ridge(70 + index, x, 0.46 + 0.42 * near, 0.11 + 0.05 * near, 2.4 - 1.3 * near, 6)
        depth = y - line
        colour = ramp(depth / (0.13 + 0.1 * near), [(0.0, crest), (1.0, valley)])
        picture = over(picture, colour, coverage(depth))
    return finish(picture, 79)


def red_dunes() -> np.ndarray:
    """Sand dunes: each crest lit on its windward side and dark behind, with ripples."""
    x, y = grid()
    picture = ramp(y / 0.5, [(0.0, "#3b6e9c"), (0.55, "#9cc0cf"), (1.0, "#f6dfc0")])
    rows = [
        (0.40, 0.10, "#f0b98a", "#c98560"),
        (0.50, 0.14, "#eda273", "#a95f49"),
        (0.64, 0.18, "#e78b58", "#8a4139"),
        (0.84, 0.22, "#d9713f", "#64292c"),
    ]
    for index, (level, height, lit, shade) in enumerate(rows):
        line = ridge(90 + index, x, level, height, 1.0, 2)
        slope = np.gradient(line[0], PIXEL)[None, :]
        depth = np.maximum(y - line, 0.0)
        # The shaded face starts at the crest where the dune falls away from the light and
        # ends on a swinging edge below.
        reach = 0.10 + 0.16 * index / 3 + 0.10 * fractal_noise(95 + index, x * 1.4, y * 0.0 + index, 2)
        edge = depth - reach * (0.55 + 0.45 * np.tanh(slope * 4.0))
        light = smoothstep(-0.01, 0.012, edge) * (0.85 - 0.3 * smoothstep(0.0, 0.5, depth)) + 0.15 * smoothstep(
            0.3, 0.0, depth
        )
        ripples = (
            0.022
            * np.sin((y * 260 + 22 * fractal_noise(99 + index, x * 2.0, y * 3.0, 2)) * (1.2 - 0.25 * index))
            * smoothstep(0.0, 0.2, depth)
        )
        picture = over(picture, ramp(light + ripples, [(0.0, shade), (1.0, lit)]), coverage(y - line))
    return finish(picture, 98)


def night_lake() -> np.ndarray:
    """Stars and a moon over ridges that mirror in still water."""
    x, y = grid()
    horizon = 0.68
    mirrored = np.where(y > horizon, 2 * horizon - y, y)
    picture = ramp(mirrored / horizon, [(0.0, "#0b1030"), (0.6, "#24306b"), (0.9, "#5b5a9c"), (1.0, "#8e7ab0")])
    stars = np.zeros(x.shape, dtype=np.float32)
    random = np.random.default_rng(104)
    height, width = x.shape
    for _ in range(900):
        column, row = random.integers(width), int(random.uniform(0.0, 0.6) ** 1.2 * height)
        stars[row, column] = random.uniform(0.2, 1.0) ** 3
    stars = np.maximum(stars, blur(stars, 0.0008) * 9.0)
    picture = screen(picture, (stars * 0.9)[..., None] * rgb("#e8ecff"))
    moon = np.hypot(x - 0.448, mirrored - 0.2)
    picture = screen(picture, (np.exp(-(moon / 0.16)) * 0.5)[..., None] * rgb("#c9d2ff"))
    picture = over(picture, rgb("#f6f3ff"), coverage(0.05 - moon))
    for seed, level, crest, foot in (
        (105, 0.60, "#4a4b86", "#7a6ba6"),
        (106, 0.64, "#2b3068", "#4d4a86"),
        (107, 0.69, "#131a40", "#20285a"),
    ):
        line = ridge(seed, x, level, 0.12, 1.7, 6)
        picture = over(picture, ramp((mirrored - line) / 0.12, [(0.0, crest), (1.0, foot)]), coverage(mirrored - line))
    ripple = fractal_noise(108, x * 3.0, y * 60.0, 3) * 0.05 * smoothstep(horizon, 1.0, y)
    water = smoothstep(horizon - 0.001, horizon + 0.001, y)
    picture = over(picture, rgb("#0a1236"), water * (0.25 + 0.45 * smoothstep(horizon, 1.0, y) + ripple))
    return finish(picture, 109)


def northern_lights() -> np.ndarray:
    """Curtains of light over dark ridges: bright along a wandering foot line, fading upwards in rays."""
    x, y = grid()
    picture = ramp(y, [(0.0, "#050914"), (0.55, "#0a1a33"), (1.0, "#12314a")])
    for seed, foot, tint, strength in (
        (31, 0.66, "#3ff0a8", 0.75),
        (37, 0.54, "#37c8e6", 0.55),
        (43, 0.42, "#8a63f2", 0.5),
    ):
        line = foot + 0.16 * fractal_noise(seed, x * 1.1, np.zeros_like(x) + 3.1, 3) + 0.05 * np.sin(x * 3.0 + seed)
        height = line - y
        rays = 0.55 + 0.45 * fractal_noise(seed + 1, x * 9.0 + 1.5 * line, y * 0.35, 3)
        fade = np.where(height > 0, np.exp(-height / 0.17), np.exp(height / 0.012))
        glow = np.exp(-np.abs(height) / 0.25) * 0.25
        light = (fade * np.clip(rays, 0, 1.2) + glow) * strength
        picture = screen(picture, light[..., None] * rgb(tint))
    for seed, level, colour in ((45, 0.80, "#0b2233"), (46, 0.88, "#050e18")):
        picture = over(picture, rgb(colour), coverage(y - ridge(seed, x, level, 0.07, 1.3)))
    return finish(picture, 44)
