"""Which window of a real desktop owns each pixel, seen by showing one window after the other."""

import time

import numpy as np

from . import grabs, x11
from .arrangement import Member
from .boxes import Box, intersection, shifted
from .picture import CaptureError
from .shots import Shot
from .stage import Stage

SOLID_ALPHA = 128


def owners_of(stage: Stage, shown: list[Member], captures: list[Shot], screen: Box) -> np.ndarray:
    """Which window each pixel belongs to: 0 for none, else its place in the stack from 1. Each window is shown by
    itself, where it is: shadows of several windows could add up to something solid."""
    owners = np.zeros((screen[3], screen[2]), np.uint8)
    for member in shown:
        x11.set_opacity(member.window, False)
    for index, member in reversed(list(enumerate(shown))):
        x11.set_opacity(member.window, True)
        owners[_solid_of(stage, member, captures[index], screen) & (owners == 0)] = index + 1
        x11.set_opacity(member.window, False)
        # An open menu belongs to the topmost window, which came first; its shadow must
        # not add to those of the others.
        while x11.popups():
            x11.press("Escape")
            time.sleep(0.3)
    for member in shown:
        x11.set_opacity(member.window, True)
    return owners


def _solid_of(stage: Stage, member: Member, capture: Shot, screen: Box) -> np.ndarray:
    """What is solid while no other window shows."""
    frame = x11.frame_box(member.window)
    box = intersection(shifted(capture.picture.box(), frame[0] - capture.frame[0], frame[1] - capture.frame[1]), screen)
    for attempt in range(4):
        # A busy machine hides the others late.
        time.sleep(0.3 + attempt)
        solid = _solid(stage, screen)
        if box is None or solid.sum() == solid[box[1] : box[3], box[0] : box[2]].sum():
            return solid
    raise CaptureError(f"something shows beside {member.name} by itself")


def _solid(stage: Stage, screen: Box) -> np.ndarray:
    stage.colour(0x000000)
    black = grabs.grab(screen)
    stage.colour(0xFFFFFF)
    white = grabs.grab(screen)
    return 255 - np.clip((white - black).max(axis=2), 0, 255) >= SOLID_ALPHA
