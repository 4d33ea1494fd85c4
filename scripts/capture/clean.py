"""What a pack may not hold, judged from a capture's record and picture alone: elements that nobody could point to,
captures that say the same twice or show what is not recorded. Applied to each capture as it is published, and to the
captures of an existing pack."""

import json
from pathlib import Path

import numpy as np
from PIL import Image

from .boxes import centre, covered_share, holds, intersection
from .files import remove_captures, write_json
from .roles import MENU_ITEMS

# Levels between the darkest and the brightest value of a channel below which a box shows nothing.
BLANK_CONTRAST = 12
# Captures with the same elements are one state if fewer of their pixels differ: a focus ring, a cursor.
SAME_STATE_SHARE = 0.02


def clean(pack: Path) -> list[str]:
    """Cleans every capture of a pack; returns a line for each that changed."""
    return [line for folder in sorted((pack / "windows").iterdir()) if folder.is_dir() for line in clean_folder(folder)]


def clean_folder(folder: Path, kept: set[str] = frozenset()) -> list[str]:
    """Captures in `kept` stay as they are."""
    lines = []
    captures = {
        p: json.loads(p.read_text(encoding="utf-8")) for p in sorted(folder.glob("*.json")) if p.name != "program.json"
    }
    for path, capture in captures.items():
        if capture["id"] in kept:
            continue
        dropped = clean_elements(capture, _picture(folder, capture))
        if dropped:
            write_json(path, capture)
            _drop_transitions(folder, capture["id"], dropped)
            lines.append(f"{capture['id']}: {len(dropped)} elements")
    repeated = _repeated(folder, list(captures.values()), kept)
    mute = {c["id"] for c in captures.values() if c["id"] not in kept and _is_mute(c)}
    remove_captures(folder, captures, repeated | mute)
    return (
        lines
        + [f"{i}: repeats another capture" for i in sorted(repeated)]
        + [f"{i}: nothing is known of its popup" for i in sorted(mute)]
    )


def clean_elements(capture: dict, pixels: np.ndarray) -> set[str]:
    """Drops unfit elements from a capture and links their children to the next ancestor; returns the ids that went."""
    parents = {e["id"]: e["parent"] for e in capture["elements"]}
    popups = [popup["rect"] for popup in capture["popups"]]
    for element in capture["elements"]:
        _clip_to_popup(element, popups)
    seen, gone = set(), _of_closed_submenus(capture["elements"], popups)
    for element in capture["elements"]:
        key = tuple(element["bbox"]), element["role"], element["name"]
        if (
            key in seen
            or _is_covered(element, popups)
            or (element["interactive"] and _is_blank(pixels, element["bbox"]))
        ):
            gone.add(element["id"])
        else:
            seen.add(key)
    capture["elements"] = [e for e in capture["elements"] if e["id"] not in gone]
    for element in capture["elements"]:
        while element["parent"] in gone:
            element["parent"] = parents[element["parent"]]
    return gone


def _clip_to_popup(element: dict, popups: list[list]) -> None:
    if element["popup"] is not None:
        element["bbox"] = list(intersection(element["bbox"], popups[element["popup"]]) or element["bbox"])


def _is_covered(element: dict, popups: list[list]) -> bool:
    """Whether a popup above it hides the element's middle, where a user would click."""
    own = element["popup"]
    if own is not None and covered_share(element["bbox"], popups[own]) < 1:
        return True
    above = popups if own is None else popups[own + 1 :]
    return any(holds(popup, *centre(element["bbox"])) for popup in above)


def _of_closed_submenus(elements: list[dict], popups: list[list]) -> set[str]:
    """GTK 4 keeps the pages of submenus in the popover, larger than it: cut to it, their items fill
    it, and those that show do not."""
    items = [e for e in elements if e["popup"] is not None and (e["role"] in MENU_ITEMS or e["role"] == "scroll bar")]
    filling = [e for e in items if e["bbox"] == popups[e["popup"]]]
    shown = {e["popup"] for e in items if e["role"] in MENU_ITEMS and e["bbox"] != popups[e["popup"]]}
    return {e["id"] for e in filling if e["popup"] in shown}


def _is_blank(pixels: np.ndarray, box: list) -> bool:
    part = pixels[box[1] : box[3], box[0] : box[2], :3].reshape(-1, 3)
    return int((part.max(axis=0).astype(int) - part.min(axis=0)).max()) < BLANK_CONTRAST


def _is_mute(capture: dict) -> bool:
    """Whether a popup shows items of which none is recorded: they could answer an
    instruction that means something else."""
    told = {e["popup"] for e in capture["elements"] if e["interactive"]}
    return any(popup["kind"] != "tooltip" and index not in told for index, popup in enumerate(capture["popups"]))


def _repeated(folder: Path, captures: list[dict], kept_ids: set[str]) -> set[str]:
    """Ids of captures with the same elements and nearly the same pixels as one that ranks before them."""
    groups: dict[str, list[dict]] = {}
    for capture in sorted(
        captures, key=lambda c: (c["id"] not in kept_ids, not c["id"].split("/")[1].startswith("main"), c["id"])
    ):
        says = [[e[key] for key in ("role", "name", "bbox", "state")] for e in capture["elements"]]
        # A session is a desktop of its own: it has its own picture of everything.
        look = [capture.get("session"), capture["image"]["size"], capture["popups"], capture["dark"]]
        groups.setdefault(json.dumps([*look, says]), []).append(capture)
    gone = set()
    for group in groups.values():
        kept: list[np.ndarray] = []
        for capture in group if len(group) > 1 else ():
            pixels = _picture(folder, capture).astype(np.int16)
            if (
                any((np.abs(pixels - other).max(axis=2) > 12).mean() < SAME_STATE_SHARE for other in kept)
                and capture["id"] not in kept_ids
            ):
                gone.add(capture["id"])
            else:
                kept.append(pixels)
    return gone


def _picture(folder: Path, capture: dict) -> np.ndarray:
    with Image.open(folder / capture["image"]["file"]) as picture:
        return np.asarray(picture.convert("RGBA"))


def _drop_transitions(folder: Path, capture_id: str, elements: set[str]) -> None:
    path = folder / "transitions.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if (t := json.loads(line))["from"] != capture_id or t["element"] not in elements]
    path.write_text("".join(kept), encoding="utf-8")
