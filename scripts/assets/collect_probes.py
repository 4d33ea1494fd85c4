"""Build `assets/icons/probe`: three icon libraries that icon probes draw from, and the pairs that people confuse.

    python scripts/assets/collect_probes.py

What is taken and how it is called is written in `probe_lists/*.toml`.
"""

import json
import tomllib
from pathlib import Path

from icon_sources import SOURCES
from svg_cleaning import as_text, cleaned

ROOT = Path(__file__).resolve().parents[2]
LISTS = Path(__file__).resolve().parent / "probe_lists"
FOLDER = ROOT / "assets" / "icons" / "probe"
# Style of the familiar library -> where its drawings come from.
STYLES = {"tabler": "tabler-outline", "lucide": "lucide", "fluent": "fluent-regular"}


class ProbeListError(Exception):
    """A list names something twice, or something that does not exist."""


def svg(source: str, name: str) -> str:
    root = cleaned(SOURCES[source].read(name), f"{source}:{name}")
    for size in ("width", "height"):
        root.attrib.pop(size, None)
    return as_text(root).strip()


def read_list(library: str) -> dict:
    return tomllib.loads((LISTS / f"{library}.toml").read_text())


def check_names(library: str, icons: list[dict]) -> None:
    """Every id once, and no name or synonym that two concepts share: an instruction must mean one icon."""
    owners: dict[str, str] = {}
    ids = set()
    for icon in icons:
        if icon["id"] in ids:
            raise ProbeListError(f"{library}.toml: id {icon['id']!r} occurs twice")
        ids.add(icon["id"])
        concept = icon.get("concept", icon["id"])
        for word in (icon["name"], *icon["synonyms"]):
            owner = owners.setdefault(word.lower(), concept)
            if owner != concept:
                raise ProbeListError(f"{library}.toml: {word!r} names both {owner!r} and {concept!r}")


def emoji_icons() -> list[dict]:
    return [
        {
            "id": name,
            "name": words[0],
            "synonyms": words[1:],
            "category": category,
            "author": None,
            "svg": svg("emoji", name),
        }
        for category, rows in read_list("emoji").items()
        for name, words in rows.items()
    ]


def glyph_icons() -> list[dict]:
    return [
        {
            "id": name,
            "name": words[0],
            "synonyms": words[1:],
            "category": None,
            "author": author,
            "svg": svg("game", name),
        }
        for author, rows in read_list("glyph").items()
        for name, words in rows.items()
    ]


def familiar_icons() -> list[dict]:
    return [
        {
            "id": f"{concept}-{style}",
            "concept": concept,
            "style": style,
            "name": row["names"][0],
            "synonyms": row["names"][1:],
            "category": None,
            "author": SOURCES[source].author,
            "svg": svg(source, row[style]),
        }
        for concept, row in read_list("familiar").items()
        for style, source in STYLES.items()
    ]


def confusable_pairs(libraries: dict[str, list[dict]]) -> list[list[str]]:
    """Pairs of ids (concepts in the familiar library); both must belong to the library that the list names."""
    pairs = []
    for library, rows in read_list("confusable").items():
        known = {icon.get("concept", icon["id"]) for icon in libraries[library]}
        for pair in rows["pairs"]:
            missing = [name for name in pair if name not in known]
            if missing:
                raise ProbeListError(f"confusable.toml: [{library}] {missing[0]!r} is not in that library")
            if sorted(pair) not in pairs:
                pairs.append(sorted(pair))
    return sorted(pairs)


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    libraries = {"emoji": emoji_icons(), "glyph": glyph_icons(), "familiar": familiar_icons()}
    used = {"emoji": ["emoji"], "glyph": ["game"], "familiar": list(STYLES.values())}
    for library, icons in libraries.items():
        check_names(library, icons)
        sources = [SOURCES[source] for source in used[library]]
        value = {
            "format_version": 1,
            "library": library,
            "licence": " AND ".join(sorted({source.licence for source in sources})),
            "source": ", ".join(source.title for source in sources),
            "icons": icons,
        }
        (FOLDER / f"{library}.json").write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n")
        print(f"{library}: {len(icons)} icons")
    pairs = ",\n".join(json.dumps(pair) for pair in confusable_pairs(libraries))
    (FOLDER / "confusable.json").write_text(f"[\n{pairs}\n]\n")


if __name__ == "__main__":
    main()
