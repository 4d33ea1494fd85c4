"""Desktop scenes from real window captures, with the whole truth beside them, made while you train.

    import windesk

    scenes = windesk.Scenes("L4", n=1000, seed=7, size=(1280, 720))
    sample = scenes[0]
    sample.image         # numpy, uint8, 720 x 1280 x 3
    sample.instruction   # what is asked for
    sample.click_point   # where to click

Samples are a pure function of the arguments, the pack and the index: the same in every process and on every machine,
and the same as those that the command line ``windesk synth`` writes.
"""

from __future__ import annotations

import os as _os

from . import _windesk
from ._errors import ConfigError, FileError, Hole, PlaceError, WindeskError
from ._pack import Pack
from ._sample import ELEMENT_DTYPE, Sample, Target
from ._scenes import Batch, Scenes, icons, sweep
from ._states import Act, Difficulty, Hint, StateInstance, States, states
from ._tasks import AlsoValid, Step, Task, Tasks, tasks
from .answers import Answer, answer, families, messages, parse
from .digests import digests
from .evaluation import Evaluation, evaluate

__version__: str = _windesk.__version__

__all__ = [
    "ELEMENT_DTYPE",
    "Act",
    "AlsoValid",
    "Answer",
    "Batch",
    "ConfigError",
    "Difficulty",
    "Evaluation",
    "FileError",
    "Hint",
    "Hole",
    "Pack",
    "PlaceError",
    "Sample",
    "Scenes",
    "StateInstance",
    "States",
    "Step",
    "Target",
    "Task",
    "Tasks",
    "WindeskError",
    "__version__",
    "answer",
    "digests",
    "evaluate",
    "families",
    "icons",
    "messages",
    "parse",
    "states",
    "sweep",
    "tasks",
]

# A fork copies locks but not the threads that hold them: it waits until no call into the engine is under way.
if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(
        before=_windesk.before_fork,
        after_in_parent=_windesk.after_fork_in_parent,
        after_in_child=_windesk.after_fork_in_child,
    )
