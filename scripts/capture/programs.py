"""Recipes: one programs/<id>.toml per program, read into checked values."""

import os
import re
import tomllib
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from pathlib import Path

from .boards import Board
from .home import persona as personas
from .looks import LOOKS
from .roles import PACK_ROLES

FOLDER = Path(__file__).parent / "programs"
CATEGORIES = (
    "Developer_Tools",
    "Advanced_Tools",
    "Productivity",
    "Browsers",
    "Communication",
    "Utilities",
    "File&System_Utilities",
    "Media&Entertainment",
    "Gaming",
)
PLACEMENTS = ("maximized", "left_half", "right_half", "top_left", "top_right", "bottom_left", "bottom_right")
GTK_PAIRS = (("yaru", "yaru-dark"), ("arc", "arc-dark"), ("materia", "materia-dark"), ("orchis", "orchis-dark"))
POINTER_VERBS = ("click", "doubleclick", "rightclick", "hover")
VERBS = (*POINTER_VERBS, "type", "key", "wait", "capture")


class RecipeError(Exception):
    pass


@dataclass(frozen=True)
class Step:
    verb: str
    role: str  # only for pointer verbs; empty for an element of any role
    argument: str  # element name, text, keys, seconds or state name

    def __str__(self) -> str:
        return " ".join(word for word in (self.verb, self.role, self.argument) if word)


@dataclass(frozen=True)
class Chain:
    name: str
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class LivePage:
    """A window of a program whose every control is crawled (living/)."""

    name: str
    steps: tuple[Step, ...]  # from a fresh start
    depth: int = 1  # 2: windows that it opens are pictured, but not crawled into further ones
    skip: tuple[str, ...] = ()  # names never to click on it, beside the program's
    skip_on: tuple[tuple[str, str], ...] = ()  # the same while a tab, or the page of a row, shows: its name, and theirs
    size: tuple[int, int] | None = None  # what the frame of its window is made, if it does not stay as it opens
    menus: bool = False  # whether the entries of its menus are clicked, too
    allow: tuple[str, ...] = ()  # names that are clicked here, though words in them are never clicked elsewhere


@dataclass(frozen=True)
class Program:
    id: str
    name: str
    category: str
    origin: str
    licence: str
    command: str
    packages: tuple[str, ...] = ()
    npm: tuple[str, ...] = ()
    pip: tuple[str, ...] = ()
    purpose: str | None = None  # what people have one program for, such as file_manager
    trademark: str | None = None
    window_title: str | None = None
    sizes: tuple[tuple[int, int], ...] = ((1000, 680), (1280, 860))
    snap: tuple[str, ...] = ()
    looks: tuple[str, ...] = ()
    wm: str = "xfwm4"
    settle: float = 2.0
    clock: bool = True  # whether it runs under a session's clock
    seeded: bool = False  # whether its random numbers are the same at each start
    env: dict[str, str] = field(default_factory=dict)
    preseed: str | None = None
    menus: int = 3
    dialogs: int = 3
    tabs: int = 3
    skip: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()  # captures (regex of the id after the slash) that are unfit to be published
    use: tuple[Step, ...] = ()  # what somebody has done with it before a session of the pack shows it
    chains: tuple[Chain, ...] = ()
    live: tuple[LivePage, ...] = ()
    board: Board | None = None  # of a game: where its cells are, and whose rules hold

    def way(self, name: str) -> Chain | LivePage:
        """The chain or the living page of this name."""
        for way in (*self.chains, *self.live):
            if way.name == name:
                return way
        raise RecipeError(f"programs/{self.id}.toml: no chain and no living page `{name}`")


def load(program_id: str, persona_id: str | None = None) -> Program:
    """The recipe in the words of a persona: by default the session's, or the first that has what the recipe opens."""
    path = FOLDER / f"{program_id}.toml"
    if not path.is_file():
        raise RecipeError(f"programs/{program_id}.toml: expected a recipe, found none")
    wanted = persona_id or os.environ.get("CAPTURE_PERSONA") or (able_personas(program_id) or ["alex"])[0]
    return _read(path, wanted)


def able_personas(program_id: str) -> list[str]:
    """The personas that have everything that a recipe's placeholders name."""
    names = set(personas.PLACEHOLDER.findall((FOLDER / f"{program_id}.toml").read_text(encoding="utf-8")))
    return [name for name in personas.all_ids() if names <= set(personas.load(name).texts)]


def all_ids() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def _read(path: Path, persona_id: str = "alex") -> Program:
    where = f"programs/{path.name}"
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as fault:
        raise RecipeError(f"{where}: expected TOML, found {fault}") from fault
    try:
        raw = personas.load(persona_id).filled(raw, where)
    except personas.PersonaError as fault:
        raise RecipeError(str(fault)) from fault
    chains = tuple(_chain(where, chain) for chain in raw.pop("chain", []))
    live = tuple(_live_page(where, page) for page in raw.pop("live", []))
    use = tuple(_step(where, text) for text in raw.pop("use", []))
    board = _board(where, raw.pop("board")) if "board" in raw else None
    known = {f.name for f in fields(Program)} - {"chains", "use", "live", "board"}
    for key in raw:
        if key not in known:
            keys = ", ".join(sorted(known | {"use"}))
            raise RecipeError(f"{where}: unknown key `{key}`; known are {keys} [[chain]], [[live]] and [board]")
    for key in ("id", "name", "category", "origin", "licence", "command"):
        if not raw.get(key):
            raise RecipeError(f"{where}: `{key}` is missing")
    if raw["id"] != path.stem:
        raise RecipeError(f"{where}: id `{raw['id']}` differs from the file's name")
    if raw["category"] not in CATEGORIES:
        raise RecipeError(f"{where}: category `{raw['category']}`, expected one of {', '.join(CATEGORIES)}")
    for look in raw.get("looks", []):
        if look not in LOOKS:
            raise RecipeError(f"{where}: look `{look}`, expected one of {', '.join(LOOKS)}")
    for placement in raw.get("snap", []):
        if placement not in PLACEMENTS:
            raise RecipeError(f"{where}: snap `{placement}`, expected one of {', '.join(PLACEMENTS)}")
    _check_patterns(raw.get("skip", []) + raw.get("drop", []))
    values = {key: tuple(value) if isinstance(value, list) else value for key, value in raw.items()}
    values["trademark"] = values.get("trademark") or None
    values["sizes"] = tuple(tuple(size) for size in raw.get("sizes", Program.sizes))
    values["looks"] = tuple(raw.get("looks") or _assigned_looks(raw["id"], raw.get("wm", "xfwm4")))
    if "snap" not in raw:
        values["snap"] = _assigned_snap(raw["id"])
    return Program(chains=chains, use=use, live=live, board=board, **values)


