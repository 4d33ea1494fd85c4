"""The table of sessions, what a session owns of a pack, and how its captures are written."""

import json
from datetime import UTC, datetime

import pytest

from builders import capture_record, element_record, write_capture
from capture import __main__ as cli
from capture import clock, programs, publish, sessions
from capture.looks import LOOKS
from capture.programs import RecipeError
from test_command_line import run
from test_publish import EDITOR, click, record, session, steps, written

KNOWN = sessions.all_sessions()
ENTRY = {"id": "one", "look": "yaru", "persona": "alex", "locale": "C.UTF-8", "clock": "2026-11-23T10:20:00"}


def table(**changes) -> str:
    keys = {**ENTRY, **changes}
    bare = ("clock", "twins", "scale", "colour")
    lines = [f"{k} = {v}" if k in bare else f'{k} = "{v}"' for k, v in keys.items() if v is not None]
    return "\n".join(["[[session]]", *lines, ""])


def test_the_table_of_the_default_pack():
    assert list(KNOWN) == ["gnome-light", "gnome-dark", "kde-light", "kde-dark"]
    assert {s.look.wm for s in KNOWN.values()} == {"xfwm4", "kwin"}
    for one in KNOWN.values():
        assert one.look.dark == one.id.endswith("-dark")
        assert one.clock > one.persona.clock
        assert 7 <= one.clock.hour < 22, "people are awake"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"look": "mauve"}, "one: look `mauve`, expected one of yaru"),
        ({"colour": 3}, "one: unknown key `colour`"),
        ({"clock": None}, "one: `clock` is missing"),
        ({"clock": '"noon"'}, "one: clock noon, expected a local date and time"),
        ({"clock": "2026-11-23T10:20:00Z"}, "expected a local date and time"),
        ({"clock": "2026-11-19T10:20:00"}, "expected one after the home's newest file"),
        ({"id": "A b"}, "A b: an id has lower-case letters"),
        ({"id": "a--b"}, "a--b: an id has lower-case letters"),
        ({"persona": "nobody"}, "one: persona `nobody`"),
        ({"twins": '["two"]'}, "one: twin `two`, expected another session"),
        ({"scale": 2.0}, "one: scale 2.0"),
        ({"id": "one\nclock = 3"}, "expected TOML"),
    ],
)
def test_what_is_wrong_with_a_session_is_told(changes, told):
    with pytest.raises(RecipeError) as caught:
        sessions.all_sessions(table(**changes))
    assert str(caught.value).startswith("sessions.toml: ")
    assert told in str(caught.value)


def test_no_two_sessions_have_the_same_id():
    with pytest.raises(RecipeError, match="two sessions have the same id"):
        sessions.all_sessions(table() + table())


def test_an_unknown_session_is_told(monkeypatch, capsys, tmp_path):
    assert run(monkeypatch, "run", "--session", "none", "--out", tmp_path) == 1
    assert "sessions.toml: session `none`, expected one of gnome-light" in capsys.readouterr().err
    assert run(monkeypatch, "run", "--session", "kde-light", "--brief", "--out", tmp_path) == 1
    assert "--session says the look" in capsys.readouterr().err


def test_the_clock_runs_on_from_its_instant(monkeypatch):
    one = KNOWN["gnome-light"]
    assert one.seconds_ahead(datetime(2026, 11, 23, 10, 0, tzinfo=UTC)) == 1200
    assert one.seconds_ahead(datetime(2026, 11, 24, 10, 20, tzinfo=UTC)) == -86400
    assert clock.preload("") == {}
    assert clock.preload("-86400")["CAPTURE_CLOCK"] == "-86400"
    monkeypatch.delenv("CAPTURE_CLOCK", raising=False)
    assert clock.preload() == {}, "the machine's own time"


def test_the_seed_is_loaded_before_the_clock():
    assert clock.seeded({"A": "b"}) == {"A": "b", "LD_PRELOAD": clock.SEED}
    loaded = clock.seeded(clock.preload("60"))["LD_PRELOAD"].split()
    assert [path.rsplit("/")[-1] for path in loaded] == ["seed.so", "clock.so", "disk.so"]


def test_only_large_windows_are_placed():
    one = KNOWN["gnome-dark"]
    places = {i: one.placement(programs.load(i)) for i in programs.all_ids()}
    assert places["galculator"] is None
    assert 30 <= sum(p == "maximized" for p in places.values()) <= 50
    assert 8 <= sum(p in ("left_half", "right_half") for p in places.values()) <= 25
    assert places == {i: one.placement(programs.load(i)) for i in programs.all_ids()}


def test_a_session_owns_what_names_it_and_what_it_keeps():
    light, dark = KNOWN["gnome-light"], KNOWN["gnome-dark"]
    old = capture_record("main")
    assert light.owns(old)
    assert not light.owns(old | {"theme": "Arc", "frame_style": "xfwm4-Arc"})
    assert not light.owns(old | {"session": "kde-light"})
    old_dark = old | {"theme": "Yaru-dark", "frame_style": "xfwm4-Yaru-dark", "dark": True}
    assert not dark.owns(old_dark), "another persona's"
    assert dark.owns(old_dark | {"session": "gnome-dark"})


