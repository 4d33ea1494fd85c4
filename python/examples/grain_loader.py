"""Scenes in Grain: a `Scenes` is a random-access data source as it is.

python grain_loader.py
"""

from __future__ import annotations

from collections.abc import Iterator

import grain.python as grain
import numpy as np
import windesk


def prepared(sample: windesk.Sample) -> dict[str, np.ndarray]:
    """Arrays, so that batches can be stacked."""
    assert sample.click_point is not None
    return {"image": sample.image, "click_point": np.array(sample.click_point), "index": np.array(sample.index)}


def batches(scenes: windesk.Scenes, size: int, seed: int) -> Iterator[dict[str, np.ndarray]]:
    """Shuffled batches, the same for the same seed."""
    dataset = grain.MapDataset.source(scenes).seed(seed).shuffle().map(prepared).batch(size)
    return iter(dataset.to_iter_dataset())


def main() -> None:
    """Prints the shapes of two batches."""
    scenes = windesk.Scenes("L3", n=16, size=(640, 360), split="train")
    for batch, _ in zip(batches(scenes, 4, seed=1), range(2), strict=False):
        print({name: array.shape for name, array in batch.items()}, batch["index"].tolist())


if __name__ == "__main__":
    main()
