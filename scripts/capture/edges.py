"""Finds where a control ends from the picture: the first line of pixels outside a box whose colour changes."""

import numpy as np

from .boxes import Box, height, width

CONTRAST = 5


def edge_distance(pixels: np.ndarray, box: Box, side: int, reach_px: int) -> int | None:
    """Pixels from a box's side (left, top, right, bottom) to the change; None if there is
    none. `box` in the picture."""
    x0, y0, x1, y1 = box
    upright = side in (0, 2)
    along = (
        slice(y0 + height(box) // 3, y1 - height(box) // 3)
        if upright
        else slice(x0 + width(box) // 3, x1 - width(box) // 3)
    )
    reference = None
    for distance in range(reach_px):
        at = (x0 - 1 - distance, y0 - 1 - distance, x1 + distance, y1 + distance)[side]
        if at < 0 or at >= pixels.shape[1 if upright else 0]:
            return None
        line = pixels[along, at, :3] if upright else pixels[at, along, :3]
        if line.size == 0:
            return None
        colour = np.median(line.astype(int), axis=0)
        if reference is None:
            reference = colour
        elif np.abs(colour - reference).max() > CONTRAST:
            return distance
    return None
