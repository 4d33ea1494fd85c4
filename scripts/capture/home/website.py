"""A small web site for the browsers, in Public/site: pages from text/site with scaled copies of the pictures."""

import pathlib
import shutil

from PIL import Image

TEXT = pathlib.Path(__file__).parent / "text/site"
IMAGES = {
    "harbour.jpg": "Harbour at dusk.png",
    "meadow.jpg": "Orchard in May.png",
    "hills.jpg": "Norrhaven 2026/Lighthouse walk.jpg",
    "still.jpg": "Garden/Apples and plums.jpg",
}


def make(home: pathlib.Path) -> None:
    folder = home / "Public/site"
    shutil.copytree(TEXT, folder, dirs_exist_ok=True)
    for name, picture in IMAGES.items():
        with Image.open(home / "Pictures" / picture) as image:
            image.thumbnail((960, 640))
            image.save(folder / name, quality=86)
