"""Which files of the checkout go into which of the pack's two packages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

CHECKOUT = Path(__file__).resolve().parents[2]


def size_of(folder: Path) -> int:
    """Bytes of all files in it."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def halves() -> tuple[list[Path], list[Path]]:
    """The folders of programs in two halves of about the same size, in the order of their names."""
    programs = sorted(path for path in (CHECKOUT / "assets/windows").iterdir() if path.is_dir())
    sizes = [size_of(program) for program in programs]
    before = 0
    first: list[Path] = []
    for program, size in zip(programs, sizes, strict=True):
        if before + size > sum(sizes) / 2:
            break
        before += size
        first.append(program)
    return first, programs[len(first) :]


def included(is_second: bool) -> dict[str, str]:
    """What goes into a package, by its place in the checkout, and where it lies in `windesk_pack`."""
    first, second = halves()
    chosen = second if is_second else first
    if not is_second:
        others = (path for path in (CHECKOUT / "assets").iterdir() if path.name not in ("windows", "starter"))
        loose = (path for path in (CHECKOUT / "assets/windows").iterdir() if not path.is_dir())
        chosen = [*chosen, *others, *loose, CHECKOUT / "wallpapers"]
    return {str(path): f"windesk_pack/{path.relative_to(CHECKOUT)}" for path in sorted(chosen)}


class CustomBuildHook(BuildHookInterface):  # type: ignore[misc, type-arg]
    """Adds the files of the pack."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's
        """Called before a wheel is built."""
        build_data["force_include"].update(included(self.metadata.name == "windesk-pack-windows"))


class CustomMetadataHook(MetadataHookInterface):
    """Ties the two packages to each other."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Called when metadata is read."""
        is_second = metadata["name"] == "windesk-pack-windows"
        metadata["dependencies"] = [] if is_second else [f"windesk-pack-windows=={metadata['version']}"]
