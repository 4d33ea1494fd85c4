"""State instances made in Python are those of the command line, and say of themselves what their records say."""

from __future__ import annotations

import hashlib
import io
import json
import multiprocessing
import pickle
import subprocess
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import windesk
from PIL import Image

Run = Callable[..., subprocess.CompletedProcess[str]]


def lines_of(out: Path, folder: str) -> list[bytes]:
    parts = sorted(out.glob(f"{folder}/*.jsonl"))
    return [line for part in parts for line in part.read_bytes().splitlines(keepends=True)]


def instances_of(samples: Iterable[windesk.Sample]) -> list[windesk.StateInstance]:
    found = list(samples)
    assert all(isinstance(sample, windesk.StateInstance) for sample in found)
    return found  # type: ignore[return-value]


def check(command_line: Run, folder: Path, words: str, states: windesk.States | windesk.Scenes) -> None:
    """Compares a dataset of the command line, made with these words, with state instances."""
    out = folder / "dataset"
    done = command_line(*words.split(), "--out", out, "--overlay", "--no-sync")
    assert done.returncode in (0, 1), done.stderr
    made = instances_of(states)
    assert len(made) > 0
    assert [instance.instance_line for instance in made] == lines_of(out, "states")
    assert [instance.record_line for instance in made] == lines_of(out, "scenes")
    assert [instance.plan_line for instance in made] == lines_of(out, "plans")
    for instance in made:
        picture = (out / instance.record["image"]).read_bytes()
        assert instance.encoded("png") == picture
        assert np.array_equal(instance.image, np.asarray(Image.open(io.BytesIO(picture)).convert("RGB")))
        (drawn,) = out.glob(f"overlays/*/{instance.id}.png")
        assert np.array_equal(instance.overlay(), np.asarray(Image.open(drawn).convert("RGB")))
    manifest = json.loads((out / "manifest.json").read_text())
    conditions = len(states.conditions) if isinstance(states, windesk.Scenes) else 1
    found = windesk.digests(((Path(i.record["image"]).name, i.encoded("png"), i.record_line) for i in made), conditions)
    assert found == [(part["sha256"], part["images_sha256"]) for part in manifest["shards"]]
    whole = hashlib.sha256(b"".join(instance.instance_line for instance in made)).hexdigest()
    assert [part["states_sha256"] for part in manifest["shards"]] == [whole]
    assert manifest["dataset"] == states.name


def test_the_usual_ones(command_line: Run, tmp_path: Path, pack: windesk.Pack) -> None:
    check(command_line, tmp_path, "states --n 9 --seed 5", windesk.states(n=9, seed=5, pack=pack))


def test_pages_with_hints(command_line: Run, tmp_path: Path, pack: windesk.Pack) -> None:
    states = windesk.states(["web", "mobile-web"], 4, pack=pack, family=["range", "data"], hint="description")
    words = "states --n 4 --platform web,mobile-web --family range,data --hint description"
    check(command_line, tmp_path, words, states)


def test_desktops_with_all_options(command_line: Run, tmp_path: Path, pack: windesk.Pack) -> None:
    states = windesk.states(
        "desktop", 3, 2, pack, type="check_box", hint="box", level="L3", canvas=(1920, 1080), split="test"
    )
    words = "states --n 3 --seed 2 --platform desktop --type check_box --hint box --level L3 --canvas 1920x1080"
    check(command_line, tmp_path, f"{words} --split test", states)


def test_the_sweep_over_cores(command_line: Run, tmp_path: Path, pack: windesk.Pack) -> None:
    sweep = windesk.sweep("state-precision", n=2, seed=3, pack=pack)
    assert sweep.conditions == ("core-3-9", "core-10-19", "core-20")
    check(command_line, tmp_path, "sweep state-precision --n 2 --seed 3", sweep)
    fine, medium, coarse = (instances_of(sweep.with_conditions(name)) for name in sweep.conditions)
    for instances in zip(fine, medium, coarse, strict=True):
        shortest = [min(instance.difficulty.target_core_px) for instance in instances]
        assert 3 <= shortest[0] <= 9 < shortest[1] <= 19 < shortest[2]
        assert all(np.array_equal(instance.image, instances[0].image) for instance in instances)
    batch = sweep.resized((320, 200)).batch([0, 5])
    assert batch.images.shape == (2, 200, 320, 3)
    assert [instance.id for instance in instances_of(batch.samples)] == [sweep[0].id, sweep[5].id]
    with pytest.raises(windesk.ConfigError, match="sizes of target cores"):
        windesk.sweep("state-precision", 1, pack=pack, list="windows=1,2")


