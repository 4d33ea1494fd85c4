"""The package as a process sees it: the command line, Ctrl-C, memory."""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable
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


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
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
