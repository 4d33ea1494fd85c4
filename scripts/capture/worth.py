"""Whether a state is worth keeping: it must say enough, and something that no other state says."""

import re
from collections.abc import Sequence

import numpy as np

from .elements import Element
from .picture import CaptureError, differs
from .shots import Shot

FAULT = re.compile(r"\b(error|failed|could not|cannot|can't|unable to|not found|no such|denied|crash)", re.IGNORECASE)
OWN_TRACE = re.compile(r"/srv/capture|capture\.session|Xvfb|sandbox\.sh")
SAME_STATE_SHARE = 0.004


def require_worth(state: str, kind: str, found: list[Element], shown: np.ndarray, others: Sequence[Shot]) -> None:
    """Raises CaptureError with the reason if it is not. `shown` are the state's pixels, and `others` the states that it
    must not resemble."""
    # What a recipe calls an error is meant to be one, and has a single button. So may a window that tells of a program.
    is_error = state.startswith("error-")
    if sum(e.interactive and e.node is not None for e in found) < (1 if is_error or state.endswith("-about") else 2):
        raise CaptureError("too few interactive elements are known")
    if any(OWN_TRACE.search(e.name + e.state.get("text", "")) for e in found):
        raise CaptureError("shows processes or paths of the capture itself")
    for shot in others:
        if not differs(shot.shown(), shown, SAME_STATE_SHARE):
            raise CaptureError(f"looks like {shot.state}")
    if kind == "dialog" and not is_error:
        told = (e.name for e in found if e.role in ("label", "dialog", "panel"))
        fault = next((name for name in told if FAULT.search(name)), None)
        if fault:
            raise CaptureError(f"tells of a fault: {fault[:80]}")
