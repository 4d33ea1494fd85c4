"""A folder of settings becomes what another one is. Nothing here touches the screen."""

import contextlib
import shutil
from pathlib import Path

# What other programs have open stays as it is.
OPEN = (Path("dconf"), Path("xfce4/xfconf"), Path("at-spi"))


def mirror(source: Path, target: Path, inside: Path = Path()) -> None:
    """`target` becomes what `source` is; `inside` is where the two lie below what is copied."""
    target.mkdir(parents=True, exist_ok=True)
    for entry in target.iterdir():
        if inside / entry.name in OPEN or (_is_folder(entry) and _is_folder(source / entry.name)):
            continue
        if _is_folder(entry):
            shutil.rmtree(entry, ignore_errors=True)
        else:
            entry.unlink(missing_ok=True)
    for entry in source.iterdir():
        if inside / entry.name in OPEN:
            continue
        if _is_folder(entry):
            mirror(entry, target / entry.name, inside / entry.name)
        elif entry.is_symlink() or entry.is_file():
            # Sockets are no settings, and what a program is about to replace may be gone.
            with contextlib.suppress(FileNotFoundError):
                shutil.copy2(entry, target / entry.name, follow_symlinks=False)


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()
