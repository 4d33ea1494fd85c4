"""A small web site for the browsers, in Public/site: the persona's pages with scaled copies of its pictures."""

import pathlib
import shutil

from PIL import Image

from persona import Persona


def make(home: pathlib.Path, persona: Persona) -> None:
    folder = home / "Public/site"
    shutil.copytree(persona.folder / "site", folder, dirs_exist_ok=True)
    for name, picture in persona.parts["website"]["images"]:
        with Image.open(home / "Pictures" / picture) as image:
            image.thumbnail((960, 640))
            image.save(folder / name, quality=86)
