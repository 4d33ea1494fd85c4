import gzip
import json
import xml.etree.ElementTree as ET
from collections import Counter

import numpy as np
import pytest

from builders import capture_record, element_record
from capture import statistics
from capture.files import write_json


@pytest.fixture
def pack(tmp_path):
    """Two programs, a twin, and an index of four targets with three texts."""
    captures = [
        capture_record("main"),
        capture_record("main-dark", dark=True, variant_of="editor/main"),
        capture_record("dialog-a", kind="dialog", elements=[element_record(0, role="entry", name="")]),
        capture_record("main", "game", inactive={"file": "x"}, popups=[{"rect": [0, 0, 1, 1], "kind": "menu"}]),
    ]
    for capture in captures:
        capture["session"] = "gnome-dark" if capture["dark"] else "gnome-light"
    for program, category in (("editor", "Productivity"), ("game", "Gaming")):
        folder = tmp_path / "windows" / program
        folder.mkdir(parents=True)
        write_json(folder / "program.json", {"id": program, "category": category})
        for capture in captures:
            if capture["id"].startswith(program):
                write_json(folder / f"{capture['id'].split('/')[1]}.json", capture)
    step = {"from": "editor/main", "to": "editor/dialog-a"}
    (tmp_path / "windows" / "editor" / "transitions.jsonl").write_text(json.dumps(step) + "\n")
    index = tmp_path / "index"
    index.mkdir()
    (index / "index.json").write_text(json.dumps({"texts": 3, "neighbours": 2}))
    with gzip.open(index / "targets.jsonl.gz", "wt") as lines:
        lines.writelines(json.dumps({"text": text}) + "\n" for text in (0, 1, 2, 0))
    np.array([[100, 0], [0, 100], [60, 80]], np.int8).tofile(index / "vectors.i8")
    none = statistics.NO_NEIGHBOUR
    neighbours = np.array([[3, 2], [2, none], [1, 0], [0, none]], "<u4")
    (index / "neighbours.u32.gz").write_bytes(gzip.compress(neighbours.tobytes()))
    return tmp_path


def rows(text, first):
    line = next(line for line in text.splitlines() if line.startswith(f"| {first} |"))
    return [cell.strip() for cell in line.strip("|").split("|")][1:]


def test_the_tables(pack, tmp_path):
    text = statistics.statistics(pack, tmp_path / "plots")
    # Programs, captures, twins, open popup, dialogs, inactive picture, elements, named interactive.
    assert rows(text, "Productivity") == ["1", "2", "1", "0", "1", "0", "3", "2"]
    assert rows(text, "Gaming") == ["1", "1", "0", "1", "0", "1", "2", "2"]
    assert rows(text, "all") == ["2", "3", "1", "1", "1", "1", "5", "4"]
    # Programs, captures, open popup, dialogs, maximised, snapped.
    assert rows(text, "gnome-light") == ["2", "3", "1", "1", "0", "0"]
    assert rows(text, "gnome-dark") == ["1", "1", "0", "0", "0", "0"]
    assert rows(text, "transitions") == ["1"]
    assert rows(text, "xfwm4-Yaru, light") == ["3", "75.0 %"]
    assert rows(text, "push button") == ["4", "80.0 %"]


def test_similarity_by_rank(pack):
    ranks = statistics.similarity_by_rank(pack)
    assert [rank for rank, _ in ranks] == [1, 2]
    # Cosines 1, 0.8, 0.8, 1 at the first rank, and 0.6 twice at the second, where two targets have no neighbour.
    assert ranks[0][1].tolist() == pytest.approx([0.8, 0.9, 1.0])
    assert ranks[1][1].tolist() == pytest.approx([0.6, 0.6, 0.6])


def test_the_plots_are_svg(pack, tmp_path):
    statistics.statistics(pack, tmp_path / "plots")
    plots = sorted((tmp_path / "plots").iterdir())
    assert [p.name for p in plots] == [
        "pack-elements.svg",
        "pack-similarity.svg",
        "pack-target-sides.svg",
        "pack-window-areas.svg",
    ]
    for plot in plots:
        assert ET.parse(plot).getroot().tag.endswith("svg")


def test_a_histogram_counts_by_class(tmp_path):
    statistics.histogram(tmp_path / "a.svg", "Sides", [1, 11, 12, 500], (0, 12, 100, 10**6))
    drawn = ET.parse(tmp_path / "a.svg").getroot()
    texts = [e.text for e in drawn.iter() if e.tag.endswith("text")]
    assert texts == ["Sides", "2", "0-12", "1", "12-100", "1", "100+"]
    heights = [float(e.get("height")) for e in drawn.iter() if e.tag.endswith("rect")][1:]
    assert heights == [140, 70, 70]


def test_tables_are_markdown():
    assert (
        statistics.table(("a", "b"), [("x", 12345), ("y", 0.5)])
        == "| a | b |\n| --- | ---: |\n| x | 12,345 |\n| y | 0.5 |"
    )


def test_shares_name_the_most_frequent():
    text = statistics.shares("role", Counter(link=3, button=6, icon=1), 10, 2)
    assert text.splitlines()[2:] == ["| button | 6 | 60.0 % |", "| link | 3 | 30.0 % |"]
