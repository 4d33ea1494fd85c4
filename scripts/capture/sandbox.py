"""Starts one capture session in fresh Linux namespaces, with a fresh copy of a persona's home (needs root)."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from .home import persona as personas
from .home.persona import Persona
from .looks import Look
from .sessions import Session

PACKAGE = Path(__file__).resolve().parent
WORK = Path(os.environ.get("CAPTURE_WORK", "/var/tmp/windesk-capture"))
# The account of the machine that sessions run as. Inside, it has the persona's name.
ACCOUNT = "alex"
FONT, LOCALE = "Inter 10", "C.UTF-8"
SECONDS = 3000
# A few states of a program.
SECONDS_OF_A_SESSION = 420


def demo_home(persona_id: str = "alex") -> Path:
    """The home that a persona's sessions start from, made once per work folder."""
    home = WORK / "homes" / persona_id
    if not (home / "Documents").is_dir():
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(parents=True)
        command = [sys.executable, "-B", str(PACKAGE / "home" / "make_home.py"), "--persona", persona_id, str(home)]
        subprocess.run(command, check=True)
        subprocess.run(["chown", "-R", f"{ACCOUNT}:", str(home)], check=True)
    return home


def copy_code(target: Path, persona: Persona) -> None:
    """This package without what makes homes: of personas, only what recipes name."""
    shutil.copytree(PACKAGE, target, ignore=shutil.ignore_patterns("__pycache__", "home"))
    folder = target / "home" / "personas" / persona.id
    folder.mkdir(parents=True)
    shutil.copy(PACKAGE / "home" / "persona.py", target / "home")
    shutil.copy(persona.folder / "persona.toml", folder)


def run(
    module: str,
    program_id: str,
    look: Look,
    *arguments: str,
    inputs: Sequence[Path] = (),
    seconds: int = SECONDS,
    persona_id: str = "alex",
    session: Session | None = None,
) -> Path:
    """Runs a module of this package in a desktop session, which finds the inputs in its in folder; returns the folder
    with its report.json and whatever else it wrote. A session of the pack has its own persona, locale and clock."""
    persona = session.persona if session else personas.load(persona_id)
    name = session.id if session else f"{look.name}.{persona.id}"
    job = WORK / "jobs" / f"{module}.{program_id}.{name}"
    shutil.rmtree(job, ignore_errors=True)
    job.mkdir(parents=True)
    subprocess.run(["cp", "-a", str(demo_home(persona.id)), str(job / "home")], check=True)
    copy_code(job / "code" / "capture", persona)
    (job / "out").mkdir()
    (job / "in").mkdir()
    for path in inputs:
        shutil.copy(path, job / "in" / path.name)
    shutil.chown(job / "out", ACCOUNT)
    environment = {
        "PATH": os.environ["PATH"],
        "LOOK_THEME": look.theme,
        "LOOK_DARK": str(int(look.dark)),
        "LOOK_WM": look.wm,
        "LOOK_WM_THEME": look.wm_theme,
        "LOOK_ICONS": look.icons,
        "LOOK_QT_STYLE": look.qt_style,
        "LOOK_FONT": session.font if session else FONT,
        "CAPTURE_LOCALE": session.locale if session else LOCALE,
        "CAPTURE_CLOCK": str(session.seconds_ahead(datetime.now(UTC))) if session else "",
        "CAPTURE_ACCOUNT": ACCOUNT,
        "CAPTURE_PERSONA": persona.id,
        "CAPTURE_USER": persona.user,
        "CAPTURE_NAME": persona.name,
        "CAPTURE_HOST": persona.host,
    }
    command = [
        "unshare",
        "--mount",
        "--uts",
        "--pid",
        "--net",
        "--ipc",
        "--fork",
        "--mount-proc",
        "--kill-child",
        "/bin/bash",
        str(PACKAGE / "sandbox.sh"),
        str(job),
        "env",
        "PYTHONPATH=/srv/capture/code",
        "PYTHONDONTWRITEBYTECODE=1",
        "/usr/bin/python3",
        "-m",
        f"capture.{module}",
        program_id,
        look.name,
        *arguments,
    ]
    with (job / "session.log").open("wb") as log:
        process = subprocess.Popen(
            command, env=environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True
        )
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    if not (job / "out" / "report.json").is_file():
        states = sorted(p.stem for p in (job / "out").glob("*.json"))
        tail = (job / "session.log").read_text(errors="replace")[-400:].strip()
        report = {
            "states": states,
            "transitions": [],
            "failures": [f"the session ended early: {tail or 'out of time'}"],
            "seconds": seconds,
        }
        (job / "out" / "report.json").write_text(json.dumps(report))
    shutil.rmtree(job / "home", ignore_errors=True)
    return job / "out"
