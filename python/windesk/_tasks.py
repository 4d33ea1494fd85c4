"""Tasks by index: what is to be done on a desktop, and the clicks that do it, a keyframe each."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any, SupportsIndex

from . import _windesk
from ._errors import ConfigError
from ._indexed import Asked, Indexed, Names, checked_seed, opened
from ._kept import kept
from ._pack import Pack
from ._sample import Box, Sample
from ._words import Value, names_of, sets_of, split_off_filters


@dataclass(frozen=True)
class AlsoValid:
    """Another place where a click is as good.

    Attributes:
        bbox: x0, y0, x1, y1, half-open, px of the step's picture. Every pixel of it leads to the same next state.
        why: what a click there does.
    """

    bbox: Box
    why: str


class Step(Sample):
    """A step of a task: a `Sample` that shows the screen before its click. What is to be clicked is its first target.

    Attributes:
        index: the task's place among its tasks.
        number: which step of the task it is, from 0.
    """

    def __init__(self, tasks: Tasks, index: int, number: int, scene: _windesk.Scene) -> None:
        super().__init__(tasks, index, scene)
        self.number = number

    @kept
    def _step(self) -> dict[str, Any]:
        told = self._scene.step()
        assert told is not None, "keyframes are steps"
        step: dict[str, Any] = json.loads(told)
        return step

    @property
    def kind(self) -> str:
        """What the click does: open_menu, choose, open_window, switch, set, close, raise, restore, minimise, press."""
        kind: str = self._step["step_kind"]
        return kind

    @kept
    def also_valid(self) -> tuple[AlsoValid, ...]:
        """Other places where a click leads to the same next state; most steps have none."""
        x, y = self._scale()
        places = []
        for place in self._step.get("also_valid", []):
            x0, y0, x1, y1 = place["bbox"]
            places.append(AlsoValid((x0 * x, y0 * y, x1 * x, y1 * y), place["why"]))
        return tuple(places)

    def __repr__(self) -> str:
        return f"<windesk.Step {self.id}: {self.instruction!r}>"

    def __reduce__(self) -> tuple[object, ...]:
        return _step_of, (self._scenes, self.index, self.number)


class Task:
    """A task of `Tasks`: a goal, and the clicks that reach it. Steps are planned; nothing is painted before it is asked
    for.

    Attributes:
        index: its place among the tasks that it came from.
        steps: a `Step` per click, in order (2 to 6).
    """

    steps: tuple[Step, ...]

    def __init__(self, tasks: Tasks, index: int, scenes: list[_windesk.Scene]) -> None:
        self._tasks = tasks
        self.index = index
        self.steps = tuple(Step(tasks, index, number, scene) for number, scene in enumerate(scenes))

    @property
    def id(self) -> str:
        """``<dataset>.<condition>-<index>``; ids of steps add their number."""
        return self.steps[0].id.rsplit("-", 1)[0]

    @property
    def goal(self) -> str:
        """What is to be done."""
        goal: str = self.steps[0]._step["goal"]
        return goal

    @property
    def kind(self) -> str:
        """``"workflow"``, ``"reveal"`` or ``"across"``."""
        kind: str = self.steps[0]._step["kind"]
        return kind

    @kept
    def record_line(self) -> bytes:
        """The bytes of the line of ``tasks/*.jsonl`` in a dataset, with the line feed."""
        line = self.steps[0]._scene.task_line()
        assert line is not None, "tasks have lines"
        return line

    @kept
    def record(self) -> dict[str, Any]:
        """The line of ``tasks/*.jsonl`` in a dataset (docs/tasks.md): goal, steps, who wrote the goal. Boxes are px of
        the pictures at full size, whatever ``size`` the tasks have."""
        record: dict[str, Any] = json.loads(self.record_line)
        return record

    def __repr__(self) -> str:
        return f"<windesk.Task {self.id}: {len(self.steps)} steps, {self.goal!r}>"

    def __reduce__(self) -> tuple[object, ...]:
        return _task_of, (self._tasks, self.index)


class Tasks(Indexed[Task]):
    """Tasks by index, as `tasks` makes them: a pure function of its arguments and the pack.

    As `Scenes`: the same arguments give the same tasks, byte for byte, in any order, process and machine; tasks can be
    pickled, and used in forked and spawned workers; an index whose draws were all rejected raises `Hole`, and iteration
    leaves it out.
    """

    def __len__(self) -> int:
        return _windesk.MAX_SAMPLES // _windesk.MAX_STEPS if self._n is None else self._n

    def _at(self, index: SupportsIndex) -> Task:
        at = self._position(index)
        scenes = self._source.scenes(at)
        if scenes is None:
            raise self._hole(at)
        return Task(self, at, scenes)

    def __repr__(self) -> str:
        return f"<windesk.Tasks {self.name}: {len(self)} tasks>"


def _task_of(tasks: Tasks, index: int) -> Task:
    """The task of a pickle: made again."""
    return tasks[index]


def _step_of(tasks: Tasks, index: int, number: int) -> Step:
    """The step of a pickle: made again."""
    return tasks[index].steps[number]


def tasks(
    kind: str = "mixed",
    n: int | None = None,
    seed: int = 0,
    pack: Pack | str | os.PathLike[str] | None = None,
    size: tuple[int, int] | None = None,
    *,
    level: str | os.PathLike[str] = "L3",
    steps: tuple[int, int] | int | str = (2, 6),
    goals: str = "all",
    balance: Names | None = None,
    **sets: Value | None,
) -> Tasks:
    """Tasks, as ``windesk tasks`` makes them with these options.

    Args:
        kind: ``"workflow"`` (a path through the windows of one program), ``"reveal"`` (what is wanted is hidden at
            first), ``"across"`` (two programs), or ``"mixed"`` for all that the pack bears.
        n: number of tasks; without one, as many as there can be.
        level: level of the first keyframe.
        steps: fewest and most clicks, both included, within 2 to 6; or one number.
        goals: ``"reviewed"`` for goals alone that somebody wrote by the pictures, or ``"all"``.

    All other arguments are those of `Scenes`.

    Raises:
        ConfigError: a kind, number of steps, level, key, value or filter that is impossible, or a level that tasks
            can't be made of.
        FileError: the pack or a file is not sound.
    """
    filters, keys = split_off_filters(sets)
    asked = Asked(
        kind="tasks",
        what=os.fspath(level),
        seed=checked_seed(seed),
        sets=sets_of(keys),
        balance=names_of(balance),
        filters=tuple(sorted(filters.items())),
        task=(kind, _steps(steps), goals),
    )
    return Tasks._of(asked, opened(pack), n, size)._check()


def _steps(steps: tuple[int, int] | int | str) -> str:
    """A range of numbers of clicks, as the command line writes it."""
    if isinstance(steps, str | int):
        return str(steps)
    if len(steps) != 2:
        raise ConfigError("option `steps`", f"found {steps!r}", "the fewest and the most clicks")
    fewest, most = steps
    return f"{fewest}..{most}"
