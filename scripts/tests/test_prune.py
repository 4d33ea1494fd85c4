import pytest

from builders import capture_record
from capture import programs, prune
from capture.files import write_json
from capture.prune import HEAVY_BYTES, HEAVY_SNAPPED_BYTES, MOST_HEAVY, MOST_PLAIN, MOST_WITH_POPUP, prune_program

MENU = {"rect": [0, 0, 9, 9], "kind": "menu"}


def program(**changes):
    return programs.Program("editor", "Editor", "Productivity", "Debian 12", "MIT", "editor", **changes)


@pytest.fixture
def put(tmp_path):
    (tmp_path / "transitions.jsonl").write_text("")

    def put(name, size=10, **changes):
        capture = capture_record(name, **changes)
        (tmp_path / capture["image"]["file"]).write_bytes(bytes(size))
        write_json(tmp_path / f"{name}.json", capture)

    put.folder = tmp_path
    return put


def test_what_a_recipe_drops_goes_whole_names_only(put):
    for name in ("main", "dialog-about", "dialog-about-arc", "tab-x"):
        put(name)
    assert prune_program(put.folder, program(drop=("dialog-about", "tab-.*"))) == [
        "editor/dialog-about",
        "editor/tab-x",
    ]
    assert sorted(p.stem for p in put.folder.glob("*.json")) == ["dialog-about-arc", "main"]


def test_too_many_plain_captures_go_and_what_a_chain_found_stays(put):
    put("main")
    put("main-arc", variant_of="editor/main")
    put("find-dialog")
    for number in range(MOST_PLAIN):
        put(f"dialog-{number:02}")
    assert prune_program(put.folder, program()) == [f"editor/dialog-{n:02}" for n in (15, 16, 17)]


def test_too_many_popups(put):
    for number in range(MOST_WITH_POPUP + 2):
        put(f"menu-{number}", popups=[MENU])
    put("z-chain", popups=[MENU])
    gone = prune_program(put.folder, program())
    assert gone == ["editor/menu-3", "editor/menu-4", "editor/menu-5"]


def test_too_many_heavy_pictures(put):
    for number in range(MOST_HEAVY + 1):
        put(f"tab-{number}", HEAVY_BYTES + 1)
    put("tab-9", HEAVY_BYTES)
    assert prune_program(put.folder, program()) == [f"editor/tab-{MOST_HEAVY}"]


def test_snapped_windows_count_by_themselves(put):
    for number in range(MOST_PLAIN):
        put(f"dialog-{number:02}")
    put("left-half", HEAVY_SNAPPED_BYTES, placement="left_half")
    put("maximized", HEAVY_SNAPPED_BYTES + 1, placement="maximized")
    assert prune_program(put.folder, program()) == ["editor/maximized"]


def test_kept_captures_stay(put):
    put("dialog-about")
    put("maximized", HEAVY_SNAPPED_BYTES + 1, placement="maximized")
    for number in range(MOST_PLAIN):
        put(f"dialog-{number:02}")
    kept = {"editor/dialog-about", "editor/maximized", "editor/dialog-17"}
    assert prune_program(put.folder, program(drop=("dialog-about",)), kept) == []


def test_programs_without_a_recipe_are_left_alone(tmp_path, monkeypatch):
    for name in ("thunar", "no-such"):
        (tmp_path / "windows" / name).mkdir(parents=True)
    seen = []
    monkeypatch.setattr(prune, "prune_program", lambda folder, recipe: seen.append((folder.name, recipe.id)) or ["x"])
    assert prune.prune(tmp_path) == ["x"]
    assert seen == [("thunar", "thunar")]
