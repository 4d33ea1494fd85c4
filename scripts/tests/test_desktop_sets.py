import hashlib
import json

import pytest
from PIL import Image

from capture import desktop_sets, programs
from capture.desktop_sets import all_sessions, load
from capture.looks import LOOKS
from capture.screen import SCREEN

WALLPAPERS = json.loads((desktop_sets.PROJECT / "wallpapers" / "wallpapers.json").read_text())


@pytest.mark.parametrize("session", all_sessions(), ids=lambda session: session.name)
def test_every_session_can_be_run(session):
    assert session.look in LOOKS
    assert set(session.wallpapers) <= {w["id"] for w in WALLPAPERS}
    assert session.desktops > 0
    assert all(side <= most for side, most in zip(session.region, SCREEN, strict=True))
    assert set(session.menus) | set(session.dialogs) <= set(session.programs)
    for program_id in session.programs:
        chains = {chain.name for chain in programs.load(program_id).chains}
        assert session.dialogs.get(program_id) in {None, *chains}


def test_sessions_have_names_of_their_own():
    names = [session.name for session in all_sessions()]
    assert len(set(names)) == len(names)
    assert load(names[0]).name == names[0]
    with pytest.raises(programs.RecipeError, match="session `none`, expected one of office"):
        load("none")


def test_a_wallpaper_is_cut_and_listed_once(tmp_path):
    wallpaper = WALLPAPERS[0]["id"]
    for _ in range(2):
        desktop_sets._add_wallpaper(wallpaper, (640, 400), tmp_path)
    (entry,) = json.loads((tmp_path / "wallpapers.json").read_text())
    data = (tmp_path / entry["file"]).read_bytes()
    assert entry["id"] == f"{wallpaper}-640x400"
    assert entry["sha256"] == hashlib.sha256(data).hexdigest()
    assert entry["author"] == WALLPAPERS[0]["author"]
    with Image.open(tmp_path / entry["file"]) as picture:
        assert picture.size == (640, 400)
