"""Where a program draws letters within a px, told by the looks of one letter behind spaces, and how many spaces bring a
letter to each of these places. Nothing here touches the screen."""

from dataclasses import dataclass
from statistics import median_low

from .letters import Raster, Shape, Unfit

# Places within a px that are tried: letters at whole px, and at quarters.
PHASES = (1, 4)
# Spaces before a letter, at most.
MOST_SPACES = 16
# In how many steps of a px it is looked for where letters begin.
STEPS = 64


@dataclass(frozen=True)
class Seen:
    """A letter behind spaces: which of its looks it has, and where its left end is, px from any place."""

    spaces: int
    look: int
    left: int


def raster_of(shape: Shape, name: str, seen: list[Seen]) -> Raster:
    """Where letters are drawn, if one rule tells all looks of a letter, and where each of them is."""
    for phases in PHASES:
        half = shape.parts // (2 * phases)
        rasters = [Raster(shape.parts, phases, shift) for shift in range(-half, half + 1, shape.parts // STEPS)]
        fit = [raster.shift for raster in rasters if _explains(raster, shape, name, seen)]
        if fit:
            # Programs round to the nearest place or down.
            usual = [shift for shift in (0, -half) if shift in fit]
            return Raster(shape.parts, phases, usual[0] if usual else median_low(fit))
    looks = len({s.look for s in seen})
    raise Unfit(f"{name!r} has {looks} looks behind spaces, and is not where its font tells")


def _explains(raster: Raster, shape: Shape, name: str, seen: list[Seen]) -> bool:
    """Whether each place within a px has one look of its own, always as far from where its px begins."""
    told: dict[int, tuple[int, int]] = {}
    for one in seen:
        x, phase = raster.nearest(shape.behind(one.spaces, name))
        if told.setdefault(phase, (one.look, one.left - x)) != (one.look, one.left - x):
            return False
    return len({look for look, _ in told.values()}) == len(told)


def spaces_for(shape: Shape, raster: Raster, name: str) -> list[int]:
    """Of each place within a px, how many spaces bring a letter there: few, and not to its very edge."""
    out = []
    for phase in range(raster.phases):
        counts = [n for n in range(1, MOST_SPACES + 1) if raster.nearest(shape.behind(n, name))[1] == phase]
        if not counts:
            raise Unfit(f"spaces do not bring {name!r} to all places within a px")
        out.append(max(counts, key=lambda n: (_margin(raster, shape.behind(n, name)), -n)))
    return out


def _margin(raster: Raster, at: int) -> int:
    """How far a letter is from where it would be drawn at another place, up to an eighth of their distance."""
    rest = (2 * (at + raster.shift) * raster.phases + raster.parts) % (2 * raster.parts)
    return min(rest, 2 * raster.parts - rest, raster.parts // 4)
