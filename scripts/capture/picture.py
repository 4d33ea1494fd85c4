"""Pictures of a window with its exact alpha: rounded corners and soft shadow, solved from one region over black and
over white. Nothing here touches the screen."""

from dataclasses import dataclass

import numpy as np

from .boxes import Box, area, intersection

SHADOW_PX = 110
CORNER_PX = 18
NEARLY_OPAQUE = 200


class CaptureError(Exception):
    """The window cannot be pictured in this state; the explorer drops the state and goes on."""


@dataclass
class Picture:
    pixels: np.ndarray  # height x width x 4, straight alpha
    origin: tuple  # screen position of the picture's top left

    def box(self) -> Box:
        x, y = self.origin
        return x, y, x + self.pixels.shape[1], y + self.pixels.shape[0]

    def within(self, box: Box) -> np.ndarray:
        """The pixels inside a box of the screen."""
        x0, y0, x1, y1 = (v - self.origin[i % 2] for i, v in enumerate(intersection(box, self.box())))
        return self.pixels[y0:y1, x0:x1]


def as_rgb(data: bytes, box: Box) -> np.ndarray:
    return np.frombuffer(data, np.uint8).reshape(box[3] - box[1], box[2] - box[0], 4)[:, :, 2::-1].astype(np.int16)


def solved(black: np.ndarray, white: np.ndarray, again: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """RGBA of a region from its colours over black, over white and over black once more, and the mask of what moved."""
    moved = np.abs(black - again).max(axis=2) > 4
    alpha = 255 - np.clip((white - black).max(axis=2), 0, 255)
    alpha[moved] = 255
    colour = np.where(alpha[..., None] > 0, black * 255.0 / np.maximum(alpha, 1)[..., None], 0)
    return np.dstack([np.clip(np.rint(colour), 0, 255), alpha]).astype(np.uint8), moved


def cropped(pixels: np.ndarray, region: Box, snapped: bool) -> Picture:
    """The part of a region of the screen where anything is visible. A snapped window's shadow may be cut."""
    rows, columns = np.flatnonzero(pixels[..., 3].any(axis=1)), np.flatnonzero(pixels[..., 3].any(axis=0))
    if not len(rows):
        raise CaptureError("the picture is empty")
    y0, y1, x0, x1 = rows[0], rows[-1] + 1, columns[0], columns[-1] + 1
    edges = (rows[0] == 0, columns[0] == 0, rows[-1] == pixels.shape[0] - 1, columns[-1] == pixels.shape[1] - 1)
    if any(edges) and not snapped:
        raise CaptureError("the shadow is cut by the edge of the region")
    return Picture(np.ascontiguousarray(pixels[y0:y1, x0:x1]), (region[0] + int(x0), region[1] + int(y0)))


def require_opaque(pixels: np.ndarray, frame: Box, region: Box) -> None:
    inner = intersection(frame, region)
    if inner is None or area(inner) < 0.98 * area(frame):
        raise CaptureError("the frame leaves the screen")
    x0, y0, x1, y1 = (v - region[i % 2] for i, v in enumerate(inner))
    alpha = pixels[y0:y1, x0:x1, 3]
    inside = np.ones(alpha.shape, bool)
    c = CORNER_PX
    for rows in (slice(None, c), slice(-c, None)):
        for columns in (slice(None, c), slice(-c, None)):
            inside[rows, columns] = False
    clear = inside & (alpha < NEARLY_OPAQUE)
    if clear.mean() > 0.01:
        raise CaptureError(f"{clear.mean():.1%} of the frame is transparent")
    # Some themes draw a title bar that lets a little of the backdrop through: it becomes solid in its own colour.
    alpha[inside & (alpha >= 128)] = 255


def has_moved(now: tuple, last: tuple) -> bool:
    if now[0] != last[0]:
        return True
    return (np.abs(as_rgb(now[1], now[0]) - as_rgb(last[1], last[0])).max(axis=2) > 8).mean() > 0.0005


def differs(a: np.ndarray, b: np.ndarray, share: float) -> bool:
    """Whether more than `share` of the pixels differ visibly."""
    if a.shape != b.shape:
        return True
    return float((np.abs(a.astype(np.int16) - b).max(axis=2) > 12).mean()) > share


def brightness_steps(pixels: np.ndarray, cells: int = 16) -> np.ndarray:
    """Whether each of 16x16 cells is brighter than its right neighbour. Two captures of one size that say the same, and
    of which no two of these 256 differ, look the same to `windesk pack check`."""
    height, width = pixels.shape[:2]
    means = np.zeros((cells, cells + 1), np.int64)
    for row, column in np.ndindex(means.shape):
        left, right = width * column // (cells + 1), width * (column + 1) // (cells + 1)
        part = pixels[height * row // cells : height * (row + 1) // cells, left:right, :3]
        means[row, column] = int(part.sum(dtype=np.int64)) // max(1, part.shape[0] * part.shape[1])
    return means[:, :-1] > means[:, 1:]


def moving_box(moving: np.ndarray) -> list | None:
    """The box of what changed between two grabs: clocks and cursors."""
    rows, columns = np.flatnonzero(moving.any(axis=1)), np.flatnonzero(moving.any(axis=0))
    return [int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1] if len(rows) else None
