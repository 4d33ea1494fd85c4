"""Unpacked npm and Debian packages and commits of repositories, fetched by name with the ordinary clients and kept in a
cache folder.

The cache is `$WINDESK_ASSET_CACHE`, or `~/.cache/windesk-assets`. A package that is there is not fetched again.
"""

import os
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

# The keys of all living Debian suites, part of every Debian system.
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")


class PackageError(Exception):
    """A package could not be fetched, or does not hold what was expected."""


def cache_dir() -> Path:
    path = Path(os.environ.get("WINDESK_ASSET_CACHE", Path.home() / ".cache" / "windesk-assets"))
    path.mkdir(parents=True, exist_ok=True)
    return path.resolve()


def npm_package(name: str, version: str) -> Path:
    """Folder that holds the files of `name@version` (the archive's `package/` level is dropped)."""
    target = cache_dir() / "npm" / f"{name.strip('@').replace('/', '-')}-{version}"

    def fetch(scratch: Path) -> Path:
        run(["npm", "pack", "--silent", f"{name}@{version}"], scratch)
        with tarfile.open(single_file(scratch, "*.tgz")) as archive:
            archive.extractall(scratch / "out", filter="data")
        return scratch / "out" / "package"

    return unpack_once(target, fetch)


def debian_package(name: str, version: str, suite: str | None = None) -> Path:
    """Folder that holds the files of the Debian package `name` in exactly `version`.

    With `suite`, the package is one of that Debian suite, whatever the system's own is.
    """
    target = cache_dir() / "debian" / f"{name}-{version.replace(':', '%3a')}"

    def fetch(scratch: Path) -> Path:
        options = []
        if suite is not None:
            options = suite_options(scratch, suite)
            run(["apt-get", *options, "update"], scratch)
        run(["apt-get", *options, "download", f"{name}={version}"], scratch)
        run(["dpkg-deb", "-x", str(single_file(scratch, "*.deb")), "out"], scratch)
        return scratch / "out"

    return unpack_once(target, fetch)


def suite_options(folder: Path, suite: str) -> list[str]:
    """Options with which apt knows this suite of the system's Debian mirror alone, and keeps its lists in `folder`."""
    targets = run(["apt-get", "indextargets", "--format", "$(REPO_URI)", "Origin: Debian", "Component: main"], folder)
    mirrors = [line for line in targets.splitlines() if line.rstrip("/").endswith("/debian")]
    if not mirrors:
        raise PackageError(f"{suite}: found no Debian mirror among the system's sources, expected one")
    apt = folder / "apt"
    for part in ("lists/partial", "cache/archives/partial"):
        (apt / part).mkdir(parents=True)
    (apt / "sources.list").write_text(f"deb [signed-by={KEYRING}] {mirrors[0]} {suite} main\n")
    options = {
        "Dir::Etc::SourceList": apt / "sources.list",
        "Dir::Etc::SourceParts": "-",
        "Dir::State::Lists": apt / "lists",
        "Dir::Cache": apt / "cache",
        # apt's own user may not enter a scratch folder.
        "APT::Sandbox::User": "root",
    }
    return [f"-o{key}={value}" for key, value in options.items()]


def debian_root(name: str, version: str) -> Path:
    """Folder below which the package's files lie: that of this system if it has the package in exactly `version`."""
    asked = subprocess.run(
        ["dpkg-query", "--show", "--showformat", "${Version}", name], capture_output=True, text=True, check=False
    )
    return Path("/") if asked.stdout == version else debian_package(name, version)


def git_commit(url: str, commit: str) -> Path:
    """Folder that holds the files of one commit of a repository."""
    target = cache_dir() / "git" / f"{url.rstrip('/').rpartition('/')[2]}-{commit}"

    def fetch(scratch: Path) -> Path:
        run(["git", "init", "--quiet", "out"], scratch)
        run(["git", "fetch", "--quiet", "--depth", "1", url, commit], scratch / "out")
        run(["git", "checkout", "--quiet", "FETCH_HEAD"], scratch / "out")
        shutil.rmtree(scratch / "out" / ".git")
        return scratch / "out"

    return unpack_once(target, fetch)


def unpack_once(target: Path, fetch) -> Path:
    if not target.is_dir():
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
            # Moved into place only when complete, so that an interrupted run leaves no half package behind.
            shutil.move(fetch(Path(scratch)), target)
    return target


def run(command: list[str], folder: Path) -> str:
    """What the command says."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise PackageError(f"{' '.join(command)}: exit code {done.returncode}: {done.stderr.strip()[-400:]}")
    return done.stdout


def single_file(folder: Path, pattern: str) -> Path:
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        raise PackageError(f"{folder}: expected one file matching {pattern}, found {len(found)}")
    return found[0]
