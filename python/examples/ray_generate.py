"""Makes a dataset on a local Ray cluster of two processes, kills one in the middle, and proves that nothing is missing.

    python ray_generate.py --n 500 --out scenes

Writes Parquet files with pictures and records. At the end it compares the digests of what was written with those of the
dataset that the command line makes from the same arguments.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet
import ray
import windesk
import windesk.ray


def ancestors(process: int) -> set[int]:
    """Its parent, the parent's parent, and so on."""
    found: set[int] = set()
    while process > 1:
        try:
            stat = Path(f"/proc/{process}/stat").read_text()
        except OSError:
            break
        process = int(stat.rpartition(")")[2].split()[1])
        found.add(process)
    return found


def reading_workers() -> list[int]:
    """The workers of this cluster that make scenes just now: Ray writes what they do where `ps` shows it."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            title = (place / "cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue
        if title.startswith("ray::") and "Read" in title and os.getpid() in ancestors(int(place.name)):
            found.append(int(place.name))
    return found


def kill_a_worker(killed: list[int]) -> None:
    """Kills one worker in the middle of its work."""
    deadline = time.monotonic() + 120
    while not killed and time.monotonic() < deadline:
        time.sleep(0.5)
        for worker in reading_workers()[:1]:
            time.sleep(1)
            os.kill(worker, signal.SIGKILL)
            killed.append(worker)


def rows_of(folder: Path) -> Iterator[tuple[str, bytes, bytes]]:
    """What was written, in the order of indices: name and bytes of the picture, line of the record."""
    places = []
    for path in folder.glob("*.parquet"):
        file = pyarrow.parquet.ParquetFile(path)
        for group in range(file.num_row_groups):
            column = file.read_row_group(group, columns=["index"])["index"].to_pylist()
            places += [(index, path, group, row) for row, index in enumerate(column)]
    held: tuple[Path, int] | None = None
    rows = None
    for _, path, group, row in sorted(places):
        if held != (path, group):
            held, rows = (path, group), pyarrow.parquet.ParquetFile(path).read_row_group(group)
        assert rows is not None
        yield f"{rows['id'][row]}.png", rows["image"][row].as_py(), rows["record"][row].as_py().encode()


def command_line_digests(level: str, n: int, seed: int) -> list[tuple[str, str]]:
    """The digests of the parts of the same dataset, made by the command line."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["synth", "--level", level, "--n", str(n), "--seed", str(seed), "--out", f"{folder}/d", "--no-sync"]
        subprocess.run([sys.executable, "-m", "windesk", *words], check=True, stdout=subprocess.DEVNULL)
        manifest = json.loads(Path(folder, "d", "manifest.json").read_text())
    return [(part["sha256"], part["images_sha256"]) for part in manifest["shards"]]


def main() -> int:
    """Makes the dataset and compares it; the exit code says whether it is the same."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--level", default="L4")
    parser.add_argument("--n", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    killed: list[int] = []
    killer = threading.Thread(target=kill_a_worker, args=(killed,), daemon=True)
    killer.start()
    scenes = windesk.ray.read_scenes(asked.level, asked.n, seed=asked.seed, parallelism=8)
    scenes.write_parquet(str(asked.out))
    ray.shutdown()

    found = windesk.digests(rows_of(asked.out))
    expected = command_line_digests(asked.level, asked.n, asked.seed)
    print(f"killed worker {killed[0]}" if killed else "killed no worker")
    print(
        f"{len(found)} parts, {'the same digests as' if found == expected else 'OTHER DIGESTS THAN'} the command line's"
    )
    return 0 if found == expected and killed else 1


if __name__ == "__main__":
    sys.exit(main())
