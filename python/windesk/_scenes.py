"""Scenes by index: what training loops and data loaders read from."""

from __future__ import annotations

import json
import operator
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import SupportsIndex, overload

import numpy as np
import numpy.typing as npt

from . import _windesk
from ._errors import ConfigError, Hole
from ._kept import kept
from ._pack import Pack
from ._sample import Sample
from ._words import FILTERS, Value, names_of, sets_of, split_off_filters

Names = str | Iterable[str]


@dataclass(frozen=True)
class _Asked:
    """What scenes are made from, besides a pack: all that decides their bytes."""

    kind: str
    """level, sweep or icons"""
    what: str
    """name or file"""
    seed: int
    sets: tuple[str, ...] = ()
    balance: tuple[str, ...] = ()
    filters: tuple[tuple[str, tuple[str, ...]], ...] = ()
    scans: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    folder: str | None = None

    def source(self, pack: Pack) -> _windesk.SceneSource:
        opened, filters = pack._opened, {name: list(names) for name, names in self.filters}
        sets, balance = list(self.sets), list(self.balance)
        if self.kind == "level":
            return _windesk.SceneSource.of_level(opened, self.what, sets, balance, filters, self.seed)
        if self.kind == "sweep":
            scans, lists = list(self.scans), list(self.lists)
            return _windesk.SceneSource.of_sweep(opened, self.what, scans, lists, sets, balance, filters, self.seed)
        return _windesk.SceneSource.of_design(opened, self.what, sets, self.folder, self.seed)


@dataclass(frozen=True)
class Batch:
    """Several samples, their pictures in one array.

    Attributes:
        images: uint8, samples x height x width x 3, RGB.
        samples: the samples in the same order.
    """

    images: npt.NDArray[np.uint8]
    samples: Sequence[Sample]


