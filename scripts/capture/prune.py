"""Keeps a program's share of a pack small and fit: removes what its recipe's `drop` names, what is
too much, what is too heavy."""

import json
import re
from pathlib import Path

from . import programs
from .files import remove_captures

# A program's captures without and with an open popup: many programs matter more than many states of one.
MOST_PLAIN, MOST_WITH_POPUP = 18, 4
# Photos in a lossless picture: a program needs few of them.
HEAVY_BYTES, MOST_HEAVY = 150_000, 4
# Snapped windows are large, and scenes that tile the screen need them: they count by themselves.
HEAVY_SNAPPED_BYTES = 500_000


def prune(pack: Path) -> list[str]:
    """Ids of the captures removed from all programs of a pack that have a recipe."""
    folders = sorted(p for p in (pack / "windows").iterdir() if (programs.FOLDER / f"{p.name}.toml").is_file())
    return [removed for folder in folders for removed in prune_program(folder, programs.load(folder.name))]


def prune_program(folder: Path, program: programs.Program, kept: set[str] = frozenset()) -> list[str]:
    """Captures in `kept` stay."""
    captures = {
        p: json.loads(p.read_text(encoding="utf-8")) for p in sorted(folder.glob("*.json")) if p.name != "program.json"
    }
    patterns = [re.compile(p) for p in program.drop]
    gone = {c["id"] for c in captures.values() if any(p.fullmatch(_state(c)) for p in patterns)}
    weight = {c["id"]: (folder / c["image"]["file"]).stat().st_size for c in captures.values()}
    gone |= {
        c["id"] for c in captures.values() if c["placement"] != "floating" and weight[c["id"]] > HEAVY_SNAPPED_BYTES
    }
    # A session is a desktop of its own: what another one shows takes nothing from its share.
    for session in {c.get("session") for c in captures.values()}:
        ranked = sorted(
            (
                c
                for c in captures.values()
                if c["id"] not in gone and c["placement"] == "floating" and c.get("session") == session
            ),
            key=lambda c: (c["id"] not in kept, *_rank(c)),
        )
        heavy = [c for c in ranked if weight[c["id"]] > HEAVY_BYTES]
        gone |= {c["id"] for c in heavy[MOST_HEAVY:]}
        plain = [c for c in ranked if c["id"] not in gone and not c["popups"]]
        with_popup = [c for c in ranked if c["id"] not in gone and c["popups"]]
        gone |= {c["id"] for c in plain[MOST_PLAIN:] + with_popup[MOST_WITH_POPUP:]}
    gone -= kept
    remove_captures(folder, captures, gone)
    return sorted(gone)


def _state(capture: dict) -> str:
    """What a recipe's `drop` is matched with: the id after the slash, without the session."""
    name = capture["id"].split("/")[1]
    return name.removesuffix(f"--{capture['session']}") if capture.get("session") else name


def _rank(capture: dict) -> tuple:
    """The main windows first, then what a recipe's chain led to, then the first look before its twin."""
    name = capture["id"].split("/")[1]
    is_main = name == "main" or name.startswith("main-")
    is_found = name.startswith(("menu-", "dialog-", "tab-", "size-"))
    return not is_main, is_found, capture["variant_of"] is not None, name.startswith("size-"), name
