"""Whether a window is dark, whatever the look of its session: some programs are dark on a light desktop."""

from collections.abc import Sequence

import numpy as np

# Mean lightness, of 255, of the frame of a dark program, and median lightness of the ground of its elements. In light
# looks of the default pack, both hold of 41 captures. A terminal or a player with a dark page has its menus and buttons
# on light ground.
DARK_FRAME, DARK_GROUND = 80, 110


def is_dark(look_is_dark: bool, elements: Sequence[dict], pixels: np.ndarray, frame: Sequence[int]) -> bool:
    """Of a window in a look. A light page in a dark look (a web page, a sheet of paper) does not make it light."""
    if look_is_dark:
        return True
    lightness = pixels[..., :3].mean(axis=2)
    grounds = [_median(lightness, e["bbox"]) < DARK_GROUND for e in elements if e["interactive"]]
    x0, y0, x1, y1 = frame
    return bool(lightness[y0:y1, x0:x1].mean() < DARK_FRAME and sum(grounds) * 2 > len(grounds))


def _median(lightness: np.ndarray, bbox: Sequence[int]) -> float:
    x0, y0, x1, y1 = (max(v, 0) for v in bbox)
    ground = lightness[y0:y1, x0:x1]
    return float(np.median(ground)) if ground.size else 255.0
