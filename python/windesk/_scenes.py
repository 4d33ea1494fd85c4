"""Scenes by index: what training loops and data loaders read from."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import SupportsIndex

import numpy as np
import numpy.typing as npt

from . import _windesk
from ._errors import ConfigError
from ._indexed import Asked, Indexed, Names, checked_seed, opened
from ._kept import kept
from ._pack import Pack
from ._sample import Sample
from ._states import StateInstance
from ._words import Value, names_of, sets_of, split_off_filters


@dataclass(frozen=True)
class Batch:
    """Several samples, their pictures in one array.

    Attributes:
        images: uint8, samples x height x width x 3, RGB.
        samples: the samples in the same order.
    """

    images: npt.NDArray[np.uint8]
    samples: Sequence[Sample]


class Scenes(Indexed[Sample]):
    """Scenes of a level, by index: a pure function of the arguments and the pack.

    The same arguments give the same samples, byte for byte, in any order, process and machine, and the same that
    ``windesk synth`` writes with these options. Scenes can be pickled, and used in forked and spawned workers.

    With several conditions (level ``"all"``, sweeps, designs) the samples of an index follow each other, in the order
    of the conditions: sample ``i`` is of condition ``conditions[i % len(conditions)]``.

    Args:
        level: ``"L1"`` to ``"L5"``, ``"all"`` for all five planned jointly, or a level file (``.toml``).
        n: number of samples per condition; without one, as many as there can be.
        seed: seed of all samples.
        pack: a `Pack`, or the place of one; the default pack if not given.
        size: width and height of the pictures, px; that of the screen if not given. Boxes and points follow.
        balance: what targets are drawn uniformly over first, such as ``["role", "ui_type"]``.
        **sets: keys of the level (``visible_ratio="0.6..0.7"``, ``distractor__rank=1`` for ``distractor.rank``,
            ``split="train"``, ``canvas=(1920, 1080)``, ..), as ``--set`` takes them, and filters: category, app, role,
            ui_type, target_size, session, wallpaper (a name or several).

    Raises:
        ConfigError: a level, key, value or filter that is impossible.
        FileError: the pack or a file is not sound.
    """

    def __init__(
        self,
        level: str | os.PathLike[str] = "L4",
        n: int | None = None,
        seed: int = 0,
        pack: Pack | str | os.PathLike[str] | None = None,
        size: tuple[int, int] | None = None,
        balance: Names | None = None,
        **sets: Value | None,
    ) -> None:
        filters, keys = split_off_filters(sets)
        asked = Asked(
            kind="level",
            what=os.fspath(level),
            seed=checked_seed(seed),
            sets=sets_of(keys),
            balance=names_of(balance),
            filters=tuple(sorted(filters.items())),
        )
        self._begin(asked, opened(pack), n, size)
        self._check()

    @kept
    def _conditions(self) -> tuple[tuple[int, str], ...]:
        """Positions and names of the conditions that samples are made of."""
        all_of_them = tuple(enumerate(self._source.conditions))
        chosen = self._asked.chosen
        return all_of_them if chosen is None else tuple((at, name) for at, name in all_of_them if name in chosen)

    @property
    def conditions(self) -> tuple[str, ...]:
        """Names of the conditions, in order."""
        return tuple(name for _, name in self._conditions)

    def with_conditions(self, *names: str) -> Scenes:
        """The samples of these conditions alone. They stay what they are among all conditions.

        Raises:
            ConfigError: there is no condition of a name.
        """
        for name in names:
            if name not in self.conditions:
                raise ConfigError(
                    f"condition {name}", "found no such condition", f"one of {', '.join(self.conditions)}"
                )
        asked = replace(self._asked, chosen=tuple(names))
        return self._of(asked, self._pack, self._n, self._size)._check()

    def __len__(self) -> int:
        conditions = len(self._conditions)
        n = _windesk.MAX_SAMPLES // max(1, len(self._source.conditions)) if self._n is None else self._n
        return n * conditions

    def _place(self, index: SupportsIndex) -> tuple[int, int, int]:
        """Position from the start, and the index and the condition behind it."""
        at = self._position(index)
        index_of_all, position = divmod(at, len(self._conditions))
        return at, index_of_all, self._conditions[position][0]

    def _at(self, index: SupportsIndex) -> Sample:
        at, index_of_all, condition = self._place(index)
        scene = self._source.scene(index_of_all, condition)
        if scene is None:
            raise self._hole(index_of_all)
        return self._sample(at, scene)

    def _sample(self, at: int, scene: _windesk.Scene) -> Sample:
        is_of_controls = self._asked.kind == "sweep" and self._asked.what == _windesk.PRECISION_SWEEP
        return StateInstance(self, at, scene) if is_of_controls else Sample(self, at, scene)

    def batch(self, indices: Iterable[SupportsIndex], threads: int | None = None) -> Batch:
        """Several samples at once; threads fill one array.

        Args:
            indices: of the samples, in any order.
            threads: how many work at once; all cores if not given.

        Raises:
            IndexError: an index is out of range.
            WindeskError: a sample can't be made, there is none of an index, or pictures have sizes of their own (pages
                of the web) and there is no ``size``.
        """
        places = [self._place(index) for index in indices]
        asked = [(index, condition) for _, index, condition in places]
        count = (
            threads if threads is not None else len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
        )
        images, scenes = _windesk.batch(self._source, asked, self._size, max(1, count))
        samples = [self._sample(at, scene) for (at, _, _), scene in zip(places, scenes, strict=True)]
        return Batch(images, samples)

    def __repr__(self) -> str:
        return f"<windesk.Scenes {self.name}: {len(self)} samples of {', '.join(self.conditions)}>"


def sweep(
    name: str | os.PathLike[str],
    n: int | None = None,
    seed: int = 0,
    pack: Pack | str | os.PathLike[str] | None = None,
    size: tuple[int, int] | None = None,
    *,
    scan: Names = (),
    list: Names = (),
    balance: Names | None = None,
    **sets: Value | None,
) -> Scenes:
    """The scenes of a sweep, in which one knob moves and everything else stays, as ``windesk sweep`` makes them.

    Args:
        name: a shipped sweep (``"occlusion"``, ``"semantic"``, ..), or a sweep file (``.toml``). Samples of
            ``"state-precision"`` are a `StateInstance` each.
        scan: values to scan instead of the sweep's conditions, such as ``"visible_ratio=1.0..0.3/0.1"``.
        list: the same as lists, such as ``"windows=2,4,8"``.

    All other arguments and errors are those of `Scenes`.
    """
    filters, keys = split_off_filters(sets)
    asked = Asked(
        kind="sweep",
        what=os.fspath(name),
        seed=checked_seed(seed),
        sets=sets_of(keys),
        balance=names_of(balance),
        filters=tuple(sorted(filters.items())),
        scans=names_of(scan),
        lists=names_of(list),
    )
    return Scenes._of(asked, opened(pack), n, size)._check()


def icons(
    design: str | os.PathLike[str] = "rare",
    n: int | None = None,
    seed: int = 0,
    pack: Pack | str | os.PathLike[str] | None = None,
    size: tuple[int, int] | None = None,
    *,
    folder: str | os.PathLike[str] | None = None,
    **sets: Value | None,
) -> Scenes:
    """Icon probes, as ``windesk icons`` makes them.

    Args:
        design: a shipped design (``"rare"``, ``"size-sweep"``, ..), or a design file (``.toml``).
        folder: icons of your own, SVG and PNG files.
        **sets: keys of the design, such as ``library="emoji"``, ``icons="10..30"``, ``distractors__count=3``.

    All other arguments and errors are those of `Scenes`.
    """
    place = None if folder is None else os.fspath(Path(folder).absolute())
    asked = Asked(
        kind="icons", what=os.fspath(design), seed=checked_seed(seed), sets=sets_of(_design_keys(sets)), folder=place
    )
    return Scenes._of(asked, opened(pack), n, size)._check()


#: Keys of a design whose values are words, and lists for which one name will do.
_WORDS = ("library", "style", "layout", "tile", "labels", "chrome")
_LISTS = {"wallpaper": "wallpapers", "prompt": "prompts"}


def _design_keys(sets: Mapping[str, Value | None]) -> dict[str, Value | None]:
    """Keyword arguments as keys of a design, with the values that the options of the command line stand for."""
    keys: dict[str, Value | None] = {}
    for key, value in sets.items():
        if key in _WORDS and isinstance(value, str):
            keys[key] = json.dumps(value, ensure_ascii=False)
        elif key in _LISTS and value is not None:
            keys[_LISTS[key]] = list(names_of(value))  # type: ignore[arg-type]
        else:
            keys[key] = value
    return keys
