"""What the tests share: the default pack, and the command line of the package that is tested."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import windesk


@pytest.fixture(scope="session")
def pack() -> windesk.Pack:
    """The default pack: in a checkout the full one."""
    return windesk.Pack.open()


@pytest.fixture(scope="session")
def command_line() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the command line of the package."""

    def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "windesk", *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)

    return run
