"""Ray's rows hold what the scenes hold, whatever the number of read tasks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

ray = pytest.importorskip("ray", exc_type=ImportError)
pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    """Two processes."""
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


def test_arrays() -> None:
    import windesk.ray

    scenes = windesk.Scenes("L2", 6, size=(320, 180))
    dataset = windesk.ray.read_scenes("L2", 6, size=(320, 180), images="array", parallelism=3)
    rows = sorted(dataset.take_all(), key=lambda row: row["index"])
    for row, sample in zip(rows, scenes, strict=True):
        assert np.array_equal(row["image"], sample.image)
        assert row["record"].encode() == sample.record_line
        assert tuple(row["bbox"]) == sample.bbox
        assert tuple(row["click_point"]) == sample.click_point


def test_files_of_any_scenes() -> None:
    import windesk.ray

    scenes = windesk.sweep("occlusion", n=1)
    rows = windesk.ray.read(scenes, images="png", parallelism=2).take_all()
    found = {row["id"]: row["image"] for row in rows}
    assert found == {sample.id: sample.encoded("png") for sample in scenes}


def test_bad_input() -> None:
    import windesk.ray

    with pytest.raises(windesk.ConfigError, match="without an end"):
        windesk.ray.read(windesk.Scenes("L2"))
    with pytest.raises(windesk.ConfigError, match="option `images` gif"):
        windesk.ray.read(windesk.Scenes("L2", 1), images="gif")  # type: ignore[arg-type]
