"""Sets of real desktops: the sessions of desktops.toml or of another list, run one by one. Those that are measured are
put down as `windesk fidelity` reads them, of the others there are screenshots."""

import hashlib
import io
import json
import shutil
import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path

from PIL import Image

from . import programs, publish, sandbox, sessions
from .arrangement import FEWEST
from .files import write_json
from .looks import LOOKS
from .screen import SCREEN

SPEC = Path(__file__).parent / "desktops.toml"
PROJECT = Path(__file__).resolve().parents[2]
# Who decides where windows lie: arrangement.py, or the window manager.
PLACINGS = ("drawn", "window-manager")
# Opening eight programs one after the other takes its time.
SECONDS = 3600


@dataclass(frozen=True)
class Session:
    name: str
    wallpapers: tuple[str, ...]
    programs: tuple[str, ...]
    desktops: int
    look: str = ""  # or
    session: str = ""  # of sessions.toml, which says the look
    fewest: int = FEWEST
    maximized: tuple[str, ...] = ()
    region: tuple[int, int] = SCREEN
    frame: tuple[int, int] | None = None
    menus: tuple[str, ...] = ()
    dialogs: dict[str, str] = field(default_factory=dict)
    placing: str = "drawn"
    measured: bool = True

    @property
    def of_pack(self) -> sessions.Session | None:
        return sessions.load(self.session) if self.session else None

    @property
    def look_name(self) -> str:
        return self.of_pack.look_name if self.of_pack else self.look


def all_sessions(spec: Path = SPEC) -> list[Session]:
    try:
        raw = tomllib.loads(spec.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as fault:
        raise programs.RecipeError(f"{spec.name}: expected a list of desktops, found {fault}") from fault
    return [made(entry, spec.name) for entry in raw.get("session", [])]


def made(raw: dict, file: str = SPEC.name) -> Session:
    """A session as an entry of the file tells it."""
    where = f"{file}: {raw.get('name', 'a session without `name`')}"
    known = {f.name for f in fields(Session)}
    for key in raw:
        if key not in known:
            raise programs.RecipeError(f"{where}: unknown key `{key}`; known are {', '.join(sorted(known))}")
    if bool(raw.get("look")) == bool(raw.get("session")):
        raise programs.RecipeError(f"{where}: expected either `look` or `session`")
    if raw.get("placing", "drawn") not in PLACINGS:
        raise programs.RecipeError(f"{where}: placing `{raw['placing']}`, expected one of {', '.join(PLACINGS)}")
    return Session(**{key: tuple(value) if isinstance(value, list) else value for key, value in raw.items()})


def load(name: str, spec: Path = SPEC) -> Session:
    known = {session.name: session for session in all_sessions(spec)}
    if name not in known:
        raise programs.RecipeError(f"{spec.name}: session `{name}`, expected one of {', '.join(known)}")
    return known[name]


def run(names: list[str] | None, out: Path, spec: Path = SPEC) -> bool:
    """Runs sessions of a list and adds their desktops to the folder; tells whether all gave what they should."""
    sandbox.demo_home()
    complete = True
    for session in [load(name, spec) for name in names] if names else all_sessions(spec):
        pictures = sandbox.WORK / "wallpapers" / session.name
        shutil.rmtree(pictures, ignore_errors=True)
        pictures.mkdir(parents=True)
        for wallpaper in session.wallpapers:
            _cut(wallpaper, session.region).save(pictures / f"{wallpaper}.png")
        folder = sandbox.run(
            "desktops",
            session.name,
            LOOKS[session.look_name],
            spec.name,
            inputs=[spec, *sorted(pictures.iterdir())],
            seconds=SECONDS,
            session=session.of_pack,
        )
        report = json.loads((folder / "report.json").read_text())
        taken = report.get("desktops", [])
        print(f"{session.name}: {len(taken)} desktops in {report['seconds']} s")
        for fault in report["failures"]:
            print(f"    {fault.strip().splitlines()[-1]}")
        if taken and session.measured:
            _publish(session, folder, report, out)
        elif taken:
            shutil.copytree(folder / "screens", out, dirs_exist_ok=True)
        complete &= len(taken) == session.desktops
    return complete


def _cut(wallpaper: str, region: tuple[int, int]) -> Image.Image:
    """The part of a wallpaper that lies in the region, decoded: programs that read JPEG differ in the last bit."""
    entries = json.loads((PROJECT / "wallpapers" / "wallpapers.json").read_text())
    entry = next(e for e in entries if e["id"] == wallpaper)
    with Image.open(PROJECT / "wallpapers" / entry["file"]) as picture:
        return picture.convert("RGB").resize(SCREEN).crop((0, 0, *region))


def _publish(session: Session, folder: Path, report: dict, out: Path) -> None:
    pack = out / "pack"
    shutil.copytree(PROJECT / "assets" / "fonts", pack / "fonts", dirs_exist_ok=True)
    # Nothing draws icons here.
    (pack / "icons").mkdir(parents=True, exist_ok=True)
    (pack / "icons" / "icons.json").write_text("[]\n", encoding="utf-8")
    write_json(
        pack / "pack.json",
        dict(
            publish.HEADER,
            name="real-desktops",
            description="Windows of real desktops, each captured separately as well",
        ),
    )
    persona_id = session.of_pack.persona.id if session.of_pack else None
    for program_id, states in report["captures"].items():
        program = programs.load(program_id, persona_id)
        publish.add_states(program, session.look_name, folder / program_id, states, pack)
    for wallpaper in session.wallpapers:
        _add_wallpaper(wallpaper, session.region, pack / "wallpapers")
    (out / "desktops").mkdir(exist_ok=True)
    for name in report["desktops"]:
        for path in (folder / "desktops").glob(f"{name}.*"):
            shutil.copy(path, out / "desktops" / path.name)


def _add_wallpaper(wallpaper: str, region: tuple[int, int], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    listing = folder / "wallpapers.json"
    entries = json.loads(listing.read_text()) if listing.is_file() else []
    entry = next(
        e for e in json.loads((PROJECT / "wallpapers" / "wallpapers.json").read_text()) if e["id"] == wallpaper
    )
    name = f"{wallpaper}-{region[0]}x{region[1]}"
    buffer = io.BytesIO()
    _cut(wallpaper, region).save(buffer, "PNG", optimize=True)
    (folder / f"{name}.png").write_bytes(buffer.getvalue())
    entries = [e for e in entries if e["id"] != name]
    entries.append(
        dict(
            entry,
            id=name,
            file=f"{name}.png",
            sha256=hashlib.sha256(buffer.getvalue()).hexdigest(),
            changes="decoded; cut to the region shown",
        )
    )
    listing.write_text(
        json.dumps(sorted(entries, key=lambda e: e["id"]), indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
