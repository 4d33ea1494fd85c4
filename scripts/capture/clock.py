"""A session's clock: programs are told another time by a library that is loaded before all others (clock.c), and by a
second one how much of a disk is free (disk.c). A third one gives those whose recipe asks for it the same random numbers
at each start (seed.c)."""

import os
import subprocess

# Where install.sh puts it.
FOLDER = "/opt/capture/clock"
LIBRARIES = f"{FOLDER}/clock.so {FOLDER}/disk.so"
SEED = f"{FOLDER}/seed.so"


def preload(ahead: str | None = None) -> dict[str, str]:
    """The environment of a program whose clock is `ahead` of the machine's by so many seconds, and runs on; empty
    where the session has no clock of its own."""
    ahead = os.environ.get("CAPTURE_CLOCK", "") if ahead is None else ahead
    return {"LD_PRELOAD": LIBRARIES, "CAPTURE_CLOCK": ahead} if ahead else {}


def seeded(environment: dict[str, str]) -> dict[str, str]:
    """An environment whose programs have the same random numbers at each start. The seed comes before the clock, which
    it asks for all times but the first."""
    return environment | {"LD_PRELOAD": f"{SEED} {environment.get('LD_PRELOAD', '')}".rstrip()}


def tell_bus() -> None:
    """Programs that the session bus starts have the clock too."""
    pairs = [f"{key}={value}" for key, value in preload().items()]
    if pairs:
        subprocess.run(["dbus-update-activation-environment", *pairs], timeout=20, check=False)
