"""Tide heights as a sum of harmonic constituents."""
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from math import cos, radians

EPOCH = datetime(2026, 1, 1, tzinfo=timezone.utc)

# Angular speeds in degrees per hour.
SPEEDS = {"M2": 28.9841042, "S2": 30.0, "N2": 28.4397295, "K1": 15.0410686}


@dataclass(frozen=True)
class Constituent:
    name: str
    amplitude: float  # metres
    phase: float      # degrees

    def height(self, hours: float) -> float:
        return self.amplitude * cos(radians(SPEEDS[self.name] * hours - self.phase))


@dataclass(frozen=True)
class Harbour:
    name: str
    mean_level: float
    constituents: tuple[Constituent, ...]

    def height(self, moment: datetime) -> float:
        """Height above chart datum in metres."""
        hours = (moment - EPOCH).total_seconds() / 3600
        return self.mean_level + sum(c.height(hours) for c in self.constituents)

    def next_extreme(self, moment: datetime) -> tuple[datetime, str]:
        """The next high or low water, found in steps of six minutes."""
        step = timedelta(minutes=6)
        rising = self.height(moment + step) > self.height(moment)
        while (self.height(moment + step) > self.height(moment)) == rising:
            moment += step
        return moment, "high" if rising else "low"


def harbour_from_table(name: str, table: dict) -> Harbour:
    parts = tuple(
        Constituent(key, value["amplitude"], value["phase"])
        for key, value in table.items()
        if key in SPEEDS
    )
    return Harbour(name, table["mean_level"], parts)