@pytest.fixture(scope="module")
def states(pack: windesk.Pack) -> windesk.States:
    return windesk.states(n=12, seed=1, pack=pack)


def scaled(told: Sequence[float], by: tuple[float, float]) -> tuple[float, ...]:
    return tuple(side * by[at % 2] for at, side in enumerate(told))


def test_instances_say_what_their_records_say(states: windesk.States) -> None:
    assert len(states) == 12
    for full, small in zip(states, states.resized((640, 360)), strict=True):
        told: dict[str, Any] = full.instance
        assert small.instance == told
        assert told["scene"] == full.id
        assert (full.instruction, full.locate_instruction) == (told["instruction"], told["locate_instruction"])
        assert (full.platform, full.component, full.family) == (told["platform"], told["component"], told["family"])
        assert (full.current_state, full.target_state) == (told["current_state"], told["target_state"])
        assert full.current_state != full.target_state
        assert list(full.full_size) == told["image_size"]
        assert full.image.shape == (*reversed(told["image_size"]), 3)
        assert small.image.shape == small.overlay().shape == (360, 640, 3)
        by = (640 / told["image_size"][0], 360 / told["image_size"][1])
        for name in ("control_bbox", "core_bbox", "target_core_bbox"):
            assert getattr(full, name) == tuple(told[name])
            assert getattr(small, name) == pytest.approx(scaled(told[name], by))
        assert full.bbox == full.target_core_bbox
        x0, y0, x1, y1 = (int(side) for side in full.target_core_bbox)
        assert full.mask().sum() == full.mask()[y0:y1, x0:x1].sum() == (x1 - x0) * (y1 - y0)
        assert full.difficulty.target_core_px == (x1 - x0, y1 - y0) == tuple(told["difficulty"]["target_core_px"])
        assert (full.difficulty.steps, full.difficulty.like_controls, full.difficulty.value_shown) == tuple(
            told["difficulty"][name] for name in ("steps", "like_controls", "value_shown")
        )
        assert full.difficulty.contrast == small.difficulty.contrast == told["difficulty"]["contrast"]
        assert full.hint is None


def test_acts(pack: windesk.Pack) -> None:
    states = windesk.states("web", n=12, pack=pack, type=["switch", "seek_bar", "reorder"])
    kinds = set()
    for full, small in zip(states, states.resized((640, 360)), strict=True):
        (kind,) = full.instance["act"]
        told = full.instance["act"][kind]
        points = (tuple(told),) if kind == "click" else tuple(map(tuple, told))
        assert (full.act.kind, full.act.points) == (kind, points)
        assert full.click_point == (points[0] if kind == "click" else None)
        across, down = 640 / full.full_size[0], 360 / full.full_size[1]
        assert small.act.points == tuple((int((x + 0.5) * across), int((y + 0.5) * down)) for x, y in points)
        if kind == "click":
            assert windesk.answer(full, "qwen3-vl")
        else:
            with pytest.raises(windesk.ConfigError, match="only a drag sets"):
                windesk.answer(full, "qwen3-vl")
        kinds.add(kind)
    assert kinds == {"click", "drag"}


def test_hints(pack: windesk.Pack) -> None:
    told = windesk.states("web", 1, pack=pack, hint="description")[0].hint
    assert told is not None
    assert (told.kind, told.source, told.bbox) == ("description", "oracle", None)
    assert told.text
    boxed = windesk.states("web", 1, pack=pack, hint="box")[0]
    assert boxed.hint is not None
    assert (boxed.hint.kind, boxed.hint.text, boxed.hint.bbox) == ("box", None, boxed.control_bbox)


def test_what_is_asked_for(pack: windesk.Pack) -> None:
    some = windesk.states("mobile-web", n=6, pack=pack, family="option")
    assert {(instance.platform, instance.family) for instance in some} == {("mobile-web", "option")}
    assert len({instance.component for instance in some}) > 1
    crowded = windesk.states("desktop", n=2, pack=pack, type="check_box", level="L3")
    assert all(6 <= len(instance.record["windows"]) <= 9 for instance in crowded)
    assert all(instance.component == "check_box" for instance in crowded)


