"""Where the crawler stands on a page: the values that hold, what the page looks like then, how one gets there."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from .page import Values


@dataclass
class Context:
    """Patches found here are told `when` its values hold, as what they change of its picture."""

    when: Values
    active: np.ndarray  # the client window with the focus at home
    inactive: np.ndarray
    elements: list[dict]  # with their ids of the page
    home_id: str | None = None  # the element that has the focus in these pictures, if not the page's home
    opening: int = 0  # of the window, that the counterpart belongs to
    home: object = None  # its live counterpart
    enter: list[Callable[[], None]] = field(default_factory=list)  # from the page's base
    failures: int = 0  # controls under these values of which the crawl failed

    @property
    def depth(self) -> int:
        return len(self.when)


@dataclass
class Seen:
    """What an event has led to."""

    kind: str  # "changed", "same", "window", "popup", "closed", "resized"
    active: np.ndarray | None = None  # as the event left it
    records: list[dict] = field(default_factory=list)
    focus: int | None = None  # index of the record that has the focus
    window: object = None
    popups: list = field(default_factory=list)
