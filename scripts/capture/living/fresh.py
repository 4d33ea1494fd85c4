"""A program as it is when nobody has used it: its settings are put back to what they were before its first start."""

import shutil
import subprocess
from pathlib import Path

from ..live import LiveProgram
from .mirror import mirror

# Where programs keep their settings. Files of the persona stay as they are.
FOLDERS = (".config", ".local", ".cache", ".mozilla", ".kde", ".gnome", ".chromium-demo", ".claws-mail")
KEPT = Path("/tmp/settings-before")
# Whether a field that takes the focus selects its text depends on what was done before: here none does.
UNSELECTED = "gtk-entry-select-on-focus=0\n"
# A caret blinks, and where it stands depends on what was done before: fields are seen while it does not show.
NO_CARET = "* { caret-color: transparent; -gtk-secondary-caret-color: transparent; }\n"
# Programs of KDE have no such rule: their caret stands still.
STILL_CARET = "\n[KDE]\nCursorBlinkRate=0\n"
CHANNELS = ("thunar", "ristretto", "xfce4-terminal", "xfce4-screenshooter", "parole", "xfce4-taskmanager", "catfish")


class Settings:
    """Kept from before the first start, put back before each further one. Fields show no caret or one that does not
    blink, and those of GTK never select their text by themselves."""

    def __init__(self):
        for folder in ("gtk-3.0", "gtk-4.0"):
            path = Path.home() / ".config" / folder / "settings.ini"
            if _add(path, UNSELECTED):
                (path.parent / "gtk.css").write_text(NO_CARET, encoding="utf-8")
        _add(Path.home() / ".gtkrc-2.0", UNSELECTED)
        _add(Path.home() / ".config" / "kdeglobals", STILL_CARET)
        KEPT.mkdir(parents=True, exist_ok=True)
        for name in FOLDERS:
            source = Path.home() / name
            if source.is_dir():
                mirror(source, KEPT / name)
        self.dconf = _output("dconf", "dump", "/")

    def put_back(self) -> None:
        for name in FOLDERS:
            if (KEPT / name).is_dir():
                mirror(KEPT / name, Path.home() / name)
            else:
                shutil.rmtree(Path.home() / name, ignore_errors=True)
        subprocess.run(["dconf", "reset", "-f", "/"], check=False, capture_output=True)
        subprocess.run(["dconf", "load", "/"], input=self.dconf, check=False, capture_output=True)
        for channel in CHANNELS:
            subprocess.run(["xfconf-query", "-c", channel, "-p", "/", "-r", "-R"], check=False, capture_output=True)


def _add(path: Path, line: str) -> bool:
    """Adds a line to a file of settings, if there is such a file without it; says whether it did."""
    if not path.exists() or line in (text := path.read_text(encoding="utf-8")):
        return False
    path.write_text(text + line, encoding="utf-8")
    return True


def _output(*command: str) -> bytes:
    return subprocess.run(command, check=False, capture_output=True).stdout


def restart(live: LiveProgram, settings: Settings) -> None:
    """Stops the program, puts its settings back and starts it."""
    if live.process is not None:
        live.stop()
        settings.put_back()
        live.process = None  # the recipe's preparation runs again
    live.launch()
