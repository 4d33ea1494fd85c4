"""The audit of boxes, on captures with known faults."""

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from builders import capture_record, element_record, write_capture
from capture.audit import names, neighbours
from capture.audit.page import open_page

FONTS = Path(__file__).parents[2] / "assets" / "fonts"


def page_with(folder, elements, texts=()):
    picture = Image.new("RGBA", (300, 200), (250, 250, 250, 255))
    font = ImageFont.truetype(str(FONTS / "Inter-Regular.ttf"), 13)
    for at, text in texts:
        ImageDraw.Draw(picture).text(at, text, (30, 30, 30, 255), font=font)
    record = capture_record("main", elements=elements)
    record["image"]["size"] = [300, 200]
    return open_page(write_capture(folder, record, np.asarray(picture)))


def test_a_name_that_is_not_written_is_suspicious(tmp_path):
    words = ["Documents", "Downloads", "Pictures", "Templates", "Projects"]
    elements = [
        element_record(i, role="list item", name=word, bbox=[20, 10 + 30 * i, 200, 34 + 30 * i])
        for i, word in enumerate(words)
    ]
    texts = [((30, 14 + 30 * i), word if word != "Templates" else "17 items") for i, word in enumerate(words)]
    found = list(names.unwritten(page_with(tmp_path, elements, texts), FONTS))
    assert [s.element for s in found] == ["e3"]
    assert "'Templates' is not written in it" in found[0].reason


def test_cells_that_reach_into_each_other_are_suspicious(tmp_path):
    cells = [
        element_record(0, role="table cell", bbox=[0, 0, 100, 20]),
        element_record(1, role="table cell", bbox=[70, 0, 200, 20]),
        element_record(2, role="table cell", bbox=[0, 20, 100, 40]),
    ]
    assert {s.element for s in neighbours.overlapping(page_with(tmp_path, cells))} == {"e0", "e1"}