def _assigned_looks(program_id: str, wm: str) -> tuple[str, str]:
    """The same pair of looks for a program in every run, spread over all programs."""
    if wm == "kwin":
        return "breeze", "breeze-dark"
    return GTK_PAIRS[zlib.crc32(program_id.encode()) % len(GTK_PAIRS)]


def _assigned_snap(program_id: str) -> tuple[str, ...]:
    """One program in three is also captured maximised or on one half of the desktop."""
    number = zlib.crc32(program_id.encode()) // 4
    return (PLACEMENTS[number // 3 % 3],) if number % 3 == 0 else ()


def _chain(where: str, raw: dict) -> Chain:
    if set(raw) != {"name", "steps"}:
        raise RecipeError(f"{where}: a [[chain]] has exactly `name` and `steps`, found {', '.join(sorted(raw))}")
    return Chain(raw["name"], tuple(_step(where, text) for text in raw["steps"]))


def _live_page(where: str, raw: dict) -> LivePage:
    if not {"name", "steps"} <= set(raw) <= {"name", "steps", "depth", "skip", "skip_on", "size", "menus", "allow"}:
        found, may = ", ".join(sorted(raw)), "`depth`, `skip`, `skip_on`, `size`, `menus` and `allow`"
        raise RecipeError(f"{where}: a [[live]] has `name`, `steps` and maybe {may}, found {found}")
    steps = tuple(_step(where, text) for text in raw["steps"])
    skip = tuple(raw.get("skip", ()))
    skip_on = tuple(raw.get("skip_on", {}).items())
    allow = tuple(raw.get("allow", ()))
    _check_patterns((*skip, *allow, *(pattern for pair in skip_on for pattern in pair)))
    size = tuple(raw["size"]) if "size" in raw else None
    return LivePage(raw["name"], steps, raw.get("depth", 1), skip, skip_on, size, raw.get("menus", False), allow)


def _board(where: str, raw: dict) -> Board:
    if not {"game", "cells"} <= set(raw) <= {"game", "cells", "around", "solved"}:
        found = ", ".join(sorted(raw))
        raise RecipeError(f"{where}: a [board] has `game`, `cells` and maybe `around` and `solved`, found {found}")
    solved = tuple(raw.get("solved", ()))
    if not raw["cells"] or len({len(row) for row in raw["cells"]}) != 1 or not raw["cells"][0]:
        raise RecipeError(f"{where}: `cells` of [board]: expected rows of one length, found {raw['cells']}")
    if solved and [len(row) for row in solved] != [len(row) for row in raw["cells"]]:
        raise RecipeError(f"{where}: `solved` of [board]: expected as many cells as `cells` has, found {raw['solved']}")
    if raw.get("around", Board.around) not in ("halves", "cell"):
        raise RecipeError(f"{where}: `around` of [board]: expected halves or cell, found {raw['around']}")
    return Board(raw["game"], tuple(raw["cells"]), raw.get("around", Board.around), solved)


def _check_patterns(patterns: Iterable[str]) -> None:
    for pattern in patterns:
        re.compile(pattern)


@dataclass(frozen=True)
class NeverClicked:
    """Names that neither a crawl nor a walk of a page clicks."""

    names: list[re.Pattern] = field(default_factory=list)
    while_shown: list[tuple[re.Pattern, re.Pattern]] = field(default_factory=list)
    allowed: list[re.Pattern] = field(default_factory=list)  # of those that are never clicked in any program

    def has(self, name: str, values: Iterable = ()) -> bool:
        """`values` of controls: among them the names of the tab, and of the row, whose page shows."""
        shown = [value for value in values if isinstance(value, str)]
        names = [own for tab, own in self.while_shown if any(map(tab.search, shown))]
        return any(pattern.search(name) for pattern in (*self.names, *names))

    def allows(self, name: str) -> bool:
        return any(pattern.search(name) for pattern in self.allowed)


def never_clicked(program: Program, page: LivePage) -> NeverClicked:
    names = [re.compile(pattern, re.IGNORECASE) for pattern in (*program.skip, *page.skip)]
    while_shown = [(re.compile(tab), re.compile(own, re.IGNORECASE)) for tab, own in page.skip_on]
    return NeverClicked(names, while_shown, [re.compile(pattern) for pattern in page.allow])


def _step(where: str, text: str) -> Step:
    verb, _, rest = text.partition(" ")
    if verb not in VERBS:
        raise RecipeError(f"{where}: step `{text}`: expected one of {', '.join(VERBS)}")
    if verb not in POINTER_VERBS:
        return Step(verb, "", rest)
    role = next((r for r in sorted(PACK_ROLES, key=len, reverse=True) if rest == r or rest.startswith(r + " ")), "")
    return Step(verb, role, rest[len(role) :].strip())
