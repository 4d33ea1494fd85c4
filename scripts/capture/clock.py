"""A session's clock: programs are told another time by a library that is loaded before all others (libfaketime)."""

import os
import subprocess

# Takes locks, as programs of many threads need.
LIBRARY = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"


def preload(ahead: str | None = None) -> dict[str, str]:
    """The environment of a program whose clock is `ahead` of the machine's by so many seconds, and runs on; empty
    where the session has no clock of its own."""
    ahead = os.environ.get("CAPTURE_CLOCK", "") if ahead is None else ahead
    if not ahead:
        return {}
    return {
        "LD_PRELOAD": LIBRARY,
        "FAKETIME": f"{int(ahead):+d}",
        # Waiting is not told by the clock, and files have their own dates.
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "DONT_FAKE_MONOTONIC": "1",
        "NO_FAKE_STAT": "1",
    }


def tell_bus() -> None:
    """Programs that the session bus starts have the clock too."""
    pairs = [f"{key}={value}" for key, value in preload().items()]
    if pairs:
        subprocess.run(["dbus-update-activation-environment", *pairs], timeout=20, check=False)
