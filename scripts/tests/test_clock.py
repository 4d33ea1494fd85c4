"""The library that tells programs a session's clock, where there is a C compiler."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from capture import clock

SOURCE = Path(clock.__file__).with_name("clock.c")
DAY = 86400
# Prints how far its clock is ahead, whether a wait until an instant ends in time, and the date of a file.
PROGRAM = """
import ctypes, os, sys, time
print(round(time.time() - float(sys.argv[1])), round(time.time_ns() / 1e9 - float(sys.argv[1])))
class Instant(ctypes.Structure):
    _fields_ = [("s", ctypes.c_long), ("ns", ctypes.c_long)]
libc = ctypes.CDLL(None)
held, on = (ctypes.create_string_buffer(64) for _ in range(2))
libc.pthread_mutex_lock(held)
until = time.time() + 0.2
started = time.monotonic()
libc.pthread_cond_timedwait(on, held, ctypes.byref(Instant(int(until), int(until % 1 * 1e9))))
print(0.1 < time.monotonic() - started < 5)
print(round(os.stat(sys.argv[2]).st_mtime))
"""


def compiled(source, folder):
    compiler = shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip("needs a C compiler and Linux")
    path = folder / f"{source.stem}.so"
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", path, source], check=True, timeout=60)
    return path


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return compiled(SOURCE, tmp_path_factory.mktemp("clock"))


@pytest.mark.parametrize("ahead", [DAY, -3 * DAY, 0])
def test_programs_are_told_the_clock_and_nothing_else_changes(library, tmp_path, ahead):
    dated = tmp_path / "dated"
    dated.write_text("")
    os.utime(dated, (1_700_000_000, 1_700_000_000))
    now = subprocess.run(["date", "+%s.%N"], capture_output=True, text=True, check=True, timeout=20).stdout.strip()
    environment = dict(os.environ, LD_PRELOAD=str(library), CAPTURE_CLOCK=str(ahead))
    told = subprocess.run(
        [sys.executable, "-c", PROGRAM, now, str(dated)],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout.split()
    assert all(abs(int(word) - ahead) <= 15 for word in told[:2])
    assert told[2:] == ["True", "1700000000"]


def test_the_same_share_of_every_disk_is_free(tmp_path):
    path = compiled(SOURCE.with_name("disk.c"), tmp_path)
    program = "import os; s = os.statvfs('/'); print(s.f_blocks // 5 * 2, s.f_bfree, s.f_bavail)"
    command = [sys.executable, "-c", program]
    environment = dict(os.environ, LD_PRELOAD=str(path))
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=60)
    told = done.stdout.split()
    assert int(told[0]) > 0
    assert told[1:] == [told[0]] * 2
