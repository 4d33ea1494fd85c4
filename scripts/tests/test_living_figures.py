"""Living pages in figures: what is counted of walks and of a pack."""

import json

import pytest

from capture.files import write_json
from capture.living import figures
from capture.living.figures import Count, Walked


def report(*seeds, program="editor", right=(True, True, False), changed=(True, False, True)):
    events = [
        {"walk": seed, "changed": c, "right": r, "modelled": True, "states": r, "picture": r}
        for seed in seeds
        for r, c in zip(right, changed, strict=True)
    ]
    return [{"program": program, "session": "gnome-light", "events": events, "failures": []}]


def test_walks_add_up():
    told = [Walked("editor", "gnome-light", 1.5, 4, Count(30, 36))]
    figures.add(told, report(7, 8))
    assert told == [Walked("editor", "gnome-light", 1.5, 6, Count(32, 40), [7, 8], Count(4, 6))]
    with pytest.raises(ValueError, match="counted before"):
        figures.add(told, report(8))
    figures.add(told, report(8), anew=True)
    assert told == [Walked("editor", "gnome-light", 1.5, 1, Count(1, 2), [8], Count(2, 3))]
    figures.add(told, report(1, program="other") + report())
    assert [w.program for w in told] == ["editor", "other"]


def test_walks_are_kept(tmp_path):
    told = [Walked("b", "gnome-light", 1.5, 2, Count(3, 4), [7], Count(5, 6)), Walked("a", "kde-light", 0.5)]
    figures.write(told, tmp_path / "walks.jsonl")
    assert figures.read(tmp_path / "walks.jsonl") == [told[1], told[0]]


@pytest.fixture
def pack(tmp_path):
    """A program with a living page, the window that opens from it, and one that nothing leads to."""
    folder = tmp_path / "windows" / "editor"
    folder.mkdir(parents=True)
    write_json(folder / "program.json", {"id": "editor", "name": "Editor", "toolkit": "gtk 3.24.38"})
    lines = [
        {"line": "page", "coverage": {"elements": 4, "known": 3}},
        {"line": "control"},
        {"line": "patch", "areas": [{}], "verified": True},
        {"line": "patch", "elements": [{}]},
        {"line": "patch", "areas": [], "verified": True},
    ]
    (folder / "page.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    for name, living in (("live-a", {"file": "page.jsonl", "atlas": {"file": "atlas.webp"}}), ("b", None), ("c", None)):
        capture = {"id": f"editor/{name}", "session": "gnome-light", "image": {"file": f"{name}.webp"}}
        write_json(folder / f"{name}.json", {**capture, "inactive": None, "living": living})
        (folder / f"{name}.webp").write_bytes(bytes(2048))
    (folder / "atlas.webp").write_bytes(bytes(4096))
    steps = [
        {"element": "e1", "outcomes": [{"kind": "window", "to": "editor/b"}]},
        {"element": "e2", "outcomes": [{"kind": "unmodelled"}]},
        {"element": "e3", "outcomes": [{"kind": "value", "to": "b"}]},
        {"element": "e3", "when": {"x": 1}, "outcomes": [{"kind": "inert"}]},
    ]
    told = ({"from": "editor/live-a", "action": "click", **step} for step in steps)
    (folder / "transitions.jsonl").write_text("".join(json.dumps(step) + "\n" for step in told))
    return tmp_path


def test_the_table(pack):
    told = [Walked("editor", "gnome-light", 1.5, 4, Count(30, 36), [7], Count(9, 10))]
    rows = [line.strip("| ").split(" | ") for line in figures.living_table(pack, told).splitlines()]
    shares = ["30 of 36, 83.3 % (68.1 to 92.1)", "9 of 10, 90.0 % (59.6 to 98.2)"]
    own = ["1", "1", "2 (1)", "2", "3 of 4", "4", *shares, "8", "1.5"]
    assert rows[0] == list(figures.HEAD)
    assert set(rows[1][:2]) == {"---"}
    assert rows[2] == ["editor, gnome-light", "GTK 3", *own]
    assert rows[3] == ["1 of GTK 3", "GTK 3", *own]
    assert [cell.strip() for cell in rows[4]] == ["all 1", "", *own]


def test_toolkits(tmp_path):
    for name, toolkit, told in (
        ("LibreOffice Calc", "gtk 3.24.38", "LibreOffice"),
        ("KMines", "Qt 5.15.8", "Qt 5"),
        ("Calculator", "GTK 4.8.3", "GTK 4"),
        ("Orthanc", "Chromium 1.0", "Chromium"),
    ):
        write_json(tmp_path / "program.json", {"name": name, "toolkit": toolkit})
        assert figures.toolkit(tmp_path) == told


def test_a_table_in_a_document():
    head = "| program | toolkit | pages | controls | KiB |"
    assert figures.replaced(f"Before\n\n{head}\n| a |\n\nAfter\n", "| b |") == "Before\n\n| b |\n\nAfter\n"