@pytest.fixture
def pack(tmp_path):
    """A pack of version 1 with a program in the looks of two sessions."""
    folder = tmp_path / "pack" / "windows" / "editor"
    write_capture(folder, capture_record("main"))
    kde = {"theme": "Breeze", "frame_style": "kwin-Breeze"}
    write_capture(folder, capture_record("menu-file-breeze", **kde, elements=[element_record(3), element_record(4)]))
    (folder / "program.json").write_text('{"id": "editor"}')
    (folder / "transitions.jsonl").write_text("")
    return tmp_path / "pack"


def publish_in(session_id, tmp_path, pack, *records, transitions=()):
    out = session(tmp_path / f"out-{len(list(tmp_path.iterdir()))}", *records, transitions=transitions)
    return publish.publish_session(EDITOR, KNOWN[session_id], out, pack, KNOWN)


def test_captures_name_their_session_and_their_twin(tmp_path, pack):
    shown = [element_record(0, name="Nov 24 12:00"), element_record(1)]
    dialog = record("dialog-find", kind="dialog", parent="main", parent_offset=[5, 6])
    clicks = [click("main", "dialog-find")]
    figures = publish_in(
        "gnome-dark", tmp_path, pack, record("main", elements=shown), dialog, record("menu-file"), transitions=clicks
    )
    assert figures["captures"] == 3
    files = written(pack)
    main, find = files["main--gnome-dark"], files["dialog-find--gnome-dark"]
    assert (main["format_version"], main["session"], main["id"]) == (2, "gnome-dark", "editor/main--gnome-dark")
    assert (main["theme"], main["frame_style"], main["dark"]) == ("Yaru-dark", "xfwm4-Yaru-dark", True)
    assert main["newest_date"] == "2026-11-24T12:00"
    assert main["variant_of"] == "editor/main"
    assert (find["parent_window"], find["variant_of"]) == ("editor/main--gnome-dark", None)
    assert files["menu-file--gnome-dark"]["variant_of"] == "editor/menu-file-breeze", "the second twin has it"
    assert steps(pack) == [("main--gnome-dark", "e0", "dialog-find--gnome-dark")]
    assert (files["main"]["format_version"], "session" in files["main"]) == (1, False)
    assert files["program"] == {"id": "editor"}


def test_a_session_taken_again_takes_the_place_of_its_own_captures(tmp_path, pack):
    publish_in("kde-dark", tmp_path, pack, record("main"), record("tab-two"), transitions=[click("main", "tab-two")])
    publish_in("gnome-dark", tmp_path, pack, record("main", title="Other"))
    assert publish.has_session("editor", KNOWN["kde-dark"], pack)
    publish_in("kde-dark", tmp_path, pack, record("main", title="Anew"))
    files = written(pack)
    assert set(files) - {"program"} == {"main", "menu-file-breeze", "main--gnome-dark", "main--kde-dark"}
    assert files["main--kde-dark"]["title"] == "Anew"
    assert steps(pack) == []


def test_a_program_that_is_new_to_the_pack(tmp_path):
    publish_in("kde-light", tmp_path, tmp_path / "new", record("main"))
    assert json.loads((tmp_path / "new" / "pack.json").read_text())["format_version"] == 2
    assert written(tmp_path / "new")["program"]["package"] == "editor-app"


def test_nothing_is_lost_where_a_session_gives_nothing(tmp_path, pack):
    before = written(pack)
    assert publish_in("kde-dark", tmp_path, pack)["captures"] == 0
    assert written(pack) == before


def test_a_run_in_a_session(monkeypatch, tmp_path, pack):
    """What the pack has in the session is skipped; the sandbox is told the place to snap to."""
    asked = []

    def stand_in(module, program_id, look, *arguments, session, **_):
        asked.append((module, program_id, look, arguments, session.id))
        (tmp_path / "report.json").write_text(
            json.dumps({"states": [], "transitions": [], "failures": ["no window"], "seconds": 3})
        )
        return tmp_path

    monkeypatch.setattr(cli.sandbox, "demo_home", lambda *_: None)
    monkeypatch.setattr(cli.sandbox, "run", stand_in)
    folder = pack / "windows" / "thunar"
    write_capture(folder, capture_record("main", "thunar"))
    assert run(monkeypatch, "run", "--session", "gnome-light", "--program", "thunar", "--out", pack) == 0
    assert asked == []
    assert run(monkeypatch, "run", "--session", "kde-light", "--program", "thunar", "--out", pack) == 2
    snap = KNOWN["kde-light"].placement(programs.load("thunar")) or ""
    assert asked == [("session", "thunar", LOOKS["breeze"], ("few", "", snap), "kde-light")]


def test_sessions_name_programs_that_have_recipes():
    for one in KNOWN.values():
        assert set(one.programs) <= set(programs.all_ids())
        assert len(set(one.programs)) == len(one.programs)
