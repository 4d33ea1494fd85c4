"""Where icons come from: packages, their licences, and how a drawing is looked up by `library:name`."""

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fetch_packages import debian_package, debian_root, git_commit, npm_package
from png_rows import set_in_rows


class SourceError(Exception):
    """An icon list names a library or a drawing that does not exist."""


@dataclass(frozen=True)
class Source:
    """One library: `read(name)` gives the SVG text of a drawing."""

    title: str
    author: str
    licence: str
    licence_file: str
    read: Callable[[str], str]


FLUENT = ("@fluentui/svg-icons", "1.1.343")
FLAT = ("@iconify-json/flat-color-icons", "1.2.3")
TABLER = ("@tabler/icons", "3.51.0")
LUCIDE = ("lucide-static", "1.62.0")
EMOJI = ("@iconify-json/fluent-emoji-flat", "1.2.6")
GAME = ("@iconify-json/game-icons", "1.2.4")
TANGO = ("tango-icon-theme", "0.8.90-11")
BREEZE = ("breeze-icon-theme", "4:5.103.0-1")
# Debian 12 has its coloured icons as PNG only.
ADWAITA = ("https://github.com/GNOME/adwaita-icon-theme", "551245ae75fdc42cde42a8cf24ca2ccab9d3a815")


def _fluent(style: str, sizes: tuple[int, ...]) -> Callable[[str], str]:
    def read(name: str) -> str:
        folder = npm_package(*FLUENT) / "icons"
        for size in sizes:
            file = folder / f"{name}_{size}_{style}.svg"
            if file.is_file():
                return file.read_text()
        raise SourceError(f"{FLUENT[0]} {FLUENT[1]}: no drawing {name!r} in style {style!r} at sizes {sizes}")

    return read


@cache
def _iconify_set(package: str, version: str) -> dict:
    return json.loads((npm_package(package, version) / "icons.json").read_text())


def _iconify(package: str, version: str) -> Callable[[str], str]:
    """Reader for an Iconify collection: one JSON file that holds the bodies of all drawings."""

    def read(name: str) -> str:
        collection = _iconify_set(package, version)
        icon = collection["icons"].get(name)
        if icon is None:
            raise SourceError(f"{package} {version}: no drawing {name!r}")
        width = icon.get("width", collection.get("width", 16))
        height = icon.get("height", collection.get("height", 16))
        box = f"{icon.get('left', 0)} {icon.get('top', 0)} {width} {height}"
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
            f'viewBox="{box}">{icon["body"]}</svg>'
        )

    return read


def _file_reader(folder: Callable[[], Path], title: str) -> Callable[[str], str]:
    def read(name: str) -> str:
        file = folder() / f"{name}.svg"
        if not file.is_file():
            raise SourceError(f"{title}: no drawing {name!r}")
        return file.resolve().read_text()

    return read


def _npm(package: tuple[str, str]) -> str:
    return f"npm {package[0]} {package[1]}"


SOURCES = {
    # Colour drawings are made for 32 and 48 pixels; glyphs are set large, where the 32 pixel drawing is
    # crisper than the 20 pixel one.
    "fluent-color": Source(
        _npm(FLUENT), "Microsoft Corporation", "MIT", "MIT-fluentui-svg-icons.txt", _fluent("color", (48, 32))
    ),
    "fluent-filled": Source(
        _npm(FLUENT), "Microsoft Corporation", "MIT", "MIT-fluentui-svg-icons.txt", _fluent("filled", (32, 28, 24, 20))
    ),
    "fluent-regular": Source(
        _npm(FLUENT), "Microsoft Corporation", "MIT", "MIT-fluentui-svg-icons.txt", _fluent("regular", (24, 20))
    ),
    "flat": Source(_npm(FLAT), "Icons8", "MIT", "MIT-flat-color-icons.txt", _iconify(*FLAT)),
    "tabler-filled": Source(
        _npm(TABLER),
        "Paweł Kuna",
        "MIT",
        "MIT-tabler-icons.txt",
        _file_reader(lambda: npm_package(*TABLER) / "icons/filled", _npm(TABLER)),
    ),
    "tabler-outline": Source(
        _npm(TABLER),
        "Paweł Kuna",
        "MIT",
        "MIT-tabler-icons.txt",
        _file_reader(lambda: npm_package(*TABLER) / "icons/outline", _npm(TABLER)),
    ),
    "lucide": Source(
        _npm(LUCIDE),
        "Lucide Icons and Contributors",
        "ISC",
        "ISC-lucide.txt",
        _file_reader(lambda: npm_package(*LUCIDE) / "icons", _npm(LUCIDE)),
    ),
    "emoji": Source(_npm(EMOJI), "Microsoft Corporation", "MIT", "MIT-fluentui-emoji.txt", _iconify(*EMOJI)),
    "game": Source(_npm(GAME), "game-icons.net contributors", "CC-BY-3.0", "CC-BY-3.0.txt", _iconify(*GAME)),
    "tango": Source(
        f"Debian {TANGO[0]} {TANGO[1]}",
        "Tango Desktop Project",
        "CC-PDDC",
        "CC-PDDC.txt",
        _file_reader(
            lambda: debian_package(*TANGO) / "usr/share/icons/Tango/scalable", f"Debian {TANGO[0]} {TANGO[1]}"
        ),
    ),
    "breeze": Source(
        f"Debian {BREEZE[0]} {BREEZE[1]}",
        "Uri Herrera and the KDE community",
        "LGPL-3.0-or-later",
        "LGPL-3.0.txt",
        _file_reader(lambda: debian_root(*BREEZE) / "usr/share/icons/breeze", f"Debian {BREEZE[0]} {BREEZE[1]}"),
    ),
    # Offered under this licence or CC-BY-SA-3.0.
    "adwaita": Source(
        f"{ADWAITA[0]} {ADWAITA[1][:12]}",
        "GNOME Project",
        "LGPL-3.0-only",
        "LGPL-3.0.txt",
        _file_reader(lambda: git_commit(*ADWAITA) / "Adwaita", f"{ADWAITA[0]} {ADWAITA[1][:12]}"),
    ),
}


def drawing_of_package(package: str, path: str) -> str:
    """SVG text of a file of a Debian package, named as `name version`."""
    name, _, version = package.partition(" ")
    file = debian_root(name, version) / path
    if not version or not file.is_file():
        raise SourceError(f"Debian {package}: no file {path!r}")
    data = file.read_bytes()
    if file.suffix == ".png":
        return set_in_rows(data)
    return (gzip.decompress(data) if file.suffix == ".svgz" else data).decode()


def source_of(reference: str) -> tuple[Source, str]:
    """Library and drawing name of a `library:name` reference."""
    library, _, name = reference.partition(":")
    if library not in SOURCES or not name:
        raise SourceError(f"{reference!r}: expected library:name with a library of {', '.join(SOURCES)}")
    return SOURCES[library], name
