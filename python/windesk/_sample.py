"""A sample: a picture with the whole truth beside it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from . import _windesk
from ._kept import kept

if TYPE_CHECKING:
    from PIL.Image import Image

Box = tuple[float, float, float, float]
Point = tuple[int, int]

#: One row per element: see `Sample.elements`.
ELEMENT_DTYPE = np.dtype(
    [
        ("id", "O"),
        ("layer", "O"),
        ("window", "i4"),
        ("role", "O"),
        ("name", "O"),
        ("bbox", "f4", (4,)),
        ("visible_bbox", "f4", (4,)),
        ("total_px", "i8"),
        ("visible_px", "i8"),
        ("interactive", "?"),
    ]
)

#: Width of the picture that notebooks show, px.
SHOWN_WIDTH = 1280


@dataclass(frozen=True)
class Target:
    """What is asked for. Boxes and points are px of the sample's picture, origin top left.

    Attributes:
        id: the target's id in the dataset.
        instruction: the words.
        kind: ``"present"``, or ``"absent"`` for an element that is not there: then box, point and mask are None.
        bbox: x0, y0, x1, y1, half-open; may reach beyond the picture.
        visible_bbox: the smallest box around its visible pixels.
        click_point: a pixel (x, y) of its visible part, clear of nested controls; None also for
            a state that only a drag sets.
        visible_ratio: share of its pixels that are visible, 0 to 1.
        ui_type: ``"text"`` if it shows its name, else ``"icon"``.
        promised: whether the condition's visible ratio was kept for it.
    """

    id: str
    instruction: str
    kind: str
    bbox: Box | None
    visible_bbox: Box | None
    click_point: Point | None
    visible_ratio: float
    ui_type: str
    promised: bool


class Origin(Protocol):
    """What a sample comes from: `Scenes`, `Tasks` or `States`, which this module does not need to know."""

    @property
    def size(self) -> tuple[int, int] | None:
        """Width and height that pictures are resampled to, px; ``None`` for full size."""


class Sample:
    """One sample of `Scenes`. Picture and record are made when they are asked for, and then kept.

    Attributes:
        index: its place in the scenes that it came from.
    """

    def __init__(self, scenes: Origin, index: int, scene: _windesk.Scene) -> None:
        self._scenes = scenes
        self._scene = scene
        self.index = index

    @property
    def id(self) -> str:
        """``<dataset>.<condition>-<index>``."""
        return self._scene.id

    @kept
    def image(self) -> npt.NDArray[np.uint8]:
        """The picture: uint8, height x width x 3, RGB. Resampled by area if the scenes have a ``size``."""
        return self._scene.image(self._scenes.size)

    @kept
    def _targets(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(self._scene.targets())
        return told

    @kept
    def record(self) -> dict[str, Any]:
        """The record as ``scenes/*.jsonl`` of a dataset holds it: every window, every element, every target. Boxes are
        px of the picture at full size, whatever ``size`` the scenes have."""
        record: dict[str, Any] = json.loads(self._scene.line())
        return record

    @property
    def record_line(self) -> bytes:
        """The bytes of the record in a dataset, with the line feed."""
        return self._scene.line()

    @property
    def plan_line(self) -> bytes:
        """The bytes of the plan in a dataset, with the line feed: what `windesk replay` paints the scene from."""
        return self._scene.plan_line()

    @property
    def full_size(self) -> tuple[int, int]:
        """Width and height of the scene, px."""
        return self._targets["width"], self._targets["height"]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of `image`, px."""
        return self._scenes.size or self.full_size

    def _scale(self) -> tuple[float, float]:
        (width, height), (full_width, full_height) = self.size, self.full_size
        return width / full_width, height / full_height

    def _box(self, box: list[int] | None) -> Box | None:
        if box is None:
            return None
        x, y = self._scale()
        return box[0] * x, box[1] * y, box[2] * x, box[3] * y

    def _point(self, point: list[int] | None) -> Point | None:
        if point is None:
            return None
        x, y = self._scale()
        # The pixel of the resampled picture that the middle of the full one's lies in.
        return int((point[0] + 0.5) * x), int((point[1] + 0.5) * y)

    @kept
    def targets(self) -> tuple[Target, ...]:
        """What is asked for, the promised target first."""
        return tuple(
            Target(
                id=target["id"],
                instruction=target["instruction"],
                kind=target["kind"],
                bbox=self._box(target["bbox"]),
                visible_bbox=self._box(target["visible_bbox"]),
                click_point=self._point(target["click_point"]),
                visible_ratio=target["visible_ratio"],
                ui_type=target["ui_type"],
                promised=target["promised"],
            )
            for target in self._targets["targets"]
        )

    @property
    def instruction(self) -> str:
        """The words of the first target."""
        return self.targets[0].instruction

    @property
    def bbox(self) -> Box | None:
        """Box of the first target: x0, y0, x1, y1, half-open, px of `image`; None if the target is absent."""
        return self.targets[0].bbox

    @property
    def click_point(self) -> Point | None:
        """A pixel (x, y) of `image` in the visible part of the first target; None if the target is absent, or is a
        state that only a drag sets."""
        return self.targets[0].click_point

    def mask(self, target: int = 0) -> npt.NDArray[np.bool_]:
        """The visible pixels of a target: bool, height x width of `image`. All False if the target is absent."""
        full_width, full_height = self.full_size
        mask = np.zeros((full_height, full_width), dtype=np.bool_)
        runs = self._targets["targets"][target]["visible_mask"]
        if runs is not None:
            height, width = runs["size"]
            x, y = runs["origin"]
            seen = np.repeat(np.arange(len(runs["counts"])) % 2 == 1, runs["counts"])
            mask[y : y + height, x : x + width] = seen.reshape(height, width)
        width, height = self.size
        if (width, height) == (full_width, full_height):
            return mask
        # By the pixel in the middle of each of the smaller picture's.
        rows = ((np.arange(height) + 0.5) * full_height / height).astype(np.intp)
        columns = ((np.arange(width) + 0.5) * full_width / width).astype(np.intp)
        resampled: npt.NDArray[np.bool_] = mask[rows[:, None], columns[None, :]]
        return resampled

    @kept
    def elements(self) -> npt.NDArray[np.void]:
        """Every element of the scene, as a structured array of `ELEMENT_DTYPE`: id, layer, window (index, -1 for none),
        role, name, bbox and visible_bbox (x0, y0, x1, y1, half-open, px of `image`; NaN where nothing is visible),
        total_px and visible_px (of the full size), interactive."""
        nothing = [np.nan] * 4
        rows = [
            (
                element["id"],
                element["layer"],
                -1 if element["window"] is None else element["window"],
                element["role"],
                element["name"],
                element["bbox"],
                element["visible_bbox"] or nothing,
                element["total_px"],
                element["visible_px"],
                element["interactive"],
            )
            for element in self.record["elements"]
        ]
        elements = np.array(rows, dtype=ELEMENT_DTYPE)
        scale = np.array(self._scale() * 2)
        elements["bbox"] *= scale
        elements["visible_bbox"] *= scale
        return elements

    def overlay(self) -> npt.NDArray[np.uint8]:
        """The picture with boxes, mask, distractors and click point drawn in: uint8, height x width x 3, RGB."""
        return self._scene.overlay(self._scenes.size)

    def encoded(self, format: Literal["png", "jpeg", "webp"] = "png") -> bytes:
        """The picture as a file. Without a ``size`` these are the bytes that the command line writes."""
        return self._scene.encoded(format, self._scenes.size)

    def to_pil(self) -> Image:
        """The picture for Pillow, which must be installed."""
        from PIL import Image

        return Image.fromarray(self.image)

    def _repr_png_(self) -> bytes:
        width, height = self.size
        shown = min(width, SHOWN_WIDTH)
        return self._scene.overlay_png((shown, max(1, height * shown // width)))

    def __repr__(self) -> str:
        return f"<windesk.Sample {self.id}: {self.instruction!r}>"

    def __reduce__(self) -> tuple[object, ...]:
        return _sample_of, (self._scenes, self.index)


def _sample_of(scenes: Sequence[Sample], index: int) -> Sample:
    """The sample of a pickle: made again."""
    return scenes[index]
