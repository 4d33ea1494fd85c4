"""Text documents: the HTML under text/documents becomes odt, docx and pdf; notes and recipes are copied as they are."""

import pathlib
import shutil

import office

TEXT = pathlib.Path(__file__).parent / "text"

# (source, format, place in the home). A mixture of formats, as real folders have.
OFFICE = [
    ("Garden report", "odt", "Documents"),
    ("Garden report", "pdf", "Documents"),
    ("Letter to the council", "odt", "Documents"),
    ("Boiler manual", "pdf", "Documents"),
    ("Workshop invitation", "docx", "Documents"),
    ("Curriculum vitae", "odt", "Documents"),
    ("Travel plan Norrhaven", "docx", "Documents/Travel"),
    ("Travel plan Norrhaven", "pdf", "Documents/Travel"),
    ("Workshop invitation", "pdf", "Downloads"),
]
PLAIN = [
    ("notes/Meeting notes.md", "Documents"),
    ("notes/Reading list.md", "Documents"),
    ("notes/Shopping.txt", "Desktop"),
    ("notes/opening-hours-v1.txt", "Documents/Drafts"),
    ("notes/opening-hours-v2.txt", "Documents/Drafts"),
]


def make(home: pathlib.Path) -> None:
    for source, place in PLAIN:
        target = home / place
        target.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(TEXT / source, target / pathlib.Path(source).name)
    recipes = home / "Documents/Recipes"
    recipes.mkdir(parents=True, exist_ok=True)
    for source in sorted((TEXT / "recipes").iterdir()):
        shutil.copyfile(source, recipes / source.name)
    for name, extension, place in OFFICE:
        office.convert(TEXT / "documents" / f"{name}.html", extension, home / place, reader="writer")
