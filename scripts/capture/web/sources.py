"""The pages of this folder: their libraries, and how they are bundled."""

import json
import os
import shutil
import subprocess
import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
WORK = Path(os.environ.get("WEB_WORK", "/var/tmp/windesk-web"))
WEB_SIZE, PHONE_SIZE, PHONE_SCALE = (1280, 800), (1080, 2400), 3
DOCUMENT = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><link rel="stylesheet" href="{name}.css"></head>
<body><div id="root"></div><script src="{name}.js"></script></body></html>
"""


# Pictures and fonts go into the bundle, so that a page is a file of its own.
INLINED = ("svg", "woff", "woff2", "ttf", "eot", "png", "gif")
ESBUILD = (
    "--bundle", "--format=iife", "--jsx=automatic", "--log-level=error", "--minify-syntax", "--loader:.js=jsx",
    "--main-fields=browser,module,main", '--define:process.env.NODE_ENV="production"',
    *(f"--loader:.{kind}=dataurl" for kind in INLINED),
    *(f"--define:__VUE_{flag}__={value}" for flag, value in (
        ("OPTIONS_API", "true"), ("PROD_DEVTOOLS", "false"), ("PROD_HYDRATION_MISMATCH_DETAILS", "false"))),
)  # fmt: skip


@dataclass(frozen=True)
class Library:
    """One entry of `libraries.toml`."""

    id: str
    name: str
    category: str
    packages: tuple[str, ...]
    licence: str
    look: str
    phone: bool
    kit: str
    screens: tuple[str, ...]
    variant: str = ""

    def program(self) -> dict:
        versions = installed()
        package = self.packages[0]
        toolkit = " ".join(f"{name} {versions.get(name, '')}".strip() for name in self.packages)
        return {"id": self.id, "name": self.name, "category": self.category, "package": package,
                "version": versions.get(package, "0"), "origin": "npm", "licence": self.licence, "toolkit": toolkit,
                "trademark": None}  # fmt: skip


@dataclass(frozen=True)
class Page:
    library: Library
    name: str
    title: str
    source: Path

    @property
    def program(self) -> str:
        return self.library.id

    @property
    def platform(self) -> str:
        return "mobile_web" if self.library.phone else "web"

    @property
    def size(self) -> tuple[int, int]:
        return PHONE_SIZE if self.library.phone else WEB_SIZE

    @property
    def scale(self) -> int:
        return PHONE_SCALE if self.library.phone else 1

    def look(self, dark: bool) -> str:
        """What the page is called in one of its two looks."""
        return self.name + ("-dark" if dark else "")

    def id(self, dark: bool) -> str:
        """Of its capture in a pack."""
        return f"{self.program}/{self.look(dark)}"

    def file(self, pack: Path, dark: bool) -> Path:
        return pack / "windows" / f"{self.id(dark)}.json"

    def session(self, dark: bool) -> str:
        return "gnome-dark" if dark else "gnome-light"


def libraries() -> list[Library]:
    told = tomllib.loads((HERE / "libraries.toml").read_text(encoding="utf-8"))
    out = []
    for key, entry in told.items():
        lists = {name: tuple(entry[name]) for name in ("packages", "screens")}
        out.append(Library(**{"id": key, "phone": False, **entry, **lists}))
    return out


def pages() -> list[Page]:
    """All pages; a screen's first line is its title, `// Title`."""
    out = []
    for library in libraries():
        for screen in library.screens:
            source = HERE / "pages" / "screens" / f"{screen}.js"
            first = source.read_text(encoding="utf-8").split("\n", 1)[0]
            out.append(Page(library, screen, first.removeprefix("//").strip(), source))
    return out


def installed() -> dict[str, str]:
    """Versions of the packages, by the lock file."""
    lock = json.loads((HERE / "package-lock.json").read_text(encoding="utf-8"))
    return {path.removeprefix("node_modules/"): entry["version"] for path, entry in lock["packages"].items() if path}


def install() -> Path:
    """The libraries, in a folder outside of the checkout."""
    build = WORK / "build"
    build.mkdir(parents=True, exist_ok=True)
    wanted = (HERE / "package-lock.json").read_bytes()
    done = build / "installed.json"
    if not done.is_file() or done.read_bytes() != wanted:
        for name in ("package.json", "package-lock.json"):
            shutil.copy(HERE / name, build / name)
        command = ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps"]
        subprocess.run(command, cwd=build, check=True, stdout=subprocess.DEVNULL)
        done.write_bytes(wanted)
    return build


def bundle(chosen: list[Page]) -> dict[Page, Path]:
    """The documents of pages, ready to be opened."""
    build = install()
    sources = build / "sources"
    shutil.copytree(HERE / "pages", sources, dirs_exist_ok=True)
    out = {}
    for page in chosen:
        target = WORK / "pages" / page.program
        target.mkdir(parents=True, exist_ok=True)
        name, kit = page.name, next((sources / page.library.kit).glob("kit.*"))
        entry = sources / f"{page.program}-{name}.js"
        parts = (
            f'import screen from "./screens/{name}.js";\nimport {{ show }} from "./{page.library.kit}/{kit.name}";\n'
        )
        entry.write_text(parts + "show(screen);\n", encoding="utf-8")
        program = str(build / "node_modules/.bin/esbuild")
        told = [f"--outfile={target / name}.js", f'--define:VARIANT="{page.library.variant}"']
        command = [program, str(entry), *ESBUILD, *told]
        subprocess.run(command, check=True, cwd=build)
        (target / f"{name}.css").touch()
        (target / f"{name}.html").write_text(DOCUMENT.format(title=page.title, name=name), encoding="utf-8")
        out[page] = target / f"{name}.html"
    return out
