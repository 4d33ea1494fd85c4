"""Pictures of pages with the boxes of their controls: look at them."""

from pathlib import Path

from PIL import Image, ImageDraw

from .browser import Browser
from .live_page import LivePage, address_of

COLOURS = {"box": "#e0007f", "core": "#00a000", "part": "#0070e0"}


def sheet(documents: dict, looks: list[bool], folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    for page, document in documents.items():
        for dark in looks:
            browser = Browser()
            try:
                live = LivePage(browser, address_of(document, dark), page.size, page.scale, dark)
                live.load()
                look = live.look()
            finally:
                browser.close()
            picture = Image.fromarray(look.picture)
            pen = ImageDraw.Draw(picture)
            for control in look.controls.values():
                for part in control["parts"]:
                    pen.rectangle(part["box"], outline=COLOURS["part"])
                if not control["whole"] or not control["box"]:
                    print("CUT", page.program, page.name, control["type"], control["id"], control["box"])
                    continue
                pen.rectangle(control["box"], outline=COLOURS["box"], width=page.scale)
                if control["core"]:
                    pen.rectangle(control["core"], outline=COLOURS["core"], width=page.scale)
            picture.save(folder / f"{page.program}-{page.look(dark)}.png")
    return 0
