"""Samples made in Python are those that the command line writes: records, pictures and digests."""

from __future__ import annotations

import io
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import windesk
from PIL import Image

Run = Callable[..., subprocess.CompletedProcess[str]]


def check(command_line: Run, folder: Path, words: list[str], scenes: windesk.Scenes) -> None:
    """Compares a dataset of the command line, made with these words, with scenes."""
    out = folder / "dataset"
    done = command_line(*words, "--out", out, "--no-sync")
    assert done.returncode == 0, done.stderr
    lines = [
        line for part in sorted(out.glob("scenes/*.jsonl")) for line in part.read_bytes().splitlines(keepends=True)
    ]
    plans = [line for part in sorted(out.glob("plans/*.jsonl")) for line in part.read_bytes().splitlines(keepends=True)]
    samples = list(scenes)
    assert len(lines) == len(samples) == len(scenes) > 0
    for line, plan, sample in zip(lines, plans, samples, strict=True):
        assert sample.record_line == line
        assert sample.plan_line == plan
        assert sample.record == json.loads(line)
        picture = (out / sample.record["image"]).read_bytes()
        assert sample.encoded("png") == picture
        assert np.array_equal(sample.image, np.asarray(Image.open(io.BytesIO(picture)).convert("RGB")))
    manifest = json.loads((out / "manifest.json").read_text())
    found = windesk.digests(
        ((Path(s.record["image"]).name, s.encoded("png"), s.record_line) for s in samples), len(scenes.conditions)
    )
    assert found == [(shard["sha256"], shard["images_sha256"]) for shard in manifest["shards"]]
    assert manifest["pack"]["digest"] == scenes.pack.digest


def test_a_level(command_line: Run, tmp_path: Path, pack: windesk.Pack) -> None:
    scenes = windesk.Scenes("L4", n=5, seed=3, pack=pack)
    check(command_line, tmp_path, ["synth", "--level", "L4", "--n", "5", "--seed", "3"], scenes)


def test_all_levels_with_changes(command_line: Run, tmp_path: Path, pack: windesk.Pack) -> None:
    scenes = windesk.Scenes("all", n=2, pack=pack, chrome="none", canvas=(1920, 1080), split="test", balance="role")
    words = "synth --level all --n 2 --chrome none --canvas 1920x1080 --split test --balance role"
    check(command_line, tmp_path, words.split(), scenes)


def test_a_narrow_level(command_line: Run, tmp_path: Path, pack: windesk.Pack) -> None:
    scenes = windesk.Scenes(
        "L2", n=3, pack=pack, distractor__rank=1, ui_type="icon", category=["Browsers", "Communication"]
    )
    words = "synth --level L2 --n 3 --set distractor.rank=1 --ui-type icon --category Browsers,Communication"
    check(command_line, tmp_path, words.split(), scenes)
    assert scenes == windesk.Scenes("L2", n=3, pack=pack, distractor__rank=1).filter(
        ui_type="icon", category=["Browsers", "Communication"]
    )


def test_a_sweep(command_line: Run, tmp_path: Path, pack: windesk.Pack) -> None:
    scenes = windesk.sweep("occlusion", n=1, seed=5, pack=pack)
    assert len(scenes.conditions) > 1
    check(command_line, tmp_path, "sweep occlusion --n 1 --seed 5".split(), scenes)


def test_a_scan(command_line: Run, tmp_path: Path, pack: windesk.Pack) -> None:
    scenes = windesk.sweep("clutter", n=1, pack=pack, list="windows=2,4")
    assert len(scenes) == 2
    check(command_line, tmp_path, "sweep clutter --n 1 --list windows=2,4".split(), scenes)


def test_icons(command_line: Run, tmp_path: Path, pack: windesk.Pack) -> None:
    scenes = windesk.icons("rare", n=3, pack=pack, library="emoji", icons="10..30", size=None)
    check(command_line, tmp_path, "icons --n 3 --library emoji --icons 10..30".split(), scenes)


@pytest.mark.parametrize("form", ["jpeg", "webp"])
def test_other_files(command_line: Run, tmp_path: Path, pack: windesk.Pack, form: str) -> None:
    sample = windesk.Scenes("L1", n=1, pack=pack)[0]
    done = command_line("synth", "--level", "L1", "--n", "1", "--format", form, "--out", tmp_path / "d", "--no-sync")
    assert done.returncode == 0, done.stderr
    (picture,) = (path for path in (tmp_path / "d/images/00000").iterdir() if path.suffix in (".jpg", ".webp"))
    assert sample.encoded(form) == picture.read_bytes()  # type: ignore[arg-type]
