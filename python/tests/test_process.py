"""The package as a process sees it: the command line, Ctrl-C, memory."""

from __future__ import annotations

import concurrent.futures
import importlib.metadata
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.synchronize import Event
from pathlib import Path

import pytest
import windesk


def test_the_command_is_on_the_path() -> None:
    command = shutil.which("windesk", path=sysconfig.get_path("scripts"))
    assert command is not None
    told = subprocess.run([command, "--version"], capture_output=True, text=True, check=True).stdout
    assert told.split() == ["windesk", windesk.__version__]
    assert importlib.metadata.version("windesk") == windesk.__version__


def test_all_features_are_there(command_line: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path) -> None:
    told = command_line("formats").stdout
    assert "hf-parquet" in told
    assert "verl" in told
    done = command_line("synth", "--level", "L1", "--n", "1", "--out", tmp_path / "d", "--no-sync")
    assert done.returncode == 0
    assert done.stdout.strip() == str(tmp_path / "d")
    done = command_line("export", tmp_path / "d", "--to", "hf-parquet", "--out", tmp_path / "p")
    assert done.returncode == 0, done.stderr
    assert "run `windesk --help`" not in command_line("pack", "embed", "--help").stderr
    assert command_line("synth", "--level", "L9", "--n", "1").returncode == 2


LOOP = "import windesk, sys; s = windesk.Scenes('L4'); print('ready', flush=True)\nfor x in s: x.image; x.record"
BATCH = (
    "import windesk, sys; s = windesk.Scenes('L4', size=(64, 36)); print('ready', flush=True); s.batch(range(100_000))"
)
COMMAND = (
    "import sys; sys.argv[1:] = ['synth', '--level', 'L4', '--n', '100000', '--out', OUT, '--no-sync']; "
    "print('ready', flush=True); from windesk.__main__ import main; main()"
)


@pytest.mark.parametrize("code", [LOOP, BATCH, COMMAND], ids=["loop", "batch", "command line"])
def test_ctrl_c_stops_within_a_second(code: str, tmp_path: Path) -> None:
    code = code.replace("OUT", repr(str(tmp_path / "d")))
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    asked = time.monotonic()
    _, told = process.communicate(timeout=30)
    # A second, and what a machine that is busy otherwise takes to end a process.
    assert time.monotonic() - asked < 2
    assert process.returncode == -signal.SIGINT
    assert "KeyboardInterrupt" in told or "command line" in told or "synth" in code


def resident_mib() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


needs_proc = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")


@needs_proc
def test_memory_stays_flat(pack: windesk.Pack) -> None:
    """Thousands of samples take no more memory than hundreds. `WINDESK_MEMORY_SAMPLES` asks for more of them."""
    samples = int(os.environ.get("WINDESK_MEMORY_SAMPLES", "400"))
    scenes = windesk.Scenes("L4", pack=pack, size=(1280, 720))
    for sample in scenes.between(0, samples // 2):
        assert sample.image.any()
        assert sample.record
    before = resident_mib()
    for sample in scenes.between(samples // 2, samples):
        assert sample.image.any()
        assert sample.record
    # The cache of decoded windows fills up to its limit (384 MiB) at first.
    allowed = 48 if samples >= 4000 else 160
    assert resident_mib() - before < allowed


#: Prints how much memory a process has after some of its samples, MiB. The cache is small, so that it is full early.
MEMORY = """
import os, windesk
scenes = windesk.Scenes("L2", pack=windesk.Pack.open(cache_mb=4), size=(160, 90))
for at, sample in enumerate(scenes.between(0, 2000), 1):
    sample.image, sample.targets
    if at % 20 == 0:
        sample.record, sample.encoded("jpeg")
    if at in (500, 2000):
        print(int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20)
"""


@needs_proc
def test_memory_of_many_samples() -> None:
    done = subprocess.run([sys.executable, "-c", MEMORY], capture_output=True, text=True, timeout=500, check=True)
    after_500, after_2000 = map(float, done.stdout.split())
    # Elements of windows are unpacked when a scene first shows them, which ends with the last window. Of pictures that
    # were kept, small as they are, there would be half as much again.
    assert after_2000 <= 1.25 * after_500


def make_and_die(scenes: windesk.Scenes, index: int) -> int:
    """A worker's work; it is killed at one of its samples, as the system does where memory is short."""
    _ = scenes[index].image
    if index == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return index


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_killed_worker_raises(pack: windesk.Pack, method: str) -> None:
    scenes = windesk.Scenes("L2", n=8, pack=pack, size=(160, 90))
    begun = time.monotonic()
    with (
        concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context(method)) as workers,
        pytest.raises(BrokenProcessPool, match="terminated abruptly"),
    ):
        list(workers.map(make_and_die, [scenes] * 8, range(8), timeout=120))
    assert time.monotonic() - begun < 120
    # Who started it goes on, and so do workers that are started after it.
    assert scenes[3].image.any()
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context(method)) as workers:
        assert workers.submit(make_and_die, scenes, 4).result(timeout=120) == 4


