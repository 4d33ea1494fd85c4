"""Exceptions of the package. All say where something is wrong, what was found, what was expected and what to do."""

from __future__ import annotations


class WindeskError(Exception):
    """Something that can't be used, at a place.

    Attributes:
        place: file (with line or field), option or condition.
        found: what is there, as a phrase; empty where nothing but ``expected`` is worth saying.
        expected: what should be; empty where ``found`` says it all.
        hint: what to do about it, or None.
    """

    place: str
    found: str
    expected: str
    hint: str | None

    def __init__(self, place: str, found: str, expected: str = "", hint: str | None = None) -> None:
        self.place = place
        self.found = found
        self.expected = expected
        self.hint = hint
        super().__init__(place, found, expected, hint)

    def __str__(self) -> str:
        said = [self.found] if self.found else []
        if self.expected:
            said.append(f"expected {self.expected}")
        text = f"{self.place}: {', '.join(said)}"
        if self.hint:
            text += f"\nhint: {self.hint}"
        return text


class ConfigError(WindeskError, ValueError):
    """An argument, level, sweep or design that is impossible."""


class FileError(WindeskError, ValueError):
    """A pack, dataset or predictions that are not sound."""


class PlaceError(WindeskError, OSError):
    """A file or folder that the operating system doesn't give, such as a pack that vanished or a full disk."""

    def __init__(self, place: str, found: str, expected: str = "", hint: str | None = None) -> None:
        WindeskError.__init__(self, place, found, expected, hint)


class Hole(WindeskError, LookupError):
    """An index without a sample: all its draws were rejected. Iterating over scenes leaves it out."""


_KINDS: dict[str, type[WindeskError]] = {
    "file": FileError,
    "limit": FileError,
    "configuration": ConfigError,
    "caller": ConfigError,
    "io": PlaceError,
    "lost_picture": PlaceError,
}


def exception(kind: str, place: str, found: str, expected: str, hint: str | None) -> WindeskError:
    """The exception for an error of the engine."""
    if not expected and found.startswith("expected "):
        found, expected = "", found.removeprefix("expected ")
    return _KINDS[kind](place, found, expected, hint)


def exception_of_text(text: str) -> WindeskError:
    """The exception for what the command line says on stderr."""
    problem, _, hint = text.strip().removeprefix("error: ").partition("\nhint: ")
    place, colon, found = problem.partition(": ")
    if not colon:
        place, found = "windesk", problem
    found, _, expected = found.rpartition(", expected ") if ", expected " in found else (found, "", "")
    return FileError(place, found, expected, hint or None)
