"""Folded ribbons and fanned sheets: ruled surfaces between two moving edges, lit, with soft
shadows on what lies below."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

from wallpaper_art.canvas import HEIGHT, WIDTH, blur, finish, grid, over, ramp, rgb, screen

SUPERSAMPLING = 2
STEPS_ALONG, STEPS_ACROSS = 420, 90


@dataclass
class Sheet:
    """One surface: `edges(s)` gives both edges as (n, 3) points, z towards the viewer, for
    s in 0..1 along the sheet."""

    edges: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
    colours: list[tuple[float, str]]
    opacity: float = 1.0
    gloss: float = 0.35


@dataclass
class Raster:
    """What the surface shows at each pixel: coverage, place along and across, how it faces the light."""

    covered: np.ndarray
    along: np.ndarray
    across: np.ndarray
    facing: np.ndarray


def rasterise(sheet: Sheet, light: np.ndarray) -> Raster:
    s = np.linspace(0.0, 1.0, STEPS_ALONG + 1)
    left, right = sheet.edges(s)
    t = np.linspace(0.0, 1.0, STEPS_ACROSS + 1)[None, :, None]
    points = left[:, None, :] * (1 - t) + right[:, None, :] * t
    # A shallow bow across the sheet keeps it from looking like cut cardboard.
    points[..., 2] += 0.05 * np.sin(np.pi * t[..., 0])
    du, dv = np.gradient(points, axis=0), np.gradient(points, axis=1)
    normal = np.cross(du, dv)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True) + 1e-9
    facing = np.abs(normal @ light)
    size = (WIDTH * SUPERSAMPLING, HEIGHT * SUPERSAMPLING)
    planes = [Image.new("F", size, 0.0) for _ in range(4)]
    pens = [ImageDraw.Draw(plane) for plane in planes]
    flat = points[..., :2] * HEIGHT * SUPERSAMPLING
    depth = (points[:-1, :-1, 2] + points[1:, 1:, 2]).ravel()
    for index in np.argsort(depth, kind="stable"):
        i, j = divmod(int(index), STEPS_ACROSS)
        outline = [tuple(flat[i, j]), tuple(flat[i + 1, j]), tuple(flat[i + 1, j + 1]), tuple(flat[i, j + 1])]
        values = (1.0, (i + 0.5) / STEPS_ALONG, (j + 0.5) / STEPS_ACROSS, float(facing[i : i + 2, j : j + 2].mean()))
        for pen, value in zip(pens, values, strict=True):
            pen.polygon(outline, fill=value, outline=value)
    covered, *inner = [_halve(np.asarray(plane)) for plane in planes]
    return Raster(covered, *[plane / np.maximum(covered, 1e-3) for plane in inner])


def _halve(plane: np.ndarray) -> np.ndarray:
    return plane.reshape(HEIGHT, SUPERSAMPLING, WIDTH, SUPERSAMPLING).mean(axis=(1, 3))


def lay(picture: np.ndarray, sheet: Sheet, shadow: float) -> np.ndarray:
    """`picture` with the sheet on top and its shadow below it."""
    light = np.array([-0.35, -0.55, 0.76])
    raster = rasterise(sheet, light)
    if shadow > 0.0:
        down, right = int(0.014 * HEIGHT), int(0.008 * HEIGHT)
        moved = np.pad(raster.covered, ((down, 0), (right, 0)), mode="edge")[:HEIGHT, :WIDTH]
        picture = over(picture, rgb("#000010"), blur(moved, 0.022) * shadow)
    colour = ramp(raster.along, sheet.colours)
    lit = 0.62 + 0.5 * raster.facing
    colour = np.clip(colour * lit[..., None], 0.0, 1.0)
    shine = (
        sheet.gloss * raster.facing**14
        + 0.22 * np.exp(-raster.across / 0.012)
        + 0.12 * np.exp(-(1 - raster.across) / 0.012)
    )
    colour = screen(colour, shine[..., None] * np.ones(3))
    return over(picture, colour, raster.covered * sheet.opacity)


def _edges(path, width: float, twist, tilt: float = 0.0):
    """Edges of a ribbon that follows `path(s)` (n, 3) and turns about it by the angle `twist(s)`."""

    def at(s: np.ndarray):
        middle = path(s)
        ahead = np.gradient(middle, axis=0)
        ahead /= np.linalg.norm(ahead, axis=-1, keepdims=True)
        side = np.stack([-ahead[:, 1], ahead[:, 0], np.zeros_like(s)], axis=-1)
        up = np.cross(ahead, side)
        angle = twist(s)[:, None]
        arm = (np.cos(angle) * side + np.sin(angle) * up) * (width / 2)
        return middle - arm * (1 + tilt), middle + arm * (1 - tilt)

    return at


def blue_ribbons() -> np.ndarray:
    """Ribbons that sweep across a pale sky and turn over on their way."""
    x, y = grid()
    picture = ramp(0.55 * y + 0.25 * x, [(0.0, "#eaf3fb"), (0.5, "#cfe3f7"), (1.0, "#a9caef")])
    colours = [
        [(0.0, "#0b4fb3"), (0.5, "#2f8df0"), (1.0, "#7cc4ff")],
        [(0.0, "#1b2f9e"), (0.5, "#3b6ff0"), (1.0, "#5fb0ff")],
        [(0.0, "#0a86c9"), (0.5, "#37b9ee"), (1.0, "#a7e3ff")],
        [(0.0, "#3a2fb8"), (0.5, "#5a63f2"), (1.0, "#8fb2ff")],
    ]
    for index in range(7):
        shift = index / 6.0

        def path(s, shift=shift):
            return np.stack(
                [
                    -0.25 + 2.35 * s,
                    0.98
                    - 0.5 * s
                    + 0.20 * np.sin(2 * np.pi * (0.9 * s + 0.1 + 0.06 * shift))
                    - 0.34 * shift * (1 - s) ** 2
                    + 0.12 * shift * s,
                    0.25 * np.sin(5 * s + 4 * shift) + 0.1 * shift,
                ],
                axis=-1,
            )

        sheet = Sheet(
            _edges(path, 0.36 - 0.025 * index, lambda s, shift=shift: 2.6 * s + 0.35 * shift + 0.5),
            colours[index % 4],
            0.96,
        )
        picture = lay(picture, sheet, 0.22)
    return finish(picture, 152)


def ember_fan() -> np.ndarray:
    """Glowing sheets fanned out like pages on black."""
    x, y = grid()
    picture = ramp(np.hypot(x - 1.05, y - 0.75) / 1.1, [(0.0, "#3a0f2b"), (0.5, "#180a1c"), (1.0, "#08060d")])
    colours = [(0.0, "#35073c"), (0.35, "#a3154f"), (0.7, "#ff5a36"), (1.0, "#ffc46b")]
    for index in range(11):
        shift = index / 10.0

        def path(s, shift=shift):
            angle = -2.55 + 1.75 * shift + 0.75 * s**1.4
            reach = 0.05 + 1.28 * s
            return np.stack(
                [
                    1.0 + reach * np.cos(angle),
                    1.36 + reach * np.sin(angle) * 0.98,
                    0.12 * shift + 0.18 * np.sin(3 * s + 2 * shift),
                ],
                axis=-1,
            )

        sheet = Sheet(_edges(path, 0.46, lambda s, shift=shift: 0.5 + 1.1 * s - 0.3 * shift), colours, 0.93, 0.25)
        picture = lay(picture, sheet, 0.4)
    return finish(picture, 162)
