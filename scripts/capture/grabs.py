"""Takes pictures from the screen: of a region, of a window with its alpha, of a window without the focus."""

import time

import numpy as np
from Xlib import X, error

from . import x11
from .boxes import Box, grown, intersection, union
from .picture import SHADOW_PX, CaptureError, Picture, as_rgb, cropped, has_moved, require_opaque, solved
from .screen import DESKTOP_BOX, SCREEN_BOX
from .stage import GREY, Stage


def grab_bytes(box: Box) -> bytes:
    x0, y0, x1, y1 = box
    return x11.ROOT.get_image(x0, y0, x1 - x0, y1 - y0, X.ZPixmap, 0xFFFFFFFF).data


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
        if now is None or last is None or (now != last and has_moved(now, last)):
            since = time.time()
        elif time.time() - since >= settle_s:
            return True
        last = now
        time.sleep(0.2)
    return False


def solve(stage: Stage, region: Box) -> tuple[np.ndarray, np.ndarray]:
    """RGBA of a region of the screen over the backdrop, and the mask of what moved meanwhile."""
    stage.colour(0x000000)
    black = grab(region)
    stage.colour(0xFFFFFF)
    white = grab(region)
    stage.colour(0x000000)
    again = grab(region)
    stage.colour(GREY)
    return solved(black, white, again)


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
    return cropped(pixels, region, snapped)


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
