"""Text documents: the HTML in the persona's folder documents becomes odt, docx and pdf; plain texts are copied."""

import pathlib
import shutil

import office
from persona import Persona


def make(home: pathlib.Path, persona: Persona) -> None:
    facts = persona.parts["documents"]
    for source, place in facts["plain"]:
        target = home / place
        target.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(persona.folder / source, target / pathlib.Path(source).name)
    for folder, place in facts["folders"]:
        shutil.copytree(persona.folder / folder, home / place, dirs_exist_ok=True)
    for name, extension, place in facts["office"]:
        office.convert(persona.folder / "documents" / f"{name}.html", extension, home / place, reader="writer")
