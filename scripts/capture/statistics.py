"""What a pack holds, in figures: Markdown tables and plots for docs/pack.md, from the pack's
records and its index alone."""

import gzip
import json
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from . import walks

NO_NEIGHBOUR = 2**32 - 1
SIDE_CLASSES_PX = (0, 12, 16, 20, 24, 28, 32, 40, 48, 64, 96, 10**6)
AREA_CLASSES_MPX = (0, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.5, 2.0, 4.0)
COUNT_CLASSES = (0, 10, 20, 30, 40, 60, 80, 120, 200, 10**6)
PERCENTILES = (10, 50, 90)
INK, PALE, GROUND = "#2f6f5e", "#a9cabf", "#ffffff"


def statistics(pack: Path, plots: Path) -> str:
    """Writes the plots as SVG files into a folder; returns the tables."""
    programs, captures = read(pack)
    distinct = [c for c in captures if c["variant_of"] is None]
    frames = [frame_size(c) for c in distinct]
    sides = [
        min(width, height)
        for c in distinct
        for e in c["elements"]
        if e["interactive"]
        for width, height in [box_size(e["bbox"])]
    ]
    plots.mkdir(parents=True, exist_ok=True)
    histogram(
        plots / "pack-window-areas.svg",
        "Captures by area of the frame, megapixels",
        [w * h / 1e6 for w, h in frames],
        AREA_CLASSES_MPX,
    )
    histogram(plots / "pack-target-sides.svg", "Interactive elements by their shorter side, px", sides, SIDE_CLASSES_PX)
    histogram(
        plots / "pack-elements.svg",
        "Captures by number of elements",
        [len(c["elements"]) for c in distinct],
        COUNT_CLASSES,
    )
    ranks = similarity_by_rank(pack)
    bands(
        plots / "pack-similarity.svg", "Cosine of the similar element by rank: median, 10th to 90th percentile", ranks
    )
    return "\n\n".join(
        [
            categories(programs, distinct, captures),
            sessions(captures),
            walked(pack, captures, distinct),
            shares(
                "look",
                Counter(f"{c['frame_style']}, {'dark' if c['dark'] else 'light'}" for c in captures),
                len(captures),
            ),
            shares("placement", Counter(c["placement"] for c in captures), len(captures)),
            shares(
                "role of interactive elements",
                Counter(e["role"] for c in distinct for e in c["elements"] if e["interactive"]),
                len(sides),
                16,
            ),
            similarity_table(ranks),
        ]
    )


def sessions(captures: list[dict]) -> str:
    rows = []
    for session in sorted({c["session"] for c in captures}):
        own = [c for c in captures if c["session"] == session]
        rows.append(
            (
                session,
                len({program_of(c) for c in own}),
                len(own),
                sum(bool(c["popups"]) for c in own),
                sum(c["kind"] == "dialog" for c in own),
                sum(c["placement"] == "maximized" for c in own),
                sum(c["placement"] not in ("floating", "maximized") for c in own),
            )
        )
    columns = ("session", "programs", "captures", "open popup", "dialogs", "maximised", "snapped")
    return table(columns, rows)


def walked(pack: Path, captures: list[dict], distinct: list[dict]) -> str:
    steps = walks.transitions(pack)
    controls, repeated = walks.stateful_controls(distinct)
    return table(
        ("transitions and states", "number"),
        [
            ("transitions", len(steps)),
            ("programs with transitions", len({step["from"].split("/")[0] for step in steps})),
            ("chains of three clicks and more", walks.chains(captures, steps)),
            ("named controls with a state", controls),
            ("captured in two states or more", repeated),
            ("programs captured maximised, on a half and on a quarter", walks.placed_everywhere(captures)),
        ],
    )


def read(pack: Path) -> tuple[dict[str, dict], list[dict]]:
    records = [json.loads(p.read_text(encoding="utf-8")) for p in sorted((pack / "windows").glob("*/*.json"))]
    return {r["id"]: r for r in records if "elements" not in r}, [r for r in records if "elements" in r]


def box_size(box: list) -> tuple[int, int]:
    return box[2] - box[0], box[3] - box[1]


def frame_size(capture: dict) -> tuple[int, int]:
    return box_size(capture["frame"])


def program_of(capture: dict) -> str:
    return capture["id"].split("/")[0]


def categories(programs: dict[str, dict], distinct: list[dict], captures: list[dict]) -> str:
    rows = []
    for category in sorted({p["category"] for p in programs.values()}):
        own = {name: p for name, p in programs.items() if p["category"] == category}
        own_distinct, own_captures = ([c for c in each if program_of(c) in own] for each in (distinct, captures))
        rows.append(figures(category, list(own.values()), own_distinct, own_captures))
    rows.append(figures("all", list(programs.values()), distinct, captures))
    head = (
        "category",
        "programs",
        "captures",
        "twins",
        "open popup",
        "dialogs",
        "inactive picture",
        "elements",
        "named interactive",
    )
    return table(head, rows)


