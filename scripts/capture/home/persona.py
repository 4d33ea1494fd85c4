"""Personas: whose home the captured programs show. Each is a folder of personas/, with persona.toml and texts."""

import functools
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from pathlib import Path

FOLDER = Path(__file__).parent / "personas"
# A word between braces. Shell variables (${x}) and the braces of JSON and CSS are none.
PLACEHOLDER = re.compile(r"(?<!\$)\{([a-z][a-z0-9_]*)\}")


class PersonaError(Exception):
    pass


@dataclass(frozen=True)
class Persona:
    id: str
    name: str
    user: str
    host: str
    occupation: str
    locale: str
    email: str
    clock: datetime  # no file of the home is newer
    seed: int  # what is drawn and played differs by it
    address: tuple[str, ...]
    months: int  # of the clock's year, which accounts and tables cover
    recipes: Mapping[str, str]  # what placeholders of recipes mean
    parts: Mapping[str, dict]  # by the module of this folder that makes them

    @property
    def folder(self) -> Path:
        return FOLDER / self.id

    @property
    def year(self) -> int:
        return self.clock.year

    @property
    def mail_user(self) -> str:
        return self.email.partition("@")[0]

    @property
    def mail_host(self) -> str:
        return self.email.partition("@")[2]

    @property
    def texts(self) -> dict[str, str]:
        """What placeholders mean: of the persona itself, and of its files."""
        own = ("user", "host", "email", "mail_user", "mail_host")
        return {"full_name": self.name} | {key: getattr(self, key) for key in own} | dict(self.recipes)

    @property
    def on_desktop(self) -> dict[str, bool]:
        """What the folder Desktop holds, by name; whether it is a folder."""
        plain = [source for source, place in self.parts["documents"]["plain"] if place == "Desktop"]
        copies = self.parts["desktop"]["copies"]
        files = [*plain, *(source for source, folder in copies if not folder)]
        return {Path(source).name: False for source in files} | {folder: True for _, folder in copies if folder}

    def filled(self, value, where: str):
        """The value with the placeholders of all its texts replaced."""
        if isinstance(value, str):
            return PLACEHOLDER.sub(lambda found: self._text(found[1], where), value)
        if isinstance(value, list):
            return [self.filled(item, where) for item in value]
        if isinstance(value, dict):
            return {key: self.filled(item, where) for key, item in value.items()}
        return value

    def _text(self, name: str, where: str) -> str:
        if name not in self.texts:
            raise PersonaError(f"{where}: persona `{self.id}` has no `{name}`; it has {', '.join(sorted(self.texts))}")
        return self.texts[name]


# Keys of persona.toml that are no part of the home.
OWN = tuple(field.name for field in fields(Persona) if field.name != "parts")
PARTS = (
    "accounts",
    "archives",
    "chat",
    "desktop",
    "documents",
    "household",
    "library",
    "mail",
    "medical",
    "music",
    "network",
    "passwords",
    "pictures",
    "slides",
    "spreadsheets",
    "website",
)


def all_ids() -> list[str]:
    """Alex, whom the first captures show, comes first."""
    return sorted((path.parent.name for path in FOLDER.glob("*/persona.toml")), key=lambda name: (name != "alex", name))


@functools.cache
def load(persona_id: str) -> Persona:
    path = FOLDER / persona_id / "persona.toml"
    if not path.is_file():
        raise PersonaError(f"persona `{persona_id}`, expected one of {', '.join(all_ids())}")
    return read(path)


def read(path: Path) -> Persona:
    where = f"personas/{path.parent.name}/{path.name}"
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as fault:
        raise PersonaError(f"{where}: expected TOML, found {fault}") from fault
    for key in raw:
        if key not in OWN and key not in PARTS:
            raise PersonaError(f"{where}: unknown key `{key}`; known are {', '.join((*OWN, *PARTS))}")
    for key in (*OWN, *PARTS):
        if key not in raw:
            raise PersonaError(f"{where}: `{key}` is missing")
    if raw["id"] != path.parent.name:
        raise PersonaError(f"{where}: id `{raw['id']}` differs from the folder's name")
    if not isinstance(raw["clock"], datetime):
        raise PersonaError(f"{where}: clock `{raw['clock']}`, expected a date with a time of day")
    own = {key: raw[key] for key in OWN} | {"address": tuple(raw["address"])}
    return Persona(**own, parts={key: raw[key] for key in PARTS})
