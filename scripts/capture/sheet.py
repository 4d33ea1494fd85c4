"""Contact sheets: each capture of a pack with its boxes drawn, to be looked at."""

import json
from pathlib import Path

from PIL import Image, ImageDraw

COLOURS = {
    "push button": (220, 0, 0),
    "toggle button": (220, 0, 120),
    "menu": (0, 110, 220),
    "menu item": (0, 110, 220),
    "page tab": (160, 0, 200),
    "label": (0, 150, 0),
    "entry": (230, 120, 0),
    "text": (230, 120, 0),
    "table cell": (0, 150, 170),
    "list item": (0, 150, 170),
    "check box": (200, 100, 0),
    "panel": (150, 150, 150),
    "separator": (150, 150, 150),
}
OTHER = (90, 90, 200)
COLUMNS = 2


def draw(pack: Path, picture: Path, only: list[str] | None, width: int) -> None:
    tiles = []
    for folder in sorted((pack / "windows").iterdir()):
        if only and folder.name not in only:
            continue
        paths = sorted(path for path in folder.glob("*.json") if path.name != "program.json")
        tiles += [_tile(folder, json.loads(path.read_text(encoding="utf-8")), width) for path in paths]
    rows = [tiles[i : i + COLUMNS] for i in range(0, len(tiles), COLUMNS)]
    heights = [max(t.height for t in row) for row in rows]
    sheet = Image.new("RGB", (COLUMNS * (width + 8), sum(heights) + 8 * len(rows)), (120, 130, 140))
    y = 0
    for row, height in zip(rows, heights, strict=True):
        for column, tile in enumerate(row):
            sheet.paste(tile, (column * (width + 8), y))
        y += height + 8
    sheet.save(picture)


def _tile(folder: Path, capture: dict, width: int) -> Image.Image:
    with Image.open(folder / capture["image"]["file"]) as picture:
        window = picture.convert("RGBA")
    tile = Image.new("RGB", (window.width, window.height + 14), (170, 190, 210))
    tile.paste(window, (0, 14), window)
    pen = ImageDraw.Draw(tile)
    for element in capture["elements"]:
        x0, y0, x1, y1 = element["bbox"]
        colour = COLOURS.get(element["role"], OTHER)
        pen.rectangle((x0, y0 + 14, x1 - 1, y1 + 13), outline=colour)
    for popup in capture["popups"]:
        x0, y0, x1, y1 = popup["rect"]
        pen.rectangle((x0, y0 + 14, x1 - 1, y1 + 13), outline=(255, 0, 255))
    pen.text((2, 1), f"{capture['id']}  {capture['kind']}  {len(capture['elements'])} elements", fill=(0, 0, 0))
    if tile.width > width:
        tile = tile.resize((width, tile.height * width // tile.width), Image.LANCZOS)
    return tile
