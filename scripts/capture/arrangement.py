"""Which windows a desktop shows, and where: drawn so that they cover each other in part. Nothing here touches the
screen."""

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Optional

import numpy as np

from .boxes import Box, centre, shifted, size
from .picture import SHADOW_PX
from .screen import TASKBAR_PX
from .shots import Shot

if TYPE_CHECKING:
    # It needs a display.
    from .recorder import Recorder

FEWEST, MOST = 3, 8
TITLE_BAR_PX = 40
# Places are drawn until so many elements are covered in part and so much of every window can be seen; at most so often.
PARTLY_COVERED = 24
LEAST_VISIBLE = 0.12
DRAWS = 80
# A window whose menu opens is pictured where it lies, with its whole shadow.
MENU_MARGIN_PX = SHADOW_PX


@dataclass
class Member:
    """A window that desktops are made of."""

    recorder: "Recorder"
    window: object
    shot: Shot
    parent: Optional["Member"] = None

    @property
    def maximized(self) -> bool:
        return self.shot.placement == "maximized"

    @property
    def name(self) -> str:
        return self.recorder.live.program.id


def choose(members: list[Member], number: int, chance: random.Random, fewest: int = FEWEST) -> list[Member]:
    """Bottom to top; every program is on top in turn. A maximised window would hide all others: on every second
    desktop, one lies below them."""
    large = [m for m in members if m.maximized]
    below = [large[number // 2 % len(large)]] if large and number % 2 else []
    most = MOST - len(below)
    members = [m for m in members if not m.maximized]
    plain = [m for m in members if m.parent is None]
    leads = [m for m in members if not any(other.parent is m for other in members)]
    lead = leads[number % len(leads)]
    others = [m for m in plain if m is not lead and m is not lead.parent]
    chance.shuffle(others)
    count = chance.randint(fewest - len(below), min(most, len(plain)))
    chosen = others[: count - 1 - (lead.parent is not None)]
    # A dialog comes with its parent, and the other way round.
    for dialog in [m for m in members if m.parent in chosen]:
        chosen.insert(chosen.index(dialog.parent) + 1, dialog)
    while len(chosen) + 1 + (lead.parent is not None) > most:
        dropped = chosen.pop(0)
        chosen = [m for m in chosen if m.parent is not dropped]
    return [*below, *chosen, *([lead.parent] if lead.parent else []), lead]


def draw_places(shown: list[Member], menu: bool, region: tuple[int, int], chance: random.Random) -> list[Box]:
    """A frame for each window, in the order of the stack: the first draw that covers enough
    elements in part, else the best one."""
    best, most = [], -1
    for _ in range(DRAWS):
        frames: list[Box] = []
        for member in shown:
            inset = MENU_MARGIN_PX if menu and member is shown[-1] else 0
            frames.append(
                member.shot.frame
                if member.maximized
                else _within(frames[shown.index(member.parent)], size(member.shot.frame))
                if member.parent
                else _anywhere(size(member.shot.frame), inset, region, chance)
            )
        covered = partly_covered(shown, frames, region)
        if covered > most:
            best, most = frames, covered
        if most >= PARTLY_COVERED:
            break
    return best


def _anywhere(own: tuple[int, int], inset: int, region: tuple[int, int], chance: random.Random) -> Box:
    """A frame of this size above the taskbar; without an inset it may stand out over the left or the right edge."""
    width, height = own
    right, bottom = region[0] - width, min(region[1] - height, region[1] - TASKBAR_PX - TITLE_BAR_PX)
    if not inset and chance.random() < 0.15:
        # By an eighth.
        x = chance.randint(-width // 8, max(1, right + width // 8))
    else:
        x = chance.randint(inset, max(inset + 1, right - inset))
    y = chance.randint(inset, max(inset + 1, bottom - inset))
    return x, y, x + width, y + height


def _within(parent: Box, own: tuple[int, int]) -> Box:
    """About the middle of the parent, as window managers do."""
    x, y = (max(0, middle - side // 2) for middle, side in zip(centre(parent), own, strict=True))
    return x, y, x + own[0], y + own[1]


def partly_covered(shown: list[Member], frames: list[Box], region: tuple[int, int]) -> int:
    """How many elements frames above or the screen's edge hide in part; -1 if next to nothing is left of a window."""
    owners = np.zeros((region[1], region[0]), np.uint8)
    for index, (x0, y0, x1, y1) in enumerate(frames):
        owners[max(0, y0) : y1, max(0, x0) : x1] = index + 1
    count = 0
    for index, (member, frame) in enumerate(zip(shown, frames, strict=True)):
        mine = owners == index + 1
        if mine.sum() < LEAST_VISIBLE * np.prod(size(frame)):
            return -1
        for element in member.shot.elements:
            x0, y0, x1, y1 = shifted(element.box, frame[0] - member.shot.frame[0], frame[1] - member.shot.frame[1])
            visible = int(mine[max(0, y0) : max(0, y1), max(0, x0) : max(0, x1)].sum())
            count += 0 < visible < (x1 - x0) * (y1 - y0)
    return count
