import hashlib
import json

import pytest
from PIL import Image

from capture import desktop_sets, programs
from capture.desktop_sets import all_sessions, load, made
from capture.looks import LOOKS
from capture.screen import SCREEN

WALLPAPERS = json.loads((desktop_sets.PROJECT / "wallpapers" / "wallpapers.json").read_text())


@pytest.mark.parametrize("session", all_sessions(), ids=lambda session: session.name)
def test_every_session_can_be_run(session):
    assert session.look_name in LOOKS
    assert set(session.wallpapers) <= {w["id"] for w in WALLPAPERS}
    assert session.desktops > 0
    assert all(side <= most for side, most in zip(session.region, SCREEN, strict=True))
    assert set(session.menus) | set(session.dialogs) | set(session.maximized) <= set(session.programs)
    assert not set(session.maximized) & (set(session.menus) | set(session.dialogs)), "it is never on top"
    assert len(set(session.programs) - set(session.maximized)) >= session.fewest
    persona_id = session.of_pack and session.of_pack.persona.id
    for program_id in session.programs:
        chains = {chain.name for chain in programs.load(program_id, persona_id).chains}
        assert session.dialogs.get(program_id) in {None, *chains}


def test_sessions_have_names_of_their_own():
    names = [session.name for session in all_sessions()]
    assert len(set(names)) == len(names)
    assert load(names[0]).name == names[0]
    with pytest.raises(programs.RecipeError, match="session `none`, expected one of office"):
        load("none")


def test_a_session_of_the_pack_says_the_look_and_whose_home_it_is(monkeypatch, tmp_path):
    dark = load("gnome-dark")
    assert dark.look_name == "yaru-dark"
    assert load("office").of_pack is None
    ran = []

    def run(_module, name, look, **options):
        ran.append((name, look.name, options["session"]))
        (tmp_path / "report.json").write_text(json.dumps({"seconds": 1, "failures": []}))
        return tmp_path

    monkeypatch.setattr(desktop_sets.sandbox, "WORK", tmp_path)
    monkeypatch.setattr(desktop_sets.sandbox, "demo_home", lambda: None)
    monkeypatch.setattr(desktop_sets.sandbox, "run", run)
    assert not desktop_sets.run(["gnome-dark", "office"], tmp_path / "out"), "no desktop was taken"
    assert ran == [("gnome-dark", "yaru-dark", dark.of_pack), ("office", "yaru", None)]
    assert dark.of_pack.persona.id == "mira"


@pytest.mark.parametrize("session", [s for s in all_sessions() if s.session], ids=lambda session: session.name)
def test_a_person_has_one_program_for_a_purpose(session):
    purposes = [programs.load(p, session.of_pack.persona.id).purpose for p in session.programs]
    assert None not in purposes
    assert len(set(purposes)) == len(purposes)


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ({"look": "yaru", "session": "gnome-light"}, "desktops.toml: odd: expected either `look` or `session`"),
        ({}, "desktops.toml: odd: expected either `look` or `session`"),
        ({"look": "yaru", "persona": "mira"}, "desktops.toml: odd: unknown key `persona`; known are desktops, dialogs"),
    ],
)
def test_faults_of_an_entry_are_named(entry, fault):
    with pytest.raises(programs.RecipeError, match=fault):
        made({"name": "odd", "wallpapers": [], "programs": [], "desktops": 1, **entry})


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
