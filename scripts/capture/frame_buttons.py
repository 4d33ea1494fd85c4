"""Title bar and its buttons where the window manager draws them; client-side ones are in the accessibility tree."""

from Xlib import X

from . import x11
from .boxes import Box, height, width
from .screen import FramePart

# Breeze draws its buttons itself: centres from the right edge of the frame, and the button's size.
BREEZE_CENTRES_PX = (14, 38, 62)
BREEZE_BUTTON_PX = 20


def frame_parts(window, wm: str) -> list[FramePart]:
    frame, client = x11.frame_box(window), x11.box_of(window)
    if x11.csd_extents(window) or client[1] - frame[1] < 12:
        return []
    bar = (frame[0], frame[1], frame[2], client[1])
    buttons = _xfwm4_buttons(window, client) if wm == "xfwm4" else _breeze_buttons(window, bar)
    return [FramePart("title bar", x11.title(window), bar), *buttons]


def _button_names(window, count: int | None = None) -> list[str]:
    """From left to right. A window that cannot be resized has no Maximize; one that fills the work area has Restore."""
    enlarge = "Restore" if x11.is_maximised(window) else "Maximize"
    names = ["Minimize", enlarge, "Close"]
    if count is None:
        count = 1 + x11.allowed(window, "MINIMIZE") + x11.allowed(window, "MAXIMIZE_VERT")
    if count == 2:
        return [
            enlarge if x11.allowed(window, "MAXIMIZE_VERT") and not x11.allowed(window, "MINIMIZE") else "Minimize",
            "Close",
        ]
    return names[-count:]


def _xfwm4_buttons(window, client: Box) -> list[FramePart]:
    boxes = []
    frame = x11.frame_box(window)
    for child in x11.frame_window(window).query_tree().children:
        if child.id == window.id or child.get_attributes().map_state != X.IsViewable:
            continue
        box = x11.box_of(child)
        if (
            10 <= width(box) <= 64
            and 10 <= height(box) <= 64
            and box[3] <= client[1] + 2
            and box[0] > (frame[0] + frame[2]) // 2
        ):
            boxes.append(box)
    boxes.sort()
    boxes = boxes[-3:]
    return [
        FramePart("push button", name, box) for name, box in zip(_button_names(window, len(boxes)), boxes, strict=False)
    ]


def _breeze_buttons(window, bar: Box) -> list[FramePart]:
    middle = (bar[1] + bar[3]) // 2
    half = BREEZE_BUTTON_PX // 2
    names = list(reversed(_button_names(window)))
    return [
        FramePart("push button", name, (bar[2] - dx - half, middle - half, bar[2] - dx + half, middle + half))
        for name, dx in reversed(list(zip(names, BREEZE_CENTRES_PX, strict=False)))
    ]
