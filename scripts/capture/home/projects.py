"""Source code projects with a git history whose dates, authors and so commit ids are always the same."""

import os
import pathlib
import shutil
import subprocess
import tomllib

from persona import Persona


def git(persona: Persona, folder: pathlib.Path, *arguments: str, date: str = "2026-01-01T00:00:00+00:00") -> None:
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": persona.name,
        "GIT_AUTHOR_EMAIL": persona.email,
        "GIT_AUTHOR_DATE": date,
        "GIT_COMMITTER_NAME": persona.name,
        "GIT_COMMITTER_EMAIL": persona.email,
        "GIT_COMMITTER_DATE": date,
    }
    run = subprocess.run(
        ["git", "-c", "init.defaultBranch=main", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode != 0:
        raise RuntimeError(f"{folder}: git {' '.join(arguments)}: {run.stderr.strip()}")


def write_version(source: pathlib.Path, folder: pathlib.Path, entry: str) -> None:
    name, _, lines = entry.partition(":")
    text = (source / name).read_text().splitlines(keepends=True)
    target = folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("".join(text[: int(lines)] if lines else text))


def make_project(persona: Persona, source: pathlib.Path, folder: pathlib.Path, commits: list[dict]) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    git(persona, folder, "init", "--quiet")
    branches = {"main"}
    for commit in commits:
        branch = commit.get("branch", "main")
        if branch not in branches:
            git(persona, folder, "branch", branch, "main")
            branches.add(branch)
        if len(branches) > 1:
            git(persona, folder, "checkout", "--quiet", branch)
        if "merge" in commit:
            git(
                persona,
                folder,
                "merge",
                "--quiet",
                "--no-ff",
                "-m",
                commit["message"],
                commit["merge"],
                date=commit["date"],
            )
        else:
            for entry in commit["files"]:
                write_version(source, folder, entry)
            git(persona, folder, "add", "--all")
            git(persona, folder, "commit", "--quiet", "-m", commit["message"], date=commit["date"])
        if "tag" in commit:
            git(persona, folder, "tag", "-a", commit["tag"], "-m", commit["tag"], date=commit["date"])


def make(home: pathlib.Path, persona: Persona) -> None:
    sources = persona.folder / "projects"
    history = tomllib.loads((sources / "history.toml").read_text())
    for name, commits in history.items():
        make_project(persona, sources / name, home / "Projects" / name, commits)
    (home / ".gitconfig").write_text(
        f"[user]\n\tname = {persona.name}\n\temail = {persona.email}\n"
        "[init]\n\tdefaultBranch = main\n[safe]\n\tdirectory = *\n"
    )
