"""Archives in Downloads, packed with fixed dates so that every build gives the same bytes."""

import gzip
import io
import pathlib
import tarfile
import zipfile
from datetime import UTC, datetime

from persona import Persona


def zip_folder(target: pathlib.Path, folder: pathlib.Path, packed: datetime) -> None:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as out:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and ".git" not in path.parts:
                info = zipfile.ZipInfo(f"{folder.name}/{path.relative_to(folder)}", packed.timetuple()[:6])
                info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
                out.writestr(info, path.read_bytes())


def tar_folder(target: pathlib.Path, folder: pathlib.Path, packed: datetime, user: str) -> None:
    moment = int(packed.replace(tzinfo=UTC).timestamp())
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as out:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and ".git" not in path.parts:
                info = tarfile.TarInfo(f"{folder.name}/{path.relative_to(folder)}")
                info.size, info.mtime, info.uname, info.gname = path.stat().st_size, moment, user, user
                out.addfile(info, io.BytesIO(path.read_bytes()))
    target.write_bytes(gzip.compress(data.getvalue(), mtime=0))


def make(home: pathlib.Path, persona: Persona) -> None:
    facts = persona.parts["archives"]
    downloads = home / "Downloads"
    downloads.mkdir(parents=True, exist_ok=True)
    for name, folder in facts["zip"]:
        zip_folder(downloads / f"{name}.zip", home / folder, facts["packed"]["zip"])
    for name, folder in facts["tar"]:
        tar_folder(downloads / f"{name}.tar.gz", home / folder, facts["packed"]["tar"], persona.user)
