import json

import numpy as np
import pytest
from PIL import Image

from builders import element_record, speckled
from capture import publish
from capture.files import leads_to
from capture.programs import Program

EDITOR = Program(
    "editor",
    "Editor",
    "Productivity",
    "PyPI",
    "MIT",
    "editor",
    pip=("editor-app==1.4.2",),
    looks=("yaru", "yaru-dark"),
    sizes=((200, 100),),
)
MENU = {"rect": [10, 10, 110, 90], "kind": "menu"}


def record(state, **others):
    values = {
        "state": state,
        "title": state,
        "kind": "main",
        "size": [200, 100],
        "frame": [0, 0, 200, 100],
        "popups": [],
        "parent": None,
        "parent_offset": None,
        "modal": False,
        "placement": "floating",
        "toolkit": "gtk 3.24",
        "steps": ["launch"],
        "elements": [element_record(0, name=f"{state} one"), element_record(1)],
    }
    return values | others


def session(folder, *records, transitions=(), failures=(), seconds=12.4):
    """What a session leaves: records, pictures and its report."""
    folder.mkdir(parents=True)
    for number, each in enumerate(records):
        (folder / f"{each['state']}.json").write_text(json.dumps(each))
        pixels = np.roll(speckled(200, 100), number, axis=0)
        pixels[number, :, 0] = 40 * number
        Image.fromarray(pixels).save(folder / f"{each['state']}.png")
    report = {
        "states": [r["state"] for r in records],
        "transitions": list(transitions),
        "failures": list(failures),
        "seconds": seconds,
    }
    (folder / "report.json").write_text(json.dumps(report))
    return folder


def click(start, end, element="e0"):
    return {"from": start, "element": element, "action": "click", "to": end, "offset": None}


def written(pack):
    return {p.stem: json.loads(p.read_text()) for p in (pack / "windows" / "editor").glob("*.json")}


def steps(pack):
    lines = (pack / "windows" / "editor" / "transitions.jsonl").read_text().splitlines()
    told = [(t["from"], t["element"], end) for t in map(json.loads, lines) for end in leads_to(t)]
    return [(start.split("/")[1], element, end.split("/")[1]) for start, element, end in told]


@pytest.fixture
def published(tmp_path):
    dialog = record("dialog-find", kind="dialog", parent="main", parent_offset=[5, 6])
    outs = {
        "yaru": session(
            tmp_path / "yaru",
            record("main"),
            record("menu-file", popups=[MENU], elements=[element_record(0, popup=0, bbox=[20, 20, 90, 40])]),
            dialog,
            transitions=[click("main", "menu-file"), click("main", "dialog-find", "e1")],
            failures=["tab-x: too few"],
        ),
        "yaru-dark": session(tmp_path / "dark", record("main"), record("tab-two", frame=[0, 0, 180, 100])),
    }
    figures = publish.publish(EDITOR, outs, tmp_path / "pack")
    return tmp_path / "pack", figures


def test_captures_are_named_by_state_and_look(published):
    pack, figures = published
    files = written(pack)
    assert set(files) == {"program", "main", "menu-file", "dialog-find", "main-yaru-dark", "tab-two-yaru-dark"}
    assert figures["captures"] == 5
    assert figures["failures"] == ["yaru: tab-x: too few"]
    assert (figures["seconds"], figures["transitions"]) == (25, 2)
    assert figures["named"] == figures["elements"] == 9


def test_the_program_and_the_pack_are_described(published):
    pack, _ = published
    program = written(pack)["program"]
    assert (program["package"], program["version"], program["toolkit"]) == ("editor-app", "1.4.2", "gtk 3.24")
    assert json.loads((pack / "pack.json").read_text())["name"] == "windesk-default"


def test_a_capture_says_how_it_looks_and_what_it_belongs_to(published):
    files = written(published[0])
    dialog, dark = files["dialog-find"], files["main-yaru-dark"]
    assert (dialog["parent_window"], dialog["parent_offset"]) == ("editor/main", [5, 6])
    assert (dialog["theme"], dialog["dark"], dialog["variant_of"]) == ("Yaru", False, None)
    assert (dark["theme"], dark["dark"], dark["variant_of"]) == ("Yaru-dark", True, "editor/main")
    assert files["tab-two-yaru-dark"]["variant_of"] is None, "the first look has no such state"


def test_pictures_are_named_by_their_content(published):
    pack, _ = published
    for name, capture in written(pack).items():
        if name != "program":
            image = capture["image"]
            assert image["file"] == f"{image['sha256'][:16]}.webp"
            with Image.open(pack / "windows" / "editor" / image["file"]) as picture:
                assert picture.size == (200, 100)


def test_transitions_have_full_ids(published):
    assert steps(published[0]) == [("main", "e0", "menu-file"), ("main", "e1", "dialog-find")]


