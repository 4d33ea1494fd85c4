"""Build `assets/fonts`: Inter and Noto Sans as static TrueType files, cut down to the Latin script.

    python scripts/assets/build_fonts.py

Text in scenes must look the same on every machine, so the families are part of the pack and the system's fonts are
never used. Inter is what GNOME's own font comes from, Noto Sans is KDE Plasma's. The first family is that of scenes
without a session.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

from fetch_packages import debian_root, npm_package

ROOT = Path(__file__).resolve().parents[2]
INTER = ("inter-ui", "4.1.1")
NOTO = ("fonts-noto-core", "20201225-1")
WEIGHTS = {"Regular": 400, "Medium": 500, "SemiBold": 600, "Bold": 700}

# Latin-1, Latin Extended-A, the Romanian comma letters, spacing accents, punctuation, currency, number forms, arrows,
# and the operators, boxes and shapes that appear in captions, clocks and tooltips.
UNICODE_RANGES = [
    (0x0020, 0x007E),
    (0x00A0, 0x017F),
    (0x0192, 0x0192),
    (0x0218, 0x021B),
    (0x02C6, 0x02DD),
    (0x1E9E, 0x1E9E),
    (0x2000, 0x206F),
    (0x2070, 0x2094),
    (0x20A0, 0x20BF),
    (0x2113, 0x2122),
    (0x2150, 0x215F),
    (0x2190, 0x21FF),
    (0x2200, 0x22FF),
    (0x2318, 0x2318),
    (0x2325, 0x2327),
    (0x232B, 0x232B),
    (0x25A0, 0x25FF),
    (0x2600, 0x2606),
    (0x2713, 0x2717),
    (0xFFFD, 0xFFFD),
]
FEATURES = ["kern", "mark", "mkmk", "ccmp", "locl", "liga", "calt", "case", "tnum"]


def latin_subset(source: Path) -> TTFont:
    font = TTFont(source)
    options = subset.Options(
        layout_features=FEATURES, hinting=False, name_IDs=["*"], notdef_outline=True, glyph_names=False
    )
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[code for first, last in UNICODE_RANGES for code in range(first, last + 1)])
    subsetter.subset(font)
    font.flavor = None
    # A fixed date keeps the file, and with it the pack's digest, the same from run to run.
    font["head"].modified = font["head"].created
    font.recalcTimestamp = False
    return font


@dataclass(frozen=True)
class Family:
    name: str
    source: str
    styles: tuple[str, ...]
    file: Callable[[str], Path]


FAMILIES = (
    Family(
        "Inter",
        f"npm {INTER[0]} {INTER[1]}",
        ("Regular", "Medium", "SemiBold", "Bold"),
        lambda style: npm_package(*INTER) / "web" / f"Inter-{style}.woff2",
    ),
    Family(
        "Noto Sans",
        f"Debian {NOTO[0]} {NOTO[1]}",
        ("Regular", "Bold"),
        lambda style: debian_root(*NOTO) / "usr/share/fonts/truetype/noto" / f"NotoSans-{style}.ttf",
    ),
)


def main() -> None:
    folder = ROOT / "assets" / "fonts"
    folder.mkdir(parents=True, exist_ok=True)
    entries = []
    for family in FAMILIES:
        for style in family.styles:
            file = folder / f"{family.name.replace(' ', '')}-{style}.ttf"
            with latin_subset(family.file(style)) as font:
                font.save(file)
            entries.append(
                {
                    "family": family.name,
                    "style": style,
                    "weight": WEIGHTS[style],
                    "file": file.name,
                    "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
                    "source": family.source,
                    "licence": "OFL-1.1",
                }
            )
    (folder / "fonts.json").write_text(json.dumps(entries, indent=1) + "\n")


if __name__ == "__main__":
    main()
