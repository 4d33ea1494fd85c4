"""Letters that a page of a pack has, from its lines and its atlas. Nothing here touches the screen."""

import numpy as np

from .letters import UNITS, Colour, Letter, Letters, Raster


def of_page(lines: list[dict], atlas: np.ndarray | None) -> dict[str, Letters]:
    """By name. `atlas`: RGBA."""
    pairs = lines[0]["inactive"].get("pairs", [])
    faded = {_colour(active): _colour(inactive) for active, inactive in pairs}
    return {line["id"]: _letters(line, atlas, faded) for line in lines if line["line"] == "glyphs"}


def rasters(lines: list[dict], sets: dict[str, Letters]) -> dict[str, Raster]:
    """Where the letters of each name are drawn: as in the first field that has them."""
    out = {}
    for line in lines:
        text = line["line"] == "control" and line.get("text")
        if text and text["glyphs"] in sets:
            own = sets[text["glyphs"]]
            out.setdefault(text["glyphs"], Raster(own.parts, own.phases, text.get("shift", 0)))
    return out


def _letters(line: dict, atlas: np.ndarray, faded: dict[Colour, Colour]) -> Letters:
    phases, out, colour = line.get("phases", 1), {}, (0, 0, 0)
    for glyph in line["glyphs"]:
        letter = Letter(glyph["advance"], *glyph["bearing"])
        if glyph["size"]:
            (x, y), (wide, high) = glyph["at"], glyph["size"]
            picture = atlas[y : y + high, x : x + wide * phases]
            letter.cover = picture[..., 3].copy()
            row, column = np.argwhere(letter.cover)[0]
            colour = tuple(int(v) for v in picture[row, column, :3])
        out[glyph["letter"]] = letter
    kerning = {(a, b): by for a, b, by in line.get("kerning", ())}
    return Letters(out, kerning, colour, faded.get(colour, colour), line.get("parts", UNITS), phases)


def _colour(text: str) -> Colour:
    return tuple(int(text[at : at + 2], 16) for at in (1, 3, 5))
