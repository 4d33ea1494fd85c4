"""Scenes are a pure function of their arguments, wherever they are asked."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import pickle
import threading
import time

import numpy as np
import pytest
import windesk


def digest(sample: windesk.Sample) -> str:
    return hashlib.sha256(sample.record_line + sample.image.tobytes()).hexdigest()


def digests_of(scenes: windesk.Scenes, indices: list[int]) -> list[str]:
    return [digest(scenes[index]) for index in indices]


@pytest.fixture(scope="module")
def scenes(pack: windesk.Pack) -> windesk.Scenes:
    return windesk.Scenes("L2", n=6, seed=1, pack=pack, size=(640, 360))


def test_any_order_gives_the_same(scenes: windesk.Scenes) -> None:
    forward = digests_of(scenes, [0, 1, 2, 3])
    assert digests_of(scenes, [3, 2, 1, 0]) == forward[::-1]
    assert len(set(forward)) == 4
    other = windesk.Scenes("L2", n=6, seed=2, pack=scenes.pack, size=(640, 360))
    assert digests_of(other, [0]) != forward[:1]


def test_as_a_sequence(scenes: windesk.Scenes) -> None:
    assert len(scenes) == 6
    assert len(list(scenes)) == 6
    assert scenes[-1].id == scenes[5].id
    assert scenes[np.int64(2)].index == 2
    assert [sample.index for sample in scenes[1:6:2]] == [1, 3, 5]
    for index in (6, -7):
        with pytest.raises(IndexError, match="expected one below 6"):
            scenes[index]
    with pytest.raises(TypeError):
        scenes["0"]  # type: ignore[call-overload]
    endless = windesk.Scenes("L2", pack=scenes.pack)
    assert len(endless) == 1_000_000_000
    assert endless[999_999_999].record["key"]["index"] == 999_999_999


def test_conditions(pack: windesk.Pack) -> None:
    everything = windesk.Scenes("all", n=2, pack=pack)
    assert everything.conditions == ("L1", "L2", "L3", "L4", "L5")
    assert len(everything) == 10
    some = everything.with_conditions("L2", "L5")
    assert some.conditions == ("L2", "L5")
    assert len(some) == 4
    assert [s.id for s in some] == [everything[at].id for at in (1, 4, 6, 9)]
    assert [s.record["condition"] for s in everything.between(0, 5)] == list(everything.conditions)
    with pytest.raises(windesk.ConfigError, match="condition L9"):
        everything.with_conditions("L9")


def test_pickles_stay_small_and_equal(scenes: windesk.Scenes) -> None:
    again = pickle.loads(pickle.dumps(scenes))
    assert again == scenes
    assert hash(again) == hash(scenes)
    assert digests_of(again, [4]) == digests_of(scenes, [4])
    assert len(pickle.dumps(scenes)) < 1500


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_other_processes_give_the_same(scenes: windesk.Scenes, method: str) -> None:
    expected = digests_of(scenes, [0, 1, 2, 3])
    with multiprocessing.get_context(method).Pool(2) as pool:
        halves = pool.starmap_async(digests_of, [(scenes, [0, 1]), (scenes, [2, 3])]).get(timeout=120)
    assert halves[0] + halves[1] == expected


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_forks_while_threads_are_at_work(scenes: windesk.Scenes) -> None:
    """A lock that a thread holds when the process forks would never open in the child."""
    expected = digest(scenes[0])
    done = threading.Event()

    def work() -> None:
        index = 0
        while not done.is_set():
            _ = scenes[index % 6].image
            index += 1

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(10):
            child = os.fork()
            if child == 0:
                os._exit(0 if digest(scenes[0]) == expected else 1)
            deadline = time.monotonic() + 60
            status = None
            while status is None and time.monotonic() < deadline:
                found, status = os.waitpid(child, os.WNOHANG)
                status = status if found else None
                time.sleep(0.005)
            if status is None:
                os.kill(child, 9)
                os.waitpid(child, 0)
            assert status == 0
    finally:
        done.set()
        for thread in threads:
            thread.join()


def test_threads_share_the_interpreter(scenes: windesk.Scenes) -> None:
    """Python goes on while the engine works: a thread that counts isn't held up for as long as a sample takes."""
    full = scenes.resized(None)
    longest, done = 0.0, threading.Event()

    def count() -> None:
        nonlocal longest
        last = time.perf_counter()
        while not done.is_set():
            time.sleep(0.0005)
            now = time.perf_counter()
            longest, last = max(longest, now - last), now

    batch_time = time.perf_counter()
    thread = threading.Thread(target=count)
    thread.start()
    full.batch(range(6), threads=1)
    done.set()
    thread.join()
    batch_time = time.perf_counter() - batch_time
    assert longest < 0.8 * batch_time


def test_batches(scenes: windesk.Scenes) -> None:
    one, four = scenes.batch([5, 0, 3], threads=1), scenes.batch([5, 0, 3], threads=4)
    assert one.images.shape == (3, 360, 640, 3)
    assert one.images.dtype == np.uint8
    assert np.array_equal(one.images, four.images)
    for at, index in enumerate([5, 0, 3]):
        assert np.array_equal(one.images[at], scenes[index].image)
        assert one.samples[at].record_line == scenes[index].record_line
    full = scenes.resized(None).batch([1])
    assert np.array_equal(full.images[0], scenes.resized(None)[1].image)
    assert scenes.batch([]).images.shape[0] == 0
    with pytest.raises(IndexError):
        scenes.batch([0, 6])
