"""Soft fields of colour: blended spots, unfocused lights, overlapping discs."""

import numpy as np

from wallpaper_art.canvas import (
    ASPECT,
    blur,
    coverage,
    finish,
    fractal_noise,
    grid,
    over,
    ramp,
    rgb,
    screen,
    smoothstep,
)


def blended_spots(seed: int, base: str, spots: list[tuple[float, float, float, str]], warp: float) -> np.ndarray:
    """Colour spots (x, y, radius, colour) weighted by closeness, on coordinates bent by slow noise."""
    x, y = grid()
    bend_x = fractal_noise(seed, x * 0.8, y * 0.8, 2) * warp
    bend_y = fractal_noise(seed + 9, x * 0.8, y * 0.8, 2) * warp
    total = np.full((*x.shape, 1), 0.06, dtype=np.float32)
    picture = total * rgb(base).astype(np.float32)
    for sx, sy, radius, colour in spots:
        square = ((x + bend_x - sx) ** 2 + (y + bend_y - sy) ** 2) / radius**2
        weight = np.exp(-square)[..., None]
        picture += weight * rgb(colour).astype(np.float32)
        total += weight
    return picture / total


def pastel_morning() -> np.ndarray:
    spots = [
        (0.05, 0.1, 0.55, "#fbd9c6"),
        (0.75, 0.0, 0.5, "#f7e9d7"),
        (1.7, 0.15, 0.6, "#c9dcf6"),
        (0.3, 0.95, 0.5, "#d8c8f0"),
        (1.05, 0.7, 0.45, "#f4b9c4"),
        (1.7, 0.95, 0.5, "#9fc3ee"),
        (0.85, 0.4, 0.35, "#fdf3ea"),
    ]
    return finish(blended_spots(11, "#f2e6ea", spots, 0.35), 12)


def deep_lagoon() -> np.ndarray:
    spots = [
        (0.1, 0.05, 0.5, "#06283d"),
        (0.9, 0.15, 0.45, "#0c5c75"),
        (1.7, 0.05, 0.5, "#062033"),
        (0.35, 0.75, 0.5, "#0f8a8d"),
        (1.15, 0.85, 0.45, "#0b3b6a"),
        (1.75, 0.8, 0.45, "#19b5a2"),
        (0.0, 1.0, 0.4, "#05202f"),
    ]
    return finish(blended_spots(23, "#08304a", spots, 0.5), 24)


def evening_bokeh() -> np.ndarray:
    """Discs of unfocused light, small and sharp behind, large and faint in front."""
    x, y = grid()
    picture = ramp(0.6 * y + 0.25 * x, [(0.0, "#1b1033"), (0.45, "#3a1844"), (0.75, "#6b2a47"), (1.0, "#a8553f")])
    random = np.random.default_rng(57)
    tints = ["#ffb26b", "#ff7f6b", "#ffd9a0", "#e86ba8", "#9a6bff"]
    for index in range(64):
        near = index / 63.0
        radius = 0.018 + 0.1 * near**2 * random.uniform(0.7, 1.3)
        cx = random.uniform(-0.05, ASPECT + 0.05)
        cy = np.clip(0.64 + random.normal(0.0, 0.2), -0.05, 1.05)
        distance = radius - np.hypot(x - cx, y - cy)
        softness = 0.0015 + 0.012 * near
        disc = smoothstep(-softness, softness, distance)
        rim = np.exp(-((distance / (0.1 * radius)) ** 2)) * 0.35
        light = (disc * 0.75 + rim) * random.uniform(0.14, 0.42) * (1.0 - 0.55 * near)
        picture = screen(picture, light[..., None] * rgb(tints[random.integers(len(tints))]))
    return finish(picture, 58)


def quiet_circles() -> np.ndarray:
    """Large flat discs stacked like paper, each with a soft shadow."""
    x, y = grid()
    picture = ramp(y * 0.7 + x * 0.2, [(0.0, "#f6f1e7"), (1.0, "#eadfce")])
    discs = [
        (0.18, 1.12, 0.62, "#e7b98f", "#dd9c73"),
        (1.55, 1.02, 0.72, "#8fb3a6", "#6f9a90"),
        (1.02, 1.28, 0.62, "#d9735b", "#c25a48"),
        (0.62, 1.42, 0.62, "#33566b", "#28465a"),
        (1.42, 0.3, 0.13, "#f2c66d", "#e9ad4e"),
    ]
    for cx, cy, radius, upper, lower in discs:
        distance = radius - np.hypot(x - cx, y - cy)
        shadow = blur(coverage(radius - np.hypot(x - cx, y - cy - 0.012)), 0.014)
        picture = over(picture, rgb("#4a3626"), shadow * 0.28)
        picture = over(
            picture, ramp((y - cy + radius) / (2.0 * radius), [(0.0, upper), (1.0, lower)]), coverage(distance)
        )
    return finish(picture, 66)
