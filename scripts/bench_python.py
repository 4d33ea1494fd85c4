"""Times what docs/performance.md tells of the Python package: the best of five each.

    python scripts/bench_python.py
    python scripts/bench_python.py loader           # DataLoader with one and with two workers; needs PyTorch
    python scripts/bench_python.py memory 20000     # memory of one process, every thousandth sample

Processor seconds are told beside wall seconds, as they hold on a busy machine too.
"""

from __future__ import annotations

import importlib.util
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import windesk

ROUNDS = 5
SAMPLES = 100
SIZE = (1280, 720)
LOADER_SAMPLES = 400
LOADER_BATCH = 8
LOADER_START = 6


def best(work: Callable[[], object]) -> tuple[float, float]:
    """Least wall seconds and least processor seconds of this process."""
    walls, processors = [], []
    for _ in range(ROUNDS):
        wall, processor = time.perf_counter(), time.process_time()
        work()
        walls.append(time.perf_counter() - wall)
        processors.append(time.process_time() - processor)
    return min(walls), min(processors)


def in_new_process(code: str) -> float:
    """Least seconds that code tells of itself in a process of its own."""
    command = [sys.executable, "-c", f"import time; t = time.perf_counter(); {code}; print(time.perf_counter() - t)"]
    return min(float(subprocess.run(command, capture_output=True, text=True, check=True).stdout) for _ in range(ROUNDS))


def per_second(name: str, work: Callable[[], object]) -> None:
    """Prints how many samples come in a second."""
    wall, processor = best(work)
    print(f"{name}: {SAMPLES / wall:.1f}/s, {1000 * processor / SAMPLES:.2f} ms of processor time each", flush=True)


def loaded(scenes: windesk.Scenes, workers: int) -> tuple[float, float]:
    """Samples per second that workers of PyTorch hand over as batches, and milliseconds of all processors per sample.

    Counted from the batch on at which all workers are at work.
    """
    import torch
    from torch.utils.data import DataLoader, default_collate

    def batched(samples: list[windesk.Sample]) -> torch.Tensor:
        # In a worker this fills one tensor in shared memory.
        batch: torch.Tensor = default_collate([torch.from_numpy(sample.image) for sample in samples])
        return batch

    before = processor_seconds()
    loader = iter(DataLoader(scenes, batch_size=LOADER_BATCH, num_workers=workers, collate_fn=batched))
    for _ in range(LOADER_START):
        next(loader)
    start = time.perf_counter()
    count = sum(len(batch) for batch in loader)
    rate = count / (time.perf_counter() - start)
    # Workers end with their loader, and are counted from then on.
    del loader
    return rate, 1000 * (processor_seconds() - before) / len(scenes)


def processor_seconds() -> float:
    """Of this process and of those that it has started and that have ended."""
    used = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)


def loaders() -> None:
    """One worker and two in turn; prints medians."""
    scenes = windesk.Scenes("L4", n=LOADER_SAMPLES, size=SIZE)
    # Pictures are prepared once.
    scenes.batch(range(LOADER_SAMPLES))
    rounds = [[loaded(scenes, workers) for workers in (1, 2)] for _ in range(ROUNDS)]
    for at, workers in enumerate(("one worker", "two workers")):
        rate, each = (sorted(values)[ROUNDS // 2] for values in zip(*(found[at] for found in rounds), strict=True))
        print(f"DataLoader, batches of {LOADER_BATCH}, {workers}: {rate:.1f}/s, {each:.1f} ms of processor time each")
    gains = sorted(two[0] / one[0] for one, two in rounds)
    print(f"two workers against one: {gains[ROUNDS // 2]:.2f} ({gains[0]:.2f} to {gains[-1]:.2f})")


def memory(samples: int) -> None:
    """Prints what memory this process takes, every thousandth sample: all of it, and without what files back."""

    def mebibytes(field: str) -> float:
        status = Path("/proc/self/status").read_text(encoding="utf-8")
        return int(status.split(f"{field}:")[1].split()[0]) / 1024

    start, processor = time.perf_counter(), time.process_time()
    for count, sample in enumerate(windesk.Scenes("L4", n=samples, size=SIZE), start=1):
        assert sample.image.shape == (SIZE[1], SIZE[0], 3)
        if count in (1, 100) or count % 1000 == 0:
            walls, processors = time.perf_counter() - start, time.process_time() - processor
            taken = f"{mebibytes('VmRSS'):.0f} MiB, {mebibytes('RssAnon'):.0f} MiB of its own"
            print(f"{count} samples: {taken}, {walls:.0f} s, {1000 * processors / count:.1f} ms each", flush=True)
    print(f"most: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


def main() -> None:
    """Does what the arguments name."""
    match sys.argv[1:]:
        case []:
            speed()
        case ["loader"]:
            loaders()
        case ["memory", samples] if samples.isdecimal():
            memory(int(samples))
        case other:
            sys.exit(f"found {other}, expected nothing, `loader` or `memory` with a number of samples")


def speed() -> None:
    """Prints a line per figure."""
    print(f"import: {in_new_process('import windesk'):.3f} s")
    print(f"import numpy alone: {in_new_process('import numpy'):.3f} s")
    first = "import windesk; windesk.Scenes('L4')[0].image"
    print(f"first sample, with import and pack: {in_new_process(first):.3f} s")
    full = windesk.Scenes("L4", n=SAMPLES)
    small = full.resized(SIZE)
    # Pictures are prepared once.
    full.batch(range(SAMPLES))
    per_second("plans alone", lambda: [full[at] for at in range(SAMPLES)])
    per_second("arrays at full size", lambda: [full[at].image for at in range(SAMPLES)])
    per_second("arrays at 1280x720", lambda: [small[at].image for at in range(SAMPLES)])
    per_second("arrays at 1280x720 and targets", lambda: [(small[at].image, small[at].bbox) for at in range(SAMPLES)])
    per_second("arrays at full size and records", lambda: [(s.image, s.record) for s in full])
    per_second("PNG files", lambda: [full[at].encoded("png") for at in range(SAMPLES)])
    if importlib.util.find_spec("torch"):
        loaders()


if __name__ == "__main__":
    main()
