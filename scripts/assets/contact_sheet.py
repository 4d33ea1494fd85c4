"""Draw all icons of an icon list with their names, to look at them.

    python scripts/assets/contact_sheet.py LIST.json SHEET.png [SIZE]

LIST.json is `icons.json` (files beside it) or a library of `probe/` (drawings inside it); SIZE is
the edge of an icon in pixels.
"""

import io
import json
import sys
from pathlib import Path

import resvg_py
from PIL import Image, ImageDraw

COLUMNS, MARGIN, CAPTION = 16, 18, 16


def icons_of(list_file: Path) -> list[tuple[str, str]]:
    """(caption, SVG text) of every icon."""
    value = json.loads(list_file.read_text())
    if isinstance(value, dict):
        return [(icon["name"], icon["svg"]) for icon in value["icons"]]
    return [(icon["id"], (list_file.parent / icon["file"]).read_text()) for icon in value]


def rendered(svg: str, size: int) -> Image.Image:
    png = bytes(resvg_py.svg_to_bytes(svg_string=svg, width=size, height=size))
    with Image.open(io.BytesIO(png)) as picture:
        return picture.convert("RGBA")


def main() -> None:
    if len(sys.argv) not in (3, 4):
        raise SystemExit(__doc__)
    size = int(sys.argv[3]) if len(sys.argv) == 4 else 64
    icons = icons_of(Path(sys.argv[1]))
    cell = (size + 2 * MARGIN, size + MARGIN + CAPTION)
    sheet = Image.new("RGB", (COLUMNS * cell[0], -(-len(icons) // COLUMNS) * cell[1]), "#eef1f5")
    pen = ImageDraw.Draw(sheet)
    for index, (caption, svg) in enumerate(icons):
        x, y = index % COLUMNS * cell[0], index // COLUMNS * cell[1]
        icon = rendered(svg, size)
        sheet.paste(icon, (x + MARGIN, y + MARGIN // 2), icon)
        pen.text((x + 3, y + MARGIN // 2 + size + 2), caption[: cell[0] // 6], fill="black")
    sheet.save(sys.argv[2])


if __name__ == "__main__":
    main()
