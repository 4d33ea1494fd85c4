"""The table of shells, and the session files that it becomes."""

import json

import pytest

from builders import capture_record, write_capture
from capture import sessions, shells
from capture.programs import RecipeError
from collect_icons import FOLDER as ICONS

KNOWN = {shell.session.id: shell for shell in shells.all_shells()}
TABLE = shells.SPEC.read_text(encoding="utf-8")
LIGHT = KNOWN["gnome-light"]


def test_every_session_has_a_shell():
    assert set(sessions.all_sessions()) < set(KNOWN)
    for shell in KNOWN.values():
        assert shell.session.look.dark == shell.session.id.endswith("-dark")
        assert 7 <= shell.session.clock.hour < 22, "people are awake"


@pytest.mark.parametrize("shell", KNOWN.values(), ids=KNOWN)
def test_icons_and_fonts_are_those_of_the_pack(shell):
    uses = {icon["id"]: icon["use"] for icon in json.loads((ICONS / "icons.json").read_text())}
    made = shells.record(shell)
    assert uses[made["pointer"]["icon"]] == ["pointer"]
    assert all(uses[icon["icon"]] == ["session"] for icon in made["desktop"]["icons"])
    fonts = json.loads((ICONS.parent / "fonts" / "fonts.json").read_text())
    assert made["look"]["font"] in {font["family"] for font in fonts}


def test_a_session_file_says_what_the_tables_say():
    made = shells.record(KNOWN["kde-dark"])
    assert (made["clock"], made["locale"], made["persona"]["host"]) == ("2026-11-23T15:05", "en_US.UTF-8", "workbench")
    assert made["look"]["decoration"] == "kwin-Breeze"
    assert made["look"]["dark"]
    assert made["look"]["shadow"]["active"] == {"offset": [0, 12], "blur_px": 56, "opacity": 180}
    assert made["shell"]["clock_format"] == "12h"
    labels = [icon["label"] for icon in made["desktop"]["icons"]]
    assert labels[:4] == ["Home", "Trash", "Roof", "Band saw manual.pdf"]
    assert "Hardware store.txt" in labels


@pytest.mark.parametrize(
    ("name", "is_folder", "icons", "icon"),
    [
        ("a.tar.gz", False, "breeze", "breeze_archive"),
        ("A.PDF", False, "adwaita", "adwaita_pdf"),
        ("a.md", False, "breeze", "breeze_markdown"),
        ("a.md", False, "adwaita", "adwaita_text"),
        ("a.pdf", True, "adwaita", "adwaita_folder"),
        ("README", False, "adwaita", "adwaita_unknown"),
    ],
)
def test_icons_by_the_ending_of_a_name(name, is_folder, icons, icon):
    assert shells.icon_of(name, is_folder, icons) == icon


def test_order_of_a_file_manager():
    names = [("b 10.txt", False), ("B 9.txt", False), ("Zoo", True), ("a", False), ("2 b", False)]
    assert [name for name, _ in shells.in_order(names)] == ["Zoo", "2 b", "a", "B 9.txt", "b 10.txt"]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            'shadows = "kde"',
            'shadows = "none"',
            "kde-light: shadows `none`, expected one of gnome, kde, arc, materia, orchis",
        ),
        ('side = "right"\n', "", "gnome-light: `side` is missing"),
        ('side = "right"\n', 'side = "right"\ncolour = 1\n', "gnome-light: `colour` is not known"),
        ('side = "right"\n', 'side = "right"\nlocale = "C"\n', "gnome-light: `locale` is told by sessions.toml"),
        ('places = ["home"]', 'places = ["cellar"]', "gnome-light: place `cellar`, expected one of home, trash"),
        ('look = "arc"\n', "", "arc-light: `look` is missing"),
        ("[sessions.kde-dark]", "[sessions.kde-grey]", "kde-grey: `look` is missing"),
    ],
)
def test_what_is_wrong_with_a_shell_is_told(old, new, told):
    assert old in TABLE
    with pytest.raises(RecipeError) as caught:
        shells.all_shells(TABLE.replace(old, new, 1))
    assert str(caught.value) == f"shells.toml: {told}"


def test_a_session_without_a_shell_is_told():
    start, end = TABLE.index("[sessions.kde-dark]"), TABLE.index("[sessions.arc-light]")
    with pytest.raises(RecipeError, match=r"session `kde-dark` of sessions\.toml is missing"):
        shells.all_shells(TABLE[:start] + TABLE[end:])


def test_pinned_programs_have_windows(tmp_path, monkeypatch):
    monkeypatch.setattr(shells, "all_shells", lambda: [LIGHT])
    for name in LIGHT.pinned:
        folder = tmp_path / "windows" / name
        write_capture(folder, capture_record("main", name, session="gnome-light"))
    assert shells.write(tmp_path, tmp_path / "out") == ["gnome-light: 8 programs"]
    assert json.loads((tmp_path / "out" / "gnome-light.json").read_text())["id"] == "gnome-light"
    (tmp_path / "windows" / "nautilus" / "main.json").unlink()
    with pytest.raises(RecipeError, match="gnome-light: pinned `nautilus` has no window in this session"):
        shells.write(tmp_path, tmp_path / "out")
