"""Which values of a control the crawler visits."""

import re

# Steps of a spin button or a slider that are visited on either side of its value.
STEPS_ASIDE = 3
# Numbers that are this share of a step apart are the same.
NEAR_STEP = 1e-6
# Entries of a list that are chosen, however long it is; rows, tabs and radio buttons, which cost less.
MOST_CHOICES, MOST_ROWS = 10, 24
# A list is told anew for each of its values, entry by entry: so many entries in all are about 1.6 MB of text.
MOST_TOLD = 4096
# A slider with no more values than this has all of them visited.
FEW_VALUES = 12
TEXTS = {
    "number": ("42", "7"),
    "path": ("/notes", "/backup"),
    "date": ("2026-11-20", "1"),
    "search": ("report", "plan"),
    "name": ("Sample", "Garden"),
}
KINDS = (
    ("number", re.compile(r"number|count|size|width|height|port|limit|interval|seconds|minutes|days", re.IGNORECASE)),
    ("path", re.compile(r"path|folder|directory|file|command|location", re.IGNORECASE)),
    ("date", re.compile(r"\bdate|\bday\b|birth", re.IGNORECASE)),
    ("search", re.compile(r"search|find|filter|replace", re.IGNORECASE)),
)


def kind_of_text(name: str, text: str) -> str:
    """What sort of text a field takes, by its label and by what it holds."""
    if re.fullmatch(r"[\d.,]+", text):
        return "number"
    if text.startswith(("/", "~")):
        return "path"
    return next((kind for kind, words in KINDS if words.search(name)), "name")


def steps(value: float, low: float, high: float, step: float) -> list[float]:
    """Values beside a value, nearest first, upwards before downwards."""
    out = []
    for number in range(1, STEPS_ASIDE + 1):
        for way in (1, -1):
            other = round(value + way * number * step, 6)
            if low <= other <= high:
                out.append(other)
    return out


def lowest(value: float, low: float, step: float) -> float:
    """The least value that is whole steps away from a value: programs step from what they show, such as 0.49 by 0.02,
    wherever their scale begins."""
    beyond = (value - low) / step
    on_grid = abs(beyond - round(beyond)) < NEAR_STEP
    return low if on_grid else round(value - int(beyond) * step, 6)


def choices_of(entries: int) -> int:
    """How many entries of a list are chosen: all of them, as long as what is told of its open lists stays small."""
    return max(MOST_CHOICES, MOST_TOLD // max(1, entries))


def is_scale(state: dict) -> bool:
    """Whether a control has told a range that can be counted through."""
    low, high, step = (state.get(key) for key in ("min", "max", "step"))
    return None not in (low, high, state.get("value")) and low < high and bool(step) and (high - low) / step <= 1e6


def unique_names(names: list[str], fallback: str) -> list[str]:
    """Names as values: each once, none empty."""
    out: list[str] = []
    for number, name in enumerate(names):
        word = name.strip() or f"{fallback} {number + 1}"
        candidate, count = word, 2
        while candidate in out:
            candidate, count = f"{word} ({count})", count + 1
        out.append(candidate)
    return out
