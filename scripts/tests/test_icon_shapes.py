import tomllib
import xml.etree.ElementTree as ET

import pytest

import collect_icons
from icon_shapes import SHAPES, Glyph, shaped
from svg_cleaning import as_text, cleaned

GLYPH = Glyph('<path d="M0 0h24v24z" />', 0, 0, 24)
BLUE = ["#3355ff", "#112299"]


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_is_a_drawing_of_48_pixels(shape):
    text = shaped(shape, BLUE, GLYPH)
    root = ET.fromstring(text)
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("48", "48", "0 0 48 48")
    assert text.count('d="M0 0h24v24z"') == 1
    assert "#3355ff" in text
    assert text.endswith("</svg>\n")


def test_plain_folders_are_those_of_the_pack():
    lists = tomllib.loads((collect_icons.LISTS / "desktop.toml").read_text())
    plain = {identifier: row for identifier, row in lists.items() if "from" not in row}
    assert plain
    for identifier, row in plain.items():
        assert collect_icons.drawing(row)[0] == (collect_icons.FOLDER / f"{identifier}.svg").read_text()


def test_every_icon_of_the_pack_is_clean():
    icons = sorted(collect_icons.FOLDER.glob("*.svg"))
    assert icons
    for icon in icons:
        text = icon.read_text()
        # Whatever the spelling: cleaning finds nothing to take away.
        assert ET.canonicalize(as_text(cleaned(text, icon.name))) == ET.canonicalize(text.strip())


def test_a_folder_needs_no_glyph():
    assert "transform" not in shaped("folder", BLUE, None)
    assert "transform" in shaped("folder", BLUE, GLYPH)


def test_a_glyph_is_scaled_to_its_place():
    placed = Glyph("<g />", -2, 4, 20).placed(10, 20, 40, "#fff", ' id="x"')
    assert placed == '<g fill="#fff" id="x" transform="translate(14 12) scale(2)"><g /></g>'
