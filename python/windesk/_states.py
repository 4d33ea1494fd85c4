"""State instances by index: a control in some state, and the state that one act must bring it to."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any, Literal, SupportsIndex

from . import _windesk
from ._indexed import Asked, AskedControls, Indexed, Names, checked_seed, opened
from ._kept import kept
from ._pack import Pack
from ._sample import Box, Point, Sample
from ._words import Value, names_of, sets_of, split_off_filters


@dataclass(frozen=True)
class Act:
    """An act that sets a state: a click, or a drag.

    Attributes:
        kind: ``"click"`` or ``"drag"``.
        points: pixels (x, y) of the instance's picture: where to click; or from where and to where to drag.
    """

    kind: Literal["click", "drag"]
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Difficulty:
    """What makes an instance hard. Nothing of it depends on the ``size`` of pictures.

    Attributes:
        target_core_px: width and height of the target core, px of the picture at full size.
        steps: how many steps the target state lies from the current one; places, where an order is set.
        like_controls: other controls of the same component type that show.
        value_shown: whether the screen says the current state in words or digits.
        contrast: WCAG contrast ratio between the lightest and the darkest tenth of the control's pixels, 1 to 21.
    """

    target_core_px: tuple[int, int]
    steps: int
    like_controls: int
    value_shown: bool
    contrast: float


@dataclass(frozen=True)
class Hint:
    """Help that the question gives, from the truth. It never says where the target state is set.

    Attributes:
        kind: ``"description"`` or ``"box"``.
        source: whose knowledge it is: ``"oracle"``.
        text: the words of a description, else None.
        bbox: the control's box, x0, y0, x1, y1, half-open, px of the instance's picture; None in a description.
    """

    kind: str
    source: str
    text: str | None
    bbox: Box | None


class StateInstance(Sample):
    """A `Sample` of `States`: a control that has a state, and the words that ask for another one.

    Samples of the sweep ``state-precision`` are instances too. The first target is the core of the target state:
    ``bbox`` and ``mask()`` are where a click, or the end of a drag, sets it, and ``click_point`` is a click that does;
    None where only a drag does (see `act`). Boxes and points are px of ``image``.
    """

    @kept
    def instance_line(self) -> bytes:
        """The bytes of the line of ``states/*.jsonl`` in a dataset, with the line feed."""
        line = self._scene.state_line()
        assert line is not None, "instances have lines"
        return line

    @kept
    def instance(self) -> dict[str, Any]:
        """The line of ``states/*.jsonl`` in a dataset (docs/states.md), with the maps from clicks and drags to states.
        Boxes and points are px of the picture at full size, whatever ``size`` the instances have."""
        instance: dict[str, Any] = json.loads(self.instance_line)
        return instance

    @property
    def locate_instruction(self) -> str | None:
        """The words that ask where the control stands now; they name no other state. None where there are none."""
        words: str | None = self.instance.get("locate_instruction")
        return words

    @property
    def platform(self) -> str:
        """What the control is shown on: ``"desktop"``, ``"web"`` or ``"mobile-web"``."""
        platform: str = self.instance["platform"]
        return platform

    @property
    def component(self) -> str:
        """Its component type, one of 23, such as ``"slider"`` (docs/states.md)."""
        component: str = self.instance["component"]
        return component

    @property
    def family(self) -> str:
        """``"range"``, ``"option"``, ``"data"`` or ``"structure"``."""
        family: str = self.instance["family"]
        return family

    @property
    def current_state(self) -> Any:
        """The state that it has: a truth value, a number, a string, a list of two numbers, or a list of strings."""
        return self.instance["current_state"]

    @property
    def target_state(self) -> Any:
        """The state that it must take, exactly."""
        return self.instance["target_state"]

    def _own_box(self, name: str) -> Box:
        box = self._box(self.instance[name])
        assert box is not None, "instances have boxes"
        return box

    @kept
    def control_bbox(self) -> Box:
        """Box of the whole control: x0, y0, x1, y1, half-open."""
        return self._own_box("control_bbox")

    @kept
    def core_bbox(self) -> Box:
        """Where the current state can be grasped: x0, y0, x1, y1, half-open."""
        return self._own_box("core_bbox")

    @kept
    def target_core_bbox(self) -> Box:
        """Where the target state is set: x0, y0, x1, y1, half-open. The same as ``bbox``."""
        return self._own_box("target_core_bbox")

    @kept
    def act(self) -> Act:
        """An act that sets the target state."""
        told: dict[str, Any] = self.instance["act"]
        if "click" in told:
            return Act("click", self._points([told["click"]]))
        return Act("drag", self._points(told["drag"]))

    def _points(self, told: list[list[int]]) -> tuple[Point, ...]:
        points = (self._point(point) for point in told)
        return tuple(point for point in points if point is not None)

    @kept
    def difficulty(self) -> Difficulty:
        """What makes it hard."""
        told: dict[str, Any] = self.instance["difficulty"]
        width, height = told["target_core_px"]
        return Difficulty((width, height), told["steps"], told["like_controls"], told["value_shown"], told["contrast"])

    @kept
    def hint(self) -> Hint | None:
        """Help that the question gives; None for none."""
        told: dict[str, Any] | None = self.instance.get("hint")
        if told is None:
            return None
        return Hint(told["kind"], told["source"], told.get("text"), self._box(told.get("bbox")))

    def __repr__(self) -> str:
        return f"<windesk.StateInstance {self.id}: {self.instruction!r}>"


class States(Indexed[StateInstance]):
    """State instances by index, as `states` makes them: a pure function of its arguments and the pack.

    As `Scenes`: the same arguments give the same instances, byte for byte, in any order, process and machine; they can
    be pickled, and used in forked and spawned workers; an index whose draws were all rejected raises `Hole`, and
    iteration leaves it out.

    Pages of the web and of telephones have sizes of their own. With a ``size`` all pictures have that one; a page of
    another shape is stretched, and its boxes with it.
    """

    def __len__(self) -> int:
        return _windesk.MAX_SAMPLES if self._n is None else self._n

    def _at(self, index: SupportsIndex) -> StateInstance:
        at = self._position(index)
        scene = self._source.scene(at, 0)
        if scene is None:
            raise self._hole(at)
        return StateInstance(self, at, scene)

    def __repr__(self) -> str:
        return f"<windesk.States {self.name}: {len(self)} instances>"


def states(
    platform: Names = "all",
    n: int | None = None,
    seed: int = 0,
    pack: Pack | str | os.PathLike[str] | None = None,
    size: tuple[int, int] | None = None,
    *,
    family: Names | None = None,
    type: Names | None = None,
    hint: str = "none",
    level: str | os.PathLike[str] | None = None,
    balance: Names | None = None,
    **sets: Value | None,
) -> States:
    """State instances, as ``windesk states`` makes them with these options.

    Args:
        platform: what controls are shown on: ``"desktop"``, ``"web"``, ``"mobile-web"``, several of them, or ``"all"``.
        n: number of instances; without one, as many as there can be.
        size: width and height of the pictures, px; that of each screen or page if not given.
        family: only types of these families: range, option, data, structure (a name or several).
        type: only these types, such as ``"slider"`` or ``["slider", "knob"]`` (docs/states.md lists all 23).
        hint: what help the questions give, from the truth: ``"none"``, ``"description"`` (words about where the control
            is and what state it has) or ``"box"`` (the control's box).
        level: level whose number of windows desktops have; the control's window alone if not given.

    All other arguments are those of `Scenes`.

    Raises:
        ConfigError: a platform, family, type, hint, level, key, value or filter that is impossible, a level without
            desktops, or nothing of what was asked for is in the pack.
        FileError: the pack or a file is not sound.
    """
    filters, keys = split_off_filters(sets)
    asked = Asked(
        kind="states",
        what="",
        seed=checked_seed(seed),
        sets=sets_of(keys),
        balance=names_of(balance),
        filters=tuple(sorted(filters.items())),
        controls=AskedControls(
            names_of(platform), names_of(family), names_of(type), hint, None if level is None else os.fspath(level)
        ),
    )
    return States._of(asked, opened(pack), n, size)._check()