def test_as_a_sequence(states: windesk.States) -> None:
    assert states[-1].id == states[11].id
    assert [instance.index for instance in states[1:12:5]] == [1, 6, 11]
    with pytest.raises(IndexError, match="expected one below 12"):
        states[12]
    first = states[0]
    some = states.filter(app=first.instance["application"])
    assert some != states
    assert {instance.instance["application"] for instance in some} == {first.instance["application"]}
    assert len(windesk.states(pack=states.pack)) > 1_000_000


def test_pickles_are_made_again(states: windesk.States) -> None:
    again = pickle.loads(pickle.dumps(states))
    assert again == states
    assert hash(again) == hash(states)
    assert len(pickle.dumps(states)) < 1500
    instance = pickle.loads(pickle.dumps(states[2]))
    assert isinstance(instance, windesk.StateInstance)
    assert instance.instance_line == states[2].instance_line
    assert np.array_equal(instance.image, states[2].image)


def digests_of(states: windesk.States, indices: list[int]) -> list[str]:
    made = (states[index] for index in indices)
    return [hashlib.sha256(i.instance_line + i.record_line + i.image.tobytes()).hexdigest() for i in made]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_other_processes_give_the_same(states: windesk.States, method: str) -> None:
    small = states.resized((640, 360))
    expected = digests_of(small, [0, 1, 2, 3])
    with multiprocessing.get_context(method).Pool(2) as pool:
        halves = pool.starmap_async(digests_of, [(small, [0, 1]), (small, [2, 3])]).get(timeout=120)
    assert halves[0] + halves[1] == expected


def answered(instance: windesk.StateInstance) -> list[dict[str, Any]]:
    """The right answers to both questions."""
    x0, y0, x1, y1 = instance.core_bbox
    key = "point" if instance.act.kind == "click" else "drag"
    act = instance.act.points[0] if key == "point" else instance.act.points
    asked = {"id": instance.instance["id"]}
    locate = {**asked, "question": "locate", "point": [(x0 + x1) / 2, (y0 + y1) / 2]}
    return [locate, {**asked, "question": "interact", key: act}]


def test_scores(states: windesk.States) -> None:
    answers = [answer for instance in states for answer in answered(instance)]
    found = windesk.evaluate(states, answers, protocol="state", resamples=100)
    assert len(found.outcomes) == 2 * len(states)
    assert all(outcome["exact"] for outcome in found.outcomes)
    missed = [{"id": a["id"], "question": a["question"], "point": [0, 0]} for a in answers]
    found = windesk.evaluate(list(states), missed, protocol="state", resamples=100)
    assert not any(outcome["exact"] for outcome in found.outcomes)
    with pytest.raises(windesk.ConfigError, match="without an end"):
        windesk.evaluate(windesk.states(pack=states.pack), [], protocol="state")


def test_bad_input(pack: windesk.Pack) -> None:
    def fails(match: str, **options: object) -> None:
        with pytest.raises(windesk.ConfigError, match=match):
            windesk.states(n=1, pack=pack, **options)  # type: ignore[arg-type]

    fails("did you mean mobile-web", platform="mobil-web")
    fails("option `family` rnage.*\n.*did you mean range", family="rnage")
    fails("option `type` slidr.*\n.*did you mean slider", type=["knob", "slidr"])
    fails("no type is of these families", family="range", type="switch")
    fails("option `hint` bxo", hint="bxo")
    fails("pages alone have no level", platform="web", level="L3")
    fails("option `level` L9", level="L9")
    fails("option `level`", level="")
    fails("`states` varied does not apply", states="varied")
    fails("windeskground knows no controls", protocol="windeskground")
    fails("`visible_ratio`: a control that is to be set shows wholly", level="L3", visible_ratio="0.5..0.6")
    fails("option `app` no-such-program", app="no-such-program")
    fails("option `seed`", seed=-1)
    fails("option `size`", size=(0, 10))
    with pytest.raises(windesk.ConfigError, match="filter `colour`"):
        windesk.states("web", 1, pack=pack).filter(colour="red")
    with pytest.raises(windesk.WindeskError):
        windesk.states("desktop", 1, pack=pack, type="crop_handle", app=pack.programs[0])


def test_a_pack_without_controls() -> None:
    place = Path(__file__).parents[2] / "tests/fixtures/mini-pack"
    with pytest.raises(windesk.WindeskError, match="control"):
        windesk.states(n=1, pack=windesk.Pack.open(place, cache_dir="none"))
