"""Archives in Downloads, packed with fixed dates so that every build gives the same bytes."""

import gzip
import io
import pathlib
import tarfile
import zipfile

PACKED = (2026, 9, 3, 10, 30, 0)


def zip_folder(target: pathlib.Path, folder: pathlib.Path) -> None:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as out:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and ".git" not in path.parts:
                info = zipfile.ZipInfo(f"{folder.name}/{path.relative_to(folder)}", PACKED)
                info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
                out.writestr(info, path.read_bytes())


def tar_folder(target: pathlib.Path, folder: pathlib.Path) -> None:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as out:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and ".git" not in path.parts:
                info = tarfile.TarInfo(f"{folder.name}/{path.relative_to(folder)}")
                info.size, info.mtime, info.uname, info.gname = path.stat().st_size, 1788430200, "alex", "alex"
                out.addfile(info, io.BytesIO(path.read_bytes()))
    target.write_bytes(gzip.compress(data.getvalue(), mtime=0))


def make(home: pathlib.Path) -> None:
    downloads = home / "Downloads"
    downloads.mkdir(parents=True, exist_ok=True)
    zip_folder(downloads / "Norrhaven 2026.zip", home / "Pictures/Norrhaven 2026")
    zip_folder(downloads / "Recipes.zip", home / "Documents/Recipes")
    tar_folder(downloads / "hexpuzzle-1.0.tar.gz", home / "Projects/hexpuzzle")
    tar_folder(downloads / "birdcount-0.3.0.tar.gz", home / "Projects/birdcount")
