"""Tasks made in Python are those that the command line writes, and say of themselves what their records say."""

from __future__ import annotations

import hashlib
import io
import json
import multiprocessing
import pickle
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import windesk
from PIL import Image

Run = Callable[..., subprocess.CompletedProcess[str]]


def lines_of(out: Path, folder: str) -> list[bytes]:
    parts = sorted(out.glob(f"{folder}/*.jsonl"))
    return [line for part in parts for line in part.read_bytes().splitlines(keepends=True)]


def check(command_line: Run, folder: Path, words: str, tasks: windesk.Tasks) -> None:
    """Compares a dataset of the command line, made with these words, with tasks."""
    out = folder / "dataset"
    done = command_line(*words.split(), "--out", out, "--no-sync")
    assert done.returncode in (0, 1), done.stderr
    made = list(tasks)
    assert [task.record_line for task in made] == lines_of(out, "tasks")
    steps = [step for task in made for step in task.steps]
    assert len(made) > 0
    assert [step.record_line for step in steps] == lines_of(out, "scenes")
    assert [step.plan_line for step in steps] == lines_of(out, "plans")
    for step in steps:
        picture = (out / step.record["image"]).read_bytes()
        assert step.encoded("png") == picture
        assert np.array_equal(step.image, np.asarray(Image.open(io.BytesIO(picture)).convert("RGB")))
    manifest = json.loads((out / "manifest.json").read_text())
    found = windesk.digests(
        ((Path(s.record["image"]).name, s.encoded("png"), s.record_line) for s in steps), conditions=6
    )
    assert found == [(part["sha256"], part["images_sha256"]) for part in manifest["shards"]]
    whole = hashlib.sha256(b"".join(task.record_line for task in made)).hexdigest()
    assert [part["tasks_sha256"] for part in manifest["shards"]] == [whole]
    assert manifest["dataset"] == tasks.name


def test_the_usual_ones(command_line: Run, tmp_path: Path, pack: windesk.Pack) -> None:
    check(command_line, tmp_path, "tasks --n 4 --seed 5", windesk.tasks(n=4, seed=5, pack=pack))


def test_with_all_options(command_line: Run, tmp_path: Path, pack: windesk.Pack) -> None:
    tasks = windesk.tasks("reveal", 3, pack=pack, level="L2", steps=(2, 3), canvas=(1920, 1080), chrome="taskbar")
    words = "tasks --n 3 --kind reveal --level L2 --steps 2..3 --canvas 1920x1080 --chrome taskbar"
    check(command_line, tmp_path, words, tasks)


def test_written_goals(command_line: Run, tmp_path: Path, pack: windesk.Pack) -> None:
    tasks = windesk.tasks("workflow", 2, pack=pack, goals="reviewed", steps=2)
    assert all(task.record["goal_source"] == "reviewed" for task in tasks)
    check(command_line, tmp_path, "tasks --n 2 --kind workflow --goals reviewed --steps 2", tasks)


@pytest.fixture(scope="module")
def tasks(pack: windesk.Pack) -> windesk.Tasks:
    return windesk.tasks(n=6, seed=1, pack=pack)


def scaled(box: list[float], by: float) -> tuple[float, ...]:
    return tuple(side * by for side in box)


def test_tasks_say_what_their_records_say(tasks: windesk.Tasks) -> None:
    assert len(tasks) == 6
    for full, small in zip(tasks, tasks.resized((1280, 720)), strict=True):
        record = full.record
        assert (full.id, full.kind, full.goal) == (record["id"], record["kind"], record["task_overview"])
        assert small.record == record
        assert 2 <= len(full.steps) == len(record["steps"]) <= 6
        for number, (step, half, told) in enumerate(zip(full.steps, small.steps, record["steps"], strict=True)):
            assert step.number == number
            assert (step.id, step.kind) == (told["scene"], told["step_kind"])
            assert step.instruction == told["instruction"]
            assert step.bbox == tuple(told["bbox"])
            assert step.click_point == tuple(told["click_point"])
            assert step.record["sequence"] == {"id": full.id, "step": number, "steps": len(full.steps)}
            assert half.image.shape == (720, 1280, 3)
            by = 1280 / step.full_size[0]
            assert half.bbox == scaled(told["bbox"], by)
            told_places = [(tuple(place["bbox"]), place["why"]) for place in told.get("also_valid", [])]
            assert [(place.bbox, place.why) for place in step.also_valid] == told_places
            assert [place.bbox for place in half.also_valid] == [scaled(list(box), by) for box, _ in told_places]
            assert step.overlay().shape == step.image.shape


