"""Answers of all families read back to the target, and message lists hold picture, question and answer."""

from __future__ import annotations

import pytest
import windesk


@pytest.fixture(scope="module")
def scenes(pack: windesk.Pack) -> windesk.Scenes:
    return windesk.Scenes("L3", n=4, seed=2, pack=pack)


def test_all_families_are_known() -> None:
    assert len(windesk.families()) == 24


@pytest.mark.parametrize("family", windesk.families())
def test_answers_read_back(scenes: windesk.Scenes, family: str) -> None:
    for view in (scenes, scenes.resized((1280, 720))):
        for sample in view:
            text = windesk.answer(sample, family)
            told = windesk.messages(sample, family, "ms-swift")["messages"]
            assert told[-1]["content"] == text
            assert sample.instruction in told[-2]["content"]
            convention = "norm" if family == "norm" else family
            read = windesk.parse(text, convention, sample.size)
            assert read.inside
            assert read.point is not None
            assert sample.bbox is not None
            x0, y0, x1, y1 = sample.bbox
            assert x0 <= read.point[0] <= x1
            assert y0 <= read.point[1] <= y1


def test_forms(scenes: windesk.Scenes) -> None:
    sample = scenes[0]
    parts = windesk.messages(sample, "qwen2.5-vl")["messages"]
    assert parts[-2]["content"][0] == {"type": "image", "image": sample.image}
    trl = windesk.messages(sample, "qwen2.5-vl", "trl")
    assert trl["images"][0] is sample.image
    assert trl["messages"][-2]["content"][0] == {"type": "image"}
    swift = windesk.messages(sample, "qwen2.5-vl", "ms-swift")
    assert swift["messages"][-2]["content"].startswith("<image>")
    with pytest.raises(windesk.ConfigError, match="qwen9"):
        windesk.messages(sample, "qwen9")
    with pytest.raises(windesk.ConfigError, match="form"):
        windesk.messages(sample, "qwen2.5-vl", "verl")  # type: ignore[arg-type]


def test_parsing() -> None:
    read = windesk.parse("click(start_box='(500,250)')", "norm1000", (2560, 1440))
    assert read.point == (1280.0, 360.0)
    assert read.inside
    assert read.reason is None
    nothing = windesk.parse("I can't see it.", "norm1000", (2560, 1440))
    assert nothing.point is None
    assert not nothing.inside
    assert nothing.reason
    with pytest.raises(windesk.ConfigError, match="norm999"):
        windesk.parse("(1, 2)", "norm999", (100, 100))
