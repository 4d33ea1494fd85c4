"""The session files of the pack (docs/pack.md): what surrounds the windows of each session, and what lies
on its desktop."""

import json
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path

from .files import write_json
from .programs import RecipeError
from .sessions import Session, all_sessions, made

SPEC = Path(__file__).parent / "shells.toml"
VERSION = 2
# Width and height of a pointer's picture, and the pixel of it that points.
POINTER_PX, TIP = 24, [4, 2]
PLACES = {"home": "Home", "trash": "Trash"}
# Which icon a file has, by the ending of its name.
KINDS = {
    "text": ("txt", "csv"),
    "markdown": ("md",),
    "pdf": ("pdf",),
    "document": ("odt", "docx"),
    "spreadsheet": ("ods", "xlsx"),
    "presentation": ("odp", "pptx"),
    "drawing": ("svg", "dxf", "odg"),
    "image": ("png", "jpg"),
    "archive": ("zip", "gz"),
    "audio": ("ogg", "mp3", "flac", "wav"),
    "video": ("mp4",),
    "script": ("sh", "py"),
    "html": ("html",),
}
# Icon sets that have no drawing of their own for a kind, and what they show instead.
SUBSTITUTES = {("adwaita", "markdown"): "text"}
LIBREOFFICE = {"Breeze": "breeze"}


@dataclass(frozen=True)
class Shell:
    session: Session
    title: str
    kind: str
    clock_format: str
    date_format: str
    font: str
    files: str
    places: tuple[str, ...]
    side: str
    pointer: str
    shadows: dict[str, list[int]]
    pinned: tuple[str, ...]


def all_shells(text: str | None = None) -> list[Shell]:
    raw = tomllib.loads(SPEC.read_text(encoding="utf-8") if text is None else text)
    sessions = all_sessions()
    shells = [_shell(name, dict(entry), raw["shadows"], sessions.get(name)) for name, entry in raw["sessions"].items()]
    if missing := set(sessions) - {shell.session.id for shell in shells}:
        raise RecipeError(f"shells.toml: session `{min(missing)}` of sessions.toml is missing")
    return shells


def _shell(name: str, entry: dict, shadows: dict, session: Session | None) -> Shell:
    where = f"shells.toml: {name}"
    own = {"look", "persona", "locale", "clock"}
    if session is not None and own.intersection(entry):
        raise RecipeError(f"{where}: `{min(own.intersection(entry))}` is told by sessions.toml")
    if session is None:
        said = {key: entry.pop(key) for key in own if key in entry}
        session = made({"id": name, "keeps": True, **said}, "shells.toml")
    known = {field.name for field in fields(Shell)} - {"session"}
    if wrong := set(entry) ^ known:
        word = "is missing" if min(wrong) in known else "is not known"
        raise RecipeError(f"{where}: `{min(wrong)}` {word}")
    if entry["shadows"] not in shadows:
        raise RecipeError(f"{where}: shadows `{entry['shadows']}`, expected one of {', '.join(shadows)}")
    if wrong := set(entry["places"]) - set(PLACES):
        raise RecipeError(f"{where}: place `{min(wrong)}`, expected one of {', '.join(PLACES)}")
    values = {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}
    return Shell(session=session, **{**values, "shadows": shadows[entry["shadows"]]})


def icon_of(name: str, is_folder: bool, icon_set: str) -> str:
    """Id of the icon that a file manager shows for a file or folder."""
    ending = name.rpartition(".")[2].lower()
    kind = "folder" if is_folder else next((kind for kind, ends in KINDS.items() if ending in ends), "unknown")
    return f"{icon_set}_{SUBSTITUTES.get((icon_set, kind), kind)}"


def in_order(names: Iterable[tuple[str, bool]]) -> list[tuple[str, bool]]:
    """As Nautilus and Dolphin list them: folders first, then by name, numbers by their value."""

    def key(entry: tuple[str, bool]) -> tuple:
        parts = re.split(r"(\d+)", entry[0].casefold())
        return not entry[1], [int(part) if part.isdigit() else part for part in parts]

    return sorted(names, key=key)


def desktop_icons(shell: Shell) -> list[dict]:
    places = [{"label": PLACES[place], "icon": f"{shell.files}_{place}"} for place in shell.places]
    files = in_order(shell.session.persona.on_desktop.items())
    return places + [{"label": name, "icon": icon_of(name, folder, shell.files)} for name, folder in files]


def record(shell: Shell) -> dict:
    session, look, persona = shell.session, shell.session.look, shell.session.persona
    office = LIBREOFFICE.get(look.wm_theme, "colibre")
    return {
        "format_version": VERSION,
        "id": session.id,
        "title": shell.title,
        "look": {
            "dark": look.dark,
            "gtk2": look.theme,
            "gtk3": look.theme,
            "gtk4": look.theme,
            "qt": look.qt_style,
            "chromium": "dark" if look.dark else "light",
            "libreoffice": f"{office}_dark" if look.dark else office,
            "icons": look.icons,
            "font": shell.font,
            "decoration": look.frame_style,
            "shadow": {
                state: {"offset": [x, y], "blur_px": blur, "opacity": opacity}
                for state, (x, y, blur, opacity) in shell.shadows.items()
            },
        },
        "persona": {key: getattr(persona, key) for key in ("id", "name", "user", "host")},
        "locale": session.locale,
        "language": "en",
        "scale": session.scale,
        "clock": f"{session.clock:%Y-%m-%dT%H:%M}",
        "shell": {
            "kind": shell.kind,
            "clock_format": shell.clock_format,
            "date_format": shell.date_format,
            "pinned": list(shell.pinned),
        },
        "desktop": {"icons": desktop_icons(shell), "side": shell.side},
        "pointer": {"icon": shell.pointer, "side_px": POINTER_PX, "hotspot": TIP},
        "wallpapers": [],
    }


def captured(shells: list[Shell], pack: Path) -> dict[str, set[str]]:
    """Programs of which each session has a window in the pack, by session."""
    found = {shell.session.id: set() for shell in shells}
    for path in sorted((pack / "windows").glob("*/*.json")):
        if path.name == "program.json":
            continue
        capture = json.loads(path.read_text(encoding="utf-8"))
        for shell in shells:
            if shell.session.owns(capture):
                found[shell.session.id].add(path.parent.name)
    return found


def write(pack: Path, out: Path) -> list[str]:
    """Writes the session files into a folder. A pinned program that its session lacks is an error."""
    shells = all_shells()
    programs = captured(shells, pack)
    for shell in shells:
        if missing := [name for name in shell.pinned if name not in programs[shell.session.id]]:
            raise RecipeError(f"shells.toml: {shell.session.id}: pinned `{missing[0]}` has no window in this session")
    out.mkdir(parents=True, exist_ok=True)
    for shell in shells:
        write_json(out / f"{shell.session.id}.json", record(shell))
    return [f"{shell.session.id}: {len(programs[shell.session.id])} programs" for shell in shells]
