"""The capture tools' command line, with sessions that did not run."""

import json
import sys

import numpy as np
import pytest
from PIL import Image

from builders import capture_record, write_capture
from capture import __main__ as cli
from capture import programs


def run(monkeypatch, *words):
    monkeypatch.setattr(sys, "argv", ["capture", *map(str, words)])
    return cli.main()


def test_list(monkeypatch, capsys):
    assert run(monkeypatch, "list") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == programs.all_ids()
    assert "  ".join(lines[0].split()).startswith("abiword  Productivity")


def test_a_fault_of_a_recipe_is_told(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(cli.sandbox, "demo_home", lambda *_: None)
    assert run(monkeypatch, "desktops", "--session", "none", "--out", tmp_path) == 1
    assert "capture: desktops.toml: session `none`" in capsys.readouterr().err


def test_sheet(monkeypatch, tmp_path):
    folder = tmp_path / "windows" / "editor"
    for name in ("main", "dialog-a", "tab-b"):
        write_capture(folder, capture_record(name))
    (folder / "program.json").write_text("{}")
    assert run(monkeypatch, "sheet", tmp_path, tmp_path / "sheet.png", "--width", 150) == 0
    with Image.open(tmp_path / "sheet.png") as sheet:
        # Two columns; each picture is 114 high with its caption, drawn at three quarters.
        assert sheet.size == (2 * 158, 2 * (114 * 150 // 200 + 8))
        pixels = np.asarray(sheet.convert("RGB")).astype(int)
    red = (pixels[..., 0] > 150) & (pixels[..., 1:].max(axis=2) < 90)
    assert red.any(), "the boxes of buttons are drawn in red"


def test_clean_and_prune_print_what_goes(monkeypatch, capsys, tmp_path):
    folder = tmp_path / "windows" / "thunar"
    write_capture(folder, capture_record("main", "thunar"))
    write_capture(folder, capture_record("tab-b", "thunar"))
    (folder / "transitions.jsonl").write_text("")
    assert run(monkeypatch, "clean", tmp_path) == 0
    assert capsys.readouterr().out == "thunar/tab-b: repeats another capture\n"
    assert run(monkeypatch, "prune", tmp_path) == 0
    assert capsys.readouterr().out == "\n"


def sessions(monkeypatch, tmp_path, report):
    """Stands in for the sandbox: each session leaves this report."""
    ran = []

    def session(module, program_id, look, *arguments, **_):
        ran.append((module, program_id, look.name, *arguments))
        (tmp_path / "report.json").write_text(json.dumps(report))
        return tmp_path

    monkeypatch.setattr(cli.sandbox, "demo_home", lambda *_: None)
    monkeypatch.setattr(cli.sandbox, "run", session)
    return ran


EMPTY = {"states": [], "transitions": [], "failures": ["main: too few\nlast line"], "seconds": 3}


def test_a_run_without_captures_fails_and_says_why(monkeypatch, capsys, tmp_path):
    ran = sessions(monkeypatch, tmp_path, EMPTY)
    assert run(monkeypatch, "run", "--program", "thunar", "--out", tmp_path / "pack") == 2
    looks = programs.load("thunar").looks
    assert [look for _, _, look, *_ in ran] == list(looks)
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == ["thunar", "0", "0", "0", "0", str(3 * len(looks)), "0", str(len(looks))]
    assert lines[2] == "    last line"


def test_a_program_of_the_pack_is_skipped(monkeypatch, tmp_path):
    ran = sessions(monkeypatch, tmp_path, EMPTY)
    (tmp_path / "pack" / "windows" / "thunar").mkdir(parents=True)
    (tmp_path / "pack" / "windows" / "thunar" / "program.json").write_text("{}")
    words = ("run", "--program", "thunar", "--out", tmp_path / "pack")
    assert run(monkeypatch, *words) == 0
    assert ran == []
    run(monkeypatch, *words, "--again", "--look", "arc")
    assert ran == [("session", "thunar", "arc", "all", "")]


def test_adding_tells_the_session_what_the_pack_has(monkeypatch, tmp_path):
    ran = sessions(monkeypatch, tmp_path, EMPTY)
    folder = tmp_path / "pack" / "windows" / "thunar"
    first = programs.load("thunar").looks[0]
    for name in ("main", "menu-edit"):
        write_capture(folder, capture_record(name, "thunar"))
    (folder / "program.json").write_text("{}")
    (folder / "transitions.jsonl").write_text("")
    run(monkeypatch, "run", "--program", "thunar", "--settings", "--out", tmp_path / "pack")
    assert ran == [("session", "thunar", first, "settings", "main,menu-edit")]


@pytest.mark.parametrize(("least", "code"), [(0.5, 0), (0.7, 2)])
def test_clicks_are_counted_by_toolkit(monkeypatch, capsys, tmp_path, least, code):
    results = [
        {"role": "link", "name": str(i), "box": [0] * 4, "reaction": r}
        for i, r in enumerate(["drawn", "none", "window"])
    ]
    ran = sessions(monkeypatch, tmp_path, {"toolkit": "gtk 3", "results": results})
    assert run(monkeypatch, "check", "--program", "thunar", "--clicks", 3, "--least", least) == code
    assert ran[0][0] == "click_check"
    assert ran[0][3] == "3"
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["gtk", "3", "2", "of", "3", "reacted"]
    assert "none: thunar: link '1'" in lines[1]
