"""Scenes as datasets of Hugging Face: in memory, and as a stream that has no end.

python hugging_face.py
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import datasets
import windesk


def rows(scenes: windesk.Scenes, indices: list[int]) -> Iterator[dict[str, Any]]:
    """Rows that any trainer reads: picture, words, box, point. `indices` are what each process makes."""
    for index in indices:
        sample = scenes[index]
        yield {
            "id": sample.id,
            "image": {"bytes": sample.encoded("png"), "path": None},
            "instruction": sample.instruction,
            "bbox": list(sample.bbox or ()),
            "click_point": list(sample.click_point or ()),
        }


FEATURES = datasets.Features(
    {
        "id": datasets.Value("string"),
        "image": datasets.Image(),
        "instruction": datasets.Value("string"),
        "bbox": datasets.List(datasets.Value("float64")),
        "click_point": datasets.List(datasets.Value("int64")),
    }
)


def dataset(scenes: windesk.Scenes, processes: int = 1) -> datasets.Dataset:
    """All scenes, made by several processes and kept on disk as Arrow."""
    arguments = {"scenes": scenes, "indices": list(range(len(scenes)))}
    return datasets.Dataset.from_generator(rows, features=FEATURES, gen_kwargs=arguments, num_proc=processes)


def stream(scenes: windesk.Scenes, count: int) -> datasets.IterableDataset:
    """The same as a stream: made while it is read, shared out among the workers of a loader."""
    arguments = {"scenes": scenes, "indices": list(range(count))}
    return datasets.IterableDataset.from_generator(rows, features=FEATURES, gen_kwargs=arguments)


def main() -> None:
    """Prints what the first rows hold."""
    scenes = windesk.Scenes("L3", n=8, size=(640, 360), split="train")
    for row in dataset(scenes, processes=2).select(range(2)):
        print(row["id"], row["image"].size, row["instruction"], row["click_point"])
    print(next(iter(stream(scenes, 4)))["id"])


if __name__ == "__main__":
    main()
