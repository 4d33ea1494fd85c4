#!/usr/bin/python3
"""Makes the home folder of the demo user, whose files the captured programs show.

    make_home.py [--out /home/alex] [--only documents,pictures]

Everything in it is invented and drawn or written by this folder's modules, so that a picture of it may be published.
The same call makes the same content; dates inside it are of 2026.
"""

import argparse
import importlib
import os
import pathlib
import random
import sys
import time

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


def set_dates(home: pathlib.Path) -> None:
    """Gives every file a date in 2026 that depends on its path only: file managers show it."""
    newest = time.mktime((2026, 11, 20, 18, 0, 0, 0, 0, -1))
    for folder, folders, files in os.walk(home, topdown=False):
        if ".git" in pathlib.Path(folder).parts:
            continue
        for name in files + folders:
            path = pathlib.Path(folder) / name
            age_days = random.Random(str(path.relative_to(home))).uniform(1, 300)
            os.utime(path, (newest - age_days * 86400,) * 2, follow_symlinks=False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("/home/alex"))
    parser.add_argument(
        "--only", type=lambda text: text.split(","), default=PARTS, help="comma-separated parts: " + ",".join(PARTS)
    )
    arguments = parser.parse_args()
    for name in arguments.only:
        if name not in PARTS:
            parser.error(f"--only: unknown part {name!r} (known: {', '.join(PARTS)})")
    os.environ["TZ"] = "UTC"
    time.tzset()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name in arguments.only:
        print(f"make_home: {name}", file=sys.stderr)
        importlib.import_module(name).make(arguments.out)
    set_dates(arguments.out)


if __name__ == "__main__":
    main()
