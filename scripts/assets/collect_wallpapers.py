"""Build `wallpapers`: pictures from a Debian package and the project's own drawings, with `wallpapers.json`.

    python scripts/assets/collect_wallpapers.py

Only CC0 and CC-BY pictures are taken: share-alike ones would make every scene share-alike.
"""

import hashlib
import json
from io import BytesIO
from pathlib import Path

from PIL import Image

from draw_wallpapers import DRAWINGS
from fetch_packages import debian_package
from wallpaper_art.canvas import HEIGHT, WIDTH

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "wallpapers"
PACKAGE, VERSION = "lomiri-wallpapers-16.04", "20.04.0-2"
MAX_BYTES = 560_000

# (id, file in the package, title, author, licence, which part to keep: 0 = top or left, 1 = bottom or right).
# Authors and licences are those of the package's copyright file.
PHOTOS = [
    ("seeding", "seeding_by_Clements_Engelhardt.jpg", "Seeding", "Clemens Engelhardt", "CC0-1.0", 0.5),
    ("aitzgorri", "aitzgorri_by_Aitzol_Berasategi.jpg", "Aitzgorri", "Aitzol Berasategi", "CC-BY-4.0", 0.4),
    (
        "picosdeeuropa",
        "picosdeeuropa_by_Aitzol_Berasategi.jpg",
        "Picos de Europa",
        "Aitzol Berasategi",
        "CC-BY-4.0",
        0.25,
    ),
    ("sunset", "sunset_by_Aitzol_Berasategi.jpg", "Sunset", "Aitzol Berasategi", "CC-BY-4.0", 0.5),
    ("umang", "umang_by_Abhishek_Mudgal.jpg", "Umang", "Abhishek Mudgal", "CC-BY-4.0", 0.5),
    ("fig", "Picture_0B_by_freespace.jpg", "Picture 0B", 'Trevor "Freespace"', "CC-BY-4.0", 0.45),
]
SMOOTH_PHOTOS = {"umang"}


def cover(picture: Image.Image, keep: float) -> Image.Image:
    """Scale and cut to the wallpaper's size without distortion."""
    scale = min(picture.width / WIDTH, picture.height / HEIGHT)
    # Rounding may exceed the picture by a hair, which resize refuses.
    width, height = min(WIDTH * scale, picture.width), min(HEIGHT * scale, picture.height)
    left, top = (picture.width - width) * keep, (picture.height - height) * keep
    return picture.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS, box=(left, top, left + width, top + height))


def encode_photograph(picture: Image.Image) -> tuple[str, bytes]:
    """WebP at the first quality that fits: leaves and stones hide what a lower one does."""
    return "webp", first_that_fits(picture, (92, 88, 84, 80, 76), {"format": "WEBP", "method": 6})


def encode_gradient(picture: Image.Image) -> tuple[str, bytes]:
    """JPEG, for slow gradients: lossy WebP smooths their grain away, has fewer levels, and so shows bands.

    Colour is kept at full resolution: red and blue edges smear at half of it.
    """
    return "jpg", first_that_fits(
        picture, (90,), {"format": "JPEG", "subsampling": 0, "optimize": True, "progressive": True}
    )


def first_that_fits(picture: Image.Image, qualities: tuple[int, ...], options: dict) -> bytes:
    for quality in qualities:
        buffer = BytesIO()
        picture.save(buffer, quality=quality, **options)
        if buffer.tell() <= MAX_BYTES:
            return buffer.getvalue()
    raise SystemExit(f"a picture takes {buffer.tell()} bytes at quality {quality}, expected at most {MAX_BYTES}")


def entry(identifier: str, encoded: tuple[str, bytes], **about: str) -> dict:
    extension, data = encoded
    for old in FOLDER.glob(f"{identifier}.*"):
        old.unlink()
    file = FOLDER / f"{identifier}.{extension}"
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


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    backgrounds = debian_package(PACKAGE, VERSION) / "usr/share/backgrounds"
    entries = []
    for identifier, file, title, author, licence, keep in PHOTOS:
        with Image.open(backgrounds / file) as photo:
            picture = cover(photo.convert("RGB"), keep)
        encode = encode_gradient if identifier in SMOOTH_PHOTOS else encode_photograph
        entries.append(
            entry(
                identifier,
                encode(picture),
                title=title,
                author=author,
                source=f"Debian {PACKAGE} {VERSION}",
                licence=licence,
                changes=f"cropped and scaled to {WIDTH}x{HEIGHT}",
            )
        )
    for identifier, (title, draw) in DRAWINGS.items():
        entries.append(
            entry(
                identifier,
                encode_gradient(Image.fromarray(draw())),
                title=title,
                author="windesk contributors",
                source="scripts/assets/draw_wallpapers.py",
                licence="MIT OR Apache-2.0",
                changes="none",
            )
        )
    (FOLDER / "wallpapers.json").write_text(json.dumps(entries, indent=1) + "\n")


if __name__ == "__main__":
    main()