def test_some_steps_have_other_places(pack: windesk.Pack) -> None:
    tasks = windesk.tasks("reveal", n=30, pack=pack)
    assert any(step.also_valid for task in tasks for step in task.steps)


def test_as_a_sequence(tasks: windesk.Tasks) -> None:
    assert tasks[-1].id == tasks[5].id
    assert [task.index for task in tasks[1:6:2]] == [1, 3, 5]
    with pytest.raises(IndexError, match="expected one below 6"):
        tasks[6]
    # Few programs bear tasks of all kinds.
    workflows = windesk.tasks("workflow", n=6, pack=tasks.pack)
    application = workflows[0].record["application"]
    some = workflows.filter(app=application)
    assert some != workflows
    assert {task.record["application"] for task in some} == {application}
    assert len(windesk.tasks(pack=tasks.pack)) > 1_000_000


def test_pickles_are_made_again(tasks: windesk.Tasks) -> None:
    again = pickle.loads(pickle.dumps(tasks))
    assert again == tasks
    assert hash(again) == hash(tasks)
    assert len(pickle.dumps(tasks)) < 1500
    task, step = pickle.loads(pickle.dumps((tasks[2], tasks[2].steps[1])))
    assert task.record_line == tasks[2].record_line
    assert (step.id, step.number) == (tasks[2].steps[1].id, 1)
    assert np.array_equal(step.image, tasks[2].steps[1].image)


def digests_of(tasks: windesk.Tasks, indices: list[int]) -> list[str]:
    found = []
    for task in (tasks[index] for index in indices):
        pictures = b"".join(step.image.tobytes() for step in task.steps)
        found.append(hashlib.sha256(task.record_line + pictures).hexdigest())
    return found


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_other_processes_give_the_same(tasks: windesk.Tasks, method: str) -> None:
    small = tasks.resized((640, 360))
    expected = digests_of(small, [0, 1])
    with multiprocessing.get_context(method).Pool(2) as pool:
        halves = pool.starmap_async(digests_of, [(small, [0]), (small, [1])]).get(timeout=120)
    assert halves[0] + halves[1] == expected


def test_scores(tasks: windesk.Tasks) -> None:
    clicks = [{"id": task.id, "step": step.number, "point": step.click_point} for task in tasks for step in task.steps]
    found = windesk.evaluate(tasks, clicks, protocol="sequence", resamples=100)
    assert [(o["id"], o["step"], o["hit"]) for o in found.outcomes] == [(c["id"], c["step"], True) for c in clicks]
    missed = [dict(click, point=[0, 0]) for click in clicks]
    found = windesk.evaluate(list(tasks), missed, protocol="sequence", resamples=100)
    assert not any(outcome["hit"] for outcome in found.outcomes)
    with pytest.raises(windesk.ConfigError, match="without an end"):
        windesk.evaluate(windesk.tasks(pack=tasks.pack), [], protocol="sequence")


def test_bad_input(pack: windesk.Pack) -> None:
    def fails(match: str, **options: object) -> None:
        with pytest.raises(windesk.ConfigError, match=match):
            windesk.tasks(n=1, pack=pack, **options)  # type: ignore[arg-type]

    fails("did you mean reveal", kind="revela")
    fails("option `steps` 1..3: expected a number or a range within 2..6", steps=(1, 3))
    fails("option `steps` 7", steps=7)
    fails("the fewest and the most clicks", steps=(1, 2, 3))
    fails("did you mean reviewed", goals="reviewd")
    fails("`states` varied is not known of tasks", states="varied")
    fails("windeskground knows no tasks", protocol="windeskground")
    fails("option `app` no-such-program", app="no-such-program")
    fails("level", level="L9")
