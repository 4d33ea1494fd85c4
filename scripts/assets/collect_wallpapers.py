"""Build `wallpapers`: pictures from Debian packages and the project's own drawings, with `wallpapers.json`.

    python scripts/assets/collect_wallpapers.py

Only CC0 and CC-BY pictures are taken: share-alike ones would make every scene share-alike.
"""

import hashlib
import json
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from PIL import Image

from draw_wallpapers import DRAWINGS
from fetch_packages import debian_package
from wallpaper_art.canvas import HEIGHT, WIDTH

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "wallpapers"
MAX_BYTES = 1_600_000


@dataclass(frozen=True)
class Package:
    """A Debian package and the folder in it that holds its pictures."""

    name: str
    version: str
    folder: str
    # None: the suite of the system that the script runs on.
    suite: str | None = None

    def pictures(self) -> Path:
        return debian_package(self.name, self.version, self.suite) / self.folder


# Authors and licences are those of the package's copyright file.
LOMIRI = Package("lomiri-wallpapers-16.04", "20.04.0-2", "usr/share/backgrounds")
# Authors and licences are those of the package's AUTHORS file. Left out: what is share-alike, and what a site published
# when it no longer used CC0 for all its photographs.
GNOME = Package("gnome-backgrounds", "3.38.0-1", "usr/share/backgrounds/gnome", "bullseye")
# The package is CC0 as a whole; its authors, picture by picture, are those that the project was told when it took them.
# Left out: a new building in Italy and a work of art in the United States; others than the photographer have rights.
BUDGIE = Package("budgie-backgrounds", "3.0-1", "usr/share/backgrounds/budgie", "trixie")
BUDGIE_NEWER = Package("budgie-backgrounds", "4.2-1", "usr/share/backgrounds/budgie", "sid")


@dataclass(frozen=True)
class Picture:
    """A picture of a package, and how it becomes a wallpaper."""

    id: str
    package: Package
    file: str
    title: str
    author: str
    licence: str = "CC0-1.0"
    # Which part to keep: 0 = top or left, 1 = bottom or right.
    keep: float = 0.5
    photograph: bool = True
    # Slow gradients fill it.
    smooth: bool = False


PICTURES = [
    Picture("seeding", LOMIRI, "seeding_by_Clements_Engelhardt.jpg", "Seeding", "Clemens Engelhardt"),
    Picture(
        "aitzgorri", LOMIRI, "aitzgorri_by_Aitzol_Berasategi.jpg", "Aitzgorri", "Aitzol Berasategi", "CC-BY-4.0", 0.4
    ),
    Picture(
        "picosdeeuropa",
        LOMIRI,
        "picosdeeuropa_by_Aitzol_Berasategi.jpg",
        "Picos de Europa",
        "Aitzol Berasategi",
        "CC-BY-4.0",
        0.25,
    ),
    Picture("sunset", LOMIRI, "sunset_by_Aitzol_Berasategi.jpg", "Sunset", "Aitzol Berasategi", "CC-BY-4.0"),
    Picture(
        "umang",
        LOMIRI,
        "umang_by_Abhishek_Mudgal.jpg",
        "Umang",
        "Abhishek Mudgal",
        "CC-BY-4.0",
        photograph=False,
        smooth=True,
    ),
    Picture("fig", LOMIRI, "Picture_0B_by_freespace.jpg", "Picture 0B", 'Trevor "Freespace"', "CC-BY-4.0", 0.45),
    Picture(
        "woodland_stream",
        LOMIRI,
        "life_by_Aitzol_Berasategi.jpg",
        "Life",
        "Aitzol Berasategi",
        "CC-BY-4.0",
    ),
    Picture("cold_warm", GNOME, "ColdWarm.jpg", "ColdWarm", "invisiblepower"),
    Picture("light_waves", GNOME, "LightWaves.jpg", "LightWaves", "Skitterphoto", smooth=True),
    Picture("sea_sunset", GNOME, "SeaSunset.jpg", "SeaSunset", "Sebastian Voortman", keep=0.55, smooth=True),
    Picture("abstract_spiral", BUDGIE, "abstract-spiral.jpg", "Abstract Spiral", "Samuel Zeller"),
    Picture("beacon_street", BUDGIE, "beacon-street-sunset.jpg", "Beacon Street Sunset", "Matthew Landers"),
    Picture("blue_periwinkle", BUDGIE, "blue-periwinkle.jpg", "Blue Periwinkle", "Noah Silliman"),
    Picture("canyon_wren", BUDGIE, "canyon-wren.jpg", "Canyon Wren", "Brad Sutton, National Park Service", smooth=True),
    Picture("casa_mila", BUDGIE, "casa-mila.jpg", "Casa Milà", "Alexandre Perotto"),
    Picture("desert_hike", BUDGIE, "extreme-desert-hike.jpg", "Extreme Desert Hike", "Luca Zanon", keep=1, smooth=True),
    Picture("lake_sherburne", BUDGIE, "lake-sherburne.jpg", "Lake Sherburne", "Jacob W. Frank, National Park Service"),
    Picture("river_otter", BUDGIE, "oakland-zoo-otters.jpg", "Oakland Zoo Otters", "Derrick Coetzee"),
    Picture("perched_osprey", BUDGIE, "perched-osprey.jpg", "Perched Osprey", "National Park Service"),
    Picture("colosseum", BUDGIE, "roman-colosseum.jpg", "Roman Colosseum", "Bence Boros"),
    Picture(
        "saturn",
        BUDGIE,
        "saturnian-profile.jpg",
        "Saturnian Profile",
        "NASA/JPL-Caltech/Space Science Institute, Julius Enriquez",
        smooth=True,
    ),
    Picture("singapore", BUDGIE, "singaporean-cityscape.jpg", "Singaporean Cityscape", "Romain Guy"),
    Picture(
        "tea_gardens",
        BUDGIE,
        "tea-gardens.jpg",
        "Amidst the Tea Gardens",
        "Vivek Kumar",
        keep=0.9,
    ),
    Picture(
        "ocean_waves",
        BUDGIE,
        "ocean-waves.jpg",
        "Ocean Waves",
        "Uehara Konen, rawpixel",
        photograph=False,
    ),
    Picture(
        "valley_midnight",
        BUDGIE,
        "valley-midnight.jpg",
        "Valley Midnight",
        "Joshua Strobl",
        photograph=False,
        smooth=True,
    ),
    Picture(
        "waves_midnight", BUDGIE, "waves-midnight.jpg", "Waves Midnight", "Joshua Strobl", photograph=False, smooth=True
    ),
    Picture("perched_shrike", BUDGIE_NEWER, "perched-shrike.jxl", "Perched Shrike", "Campbell Jones", smooth=True),
    Picture("pondering_heron", BUDGIE_NEWER, "pondering-heron.jxl", "Pondering Heron", "Campbell Jones"),
    Picture("sunning_anhinga", BUDGIE_NEWER, "sunning-anhinga.jxl", "Sunning Anhinga", "Campbell Jones"),
    Picture(
        "spices",
        BUDGIE_NEWER,
        "the-spices-of-life.jxl",
        "The Spices of Life",
        "Julius Enriquez",
        keep=0.8,
    ),
]


