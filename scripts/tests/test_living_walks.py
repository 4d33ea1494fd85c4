"""Random events, and how they are judged."""

import json
import random
import tarfile

import numpy as np
import pytest

from builders import element_record
from capture.living import judge
from capture.living.part_of_pack import part_of_pack
from capture.programs import RecipeError
from test_programs import read


def record(number, role="check box", **others):
    own = {"role": role, "bbox": [10, 10, 50, 30], "interactive": True, "state": {}}
    return {**element_record(number), **own, **others}


def test_every_element_is_as_likely_as_any_other():
    elements, chance = [record(n) for n in range(4)], random.Random(7)
    drawn = [judge.choose(elements, "gtk 3.24", chance)[0] for _ in range(800)]
    counts = [sum(e is not None and e["id"] == f"e{n}" for e in drawn) for n in range(4)]
    assert min(counts) > 150
    assert sum(e is None for e in drawn) < 80


def test_clicks_fall_into_the_element():
    chance = random.Random(1)
    for role in ("check box", "spin button", "slider", "entry", "push button", "combo box"):
        for _ in range(50):
            _, event = judge.choose([record(0, role)], "Qt 5", chance)
            if "click" in event:
                x, y = event["click"]
                assert 10 <= x < 50
                assert 10 <= y < 30


def test_a_picture_counts_where_it_is_solid():
    told = np.zeros((4, 4, 4), np.uint8)
    told[:2, :, 3] = 255
    seen = np.zeros((4, 4, 3), np.uint8)
    seen[2:] = 99
    assert judge.same_picture(told, seen, ()) == (True, 0)
    seen[0] = 10
    assert judge.same_picture(told, seen, ()) == (False, 4)
    assert judge.same_picture(told, seen, [(0, 0, 4, 1)]) == (True, 0)
    assert judge.same_picture(told[:2], seen, ()) == (False, -1)


def test_states_are_told_element_by_element():
    told = [record(0, name="Wrap", state={"checked": True}), record(1, "entry", name="Size", bbox=[10, 40, 50, 60])]
    seen = [record(4, name="Wrap", state={"checked": False, "focused": True})]
    assert judge.state_faults(told, seen) == ["not there: entry Size", "check box Wrap: checked True not False"]
    assert judge.state_faults(told, told) == []


@pytest.mark.parametrize(
    ("right", "of", "low", "high"), [(93, 100, 0.863, 0.966), (0, 0, 0.0, 1.0), (10, 10, 0.722, 1.0)]
)
def test_intervals_are_those_of_wilson(right, of, low, high):
    assert judge.wilson(right, of) == pytest.approx((low, high), abs=0.001)


def test_shares_of_a_walk():
    event = {"changed": True, "modelled": True, "picture": True, "states": True, "right": True}
    events = [event, {**event, "changed": False}, {**event, "modelled": False, "right": False, "states": False}]
    found = judge.summary(events)
    assert [(found[k]["right"], found[k]["of"]) for k in ("changed", "all", "states")] == [(1, 2), (2, 3), (2, 2)]


def test_a_recipe_names_its_living_pages(tmp_path):
    program = read(tmp_path, '[[live]]\nname = "preferences"\nsteps = ["key ctrl+comma"]')
    (page,) = program.live
    assert (page.name, [str(s) for s in page.steps], page.depth) == ("preferences", ["key ctrl+comma"], 1)
    with pytest.raises(RecipeError, match="live"):
        read(tmp_path, '[[live]]\nname = "preferences"')


def test_a_walk_asks_a_pack_of_one_program_that_names_no_other(tmp_path):
    pack, part = tmp_path / "pack", tmp_path / "part.tar"
    for name in ("pack.json", "workflows.jsonl", "index/index.json", "windows/tali/main.json", "windows/eom/main.json"):
        (pack / name).parent.mkdir(parents=True, exist_ok=True)
        (pack / name).write_text("{}", encoding="utf-8")
    session = {"id": "light", "shell": {"kind": "panel", "pinned": ["eom", "tali"]}}
    (pack / "sessions").mkdir()
    (pack / "sessions" / "light.json").write_text(json.dumps(session), encoding="utf-8")
    (pack / "sessions" / "bare.json").write_text('{"id": "bare"}', encoding="utf-8")
    part_of_pack(pack, "tali", part)
    with tarfile.open(part) as archive:
        told = {m.name: archive.extractfile(m).read() for m in archive.getmembers()}
    assert set(told) == {"pack.json", "sessions/bare.json", "sessions/light.json", "windows/tali/main.json"}
    assert json.loads(told["sessions/light.json"])["shell"]["pinned"] == ["tali"]
