import json

from builders import capture_record, write_capture
from capture.files import remove_captures, write_json


def test_one_line_per_key_and_element(tmp_path):
    value = {"id": "a", "elements": [{"name": "…"}, {"name": "b"}], "popups": []}
    write_json(tmp_path / "a.json", value)
    text = (tmp_path / "a.json").read_text(encoding="utf-8")
    assert text.splitlines() == [
        '{"id": "a",',
        ' "elements": [',
        '  {"name": "…"},',
        '  {"name": "b"}],',
        ' "popups": []}',
    ]
    assert json.loads(text) == value


def pack(folder):
    captures = [
        capture_record("main", inactive={"file": "main-inactive.webp"}),
        capture_record("dialog-find", parent_window="editor/main"),
        capture_record("dialog-find-set", parent_window="editor/dialog-find"),
        capture_record("main-dark", variant_of="editor/main", image={"file": "shared.webp", "size": [200, 100]}),
        capture_record("tab-two", image={"file": "shared.webp", "size": [200, 100]}),
    ]
    for name in ("main-inactive.webp", "nobodys.webp"):
        (folder / name).write_bytes(b"")
    steps = [("main", "tab-two"), ("main", "dialog-find"), ("tab-two", "main")]
    lines = [json.dumps({"from": f"editor/{a}", "to": f"editor/{b}", "element": "e0"}) + "\n" for a, b in steps]
    (folder / "transitions.jsonl").write_text("".join(lines), encoding="utf-8")
    return {write_capture(folder, capture): capture for capture in captures}


def left(folder, pattern):
    return sorted(path.name for path in folder.glob(pattern))


def test_nothing_is_touched_where_nothing_goes(tmp_path):
    captures = pack(tmp_path)
    remove_captures(tmp_path, captures, set())
    assert len(left(tmp_path, "*.json")) == 5
    assert "nobodys.webp" in left(tmp_path, "*.webp")


def test_a_window_goes_with_its_dialogs(tmp_path):
    gone = {"editor/main"}
    remove_captures(tmp_path, pack(tmp_path), gone)
    assert left(tmp_path, "*.json") == ["main-dark.json", "tab-two.json"]
    assert gone == {"editor/main", "editor/dialog-find", "editor/dialog-find-set"}
    assert left(tmp_path, "*.webp") == ["shared.webp"]
    assert json.loads((tmp_path / "main-dark.json").read_text())["variant_of"] is None
    assert (tmp_path / "transitions.jsonl").read_text() == ""


def test_a_picture_that_another_capture_shows_stays(tmp_path):
    remove_captures(tmp_path, pack(tmp_path), {"editor/tab-two"})
    assert {"shared.webp", "main.webp", "main-inactive.webp"} <= set(left(tmp_path, "*.webp"))
    assert [json.loads(line)["to"] for line in (tmp_path / "transitions.jsonl").read_text().splitlines()] == [
        "editor/dialog-find"
    ]


def test_outcomes_that_lead_to_what_goes_go_and_atlases_stay(tmp_path):
    captures = pack(tmp_path)
    living = capture_record("live-find", living={"file": "0.jsonl", "atlas": {"file": "atlas.webp"}})
    captures[write_capture(tmp_path, living)] = living
    (tmp_path / "atlas.webp").write_bytes(b"")
    outcomes = [[{"kind": "page", "to": "editor/tab-two"}], [{"kind": "value", "control": "c", "to": "editor/tab-two"}],
                [{"kind": "closed", "to": None}], [{"kind": "inert"}]]  # fmt: skip
    lines = [json.dumps({"from": "editor/live-find", "outcomes": o}) + "\n" for o in outcomes]
    (tmp_path / "transitions.jsonl").write_text("".join(lines), encoding="utf-8")
    remove_captures(tmp_path, captures, {"editor/tab-two"})
    assert "atlas.webp" in left(tmp_path, "*.webp")
    assert (tmp_path / "transitions.jsonl").read_text() == "".join(lines[1:])