def hold_the_engine(begun: Event) -> None:
    """Works without an end, and says when it is at it."""
    scenes = windesk.Scenes("L4", size=(64, 36))
    _ = scenes[0].image
    begun.set()
    scenes.batch(range(100_000))


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_worker_that_dies_in_the_engine_is_seen(method: str) -> None:
    """Whoever waits for it learns how it ended: no lock of its parent's is held by it."""
    context = multiprocessing.get_context(method)
    begun = context.Event()
    worker = context.Process(target=hold_the_engine, args=(begun,))
    worker.start()
    assert begun.wait(120)
    time.sleep(0.2)
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGKILL)
    worker.join(30)
    assert worker.exitcode == -signal.SIGKILL
    assert windesk.Scenes("L4", size=(64, 36))[0].image.any()


#: Begins once /dev/shm, which has a mebibyte, is full.
FULL = """
import errno, multiprocessing, os, windesk
scenes = windesk.Scenes("L2", n=2, size=(160, 90))
file = os.open("/dev/shm/full", os.O_CREAT | os.O_WRONLY)
try:
    while True:
        os.write(file, bytes(512))
except OSError as error:
    assert error.errno == errno.ENOSPC
"""
#: Workers share locks that lie there.
POOL = "multiprocessing.get_context('spawn').Pool(1)"
#: What would be kept there can be done without.
SCORES = "assert windesk.evaluate(scenes, []).report"
PICTURES = """
kept = windesk.Pack.open(cache_dir="/dev/shm/pictures")
again = windesk.Scenes("L2", n=2, size=(160, 90), pack=kept)
assert [s.image.tobytes() for s in again] == [s.image.tobytes() for s in scenes]
"""


@pytest.mark.parametrize("work", [POOL, SCORES, PICTURES], ids=["pool", "scores", "pictures"])
def test_a_full_shared_memory(work: str, tmp_path: Path) -> None:
    """In a namespace of mounts of its own, so that nobody else's /dev/shm is full."""
    code = tmp_path / "code.py"
    code.write_text(FULL + work)
    small = "mount -t tmpfs -o size=1m tmpfs /dev/shm && exec "

    def run(command: str) -> subprocess.CompletedProcess[str]:
        own = ["unshare", "--map-root-user", "--mount", "sh", "-c", small + command]
        environment = {**os.environ, "TMPDIR": "/dev/shm"}
        return subprocess.run(own, capture_output=True, text=True, timeout=120, env=environment, check=False)

    if shutil.which("unshare") is None or run("true").returncode != 0:
        pytest.skip("mounts of its own are refused to this process")
    done = run(f"'{sys.executable}' '{code}'")
    if work == POOL:
        assert done.returncode == 1
        assert done.stderr.strip().endswith("OSError: [Errno 28] No space left on device")
    else:
        assert done.returncode == 0, done.stderr
