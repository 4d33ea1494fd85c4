"""Values that are worked out once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class kept(Generic[T]):
    """A property that is worked out at first use and then kept.

    As `functools.cached_property`, but without its lock: before Python 3.12 one lock serves all objects of a class, so
    that threads would wait for each other, and a process that is forked meanwhile would wait for ever. Two threads that
    ask at once may both work a value out; they find the same.
    """

    def __init__(self, work: Callable[[Any], T]) -> None:
        self._work = work
        self.__doc__ = work.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> kept[T]: ...
    @overload
    def __get__(self, instance: object, owner: type | None = None) -> T: ...
    def __get__(self, instance: object | None, owner: type | None = None) -> kept[T] | T:
        if instance is None:
            return self
        # Found before this descriptor from now on, which has no `__set__`.
        value: T = instance.__dict__.setdefault(self._name, self._work(instance))
        return value
