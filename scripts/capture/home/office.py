"""Runs LibreOffice headless to turn flat sources (HTML, flat ODF) into the formats that people keep."""

import pathlib
import shutil
import subprocess
import tempfile

# Named outright because an HTML source opened by guesswork becomes a "Writer/Web" document without pages.
READERS = {"writer": ["--infilter=HTML (StarWriter)"], "flat": []}
FILTERS = {
    "odt": "odt:writer8",
    "docx": "docx:Office Open XML Text",
    "ods": "ods:calc8",
    "xlsx": "xlsx:Calc MS Excel 2007 XML",
    "odp": "odp:impress8",
}


def convert(source: pathlib.Path, extension: str, folder: pathlib.Path, reader: str = "flat") -> pathlib.Path:
    """Writes `folder/<stem of source>.<extension>` and returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{source.stem}.{extension}"
    kind = "pdf:writer_pdf_Export" if extension == "pdf" and reader == "writer" else FILTERS.get(extension, extension)
    with tempfile.TemporaryDirectory() as scratch:
        command = [
            "libreoffice",
            "--headless",
            "--norestore",
            f"-env:UserInstallation=file://{profile()}",
            *READERS[reader],
            "--convert-to",
            kind,
            "--outdir",
            scratch,
            str(source),
        ]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        made = pathlib.Path(scratch) / target.name
        if run.returncode != 0 or not made.exists():
            raise RuntimeError(f"{source}: LibreOffice made no {extension}: {run.stderr.strip() or run.stdout.strip()}")
        shutil.move(made, target)
    return target


_PROFILE: list[tempfile.TemporaryDirectory] = []


def profile() -> str:
    """A LibreOffice profile that this run alone uses; it is shared by all conversions
    because making one takes seconds."""
    if not _PROFILE:
        _PROFILE.append(tempfile.TemporaryDirectory(prefix="office-profile-"))
    return _PROFILE[0].name