def cover(picture: Image.Image, keep: float) -> Image.Image:
    """Scale and cut to the wallpaper's size without distortion."""
    scale = min(picture.width / WIDTH, picture.height / HEIGHT)
    if scale < 1:
        found = f"{picture.width}x{picture.height}"
        raise SystemExit(f"a picture has {found} pixels, expected at least {WIDTH}x{HEIGHT}: nothing is enlarged")
    # Rounding may exceed the picture by a hair, which resize refuses.
    width, height = min(WIDTH * scale, picture.width), min(HEIGHT * scale, picture.height)
    left, top = (picture.width - width) * keep, (picture.height - height) * keep
    return picture.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS, box=(left, top, left + width, top + height))


def changes(native: tuple[int, int]) -> str:
    """What `cover` did to a picture of this size."""
    width, height = native
    verb = "scaled" if width * HEIGHT == height * WIDTH else "cropped and scaled"
    return f"{verb} from {width}x{height} to {WIDTH}x{HEIGHT}"


def encode(picture: Image.Image, smooth: bool) -> bytes:
    """JPEG, in one pass from top to bottom, which takes a third of the time to decode.

    Slow gradients keep their colours at full resolution: red and blue edges smear at half of it. Leaves and stones hide
    that, and what a lower quality does.
    """
    options = {"quality": 90, "subsampling": "4:4:4"} if smooth else {"quality": 85, "subsampling": "4:2:0"}
    buffer = BytesIO()
    picture.save(buffer, "JPEG", optimize=True, **options)
    if buffer.tell() > MAX_BYTES:
        raise SystemExit(f"a picture takes {buffer.tell()} bytes, expected at most {MAX_BYTES}")
    return buffer.getvalue()


def entry(identifier: str, data: bytes, **about: str | bool) -> dict:
    file = FOLDER / f"{identifier}.jpg"
    file.write_bytes(data)
    print(f"{file.name}: {len(data) // 1000} kB")
    return {
        "id": identifier,
        "file": file.name,
        "sha256": hashlib.sha256(data).hexdigest(),
        **about,
        "default": True,
        "share_alike": False,
    }


def packaged(picture: Picture) -> dict:
    if picture.file.endswith(".jxl"):
        # Pillow opens JPEG XL once this is imported; nothing else needs it.
        import pillow_jxl  # noqa: F401
    with Image.open(picture.package.pictures() / picture.file) as opened:
        native, whole = opened.size, cover(opened.convert("RGB"), picture.keep)
    listed = entry(
        picture.id,
        encode(whole, picture.smooth),
        title=picture.title,
        author=picture.author,
        source=f"Debian {picture.package.name} {picture.package.version}",
        licence=picture.licence,
        changes=changes(native),
    )
    return listed | {"photograph": True} if picture.photograph else listed


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    entries = [packaged(picture) for picture in PICTURES]
    for identifier, (title, draw) in DRAWINGS.items():
        entries.append(
            entry(
                identifier,
                encode(Image.fromarray(draw()), smooth=True),
                title=title,
                author="windesk contributors",
                source="scripts/assets/draw_wallpapers.py",
                licence="MIT OR Apache-2.0",
                changes="none",
            )
        )
    (FOLDER / "wallpapers.json").write_text(json.dumps(entries, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
