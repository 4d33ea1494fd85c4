"""Digests by which scenes that were made anywhere are compared with a dataset of the command line."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

#: Samples per part of a dataset.
PART_SAMPLES = 250


def digests(samples: Iterable[tuple[str, bytes, bytes]], conditions: int = 1) -> list[tuple[str, str]]:
    """The digests of a dataset's parts, as `sha256` and `images_sha256` of the parts in its ``manifest.json`` say them.

    Args:
        samples: name of the picture's file (``<id>.png``), bytes of the picture's file, and line of the record
            (`Sample.record_line`) of every sample, in the order of indices from 0, without holes.
        conditions: number of conditions of the dataset; of tasks 6, the most steps that one can have.

    Returns:
        For every part the digests of its records and of its pictures. A part holds the indices that its name says, so
        holes at its end don't move the next one.
    """
    per_part = max(1, PART_SAMPLES // max(1, conditions))
    parts: dict[int, tuple[hashlib._Hash, hashlib._Hash]] = {}
    for name, picture, line in samples:
        parts_of_name = name.rsplit(".", 1)[0].rsplit("-", 2)
        # The number of a step follows the index, which has six digits or more.
        index = int(parts_of_name[-1] if len(parts_of_name[-1]) >= 6 else parts_of_name[-2])
        records, pictures = parts.setdefault(index // per_part, (hashlib.sha256(), hashlib.sha256()))
        records.update(line)
        pictures.update(f"{hashlib.sha256(picture).hexdigest()}  {name}\n".encode())
    return [(records.hexdigest(), pictures.hexdigest()) for _, (records, pictures) in sorted(parts.items())]
