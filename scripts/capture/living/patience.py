"""Looking again: programs draw late on a busy machine."""

import time
from collections.abc import Callable, Iterable
from typing import TypeVar

Seen = TypeVar("Seen")


def until(is_right: Callable[[Seen], bool], seen: Seen, look: Callable[[], Seen], waits: Iterable[float]) -> Seen:
    """What was seen; if it is not right, what is seen after the first wait that makes it so, or after the last."""
    for seconds in waits:
        if is_right(seen):
            break
        time.sleep(seconds)
        seen = look()
    return seen
