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


def debian_package(name: str, version: str) -> Path:
    """Folder that holds the files of the Debian package `name` in exactly `version`."""
    target = cache_dir() / "debian" / f"{name}-{version.replace(':', '%3a')}"

    def fetch(scratch: Path) -> Path:
        run(["apt-get", "download", f"{name}={version}"], scratch)
        run(["dpkg-deb", "-x", str(single_file(scratch, "*.deb")), "out"], scratch)
        return scratch / "out"

    return unpack_once(target, fetch)


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


def run(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise PackageError(f"{' '.join(command)}: exit code {done.returncode}: {done.stderr.strip()[-400:]}")


def single_file(folder: Path, pattern: str) -> Path:
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        raise PackageError(f"{folder}: expected one file matching {pattern}, found {len(found)}")
    return found[0]