@pytest.mark.parametrize(
    ("start", "offset", "outcome"),
    [
        ("editor/main", [4, 8], {"kind": "window", "to": "editor/main", "offset": [4, 8]}),
        ("editor/dialog-find", None, {"kind": "closed", "to": "editor/main"}),
        ("editor/menu-file", None, {"kind": "page", "to": "editor/main"}),
    ],
)
def test_clicks_of_a_session_tell_what_comes_of_them(start, offset, outcome):
    transition = {"from": start, "element": "e0", "action": "click", "to": "editor/main", "offset": offset}
    told = publish.with_outcome(transition, {"editor/dialog-find": "editor/main", "editor/menu-file": None})
    assert told == {"from": start, "element": "e0", "action": "click", "outcomes": [outcome]}


def test_states_that_a_pack_has(published):
    pack, _ = published
    assert publish.states(EDITOR, "yaru", pack) == ["dialog-find", "main", "menu-file"]
    assert publish.states(EDITOR, "yaru-dark", pack) == ["main", "tab-two"]


def test_nothing_is_published_without_a_capture(tmp_path):
    figures = publish.publish(EDITOR, {"yaru": session(tmp_path / "out")}, tmp_path / "pack")
    assert figures["captures"] == 0
    assert not (tmp_path / "pack").exists()


def test_what_is_added_leaves_the_pack_as_it_is(published, tmp_path):
    pack, _ = published
    before = written(pack)["main"]
    # The window is shown 10 pixels further to the right, and its elements have other ids.
    moved = record(
        "main",
        frame=[10, 0, 210, 100],
        elements=[
            element_record(5, name="main one", bbox=[20, 10, 40, 30]),
            element_record(6, name="New", bbox=[1, 1, 9, 9]),
        ],
    )
    new = record("tab-three", elements=[element_record(0, name="Three"), element_record(1)])
    clicks = [click("main", "tab-three", "e5"), click("main", "tab-three", "e6"), click("main", "menu-file", "e5")]
    out = session(tmp_path / "more", moved, new, transitions=clicks)
    figures = publish.add(EDITOR, {"yaru": out}, pack)
    assert figures["captures"] == 1
    assert written(pack)["main"] == before
    # Told anew by the pack's own ids; the element that the pack's capture lacks is not told at all.
    assert steps(pack) == [("main", "e0", "menu-file"), ("main", "e1", "dialog-find")]


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({}, "e0"),
        ({"bbox": [43, 7, 63, 33]}, "e0"),
        ({"bbox": [44, 10, 60, 30]}, None),
        ({"role": "link"}, None),
        ({"name": "B"}, None),
    ],
)
def test_an_element_is_known_again_by_role_name_and_place(change, found):
    """In this session the window lies 30 pixels further to the right."""
    own = {"frame": [0, 0, 200, 100], "elements": [element_record(0, name="A", bbox=[10, 10, 30, 30])]}
    seen = {"frame": [30, 0, 230, 100], "elements": [element_record(7, name="A", bbox=[40, 10, 60, 30]) | change]}
    told = publish._on_present({"from": "x", "element": "e7", "to": "y"}, {"x": seen}, {"x": own})
    assert told == (found and {"from": "x", "element": found, "to": "y"})


def test_a_click_in_a_new_state_is_told_as_it_is():
    step = {"from": "new", "element": "e7", "to": "y"}
    assert publish._on_present(step, {"new": {}}, {"y": {}}) is step


def test_a_new_click_on_an_element_of_the_pack(published, tmp_path):
    pack, _ = published
    new = record("tab-three", elements=[element_record(0, name="Three"), element_record(1)])
    out = session(
        tmp_path / "more", record("main"), new, transitions=[dict(click("main", "tab-three"), action="hover")]
    )
    publish.add(EDITOR, {"yaru": out}, pack)
    assert steps(pack)[-1] == ("main", "e0", "tab-three")


def test_nothing_can_be_added_to_a_program_that_the_pack_lacks(tmp_path):
    with pytest.raises(ValueError, match="expected a program of the pack, found none"):
        publish.add(EDITOR, {"yaru": session(tmp_path / "out", record("main"))}, tmp_path / "pack")


def test_popups_keep_to_their_share():
    plain = [{"id": f"p{n}", "popups": []} for n in range(7)]
    menus = [{"id": f"m{n}", "popups": [MENU]} for n in range(5)]

    def kept(transitions, present=frozenset()):
        return [r["id"] for r in publish._within_popup_share(plain + menus, transitions, set(present))][7:]

    assert kept([]) == ["m0", "m1", "m2"], "3 for 7 without"
    assert kept([{"from": "m4"}]) == ["m0", "m1", "m4"], "those that lead somewhere come first"
    assert kept([{"from": "m4"}], {"m1", "m2", "m3"}) == ["m1", "m2", "m3"]
    assert [r["id"] for r in publish._within_popup_share(menus, [])] == ["m0"], "one in any case"


@pytest.mark.parametrize(
    ("source", "package", "version"),
    [
        ({"pip": ("jupyterlab==4.2.1", "extra==1")}, "jupyterlab", "4.2.1"),
        ({"npm": ("tiddlywiki@5.3.6",)}, "tiddlywiki", "5.3.6"),
        ({"npm": ("@scope/tool@1.0.0",)}, "@scope/tool", "1.0.0"),
    ],
)
def test_package_and_version(source, package, version):
    program = Program("p", "P", "Utilities", "o", "l", "c", **source)
    assert (publish._package(program), publish._version(program)) == (package, version)
