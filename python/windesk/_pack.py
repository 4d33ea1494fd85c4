"""Packs: what scenes are made of."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

from . import _windesk
from ._errors import FileError


def installed_packs() -> list[Path]:
    """Where the package ``windesk-pack`` lies, if it is installed."""
    found = importlib.util.find_spec("windesk_pack")
    if found is None or not found.submodule_search_locations:
        return []
    place = Path(found.submodule_search_locations[0]) / "assets"
    return [place] if (place / "pack.json").is_file() else []


def _picture_folder(cache_dir: str | os.PathLike[str] | None) -> Path | None:
    """The folder for prepared pictures: one that is named, that of the environment, or the user's."""
    named = cache_dir if cache_dir is not None else os.environ.get("WINDESK_CACHE_DIR")
    if named is None:
        usual = _windesk.usual_picture_folder()
        return Path(usual) if usual is not None else None
    if os.fspath(named) == "none":
        return None
    folder = Path(named).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


class Pack:
    """A pack of windows, wallpapers, icons and instructions that is open.

    A pack stays open until the process ends, and all scenes of it share its pictures. Pickles hold its place and its
    digest: whoever unpickles one opens the same pack there, or gets a `FileError`.
    """

    def __init__(self, opened: _windesk.OpenPack, arguments: tuple[str | None, bool, int, str | None]) -> None:
        self._opened = opened
        self._arguments = arguments

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str] | None = None,
        *,
        cache_mb: int = 384,
        cache_dir: str | os.PathLike[str] | None = None,
    ) -> Pack:
        """Opens a pack.

        Args:
            path: a folder or a tar archive. Without one: the pack of the checkout that the package was built in, that
                of the package ``windesk-pack``, one that is installed for the user, or else the starter pack in the
                wheel.
            cache_mb: memory for decoded windows, MiB.
            cache_dir: folder that keeps prepared pictures for the next process, or ``"none"``. Without one: that of the
                environment variable ``WINDESK_CACHE_DIR``, or ``windesk/pictures`` in the user's cache folder.

        Raises:
            FileError: the pack is not sound, or there is none at the place.
            PlaceError: the place can't be read.
        """
        return cls._open(None if path is None else os.fspath(Path(path).absolute()), False, cache_mb, cache_dir)

    @classmethod
    def starter(cls, *, cache_mb: int = 384, cache_dir: str | os.PathLike[str] | None = None) -> Pack:
        """Opens the starter pack in the wheel, whatever else is installed."""
        return cls._open(None, True, cache_mb, cache_dir)

    @classmethod
    def _open(cls, path: str | None, is_starter: bool, cache_mb: int, cache_dir: str | os.PathLike[str] | None) -> Pack:
        folder = _picture_folder(cache_dir)
        opened = _windesk.OpenPack(path, is_starter, installed_packs(), cache_mb, folder)
        return cls(opened, (path, is_starter, cache_mb, None if cache_dir is None else os.fspath(cache_dir)))

    @property
    def place(self) -> str:
        """Where it lies, for people."""
        return self._opened.place

    @property
    def name(self) -> str:
        """Its name."""
        return self._opened.name

    @property
    def version(self) -> str:
        """Its version."""
        return self._opened.version

    @property
    def digest(self) -> str:
        """SHA-256 over everything that scenes depend on (64 hex digits)."""
        return self._opened.digest

    @property
    def windows(self) -> int:
        """Number of windows."""
        return self._opened.windows

    @property
    def programs(self) -> list[str]:
        """Ids of its programs."""
        return self._opened.programs()

    @property
    def sessions(self) -> list[str]:
        """Ids of its sessions."""
        return self._opened.sessions()

    @property
    def wallpapers(self) -> list[str]:
        """Ids of its wallpapers."""
        return self._opened.wallpapers()

    def __repr__(self) -> str:
        counts = f"{self.windows} windows of {len(self.programs)} programs"
        return f"<windesk.Pack {self.name} {self.version}: {counts}, {self.place}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pack) and other.digest == self.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __reduce__(self) -> tuple[object, ...]:
        return _reopened, (self._arguments, self.digest)


def _reopened(arguments: tuple[str | None, bool, int, str | None], digest: str) -> Pack:
    """The pack of a pickle."""
    pack = Pack._open(*arguments)
    if pack.digest != digest:
        expected = f"the pack that was pickled, {digest}"
        raise FileError(
            pack.place, f"found a pack with digest {pack.digest}", expected, "use the same pack in all processes"
        )
    return pack