class Scenes(Sequence[Sample]):
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
        asked = _Asked(
            kind="level",
            what=os.fspath(level),
            seed=_seed(seed),
            sets=sets_of(keys),
            balance=names_of(balance),
            filters=tuple(sorted(filters.items())),
        )
        self._begin(asked, _opened(pack), n, size, None)
        self._check()

    def _begin(
        self, asked: _Asked, pack: Pack, n: int | None, size: tuple[int, int] | None, chosen: tuple[str, ...] | None
    ) -> None:
        if n is not None and operator.index(n) < 0:
            raise ConfigError("option `n`", f"found {n}", "a number of samples, 0 or more")
        self._asked = asked
        self._pack = pack
        self._n = None if n is None else operator.index(n)
        self._size = None if size is None else (operator.index(size[0]), operator.index(size[1]))
        self._chosen = chosen

    @classmethod
    def _of(
        cls,
        asked: _Asked,
        pack: Pack,
        n: int | None,
        size: tuple[int, int] | None,
        chosen: tuple[str, ...] | None = None,
    ) -> Scenes:
        scenes = cls.__new__(cls)
        scenes._begin(asked, pack, n, size, chosen)
        return scenes

    def _check(self) -> Scenes:
        """Errors are raised where scenes are made, not where the first sample is asked for."""
        _ = self._source
        if self._size is not None and not all(1 <= side <= 16_384 for side in self._size):
            found = f"found {self._size[0]}x{self._size[1]}"
            raise ConfigError("option `size`", found, "sides of 1 to 16384 px")
        return self

    @kept
    def _source(self) -> _windesk.SceneSource:
        # A process that was spawned makes it anew, at first use.
        return self._asked.source(self._pack)

    @kept
    def _conditions(self) -> tuple[tuple[int, str], ...]:
        """Positions and names of the conditions that samples are made of."""
        all_of_them = tuple(enumerate(self._source.conditions))
        if self._chosen is None:
            return all_of_them
        return tuple((at, name) for at, name in all_of_them if name in self._chosen)

    @property
    def name(self) -> str:
        """Name of the dataset: the first part of every id."""
        return self._source.dataset

    @property
    def conditions(self) -> tuple[str, ...]:
        """Names of the conditions, in order."""
        return tuple(name for _, name in self._conditions)

    @property
    def n(self) -> int | None:
        """Samples per condition, or None for as many as there can be."""
        return self._n

    @property
    def seed(self) -> int:
        """Seed of all samples."""
        return self._asked.seed

    @property
    def pack(self) -> Pack:
        """The pack."""
        return self._pack

    @property
    def size(self) -> tuple[int, int] | None:
        """Width and height of the pictures, px; None for that of the screen."""
        return self._size

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
        return Scenes._of(self._asked, self._pack, self._n, self._size, tuple(names))._check()

    def filter(self, **filters: Names) -> Scenes:
        """Scenes whose targets are narrowed down further: other scenes, not some of these.

        Args:
            **filters: category, app, role, ui_type, target_size, session or wallpaper; a name or several.

        Raises:
            ConfigError: a filter or name that is not known, or one that leaves no target.
        """
        merged = dict(self._asked.filters)
        for key, names in filters.items():
            if key not in FILTERS:
                raise ConfigError(f"filter `{key}`", "found no such filter", f"one of {', '.join(FILTERS)}")
            merged[key] = (*merged.get(key, ()), *names_of(names))
        asked = replace(self._asked, filters=tuple(sorted(merged.items())))
        return Scenes._of(asked, self._pack, self._n, self._size, self._chosen)._check()

    def resized(self, size: tuple[int, int] | None) -> Scenes:
        """The same scenes with pictures of another width and height, px; None for those of the screen."""
        return Scenes._of(self._asked, self._pack, self._n, size, self._chosen)._check()

    def __len__(self) -> int:
        conditions = len(self._conditions)
        n = _windesk.MAX_SAMPLES // max(1, len(self._source.conditions)) if self._n is None else self._n
        return n * conditions

    def _place(self, index: SupportsIndex) -> tuple[int, int, int]:
        """Position from the start, and the index and the condition behind it."""
        asked = at = operator.index(index)
        if at < 0:
            at += len(self)
        if not 0 <= at < len(self):
            raise IndexError(f"{self.name}: found index {asked}, expected one below {len(self)}")
        index_of_all, position = divmod(at, len(self._conditions))
        return at, index_of_all, self._conditions[position][0]

    @overload
    def __getitem__(self, index: SupportsIndex) -> Sample: ...
    @overload
    def __getitem__(self, index: slice) -> list[Sample]: ...
    def __getitem__(self, index: SupportsIndex | slice) -> Sample | list[Sample]:
        """A sample, or those of a slice, planned but not painted.

        Raises:
            IndexError: the index is out of range.
            Hole: there is no sample of this index.
            PlaceError: a picture of the pack can't be read any more.
        """
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        at, index_of_all, condition = self._place(index)
        scene = self._source.scene(index_of_all, condition)
        if scene is None:
            found = "found no sample: all its draws were rejected"
            raise Hole(
                f"{self.name}, index {index_of_all}", found, "", "iterate, which leaves it out, or use another index"
            )
        return Sample(self, at, scene)

    def __iter__(self) -> Iterator[Sample]:
        """All samples in order, without holes."""
        return self.between(0, len(self))

    def between(self, start: int, stop: int) -> Iterator[Sample]:
        """The samples of a range of indices in order, without holes."""
        for index in range(start, stop):
            try:
                sample = self[index]
            except Hole:
                continue
            yield sample

    def batch(self, indices: Iterable[SupportsIndex], threads: int | None = None) -> Batch:
        """Several samples at once; threads fill one array.

        Args:
            indices: of the samples, in any order.
            threads: how many work at once; all cores if not given.

        Raises:
            IndexError: an index is out of range.
            WindeskError: a sample can't be made, or there is none of an index.
        """
        places = [self._place(index) for index in indices]
        asked = [(index, condition) for _, index, condition in places]
        count = (
            threads if threads is not None else len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
        )
        images, scenes = _windesk.batch(self._source, asked, self._size, max(1, count))
        samples = [Sample(self, at, scene) for (at, _, _), scene in zip(places, scenes, strict=True)]
        return Batch(images, samples)

    def __repr__(self) -> str:
        return f"<windesk.Scenes {self.name}: {len(self)} samples of {', '.join(self.conditions)}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scenes) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return self._asked, self._pack, self._n, self._size, self._chosen

    def __reduce__(self) -> tuple[object, ...]:
        return Scenes._of, (self._asked, self._pack, self._n, self._size, self._chosen)


def _opened(pack: Pack | str | os.PathLike[str] | None) -> Pack:
    return pack if isinstance(pack, Pack) else Pack.open(pack)


def _seed(seed: int) -> int:
    value = operator.index(seed)
    if not 0 <= value < 2**64:
        raise ConfigError("option `seed`", f"found {value}", "0 to 2^64 - 1")
    return value


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
        name: a shipped sweep (``"occlusion"``, ``"semantic"``, ..), or a sweep file (``.toml``).
        scan: values to scan instead of the sweep's conditions, such as ``"visible_ratio=1.0..0.3/0.1"``.
        list: the same as lists, such as ``"windows=2,4,8"``.

    All other arguments and errors are those of `Scenes`.
    """
    filters, keys = split_off_filters(sets)
    asked = _Asked(
        kind="sweep",
        what=os.fspath(name),
        seed=_seed(seed),
        sets=sets_of(keys),
        balance=names_of(balance),
        filters=tuple(sorted(filters.items())),
        scans=names_of(scan),
        lists=names_of(list),
    )
    return Scenes._of(asked, _opened(pack), n, size)._check()


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
    asked = _Asked(
        kind="icons", what=os.fspath(design), seed=_seed(seed), sets=sets_of(_design_keys(sets)), folder=place
    )
    return Scenes._of(asked, _opened(pack), n, size)._check()


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
