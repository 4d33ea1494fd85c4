"""Grain reads scenes as they are."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
import windesk

pytest.importorskip("grain")
pytestmark = pytest.mark.filterwarnings("default")
sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))


def test_batches_are_those_of_the_scenes() -> None:
    import grain_loader

    scenes = windesk.Scenes("L2", n=8, size=(320, 180))
    once, again = (list(grain_loader.batches(scenes, 4, seed=3)) for _ in range(2))
    order = np.concatenate([batch["index"] for batch in once])
    assert sorted(order) == list(range(8))
    assert list(order) != list(range(8))
    for batch, same in zip(once, again, strict=True):
        assert np.array_equal(batch["image"], same["image"])
        for at, index in enumerate(batch["index"]):
            assert np.array_equal(batch["image"][at], scenes[index].image)
            assert tuple(batch["click_point"][at]) == scenes[index].click_point


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    import grain_loader

    grain_loader.main()
    assert capsys.readouterr().out.count("(4, 360, 640, 3)") == 2
