"""What the tools' READMEs say of files, recipes and commands."""

import re
from pathlib import Path

import pytest

from capture import programs

SCRIPTS = Path(__file__).resolve().parents[1]
CAPTURE = (SCRIPTS / "capture" / "README.md").read_text(encoding="utf-8")
ASSETS = (SCRIPTS / "assets" / "README.md").read_text(encoding="utf-8")


def test_the_table_of_the_capture_tools_is_complete():
    chapter = CAPTURE.split("## How it works")[1].split("\n## ")[0]
    table = [line.split("|")[1] for line in chapter.splitlines() if line.startswith("| `")]
    named = set(re.findall(r"`([\w.]+\.(?:py|sh|toml|c))`", " ".join(table)))
    # The command line and how it is called are told above the table, and so is what installs the programs.
    above = {"__init__.py", "__main__.py", "capture.sh", "install.sh"}
    there = {path.name for pattern in ("*.py", "*.sh", "*.toml", "*.c") for path in (SCRIPTS / "capture").glob(pattern)}
    assert named == there - above


def test_the_table_of_living_pages_is_complete():
    chapter = CAPTURE.split("## Living pages")[1].split("\n## ")[0]
    files = " ".join(line.split("|")[1] for line in chapter.splitlines() if line.startswith("| `"))
    named = set(re.findall(r"`([\w.]+\.py)`", files))
    assert named == {path.name for path in (SCRIPTS / "capture" / "living").glob("*.py")} - {"__init__.py"}


def test_the_recipe_that_is_shown_is_one(tmp_path):
    (recipe,) = re.findall(r"```toml\n(.*?)```", CAPTURE, re.DOTALL)
    path = tmp_path / "thunar.toml"
    path.write_text(recipe, encoding="utf-8")
    program = programs._read(path)
    shown = {line.split(" = ")[0] for line in recipe.splitlines() if " = " in line}
    elsewhere = ("board", "chains", "live", "npm", "pip")
    known = {name for name in programs.Program.__dataclass_fields__ if name not in elsewhere}
    assert shown == known | {"steps"}, "every key is shown"
    assert [step.role for step in program.chains[0].steps] == ["menu", "menu item", ""]


@pytest.mark.parametrize("text", [CAPTURE, ASSETS], ids=["capture", "assets"])
def test_commands_name_files_that_are_there(text):
    named = set(re.findall(r"scripts/[\w./]+\.(?:py|sh|txt|toml)", text))
    assert named
    for name in named:
        assert (SCRIPTS.parent / name).is_file(), name
