"""Putting crawled pages into a pack."""

import json
from types import SimpleNamespace

from PIL import Image

from capture import programs, sessions
from capture.living.publish_living import _with_contents, drop_unused, publish, redirected, repeats, windows_of


def test_files_that_no_page_names_are_dropped_and_others_stay(tmp_path):
    used, stale = "0123456789abcdef.webp", "fedcba9876543210.webp"
    lines = "00112233445566aa.jsonl"
    capture = {"image": {"file": used}, "inactive": None, "living": {"file": lines, "atlas": None}}
    (tmp_path / "main.json").write_text(json.dumps(capture))
    (tmp_path / lines).write_text('{"line": "page"}\n')
    for name in (used, stale, "ffffffffffffffff.jsonl", "workflows.jsonl", "instructions.jsonl"):
        (tmp_path / name).write_text("")
    drop_unused(tmp_path)
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"main.json", lines, used, "workflows.jsonl", "instructions.jsonl"}


def test_contents_of_scroll_areas_are_named_by_what_they_show(tmp_path):
    out, folder = tmp_path / "out", tmp_path / "x"
    for path in (out, folder):
        path.mkdir()
    content = {"file": "live-a.s1.png", "size": [4, 9]}
    line = {"line": "scroll_area", "content": content, "inactive": {"file": "live-a.s1-inactive.png"}}
    for part, colour in (("s1", "red"), ("s1-inactive", (0, 1, 2, 0))):
        Image.new("RGBA", (4, 9), colour).save(out / f"live-a.{part}.png")
    (out / "a.jsonl").write_text(json.dumps(line) + "\n")
    (told,) = _with_contents(folder, out, out / "a.jsonl")
    assert told["content"]["size"] == [4, 9]
    assert {path.name for path in folder.iterdir()} == {told[key]["file"] for key in ("content", "inactive")}
    with Image.open(folder / told["inactive"]["file"]) as picture:
        assert picture.getpixel((0, 0)) == (0, 1, 2, 0)


def keep(folder, kind, states):
    for state, colour, name in states:
        Image.new("RGBA", (4, 3), colour).save(folder / f"{state}.png")
        told = {"kind": kind, "elements": [{"role": "push button", "name": name}]}
        (folder / f"{state}.json").write_text(json.dumps(told))


def test_boards_with_the_same_elements_are_kept(tmp_path):
    keep(tmp_path, "main", (("new", "red", "Game"), ("easy", "red", "Game"), ("hard", "blue", "Game")))
    assert repeats(tmp_path, ["new", "easy", "hard"]) == {"easy": "new"}


def test_of_windows_that_show_the_same_one_is_kept(tmp_path):
    keep(tmp_path, "dialog", (("a", "red", "Add"), ("b", "red", "Remove"), ("c", "red", "Add"), ("d", "blue", "Add")))
    (tmp_path / "live.living.jsonl").write_text("")
    same = repeats(tmp_path, ["a", "b", "c", "d", "live"])
    assert same == {"c": "a", "d": None}
    leads = {"element": "e1", "outcomes": [{"kind": "window", "to": "c", "offset": [1, 2]}]}
    assert redirected(leads, same)["outcomes"] == [{"kind": "window", "to": "a", "offset": [1, 2]}]
    sets = {"element": "e1", "outcomes": [{"kind": "value", "control": "c1", "to": False}]}
    assert redirected(sets, same) == sets


def test_windows_that_a_page_opens_are_known(tmp_path):
    folder = tmp_path / "windows" / "x"
    folder.mkdir(parents=True)
    for name, part in (
        ("live-a--s", {"living": {"file": "f"}}),
        ("live-a-pick--s", {"title": "Pick"}),
        ("main--s", {}),
    ):
        (folder / f"{name}.json").write_text(json.dumps(part))
    opens = {"element": "e3", "outcomes": [{"kind": "window", "to": "x/live-a-pick--s"}]}
    lines = [{"from": "x/live-a--s", **opens}, {"from": "x/main--s", **opens}]
    (folder / "transitions.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    place = SimpleNamespace(id="x", suffix="--s")
    known = [{"title": "Pick", "element": "e3", "state": "live-a-pick"}]
    assert windows_of(place, place, tmp_path) == known
    assert windows_of(SimpleNamespace(id="y"), place, tmp_path) == []


def test_a_page_names_the_page_of_its_twin_session(tmp_path):
    program, out, pack = programs.load("abiword"), tmp_path / "out", tmp_path / "pack"
    out.mkdir()
    record = {
        "state": "live-find", "title": "Find", "kind": "dialog", "size": [4, 3], "frame": [0, 0, 4, 3], "popups": [],
        "parent": None, "parent_offset": None, "modal": False, "placement": "floating", "steps": [], "elements": [],
        "toolkit": "gtk 3",
    }  # fmt: skip
    (out / "live-find.json").write_text(json.dumps(record))
    (out / "report.json").write_text(json.dumps({"states": ["live-find"], "failures": [], "seconds": 1}))
    for session, colour in (("gnome-light", "red"), ("kde-light", "blue")):
        Image.new("RGBA", (4, 3), colour).save(out / "live-find.png")
        publish(program, sessions.load(session), out, pack)
    twins = {}
    for path in (pack / "windows" / "abiword").glob("live-*.json"):
        capture = json.loads(path.read_text())
        twins[capture["id"]] = capture["variant_of"]
    assert twins == {
        "abiword/live-find--gnome-light": None,
        "abiword/live-find--kde-light": "abiword/live-find--gnome-light",
    }
