#!/usr/bin/python3
"""Makes the home folder of a persona, whose files the captured programs show.

    make_home.py [--persona alex] [--clock 2026-11-20T18:00:00] [--only documents,pictures] HOME

Everything in it is invented and drawn or written by this folder's modules, so that a picture of it may be published.
The same call makes the same content. No file is newer than the clock.
"""

import argparse
import importlib
import os
import pathlib
import random
import sys
from datetime import UTC, datetime

import persona as personas
from persona import Persona

# In this order: slides show pictures, archives pack documents, the web site uses pictures.
PARTS = [
    "pictures",
    "documents",
    "spreadsheets",
    "slides",
    "projects",
    "music",
    "mail",
    "databases",
    "accounts",
    "website",
    "medical",
    "archives",
    "network",
    "desktop",
]
OLDEST_DAYS = 300


def set_dates(home: pathlib.Path, clock: datetime) -> None:
    """Gives every file a date before the clock that depends on its path only: file managers show it."""
    newest = clock.replace(tzinfo=UTC).timestamp()
    for folder, folders, files in os.walk(home, topdown=False):
        if ".git" in pathlib.Path(folder).parts:
            continue
        for name in files + folders:
            path = pathlib.Path(folder) / name
            age_days = random.Random(str(path.relative_to(home))).uniform(1, OLDEST_DAYS)
            os.utime(path, (newest - age_days * 86400,) * 2, follow_symlinks=False)


def clock_of(persona: Persona, wanted: datetime | None) -> datetime:
    """The wanted instant, if the persona has written nothing later."""
    if wanted is None:
        return persona.clock
    if wanted < persona.clock:
        raise personas.PersonaError(
            f"clock {wanted.isoformat()}: persona `{persona.id}` has mails and files up to {persona.clock.isoformat()}"
        )
    return wanted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("home", type=pathlib.Path)
    parser.add_argument("--persona", default="alex", metavar="ID", help=", ".join(personas.all_ids()))
    parser.add_argument(
        "--clock", type=datetime.fromisoformat, metavar="INSTANT", help="what the session's clock shows, in UTC"
    )
    parser.add_argument(
        "--only", type=lambda text: text.split(","), default=PARTS, help="comma-separated parts: " + ",".join(PARTS)
    )
    arguments = parser.parse_args()
    for name in arguments.only:
        if name not in PARTS:
            parser.error(f"--only: unknown part {name!r} (known: {', '.join(PARTS)})")
    try:
        persona = personas.load(arguments.persona)
        clock = clock_of(persona, arguments.clock)
    except personas.PersonaError as fault:
        parser.error(str(fault))
    os.environ["TZ"] = "UTC"
    arguments.home.mkdir(parents=True, exist_ok=True)
    for name in arguments.only:
        print(f"make_home: {persona.id}: {name}", file=sys.stderr)
        importlib.import_module(name).make(arguments.home, persona)
    set_dates(arguments.home, clock)


if __name__ == "__main__":
    main()
