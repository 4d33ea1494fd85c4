"""Scenes as a dataset of Ray Data: made where they are needed, on as many machines as the cluster has.

A read task is a range of indices and nothing else, so it can be run again anywhere and gives the same bytes: a worker
that dies costs the time of its range. What Ray writes (``write_parquet``, ``write_webdataset``, ``write_images``) goes
to local disks or object stores as for any other dataset.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Literal

import numpy as np
import pyarrow
import ray.data
from ray.data.block import BlockMetadata
from ray.data.datasource import Datasource, ReadTask

from ._errors import ConfigError, Hole
from ._scenes import Scenes

#: How the picture of a row is given.
Images = Literal["png", "jpeg", "webp", "array"]

#: Rows of a block: a few MB with files, few enough that a block with arrays fits into memory.
BLOCK_ROWS = {"png": 32, "jpeg": 32, "webp": 32, "array": 8}
#: About what a row takes with a picture of 2560 x 1440, bytes.
FILE_ROW_BYTES = 1_200_000


def _row(scenes: Scenes, index: int, images: Images) -> dict[str, Any]:
    sample = scenes[index]
    target = sample.targets[0]
    row: dict[str, Any] = {
        "index": index,
        "id": sample.id,
        "instruction": target.instruction,
        "bbox": None if target.bbox is None else list(target.bbox),
        "click_point": None if target.click_point is None else list(target.click_point),
        "record": sample.record_line.decode(),
    }
    row["image"] = sample.image if images == "array" else sample.encoded(images)
    return row


_SCHEMA = {
    "index": pyarrow.int64(),
    "id": pyarrow.string(),
    "instruction": pyarrow.string(),
    "bbox": pyarrow.list_(pyarrow.float64()),
    "click_point": pyarrow.list_(pyarrow.int64()),
    "record": pyarrow.string(),
}


def _block(rows: list[dict[str, Any]], images: Images) -> pyarrow.Table:
    columns = {name: pyarrow.array([row[name] for row in rows], kind) for name, kind in _SCHEMA.items()}
    if images == "array":
        from ray.data.extensions import ArrowTensorArray

        columns["image"] = ArrowTensorArray.from_numpy(np.stack([row["image"] for row in rows]))
    else:
        columns["image"] = pyarrow.array([row["image"] for row in rows], pyarrow.binary())
    return pyarrow.table(columns)


def _read(scenes: Scenes, start: int, stop: int, images: Images) -> Iterable[pyarrow.Table]:
    """The blocks of a range of indices; holes are left out."""
    rows: list[dict[str, Any]] = []
    for index in range(start, stop):
        try:
            rows.append(_row(scenes, index, images))
        except Hole:
            continue
        if len(rows) >= BLOCK_ROWS[images]:
            yield _block(rows, images)
            rows = []
    if rows:
        yield _block(rows, images)


class ScenesDatasource(Datasource):  # type: ignore[misc]
    """Scenes by ranges of indices."""

    def __init__(self, scenes: Scenes, images: Images = "png") -> None:
        super().__init__()
        if scenes.n is None:
            raise ConfigError("option `n`", "found scenes without an end", "a number of samples")
        if images not in BLOCK_ROWS:
            raise ConfigError(f"option `images` {images}", "found no such form", "png, jpeg, webp or array")
        self._scenes = scenes
        self._images = images

    def get_name(self) -> str:
        """What progress bars call it."""
        return f"Windesk({self._scenes.name})"

    def _row_bytes(self) -> int:
        if self._images != "array":
            return FILE_ROW_BYTES
        width, height = self._scenes.size or self._scenes[0].full_size
        return width * height * 3 + 150_000

    def estimate_inmemory_data_size(self) -> int | None:
        """About how many bytes all rows take."""
        return len(self._scenes) * self._row_bytes()

    def get_read_tasks(
        self,
        parallelism: int,
        per_task_row_limit: int | None = None,
        data_context: Any = None,  # noqa: ARG002 - Ray's
    ) -> list[ReadTask]:
        """One task per range of indices. Ranges begin where they begin, whatever a cluster has run before."""
        count = len(self._scenes)
        tasks = max(1, min(parallelism, count))
        borders = [count * at // tasks for at in range(tasks + 1)]
        ranges = (ends for ends in itertools.pairwise(borders) if ends[0] < ends[1])
        return [self._task(start, stop, per_task_row_limit) for start, stop in ranges]

    def _task(self, start: int, stop: int, limit: int | None) -> ReadTask:
        rows = stop - start
        metadata = BlockMetadata(num_rows=rows, size_bytes=rows * self._row_bytes(), input_files=None, exec_stats=None)
        read: Callable[[], Iterable[pyarrow.Table]] = partial(_read, self._scenes, start, stop, self._images)
        return ReadTask(read, metadata, per_task_row_limit=limit)


def read_scenes(
    level: str = "L4", n: int = 1000, *, images: Images = "png", parallelism: int | None = None, **options: Any
) -> ray.data.Dataset:
    """Scenes as a dataset of Ray Data.

    Args:
        level: as for `Scenes`.
        n: number of samples per condition.
        images: ``"png"`` (the bytes that the command line writes), ``"jpeg"``, ``"webp"``, or ``"array"`` (uint8,
            height x width x 3).
        parallelism: number of read tasks; Ray's choice if not given.
        **options: all others of `Scenes`.

    Returns:
        Rows with index, id, instruction, bbox (x0, y0, x1, y1, px of the picture) and click_point of the first target
        (null if it is absent), record (the line of ``scenes/*.jsonl``) and image.

    Raises:
        WindeskError: see `Scenes`.
    """
    return read(Scenes(level, n, **options), images=images, parallelism=parallelism)


def read(scenes: Scenes, *, images: Images = "png", parallelism: int | None = None) -> ray.data.Dataset:
    """The same of scenes that are there already: of a sweep, of icons, filtered."""
    blocks = {} if parallelism is None else {"override_num_blocks": parallelism}
    return ray.data.read_datasource(ScenesDatasource(scenes, images), **blocks)
