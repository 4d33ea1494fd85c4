"""From clicks on a track to values: the scale that explains what was measured."""

from collections.abc import Sequence

from ..boxes import Box

# A measured value may lie so many steps beside the scale's.
MOST_STEPS_OFF = 0.501

# Half of a slider's handle, and how far beside it clicks are told.
HANDLE_PX, BESIDE_PX = 10, 6


def beside_handle(box: Box, axis: str, share: float, after: bool) -> Box | None:
    """The part of a track before or after its handle, which has gone `share` of the way; None if there is none."""
    at = 0 if axis == "x" else 1
    length = box[at + 2] - box[at]
    middle = box[at] + HANDLE_PX + share * (length - 2 * HANDLE_PX)
    out = list(box)
    if after:
        out[at] = round(middle) + HANDLE_PX + BESIDE_PX
    else:
        out[at + 2] = round(middle) - HANDLE_PX - BESIDE_PX
    return tuple(out) if out[at] < out[at + 2] else None


def fitted(measured: Sequence[tuple[int, float]], low: float, high: float, step: float) -> dict | None:
    """The linear scale (docs/pack.md, `click_map`) through clicks `(position, value)`, or None if no scale explains all
    of them. Clicks at the ends are held there and only bound the scale."""
    inner = sorted((p, v) for p, v in measured if low < v < high)
    if len(inner) < 2 or step <= 0:
        return None
    (p0, v0), (p1, v1) = inner[0], inner[-1]
    if p0 == p1 or v0 == v1:
        return None
    slope = (v1 - v0) / (p1 - p0)
    first, last = (low, high) if slope > 0 else (high, low)
    best = None
    near_start, near_end = p0 + (first - v0) / slope, p0 + (last - v0) / slope
    for start in range(round(near_start) - 3, round(near_start) + 4):
        for end in range(round(near_end) - 3, round(near_end) + 4):
            if start == end:
                continue
            for rounding in ("nearest", "down"):
                scale = {"from": start, "to": end, "first": first, "last": last, "step": step, "rounding": rounding}
                off = sum(abs(number_at(scale, p) - v) / step for p, v in measured)
                worst = max(abs(number_at(scale, p) - v) / step for p, v in measured)
                if worst <= MOST_STEPS_OFF and (best is None or off < best[0]):
                    best = off, scale
    return None if best is None else best[1]


def number_at(scale: dict, position: int) -> float:
    """As the engine reads a scale."""
    share = min(1.0, max(0.0, (position - scale["from"]) / (scale["to"] - scale["from"])))
    span = abs(scale["last"] - scale["first"])
    steps = share * span / scale["step"]
    whole = int(steps + 0.5) if scale["rounding"] == "nearest" else int(steps)
    whole = min(whole, int(span / scale["step"] + 0.5))
    return scale["first"] + whole * (scale["step"] if scale["last"] >= scale["first"] else -scale["step"])


def stops(measured: Sequence[tuple[int, float]]) -> list[dict] | None:
    """Positions from which a value holds, for sliders of few values; None if values grow and fall."""
    ordered = sorted(measured)
    numbers = [v for _, v in ordered]
    if len(ordered) < 2 or (numbers != sorted(numbers) and numbers != sorted(numbers, reverse=True)):
        return None
    out, last = [], None
    for position, value in ordered:
        if last is None or value != last[1]:
            start = position if last is None else (last[0] + position + 1) // 2
            out.append({"from": start, "value": value})
        last = position, value
    return out
