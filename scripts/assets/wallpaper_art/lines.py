"""Line and facet work: height lines of a map, a faceted surface."""

import numpy as np

from wallpaper_art.canvas import ASPECT, PIXEL, finish, fractal_noise, grid, over, ramp, rgb, smoothstep


def contour_map(seed: int, fill: list[tuple[float, str]], ink: str, strength: float) -> np.ndarray:
    """Height lines of a slowly varying relief; every fifth is stronger, as on a map."""
    x, y = grid()
    relief = fractal_noise(seed, x * 1.5, y * 1.5, 4, 0.38)
    level = relief * 16.0
    # Dividing by the slope turns "distance in height" into "distance in pixels", so that all lines are equally wide.
    slope = np.hypot(*np.gradient(level)) + 1e-4
    picture = ramp(relief * 0.6 + 0.5, fill)
    nearest = np.rint(level)
    distance = np.abs(level - nearest) / slope
    strong = np.mod(nearest, 5) == 0
    line = np.clip(np.where(strong, 1.5, 0.9) - distance + 0.5, 0.0, 1.0)
    # Where the relief is flat a line would spread into a blot: fade it there.
    line *= smoothstep(0.0012, 0.004, slope)
    return finish(over(picture, rgb(ink), line * np.where(strong, strength, 0.6 * strength)), seed + 1, grain=0.8)


def paper_contours() -> np.ndarray:
    return contour_map(121, [(0.0, "#f3efe4"), (0.5, "#f8f5ec"), (1.0, "#e9efe3")], "#7d9488", 0.75)


def slate_contours() -> np.ndarray:
    return contour_map(131, [(0.0, "#12181f"), (0.5, "#1a2530"), (1.0, "#24404a")], "#5fb3b3", 0.6)


def crystal_facets() -> np.ndarray:
    """A crumpled sheet of triangles, each in one shade by how it faces the light."""
    x, y = grid()
    columns, rows = 15, 9
    random = np.random.default_rng(141)
    jitter = random.uniform(-0.36, 0.36, (rows + 3, columns + 3, 2))
    heights = random.uniform(-1.0, 1.0, (rows + 3, columns + 3)) * 0.05
    step_x, step_y = ASPECT / columns, 1.0 / rows
    corners = np.zeros((rows + 3, columns + 3, 3))
    for row in range(rows + 3):
        for column in range(columns + 3):
            corners[row, column] = (
                (column - 1 + jitter[row, column, 0]) * step_x,
                (row - 1 + jitter[row, column, 1]) * step_y,
                heights[row, column],
            )
    picture = np.zeros((*x.shape, 3), dtype=np.float32)
    light = np.array([-0.45, -0.6, 0.66])
    for row in range(rows + 2):
        for column in range(columns + 2):
            a, b = corners[row, column], corners[row, column + 1]
            c, d = corners[row + 1, column], corners[row + 1, column + 1]
            for triangle in ((a, b, d), (a, d, c)):
                _fill_facet(picture, x, y, triangle, light)
    return finish(picture, 142)


def _fill_facet(picture: np.ndarray, x: np.ndarray, y: np.ndarray, triangle: tuple, light: np.ndarray) -> None:
    """Paint one triangle into `picture`; neighbours overlap by half a pixel so that no seams show."""
    points = np.array(triangle)
    low = np.floor(points[:, :2].min(axis=0) / PIXEL).astype(int) - 1
    high = np.ceil(points[:, :2].max(axis=0) / PIXEL).astype(int) + 2
    rows, columns = slice(max(low[1], 0), max(high[1], 0)), slice(max(low[0], 0), max(high[0], 0))
    px, py = x[rows, columns], y[rows, columns]
    if px.size == 0:
        return
    inside = np.full(px.shape, np.inf, dtype=np.float32)
    for i in range(3):
        (x0, y0), (x1, y1) = points[i, :2], points[(i + 1) % 3, :2]
        inside = np.minimum(inside, ((x1 - x0) * (py - y0) - (y1 - y0) * (px - x0)) / np.hypot(x1 - x0, y1 - y0))
    normal = np.cross(points[1] - points[0], points[2] - points[0])
    facing = float(normal @ light / np.linalg.norm(normal))
    centre = points.mean(axis=0)
    tone = (
        0.08
        + 0.42 * centre[0] / ASPECT
        + 0.22 * (1.0 - centre[1])
        + 0.75 * (facing - 0.64)
        + 0.05 * (px - centre[0])
        - 0.12 * (py - centre[1])
    )
    colour = ramp(tone, [(0.0, "#1a1446"), (0.3, "#3c2c8f"), (0.55, "#7a4fc9"), (0.8, "#e07bb4"), (1.0, "#ffc3a0")])
    picture[rows, columns] = over(picture[rows, columns], colour, np.clip(inside / PIXEL + 1.0, 0.0, 1.0))
