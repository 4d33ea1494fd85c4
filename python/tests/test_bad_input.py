"""What is wrong is told with its place, what was found, what was expected and what to do."""

from __future__ import annotations

import pickle
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import windesk


def fails(call: Callable[[], object], kind: type[windesk.WindeskError], *words: str) -> windesk.WindeskError:
    with pytest.raises(kind) as caught:
        call()
    told = str(caught.value)
    for word in words:
        assert word in told
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), again.args) == (type(caught.value), caught.value.args)
    return caught.value


def test_levels_and_keys(pack: windesk.Pack) -> None:
    error = fails(lambda: windesk.Scenes("L9", pack=pack), windesk.ConfigError, "level", "L9", "expected L1, L2")
    assert error.place == "option `level` L9"
    assert error.expected.startswith("L1")
    assert isinstance(error, ValueError)
    fails(lambda: windesk.Scenes("L4", pack=pack, visible_ratoi=1), windesk.ConfigError, "visible_ratoi")
    fails(lambda: windesk.Scenes("L4", pack=pack, windows="9..2"), windesk.ConfigError, "windows")
    fails(
        lambda: windesk.Scenes("no-such.toml", pack=pack), windesk.ConfigError, "no-such.toml", "a readable text file"
    )
    fails(lambda: windesk.Scenes("L4", pack=pack, seed=-1), windesk.ConfigError, "seed")
    fails(lambda: windesk.Scenes("L4", pack=pack, n=-1), windesk.ConfigError, "option `n`")
    fails(lambda: windesk.Scenes("L4", pack=pack, size=(0, 10)), windesk.ConfigError, "size", "0x10")
    fails(lambda: windesk.sweep("oclusion", pack=pack), windesk.ConfigError, "did you mean occlusion?")
    fails(lambda: windesk.icons("rar", pack=pack), windesk.ConfigError, "did you mean rare?")


def test_filters(pack: windesk.Pack) -> None:
    error = fails(lambda: windesk.Scenes("L4", pack=pack, role="buton"), windesk.ConfigError, "role", "button")
    assert error.hint == "did you mean button?"
    fails(lambda: windesk.Scenes("L4", pack=pack, app="Gajm"), windesk.ConfigError, "did you mean Gajim?")
    scenes = windesk.Scenes("L4", n=1, pack=pack)
    fails(lambda: scenes.filter(colour="red"), windesk.ConfigError, "filter `colour`", "category")
    impossible = {"app": pack.programs[0], "role": "slider", "ui_type": "text", "target_size": "large"}
    fails(lambda: scenes.filter(**impossible), windesk.WindeskError, "target")


def test_packs(tmp_path: Path) -> None:
    fails(lambda: windesk.Pack.open(tmp_path / "none"), windesk.WindeskError, "none")
    (tmp_path / "empty").mkdir()
    fails(lambda: windesk.Pack.open(tmp_path / "empty"), windesk.FileError, "pack.json")
    text = tmp_path / "text.tar"
    text.write_text("no archive" * 100)
    fails(lambda: windesk.Pack.open(text), windesk.FileError, "text.tar", "no tar archive")


def mini_pack() -> Path:
    return Path(__file__).parents[2] / "tests/fixtures/mini-pack"


def test_a_pack_that_vanishes(tmp_path: Path) -> None:
    place = tmp_path / "pack"
    shutil.copytree(mini_pack(), place)
    opened = windesk.Pack.open(place, cache_dir="none")
    pickled = pickle.dumps(opened)
    assert pickle.loads(pickled) == opened
    shutil.rmtree(place)
    fails(lambda: pickle.loads(pickled), windesk.WindeskError, str(place))


def test_another_pack_at_the_place(tmp_path: Path) -> None:
    place = tmp_path / "pack"
    shutil.copytree(mini_pack(), place)
    pickled = pickle.dumps(windesk.Pack.open(place, cache_dir="none"))
    shutil.rmtree(place)
    shutil.copytree(mini_pack(), place)
    assert pickle.loads(pickled).digest == windesk.Pack.open(place, cache_dir="none").digest
    # Its index is part of what a pack is.
    shutil.rmtree(place / "index")
    fails(lambda: pickle.loads(pickled), windesk.FileError, "found a pack with digest", "the pack that was pickled")


def test_batches_of_several_sizes(tmp_path: Path, pack: windesk.Pack) -> None:
    sweep = tmp_path / "sizes.toml"
    sizes = "".join(f'[[conditions]]\nname = "{width}"\ncanvas = [{width}, 1080]\n' for width in (1920, 2560))
    sweep.write_text(f'name = "sizes"\npairing = "none"\n[base]\nwindows = [2, 3]\nvisible_ratio = [1.0, 1.0]\n{sizes}')
    scenes = windesk.sweep(sweep, n=1, pack=pack)
    fails(lambda: scenes.batch([0, 1]), windesk.ConfigError, "option `size`", "1920x1080", "2560x1080", "one size")
    assert scenes.resized((64, 27)).batch([0, 1]).images.shape == (2, 27, 64, 3)
