"""The canvas: coordinates, colours, noise, soft edges and the final dithering.

A picture is a float array (HEIGHT, WIDTH, 3) of sRGB values in 0..1. Coordinates are in units of
the height: y in 0..1 downwards, x in 0..16/9. Everything random comes from a seed that the drawing
names, so a drawing is the same on every run.
"""

import numpy as np

WIDTH, HEIGHT = 2560, 1440
ASPECT = WIDTH / HEIGHT
PIXEL = 1.0 / HEIGHT

_LMS_FROM_RGB = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_LAB_FROM_LMS = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def grid() -> tuple[np.ndarray, np.ndarray]:
    """Pixel centres as (x, y)."""
    x = (np.arange(WIDTH, dtype=np.float32) + 0.5) * PIXEL
    y = (np.arange(HEIGHT, dtype=np.float32) + 0.5) * PIXEL
    return np.meshgrid(x, y)


def rgb(code: str) -> np.ndarray:
    """sRGB colour of "#rrggbb"."""
    return np.array([int(code[i : i + 2], 16) for i in (1, 3, 5)]) / 255.0


def ramp(position: np.ndarray, stops: list[tuple[float, str]]) -> np.ndarray:
    """Colours for positions in 0..1, blended between the stops in OKLab, where halfway looks like halfway."""
    places = np.array([place for place, _ in stops])
    colours = np.array([_oklab(rgb(code)) for _, code in stops])
    samples = np.linspace(0.0, 1.0, 2048)
    table = _srgb(np.stack([np.interp(samples, places, colours[:, i]) for i in range(3)], axis=-1))
    flat = np.clip(position, 0.0, 1.0)
    return np.stack([np.interp(flat, samples, table[:, i]) for i in range(3)], axis=-1).astype(np.float32)


def _oklab(srgb: np.ndarray) -> np.ndarray:
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    return np.cbrt(linear @ _LMS_FROM_RGB.T) @ _LAB_FROM_LMS.T


def _srgb(oklab: np.ndarray) -> np.ndarray:
    lms = (oklab @ np.linalg.inv(_LAB_FROM_LMS).T) ** 3
    linear = np.clip(lms @ np.linalg.inv(_LMS_FROM_RGB).T, 0.0, 1.0)
    return np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)


def over(picture: np.ndarray, colour: np.ndarray, alpha: np.ndarray | float) -> np.ndarray:
    """`colour` laid over `picture` with coverage `alpha` (0..1)."""
    alpha = np.asarray(alpha, dtype=np.float32)[..., None]
    return picture + (np.asarray(colour, dtype=np.float32) - picture) * alpha


def screen(picture: np.ndarray, light: np.ndarray) -> np.ndarray:
    """Light added so that it saturates softly instead of clipping."""
    return 1.0 - (1.0 - picture) * (1.0 - np.clip(light, 0.0, 1.0))


def coverage(distance: np.ndarray) -> np.ndarray:
    """Anti-aliased inside (1) and outside (0) of a shape, from the signed distance to its edge (inside positive)."""
    return np.clip(distance / PIXEL + 0.5, 0.0, 1.0)


def smoothstep(low: float, high: float, value: np.ndarray) -> np.ndarray:
    t = np.clip((value - low) / (high - low), 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def gradient_noise(seed: int, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Perlin noise, about -1..1, one cell per unit of x and y."""
    angles = np.random.default_rng(seed).uniform(0.0, 2.0 * np.pi, (256, 256)).astype(np.float32)
    gx, gy = np.cos(angles), np.sin(angles)
    column, row = np.floor(x).astype(np.int32), np.floor(y).astype(np.int32)
    fx, fy = x - column, y - row

    def corner(dx: int, dy: int) -> np.ndarray:
        i, j = (row + dy) & 255, (column + dx) & 255
        return gx[i, j] * (fx - dx) + gy[i, j] * (fy - dy)

    def ease(t: np.ndarray) -> np.ndarray:
        return t * t * t * (t * (t * 6.0 - 15.0) + 10.0)

    u, v = ease(fx), ease(fy)
    top = corner(0, 0) * (1 - u) + corner(1, 0) * u
    bottom = corner(0, 1) * (1 - u) + corner(1, 1) * u
    return (top * (1 - v) + bottom * v) * 1.5


def fractal_noise(seed: int, x: np.ndarray, y: np.ndarray, octaves: int, gain: float = 0.5) -> np.ndarray:
    """Sum of gradient noises, each twice as fine and `gain` times as strong as the one before, about -1..1."""
    total, strength, norm = 0.0, 1.0, 0.0
    for octave in range(octaves):
        total = total + strength * gradient_noise(seed + octave, x * 2**octave, y * 2**octave)
        norm += strength
        strength *= gain
    return total / norm


def blur(plane: np.ndarray, radius: float) -> np.ndarray:
    """Nearly Gaussian blur (three box blurs) of a 2-d array; `radius` is the standard
    deviation in units of the height."""
    half = max(1, round(radius / PIXEL * plane.shape[0] / HEIGHT))
    for axis in (0, 1, 0, 1, 0, 1):
        plane = _box(plane, half, axis)
    return plane


def _box(plane: np.ndarray, half: int, axis: int) -> np.ndarray:
    pad = [(0, 0), (0, 0)]
    pad[axis] = (half + 1, half)
    sums = np.cumsum(np.pad(plane, pad, mode="edge"), axis=axis, dtype=np.float64)
    size = plane.shape[axis]
    upper = np.take(sums, range(2 * half + 1, 2 * half + 1 + size), axis=axis)
    lower = np.take(sums, range(size), axis=axis)
    return ((upper - lower) / (2 * half + 1)).astype(np.float32)


def finish(picture: np.ndarray, seed: int, grain: float = 1.15) -> np.ndarray:
    """8-bit picture, with `grain` (standard deviation in steps of 1/255) that keeps slow gradients from showing bands.

    The grain is the same in all three channels: coloured grain looks like dirt and costs bytes.
    """
    noise = np.random.default_rng(seed).standard_normal((HEIGHT, WIDTH, 1), dtype=np.float32) * grain
    return np.clip(np.rint(picture * 255.0 + noise), 0, 255).astype(np.uint8)
