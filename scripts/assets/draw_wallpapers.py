"""Draw the project's own wallpapers.

    python scripts/assets/draw_wallpapers.py FOLDER [NAME ...]

writes them as PNG files to look at; `collect_wallpapers.py` puts them into the pack.
"""

import sys
from pathlib import Path

from PIL import Image

from wallpaper_art import gradients, landscapes, lines, ribbons

# id -> (title, function that returns the 8-bit picture)
DRAWINGS = {
    "blue_ribbons": ("Blue Ribbons", ribbons.blue_ribbons),
    "ember_fan": ("Ember Fan", ribbons.ember_fan),
    "pastel_morning": ("Pastel Morning", gradients.pastel_morning),
    "deep_lagoon": ("Deep Lagoon", gradients.deep_lagoon),
    "northern_lights": ("Northern Lights", landscapes.northern_lights),
    "evening_bokeh": ("Evening Bokeh", gradients.evening_bokeh),
    "misty_hills": ("Misty Hills", landscapes.misty_hills),
    "red_dunes": ("Red Dunes", landscapes.red_dunes),
    "night_lake": ("Night Lake", landscapes.night_lake),
    "paper_contours": ("Paper Contours", lines.paper_contours),
    "slate_contours": ("Slate Contours", lines.slate_contours),
    "crystal_facets": ("Crystal Facets", lines.crystal_facets),
    "quiet_circles": ("Quiet Circles", gradients.quiet_circles),
}


def main() -> None:
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    names = sys.argv[2:] or list(DRAWINGS)
    for name in names:
        if name not in DRAWINGS:
            raise SystemExit(f"no drawing named {name!r}; there are: {', '.join(DRAWINGS)}")
        Image.fromarray(DRAWINGS[name][1]()).save(folder / f"{name}.png", compress_level=1)


if __name__ == "__main__":
    main()
