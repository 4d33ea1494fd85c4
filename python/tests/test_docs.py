"""The blocks of the page on Python run as they stand there, in order."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

PAGES = [Path(__file__).parents[2] / "docs/python.md", Path(__file__).parents[1] / "README.md"]
#: What only scripts/check_training.sh installs.
LARGE = ("torch", "ray")


def is_installed(name: str) -> bool:
    found = importlib.util.find_spec(name)
    # A folder of that name without any code is no package.
    return found is not None and found.origin is not None


def blocks(page: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_blocks_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    ran = 0
    for block in blocks(page):
        needed = [name for name in LARGE if re.search(rf"^(import|from) (windesk\.)?{name}\b", block, re.MULTILINE)]
        if all(is_installed(name) for name in needed):
            # Loaders pickle what they are given by its module, which a block hasn't.
            exec(compile(block.replace("num_workers=2", "num_workers=0"), page.name, "exec"), names)
            ran += 1
    assert ran > 0
    assert ran >= len(blocks(page)) - len(LARGE)
