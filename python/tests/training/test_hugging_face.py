"""Hugging Face's datasets hold what the scenes hold."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
import windesk

pytest.importorskip("datasets")
pytestmark = pytest.mark.filterwarnings("default")
sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))


def test_rows_are_those_of_the_scenes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import datasets
    import hugging_face

    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path)
    scenes = windesk.Scenes("L2", n=4, size=(320, 180))
    for table in (hugging_face.dataset(scenes), hugging_face.dataset(scenes, processes=2)):
        assert table["id"] == [sample.id for sample in scenes]
        for row, sample in zip(table, scenes, strict=True):
            assert np.array_equal(np.asarray(row["image"]), sample.image)
            assert row["instruction"] == sample.instruction
            assert tuple(row["bbox"]) == sample.bbox
            assert tuple(row["click_point"]) == sample.click_point
    stream = hugging_face.stream(scenes, 3)
    assert [row["id"] for row in stream] == [sample.id for sample in scenes][:3]
