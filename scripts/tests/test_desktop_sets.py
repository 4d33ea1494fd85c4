import hashlib
import json

import pytest
from PIL import Image

from capture import desktop_sets, programs
from capture.desktop_sets import SPEC, all_sessions, load, made
from capture.looks import LOOKS
from capture.screen import SCREEN

PANEL = SPEC.with_name("panel.toml")
LISTED = [*all_sessions(), *all_sessions(PANEL)]
WALLPAPERS = json.loads((desktop_sets.PROJECT / "wallpapers" / "wallpapers.json").read_text())


@pytest.mark.parametrize("session", LISTED, ids=lambda session: session.name)
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
        program = programs.load(program_id, persona_id)
        if program_id in session.dialogs:
            assert program.way(session.dialogs[program_id]).steps


def test_sessions_have_names_of_their_own():
    names = [session.name for session in LISTED]
    assert len(set(names)) == len(names)
    assert load(names[0]).name == names[0]
    with pytest.raises(programs.RecipeError, match="session `none`, expected one of office"):
        load("none")


def test_a_session_of_the_pack_says_the_look_and_whose_home_it_is(monkeypatch, tmp_path):
    dark = load("gnome-dark")
    assert dark.look_name == "yaru-dark"
    assert load("office").of_pack is None
    ran = []

    def run(_module, name, look, _spec, **options):
        ran.append((name, look.name, options["session"]))
        (tmp_path / "report.json").write_text(json.dumps({"seconds": 1, "failures": []}))
        return tmp_path

    monkeypatch.setattr(desktop_sets.sandbox, "WORK", tmp_path)
    monkeypatch.setattr(desktop_sets.sandbox, "demo_home", lambda: None)
    monkeypatch.setattr(desktop_sets.sandbox, "run", run)
    assert not desktop_sets.run(["gnome-dark", "office"], tmp_path / "out"), "no desktop was taken"
    assert ran == [("gnome-dark", "yaru-dark", dark.of_pack), ("office", "yaru", None)]
    assert dark.of_pack.persona.id == "mira"


def test_of_a_session_that_is_not_measured_there_are_screenshots(monkeypatch, tmp_path):
    given = []

    def run(*_arguments, inputs, **_options):
        given.extend(path.name for path in inputs)
        screens = tmp_path / "job" / "screens"
        screens.mkdir(parents=True)
        (screens / "panel-kde-dark-1-00.png").write_bytes(b"picture")
        names = [f"panel-kde-dark-1-{number:02}" for number in range(5)]
        report = {"seconds": 1, "failures": [], "desktops": names, "captures": {}}
        (tmp_path / "job" / "report.json").write_text(json.dumps(report))
        return tmp_path / "job"

    monkeypatch.setattr(desktop_sets.sandbox, "WORK", tmp_path)
    monkeypatch.setattr(desktop_sets.sandbox, "demo_home", lambda: None)
    monkeypatch.setattr(desktop_sets.sandbox, "run", run)
    assert desktop_sets.run(["panel-kde-dark-1"], tmp_path / "out", PANEL)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["panel-kde-dark-1-00.png"]
    session = load("panel-kde-dark-1", PANEL)
    assert sorted(given) == sorted(["panel.toml", *(f"{name}.png" for name in session.wallpapers)])


def test_a_list_that_is_none_is_named(tmp_path):
    with pytest.raises(programs.RecipeError, match=r"mine\.toml: expected a list of desktops"):
        all_sessions(tmp_path / "mine.toml")


@pytest.mark.parametrize("session", [s for s in LISTED if s.session], ids=lambda session: session.name)
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
        ({"look": "yaru", "placing": "tiled"}, "desktops.toml: odd: placing `tiled`, expected one of drawn, window"),
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
