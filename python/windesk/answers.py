"""What models are asked, what they answer, and how answers are read."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal

from . import _windesk
from ._errors import ConfigError
from ._sample import Sample, Target


@dataclass(frozen=True)
class Answer:
    """What was read from a model's output.

    Attributes:
        point: the first point (x, y), px of the image; None if there is none.
        inside: whether it lies in the image.
        points: all points; of a box its middle.
        reason: why there is no point, or None.
    """

    point: tuple[float, float] | None
    inside: bool
    points: tuple[tuple[float, float], ...]
    reason: str | None


def parse(text: str, convention: str, size: tuple[int, int]) -> Answer:
    """Reads points from a model's raw output.

    Args:
        text: the output.
        convention: how the model writes coordinates, such as ``"qwen2.5-vl"``, ``"norm1000"`` or ``"px"``.
        size: width and height of the image that the model was shown, px.

    Raises:
        ConfigError: there is no such convention.
    """
    read: dict[str, Any] = json.loads(_windesk.parse_answer(text, convention, size))
    points = tuple((float(x), float(y)) for x, y in read["points"])
    return Answer(points[0] if points else None, bool(read["inside"]), points, read["reason"])


def families() -> list[str]:
    """Names of the families of models that `messages` and `answer` know."""
    return sorted(set(_windesk.families()) & set(_ANSWERS))


_CLICK = '{{"action": "left_click", "coordinate": [{x}, {y}]}}'
_TOOL_CALL = f'<tool_call>\n{{{{"name": "computer_use", "arguments": {_CLICK}}}}}\n</tool_call>'

#: What a family writes for a point or a box; `x` and `y` stand for its own numbers.
_ANSWERS: dict[str, str] = {
    "seeclick": "({x},{y})",
    "os-atlas": "<|box_start|>({x0},{y0}),({x1},{y1})<|box_end|>",
    "uground": "({x}, {y})",
    "ui-tars": "Action: click(start_box='({x},{y})')",
    "ui-tars-1.5": "Action: click(start_box='({x},{y})')",
    "infigui": '[{{"point_2d": [{x}, {y}], "label": {label}}}]',
    "showui": "{{'action': 'CLICK', 'value': None, 'position': [{x}, {y}]}}",
    "aguvis": "pyautogui.click(x={x}, y={y})",
    "cogagent": "Action: CLICK(box=[[{x0},{y0},{x1},{y1}]], element_info={label})",
    "gui-actor": "[[{x}, {y}]]",
    "qwen2-vl": "<|box_start|>({x0},{y0}),({x1},{y1})<|box_end|>",
    "qwen2.5-vl": '[{{"bbox_2d": [{x0}, {y0}, {x1}, {y1}], "label": {label}}}]',
    "qwen3-vl": '{{"point_2d": [{x}, {y}]}}',
    "gta1": "({x},{y})",
    "holo1": "Click({x}, {y})",
    "holo1.5": '{{"action": "click_absolute", "x": {x}, "y": {y}}}',
    "holo2": '{{"x": {x}, "y": {y}}}',
    "jedi": _TOOL_CALL,
    "gui-owl": _TOOL_CALL,
    "opencua": "```python\npyautogui.click(x={x}, y={y})\n```",
    "molmo": '<point x="{x}" y="{y}" alt={label}>{words}</point>',
    "gemini": '[{{"point": [{y}, {x}], "label": {label}}}]',
    "norm": "({x}, {y})",
    "json": '{{"x": {x}, "y": {y}}}',
}


def _number(value: float, length: float, side: int) -> str:
    """A coordinate in the numbers of a family, whose image is `side` long: whole numbers, unless that is too coarse."""
    scaled = value * side / length
    if side == 1:
        return f"{scaled:.4f}"
    return f"{scaled:.2f}" if side == 100 else str(round(scaled))


def answer(sample: Sample, family: str, target: int = 0) -> str:
    """The right answer in the words and the coordinates of a family of models, about `Sample.image`.

    Boxes are given where the family gives boxes and their middle is visible, else points. What is written reads back
    to a point in the target's box.

    Raises:
        ConfigError: there is no such family, the target is absent or set by a drag alone, or the family's numbers are
            too coarse for it.
    """
    return _answer(sample, sample.targets[target], family, _asked(family, "", sample.size))


def _asked(family: str, instruction: str, size: tuple[int, int]) -> dict[str, Any]:
    if family not in _ANSWERS:
        raise ConfigError(f"option `family` {family}", "found no such family", f"one of {', '.join(families())}")
    asked: dict[str, Any] = json.loads(_windesk.family(family, instruction, size))
    return asked


def _answer(sample: Sample, target: Target, family: str, asked: dict[str, Any]) -> str:
    if target.bbox is None:
        raise ConfigError(f"target {target.id}", "found one that is not on the screen", "one that is present")
    if target.click_point is None:
        raise ConfigError(f"target {target.id}", "found a state that only a drag sets", "one that a click sets")
    width, height = sample.size
    across, down = asked["sides"]
    x0, y0, x1, y1 = target.bbox
    box = (max(0.0, x0), max(0.0, y0), min(float(width), x1), min(float(height), y1))
    x, y = target.click_point[0] + 0.5, target.click_point[1] + 0.5
    text = _ANSWERS[family].format(
        x=_number(x, width, across),
        y=_number(y, height, down),
        x0=_number(box[0], width, across),
        y0=_number(box[1], height, down),
        x1=_number(box[2], width, across),
        y1=_number(box[3], height, down),
        label=json.dumps(target.instruction, ensure_ascii=False),
        words=target.instruction,
    )
    read = parse(text, asked["convention"], sample.size).point
    if read is None or not (x0 <= read[0] <= x1 and y0 <= read[1] <= y1):
        place = f"target {target.id}, family {family}"
        raise ConfigError(
            place, f"found that {text!r} reads as {read}", f"a point in {target.bbox}", "use larger pictures"
        )
    return text


def messages(
    sample: Sample,
    family: str = "qwen2.5-vl",
    form: Literal["transformers", "trl", "ms-swift"] = "transformers",
    target: int = 0,
) -> dict[str, Any]:
    """A training example as a list of messages with its picture: question, and right answer, of a family of models.

    Args:
        sample: the sample.
        family: whose prompt and coordinates are used: see `families`.
        form: ``"transformers"``: content is a list of parts, the picture among them (processors of chat models).
            ``"trl"``: the same, with the pictures in ``images`` (``SFTTrainer``). ``"ms-swift"``: content is text with
            ``<image>``, and the pictures are in ``images``.
        target: which target is asked for.

    Returns:
        ``messages``, and ``images`` (arrays, uint8, height x width x 3) for ``trl`` and ``ms-swift``.

    Raises:
        ConfigError: see `answer`; or there is no such form.
    """
    asked_for = sample.targets[target]
    asked = _asked(family, asked_for.instruction, sample.size)
    said = _answer(sample, asked_for, family, asked)
    system, user = asked["system"], asked["user"]
    if form == "ms-swift":
        turns = [{"role": "user", "content": f"<image>{user}"}, {"role": "assistant", "content": said}]
        if system is not None:
            turns.insert(0, {"role": "system", "content": system})
        return {"messages": turns, "images": [sample.image]}
    if form not in ("transformers", "trl"):
        raise ConfigError(f"option `form` {form}", "found no such form", "transformers, trl or ms-swift")
    picture = {"type": "image", "image": sample.image} if form == "transformers" else {"type": "image"}
    parts: list[dict[str, Any]] = [
        {"role": "user", "content": [picture, {"type": "text", "text": user}]},
        {"role": "assistant", "content": [{"type": "text", "text": said}]},
    ]
    if system is not None:
        parts.insert(0, {"role": "system", "content": [{"type": "text", "text": system}]})
    return {"messages": parts} if form == "transformers" else {"messages": parts, "images": [sample.image]}
