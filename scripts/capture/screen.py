"""The screen of a session: its size, and what lies on it beside the windows' own contents."""

from dataclasses import dataclass

from .boxes import Box

SCREEN = (2560, 1440)
TASKBAR_PX = 48
SCREEN_BOX = (0, 0, *SCREEN)
# What windows may cover.
DESKTOP_BOX = (0, 0, SCREEN[0], SCREEN[1] - TASKBAR_PX)


@dataclass(frozen=True)
class Popup:
    """An override-redirect window such as a menu; `box` is without its own shadow."""

    box: Box
    surface: Box
    type_name: str


@dataclass(frozen=True)
class FramePart:
    """A title bar or one of its buttons."""

    role: str
    name: str
    box: Box


def slot(placement: str) -> Box:
    """Where a window lies that is snapped to one of the placements of programs.py."""
    wide, high = DESKTOP_BOX[2:]
    if placement == "maximized":
        return DESKTOP_BOX
    size = (wide // 2, high if placement.endswith("_half") else high // 2)
    x, y = wide // 2 if "right" in placement else 0, high // 2 if placement.startswith("bottom") else 0
    return (x, y, x + size[0], y + size[1])
