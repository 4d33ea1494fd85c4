"""What a sample says of itself agrees with its record and its pixels."""

from __future__ import annotations

import io
import pickle

import numpy as np
import pytest
import windesk
from PIL import Image


@pytest.fixture(scope="module")
def sample(pack: windesk.Pack) -> windesk.Sample:
    return windesk.Scenes("L4", n=4, seed=11, pack=pack, targets_per_scene=3)[2]


def test_picture(sample: windesk.Sample) -> None:
    assert sample.image.dtype == np.uint8
    assert sample.image.shape == (sample.record["height"], sample.record["width"], 3)
    assert sample.image.flags.c_contiguous
    assert sample.image.flags.writeable
    assert sample.image is sample.image
    assert np.array_equal(np.asarray(sample.to_pil()), sample.image)


def test_targets(sample: windesk.Sample) -> None:
    recorded = sample.record["targets"]
    assert [t.id for t in sample.targets] == [t["id"] for t in recorded]
    assert len(recorded) > 1
    assert sample.instruction == recorded[0]["instruction"]
    assert sample.bbox == tuple(recorded[0]["bbox"])
    assert sample.click_point == tuple(recorded[0]["click_point"])
    assert 0.5 <= sample.targets[0].visible_ratio <= 0.7


def test_masks_hold_the_visible_pixels(sample: windesk.Sample) -> None:
    for at, target in enumerate(sample.targets):
        mask = sample.mask(at)
        assert mask.shape == sample.image.shape[:2]
        assert mask.sum() == sample.record["targets"][at]["visible_px"] > 0
        assert target.click_point is not None
        assert target.visible_bbox is not None
        assert mask[target.click_point[1], target.click_point[0]]
        rows, columns = np.nonzero(mask)
        assert (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1) == target.visible_bbox


def test_elements(sample: windesk.Sample) -> None:
    elements = sample.elements
    assert len(elements) == len(sample.record["elements"])
    for row, recorded in zip(elements, sample.record["elements"], strict=True):
        assert row["id"] == recorded["id"]
        assert list(row["bbox"]) == recorded["bbox"]
        assert np.isnan(row["visible_bbox"]).all() == (recorded["visible_bbox"] is None)
        assert row["visible_px"] == recorded["visible_px"]
    assert elements["interactive"].any()
    assert (elements["window"] == -1).any()


def test_an_absent_target(pack: windesk.Pack) -> None:
    sample = windesk.Scenes("L2", n=1, pack=pack, absent_share=1)[0]
    assert sample.targets[0].kind == "absent"
    assert sample.bbox is None
    assert sample.click_point is None
    assert not sample.mask().any()
    with pytest.raises(windesk.ConfigError, match="not on the screen"):
        windesk.answer(sample, "qwen3-vl")


@pytest.mark.parametrize("size", [(1280, 720), (1000, 700), (2560, 1440), (644, 364), (3000, 1500)])
def test_resampled_pictures_are_means_of_areas(pack: windesk.Pack, size: tuple[int, int]) -> None:
    scenes = windesk.Scenes("L3", n=1, pack=pack)
    full, small = scenes[0], scenes.resized(size)[0]
    assert small.image.shape == (size[1], size[0], 3)
    assert small.size == size
    # Weights of the pixels that each new pixel covers, per axis.
    weights = []
    for new, old in zip(size, full.size, strict=True):
        borders = np.arange(new + 1) * old / new
        pixels = np.arange(old)
        overlap = np.minimum(borders[1:, None], pixels + 1) - np.maximum(borders[:-1, None], pixels)
        weights.append(np.clip(overlap, 0, None) / (old / new))
    expected = np.einsum("xw,hwc->hxc", weights[0][:40], full.image.astype(np.float64))
    expected = np.einsum("yh,hxc->yxc", weights[1][:30], expected)
    assert np.abs(small.image[:30, :40] - expected).max() <= 0.5 + 1e-6


def test_boxes_follow_the_size(pack: windesk.Pack) -> None:
    scenes = windesk.Scenes("L3", n=3, pack=pack)
    for full, small in zip(scenes, scenes.resized((1280, 720)), strict=True):
        assert full.bbox is not None
        assert small.bbox is not None
        assert small.click_point is not None
        assert small.bbox == tuple(side / 2 for side in full.bbox)
        x, y = small.click_point
        assert small.bbox[0] <= x + 0.5 <= small.bbox[2]
        assert small.bbox[1] <= y + 0.5 <= small.bbox[3]
        assert small.mask().shape == (720, 1280)
        assert abs(int(small.mask().sum()) * 4 - int(full.mask().sum())) <= 0.2 * full.mask().sum() + 40
        assert small.record == full.record
        assert np.allclose(small.elements["bbox"], full.elements["bbox"] / 2)


def test_overlay_is_drawn_over_the_picture(sample: windesk.Sample) -> None:
    overlay = sample.overlay()
    changed = (overlay != sample.image).any(axis=2)
    assert overlay.shape == sample.image.shape
    assert 0 < changed.mean() < 0.2
    shown = Image.open(io.BytesIO(sample._repr_png_()))
    assert shown.format == "PNG"
    assert shown.width == 1280


def test_pickles_are_made_again(sample: windesk.Sample) -> None:
    pickled = pickle.dumps(sample)
    assert len(pickled) < 2000
    again = pickle.loads(pickled)
    assert again.id == sample.id
    assert np.array_equal(again.image, sample.image)