def figures(name: str, programs: list[dict], distinct: list[dict], captures: list[dict]) -> tuple:
    elements = [e for c in distinct for e in c["elements"]]
    return (
        name,
        len(programs),
        len(distinct),
        len(captures) - len(distinct),
        sum(bool(c["popups"]) for c in distinct),
        sum(c["kind"] != "main" for c in distinct),
        sum(c["inactive"] is not None for c in distinct),
        len(elements),
        sum(e["interactive"] and bool(e["name"] or e["description"]) for e in elements),
    )


def shares(name: str, counts: Counter, total: int, most: int = 99) -> str:
    return table(
        (name, "number", "share"),
        [(key, n, f"{n / total:.1%}".replace("%", " %")) for key, n in counts.most_common(most)],
    )


def similarity_by_rank(pack: Path) -> list[tuple[int, Sequence[float]]]:
    """Rank and percentiles of the cosine over all targets that have a neighbour of this rank."""
    index = pack / "index"
    header = json.loads((index / "index.json").read_text(encoding="utf-8"))
    with gzip.open(index / "targets.jsonl.gz", "rt", encoding="utf-8") as lines:
        texts = np.array([json.loads(line)["text"] for line in lines])
    vectors = np.fromfile(index / "vectors.i8", np.int8).reshape(header["texts"], -1).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    neighbours = np.frombuffer(gzip.decompress((index / "neighbours.u32.gz").read_bytes()), "<u4").reshape(
        -1, header["neighbours"]
    )
    ranks = []
    for rank, column in enumerate(neighbours.T, 1):
        there = column != NO_NEIGHBOUR
        cosines = np.einsum("ij,ij->i", vectors[texts[there]], vectors[texts[column[there]]])
        ranks.append((rank, np.percentile(cosines, PERCENTILES)))
    return ranks


def similarity_table(ranks: list[tuple[int, Sequence[float]]]) -> str:
    return table(
        ("rank", *(f"{p}th percentile" for p in PERCENTILES)),
        [(rank, *(f"{v:.3f}" for v in values)) for rank, values in ranks],
    )


def table(head: Sequence[str], rows: Sequence[Sequence]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(
        "| " + " | ".join(f"{v:,}" if isinstance(v, int) else str(v) for v in line) + " |" for line in lines
    )


def histogram(path: Path, title: str, values: Sequence[float], classes: Sequence[float]) -> None:
    counts, _ = np.histogram(values, classes)
    names = [f"{low:g}-{high:g}" if high < 10**6 else f"{low:g}+" for low, high in pairwise(classes)]
    step, base, tall = 52, 190, 140
    parts = []
    for at, (count, name) in enumerate(zip(counts, names, strict=True)):
        x, height = 20 + at * step, tall * count / max(counts.max(), 1)
        parts.append(f'<rect x="{x}" y="{base - height:.1f}" width="{step - 8}" height="{height:.1f}" fill="{INK}"/>')
        parts.append(
            text(x + (step - 8) / 2, base - height - 5, f"{count:,}") + text(x + (step - 8) / 2, base + 16, name)
        )
    save(path, title, 40 + step * len(names), 220, parts)


def bands(path: Path, title: str, ranks: list[tuple[int, Sequence[float]]]) -> None:
    """Values in 0..1 as bars from the lowest to the highest percentile with a mark at the middle one."""
    step, base, tall = 40, 190, 150
    parts = [
        text(12, base - tall * level + 4, f"{level:g}")
        + (
            f'<line x1="26" x2="{30 + step * len(ranks)}" y1="{base - tall * level:.1f}" '
            f'y2="{base - tall * level:.1f}" stroke="#ddd"/>'
        )
        for level in (0, 0.5, 1)
    ]
    for at, (rank, (low, middle, high)) in enumerate(ranks):
        x = 34 + at * step
        parts.append(
            f'<rect x="{x}" y="{base - tall * high:.1f}" width="{step - 12}" height="{tall * (high - low):.1f}" '
            f'fill="{PALE}"/>'
        )
        parts.append(
            f'<rect x="{x}" y="{base - tall * middle - 1:.1f}" width="{step - 12}" height="3" fill="{INK}"/>'
            + text(x + (step - 12) / 2, base + 16, str(rank))
        )
    save(path, title, 50 + step * len(ranks), 220, parts)


def text(x: float, y: float, words: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle">{words}</text>'


def save(path: Path, title: str, width: int, height: int, parts: list[str]) -> None:
    body = "\n".join(parts)
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
        'font-size="11">\n'
        f'<rect width="{width}" height="{height}" fill="{GROUND}"/>\n'
        f'<text x="20" y="20" font-size="13">{title}</text>\n{body}\n</svg>\n',
        encoding="utf-8",
    )
