"""Python's values as the words that levels, sweeps and filters are changed by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ._errors import ConfigError

#: What can be filtered by, besides the keys of a level.
FILTERS = ("category", "app", "role", "ui_type", "target_size", "session", "wallpaper")

#: A value of a key: ``True``, ``3``, ``0.5``, ``"4..6"``, ``(2560, 1440)``.
Value = str | bool | int | float | Iterable[int] | Iterable[float] | Iterable[str]


def _text(value: Value, is_inside: bool = False) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"' if is_inside else value
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Iterable):
        return "[" + ", ".join(_text(item, is_inside=True) for item in value) + "]"
    raise ConfigError("a key's value", f"found {value!r}", "a string, a number, a truth value or a list of them")


def sets_of(values: Mapping[str, Value | None]) -> tuple[str, ...]:
    """``distractor__rank=1`` as ``distractor.rank=1``; what is None is left out."""
    return tuple(f"{key.replace('__', '.')}={_text(value)}" for key, value in values.items() if value is not None)


def names_of(value: str | Iterable[str] | None) -> tuple[str, ...]:
    """One name, or several."""
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else tuple(value)


def split_off_filters(values: Mapping[str, Value | None]) -> tuple[dict[str, tuple[str, ...]], dict[str, Value | None]]:
    """The filters among keyword arguments, and the other ones."""
    filters = {key: names_of(value) for key, value in values.items() if key in FILTERS}  # type: ignore[arg-type]
    return filters, {key: value for key, value in values.items() if key not in FILTERS}
