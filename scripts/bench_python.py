"""Times what docs/performance.md tells of the Python package: the best of five each.

    python scripts/bench_python.py

Processor seconds are told beside wall seconds, as they hold on a busy machine too. DataLoader needs PyTorch.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import time
from collections.abc import Callable

import windesk

ROUNDS = 5
SAMPLES = 100
SIZE = (1280, 720)


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


def loader(scenes: windesk.Scenes, workers: int) -> None:
    """Reads all scenes through workers of PyTorch."""
    from torch.utils.data import DataLoader

    for _ in DataLoader(scenes, batch_size=None, num_workers=workers, collate_fn=lambda sample: sample.image):
        pass


def main() -> None:
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
        rates = [SAMPLES / best(lambda workers=workers: loader(small, workers))[0] for workers in (1, 2)]
        print(f"DataLoader at 1280x720: {rates[0]:.1f}/s with one worker, {rates[1]:.1f}/s with two")


if __name__ == "__main__":
    main()
