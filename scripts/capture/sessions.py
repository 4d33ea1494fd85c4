"""Sessions: desktops that somebody could have had. What sessions.toml says of them, and whose home each shows."""

import re
import tomllib
import zlib
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from pathlib import Path

from . import dates
from .home import persona as personas
from .home.persona import Persona
from .looks import LOOKS, Look
from .programs import Program, RecipeError

SPEC = Path(__file__).parent / "sessions.toml"
# Between a state's name and the session's in the id of a capture: no state holds two hyphens in a row.
SEPARATOR = "--"
# Width and height from which on windows are made large.
LEAST_PLACED = (800, 540)


@dataclass(frozen=True)
class Session:
    id: str
    look_name: str
    persona: Persona
    locale: str
    clock: datetime
    scale: float = 1.0
    font: str = "Inter 10"
    keeps: bool = False
    twins: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()

    @property
    def look(self) -> Look:
        return LOOKS[self.look_name]

    @property
    def suffix(self) -> str:
        return SEPARATOR + self.id

    def seconds_ahead(self, now: datetime) -> int:
        """How far the session's clock is ahead of the machine's at its start."""
        return round((self.clock.replace(tzinfo=UTC) - now).total_seconds())

    def placement(self, program: Program) -> str | None:
        """Where a program's window is also captured: one in three maximised, one in six on a half, if it is more than a
        small tool that nobody makes large."""
        number = zlib.crc32(f"{self.id}/{program.id}".encode())
        if any(side < least for side, least in zip(program.sizes[0], LEAST_PLACED, strict=True)):
            return None
        if number % 3 == 0:
            return "maximized"
        return ("left_half", "right_half")[number // 6 % 2] if number % 6 == 1 else None

    def newest_date(self, capture: dict) -> str | None:
        """Of a capture of this session: its clock starts with each program and runs on, by less than an hour."""
        day_first = self.locale.startswith("en_GB")
        return dates.of_capture(capture, self.clock + timedelta(hours=1), day_first)

    def owns(self, capture: dict) -> bool:
        """Whether a capture of a pack is this session's."""
        named = capture.get("session")
        if named is not None or not self.keeps:
            return named == self.id
        look = (capture["frame_style"], capture["theme"], capture["dark"])
        return look == (self.look.frame_style, self.look.theme, self.look.dark)


def load(session_id: str) -> Session:
    known = all_sessions()
    if session_id not in known:
        raise RecipeError(f"sessions.toml: session `{session_id}`, expected one of {', '.join(known)}")
    return known[session_id]


def all_sessions(text: str | None = None) -> dict[str, Session]:
    try:
        raw = tomllib.loads(SPEC.read_text(encoding="utf-8") if text is None else text)
    except tomllib.TOMLDecodeError as fault:
        raise RecipeError(f"sessions.toml: expected TOML, found {fault}") from fault
    sessions = [made(entry) for entry in raw.get("session", [])]
    known = {session.id: session for session in sessions}
    if len(known) != len(sessions):
        raise RecipeError("sessions.toml: two sessions have the same id")
    for session in sessions:
        for twin in session.twins:
            if twin not in known or twin == session.id:
                raise RecipeError(f"sessions.toml: {session.id}: twin `{twin}`, expected another session")
    return known


def made(raw: dict, file: str = SPEC.name) -> Session:
    """A session as an entry of the file tells it."""
    where = f"{file}: {raw.get('id', 'a session without `id`')}"
    known = {"look" if f.name == "look_name" else f.name for f in fields(Session)}
    for key in raw:
        if key not in known:
            raise RecipeError(f"{where}: unknown key `{key}`; known are {', '.join(sorted(known))}")
    for key in ("id", "look", "persona", "locale", "clock"):
        if not raw.get(key):
            raise RecipeError(f"{where}: `{key}` is missing")
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", raw["id"]):
        raise RecipeError(f"{where}: an id has lower-case letters, digits and single hyphens")
    if raw["look"] not in LOOKS:
        raise RecipeError(f"{where}: look `{raw['look']}`, expected one of {', '.join(LOOKS)}")
    if not isinstance(raw["clock"], datetime) or raw["clock"].tzinfo is not None:
        raise RecipeError(f"{where}: clock {raw['clock']}, expected a local date and time")
    if raw.get("scale", 1.0) != 1.0:
        raise RecipeError(f"{where}: scale {raw['scale']}, expected 1.0: the tools know no other")
    values = {key: tuple(value) if isinstance(value, list) else value for key, value in raw.items()}
    values["look_name"] = values.pop("look")
    try:
        persona = personas.load(raw["persona"])
    except personas.PersonaError as fault:
        raise RecipeError(f"{where}: {fault}") from fault
    if raw["clock"] <= persona.clock:
        raise RecipeError(f"{where}: clock {raw['clock']}, expected one after the home's newest file, {persona.clock}")
    return Session(**dict(values, persona=persona))
