"""Pictures of a window with its exact alpha: rounded corners and soft shadow, from grabs over black and over white."""

import time
from dataclasses import dataclass

import numpy as np
from Xlib import X, error

from . import x11
from .boxes import Box, area, grown, intersection, union
from .stage import GREY, Stage

SHADOW_PX = 110
CORNER_PX = 18
NEARLY_OPAQUE = 200
SCREEN_BOX = (0, 0, x11.SCREEN[0], x11.SCREEN[1])
DESKTOP_BOX = (0, 0, x11.SCREEN[0], x11.SCREEN[1] - x11.TASKBAR_PX)


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


def grab_bytes(box: Box) -> bytes:
    x0, y0, x1, y1 = box
    return x11.ROOT.get_image(x0, y0, x1 - x0, y1 - y0, X.ZPixmap, 0xFFFFFFFF).data


def as_rgb(data: bytes, box: Box) -> np.ndarray:
    return np.frombuffer(data, np.uint8).reshape(box[3] - box[1], box[2] - box[0], 4)[:, :, 2::-1].astype(np.int16)


def grab(box: Box) -> np.ndarray:
    return as_rgb(grab_bytes(box), box)


def wait_until_still(window, settle_s: float, limit_s: float = 10.0) -> bool:
    """Waits until the window's picture has not changed for `settle_s`."""
    x11.park_pointer()
    end, since, last = time.time() + limit_s, time.time(), None
    while time.time() < end:
        try:
            box = intersection(x11.frame_box(window), SCREEN_BOX)
            now = (box, grab_bytes(box)) if box else None
        except error.XError:
            now = None
        if now is None or last is None or (now != last and _moved(now, last)):
            since = time.time()
        elif time.time() - since >= settle_s:
            return True
        last = now
        time.sleep(0.2)
    return False


def _moved(now: tuple, last: tuple) -> bool:
    if now[0] != last[0]:
        return True
    return (np.abs(as_rgb(now[1], now[0]) - as_rgb(last[1], last[0])).max(axis=2) > 8).mean() > 0.0005


def solve(stage: Stage, region: Box):
    """RGBA of a region of the screen over the backdrop, and the mask of what moved meanwhile."""
    stage.colour(0x000000)
    black = grab(region)
    stage.colour(0xFFFFFF)
    white = grab(region)
    stage.colour(0x000000)
    again = grab(region)
    stage.colour(GREY)
    moved = np.abs(black - again).max(axis=2) > 4
    alpha = 255 - np.clip((white - black).max(axis=2), 0, 255)
    alpha[moved] = 255
    colour = np.where(alpha[..., None] > 0, black * 255.0 / np.maximum(alpha, 1)[..., None], 0)
    return np.dstack([np.clip(np.rint(colour), 0, 255), alpha]).astype(np.uint8), moved


def take(stage: Stage, window, popup_boxes: list[Box], snapped: bool) -> Picture:
    """The window with its popups, cropped to where anything is visible. A snapped window's shadow may be cut."""
    frame = x11.frame_box(window)
    wanted = grown(union([frame, *popup_boxes]), SHADOW_PX)
    region = intersection(wanted, DESKTOP_BOX if snapped else SCREEN_BOX)
    if region is None:
        raise CaptureError("the window lies outside the screen")
    for attempt in range(4):
        pixels, moved = solve(stage, region)
        if moved.mean() < 0.0002:
            break
        time.sleep(0.5 + attempt)
    else:
        raise CaptureError(f"the window keeps moving ({moved.mean():.2%} of its pixels)")
    require_opaque(pixels, frame, region)
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


def inactive_delta(stage: Stage, window, active: Picture) -> np.ndarray | None:
    """`(inactive - active) mod 256` of the window without the focus; None if nothing differs."""
    stage.take_focus()
    time.sleep(0.35)
    height, width = active.pixels.shape[:2]
    x, y = active.origin
    frame = x11.frame_box(window)
    for attempt in range(3):
        # A busy machine draws the change late.
        time.sleep(attempt)
        pixels, moved = solve(stage, (x, y, x + width, y + height))
        if moved.mean() <= 0.0002:
            break
    else:
        raise CaptureError("the window moved while it lost the focus")
    require_opaque(pixels, frame, (x, y, x + width, y + height))
    pixels[pixels[..., 3] == 0] = 0
    x11.activate(window)
    time.sleep(0.25)
    delta = pixels - active.pixels
    return delta if delta.any() else None


def differs(a: np.ndarray, b: np.ndarray, share: float) -> bool:
    """Whether more than `share` of the pixels differ visibly."""
    if a.shape != b.shape:
        return True
    return float((np.abs(a.astype(np.int16) - b).max(axis=2) > 12).mean()) > share
