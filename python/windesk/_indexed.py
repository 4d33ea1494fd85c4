"""What all sequences of samples have in common: what they were asked for, a pack, a length, a size."""

from __future__ import annotations

import operator
import os
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, SupportsIndex, TypeVar, overload

from . import _windesk
from ._errors import ConfigError, Hole
from ._kept import kept
from ._pack import Pack
from ._words import FILTERS, names_of

if TYPE_CHECKING:
    from typing_extensions import Self

T = TypeVar("T")
Names = str | Iterable[str]

#: Longest side of a picture, px.
MAX_SIDE = 16_384


@dataclass(frozen=True)
class AskedControls:
    """Which controls state instances are made of. No names leave all."""

    platforms: tuple[str, ...]
    families: tuple[str, ...]
    types: tuple[str, ...]
    hint: str
    """what help the questions give"""
    level: str | None
    """name or file of the level that desktops have"""


@dataclass(frozen=True)
class Asked:
    """What samples are made from, besides a pack: all that decides their bytes, and which of them are given."""

    kind: str
    """level, sweep, icons, tasks or states; of states `controls` says the rest"""
    what: str
    """name or file: of a level, sweep or design; empty for states"""
    seed: int
    sets: tuple[str, ...] = ()
    balance: tuple[str, ...] = ()
    filters: tuple[tuple[str, tuple[str, ...]], ...] = ()
    scans: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    folder: str | None = None
    task: tuple[str, str, str] = ("", "", "")
    """kind, steps and goals of tasks"""
    controls: AskedControls | None = None
    """of states"""
    chosen: tuple[str, ...] | None = None
    """Names of the conditions that samples are given of; all of them if None."""

    def source(self, pack: Pack) -> _windesk.SceneSource:
        opened, filters = pack._opened, {name: list(names) for name, names in self.filters}
        sets, balance = list(self.sets), list(self.balance)
        if self.kind == "level":
            return _windesk.SceneSource.of_level(opened, self.what, sets, balance, filters, self.seed)
        if self.kind == "sweep":
            scans, lists = list(self.scans), list(self.lists)
            return _windesk.SceneSource.of_sweep(opened, self.what, scans, lists, sets, balance, filters, self.seed)
        if self.kind == "tasks":
            kind, steps, goals = self.task
            return _windesk.SceneSource.of_tasks(
                opened, kind, self.what, steps, goals, sets, balance, filters, self.seed
            )
        if self.controls is not None:
            controls = self.controls
            platforms, families, types = list(controls.platforms), list(controls.families), list(controls.types)
            return _windesk.SceneSource.of_states(
                opened, platforms, families, types, controls.hint, controls.level, sets, balance, filters, self.seed
            )
        return _windesk.SceneSource.of_design(opened, self.what, sets, self.folder, self.seed)


class Indexed(Sequence[T]):
    """Samples by index: a pure function of what was asked for and the pack. A pickle holds that and nothing else."""

    def _begin(self, asked: Asked, pack: Pack, n: int | None, size: tuple[int, int] | None) -> None:
        if n is not None and operator.index(n) < 0:
            raise ConfigError("option `n`", f"found {n}", "a number of samples, 0 or more")
        self._asked = asked
        self._pack = pack
        self._n = None if n is None else operator.index(n)
        self._size = None if size is None else (operator.index(size[0]), operator.index(size[1]))

    @classmethod
    def _of(cls, asked: Asked, pack: Pack, n: int | None, size: tuple[int, int] | None) -> Self:
        made = cls.__new__(cls)
        made._begin(asked, pack, n, size)
        return made

    def _check(self) -> Self:
        """Errors are raised where sequences are made, not where the first sample is asked for."""
        _ = self._source
        if self._size is not None and not all(1 <= side <= MAX_SIDE for side in self._size):
            found = f"found {self._size[0]}x{self._size[1]}"
            raise ConfigError("option `size`", found, f"sides of 1 to {MAX_SIDE} px")
        return self

    @kept
    def _source(self) -> _windesk.SceneSource:
        # A process that was spawned makes it anew, at first use.
        return self._asked.source(self._pack)

    @property
    def name(self) -> str:
        """Name of the dataset: the first part of every id."""
        return self._source.dataset

    @property
    def n(self) -> int | None:
        """Number of indices (samples per condition, tasks or instances), or None for as many as there can be."""
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

    def filter(self, **filters: Names) -> Self:
        """The same with targets that are narrowed down further: others, not some of these.

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
        return self._of(asked, self._pack, self._n, self._size)._check()

    def resized(self, size: tuple[int, int] | None) -> Self:
        """The same with pictures of another width and height, px; None for those of the screen."""
        return self._of(self._asked, self._pack, self._n, size)._check()

    def _position(self, index: SupportsIndex) -> int:
        """An index from the start, also where it was given from the end."""
        asked = at = operator.index(index)
        if at < 0:
            at += len(self)
        if not 0 <= at < len(self):
            raise IndexError(f"{self.name}: found index {asked}, expected one below {len(self)}")
        return at

    def _hole(self, index: int) -> Hole:
        found = "found no sample: all its draws were rejected"
        return Hole(f"{self.name}, index {index}", found, "", "iterate, which leaves it out, or use another index")

    @abstractmethod
    def _at(self, index: SupportsIndex) -> T:
        """What an index stands for."""

    @overload
    def __getitem__(self, index: SupportsIndex) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: SupportsIndex | slice) -> T | list[T]:
        """A sample, task or instance, or those of a slice, planned but not painted.

        Raises:
            IndexError: the index is out of range.
            Hole: there is nothing at this index, as all its draws were rejected.
            PlaceError: a picture of the pack can't be read any more.
        """
        if isinstance(index, slice):
            return [self._at(at) for at in range(*index.indices(len(self)))]
        return self._at(index)

    def __iter__(self) -> Iterator[T]:
        """All in order, without holes."""
        return self.between(0, len(self))

    def between(self, start: int, stop: int) -> Iterator[T]:
        """Those of a range of indices in order, without holes."""
        for index in range(start, stop):
            try:
                found = self._at(index)
            except Hole:
                continue
            yield found

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and isinstance(other, Indexed) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Asked, Pack, int | None, tuple[int, int] | None]:
        return self._asked, self._pack, self._n, self._size

    def __reduce__(self) -> tuple[object, ...]:
        return type(self)._of, self._key()


def opened(pack: Pack | str | os.PathLike[str] | None) -> Pack:
    """A pack, or the one at a place, or the default one."""
    return pack if isinstance(pack, Pack) else Pack.open(pack)


def checked_seed(seed: int) -> int:
    """A seed, if it is one."""
    value = operator.index(seed)
    if not 0 <= value < 2**64:
        raise ConfigError("option `seed`", f"found {value}", "0 to 2^64 - 1")
    return value
