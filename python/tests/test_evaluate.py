"""Scores are those of the command line."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import windesk


def test_scores(pack: windesk.Pack) -> None:
    scenes = windesk.Scenes("L4", n=6, pack=pack)
    right = [{"id": sample.targets[0].id, "point": sample.click_point} for sample in scenes]
    wrong = [{"id": sample.targets[0].id, "point": [0, 0]} for sample in scenes]
    found = windesk.evaluate(scenes, {"right": right, "wrong": wrong}, resamples=100)
    assert len(found.report["models"]) == 2
    hits = {model: sum(o["hit"] for o in found.outcomes if o["model"] == model) for model in ("right", "wrong")}
    assert hits == {"right": 6, "wrong": 0}


def test_the_same_as_the_command_line(
    tmp_path: Path, command_line: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    out = tmp_path / "d"
    assert command_line("synth", "--level", "L2", "--n", "4", "--out", out, "--no-sync").returncode == 0
    predictions = tmp_path / "topmost.jsonl"
    assert command_line("predict", out, "--agent", "topmost", "--out", predictions).returncode == 0
    told = command_line("eval", out, predictions, "--report", "json")
    assert windesk.evaluate(out, predictions).report == json.loads(told.stdout)


def test_bad_input(tmp_path: Path, pack: windesk.Pack) -> None:
    with pytest.raises(windesk.WindeskError, match="none"):
        windesk.evaluate(tmp_path / "none", [])
    with pytest.raises(windesk.ConfigError, match="without an end"):
        windesk.evaluate(windesk.Scenes("L1", pack=pack), [])
    scenes = windesk.Scenes("L1", n=1, pack=pack)
    with pytest.raises(windesk.WindeskError, match="protocl"):
        windesk.evaluate(scenes, [], protocl="click")
