"""The lists that icons and icon probes are built from: by their own rules, and as what was built has them."""

import gzip
import json
import tomllib
from itertools import chain

import pytest

import collect_icons
import collect_probes
import icon_sources
from collect_probes import ProbeListError, check_names, confusable_pairs
from icon_shapes import SHAPES
from icon_sources import SOURCES, SourceError, drawing_of_package, source_of
from pointer_shapes import POINTERS

LISTS = collect_icons.LIST_USES
BUILT = {entry["id"]: entry for entry in json.loads((collect_icons.FOLDER / "icons.json").read_text())}


def rows(name):
    return tomllib.loads((collect_icons.LISTS / f"{name}.toml").read_text())


@pytest.mark.parametrize("name", LISTS)
def test_every_row_is_fit_to_be_built(name):
    for identifier, row in rows(name).items():
        collect_icons.check(identifier, row)
        if "package" in row:
            assert "SA" not in row["licence"], f"{identifier}: share-alike"
        elif "pointer" in row:
            assert row["pointer"] in POINTERS
        elif "from" in row:
            source_of(row["from"])
        else:
            assert "folder" in row, f"{identifier}: only a plain folder is drawn without a glyph"
        assert sum(shape in row for shape in SHAPES) <= 1


def test_an_id_belongs_to_one_list():
    ids = list(chain.from_iterable(map(rows, LISTS)))
    assert len(set(ids)) == len(ids)


def test_the_lists_are_what_was_built():
    assert set(chain.from_iterable(map(rows, LISTS))) == set(BUILT)
    for name, use in LISTS.items():
        for identifier, row in rows(name).items():
            assert BUILT[identifier]["labels"] == row.get("labels", [row.get("label")])
            assert BUILT[identifier]["use"][0] == use


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"label": "A", "colour": 1}, "unknown key 'colour', expected one of also_desktop"),
        ({"label": "A", "labels": ["A"]}, "expected either label or labels"),
        ({"from": "emoji:dog"}, "expected either label or labels"),
        ({"label": "A", "package": "a 1"}, "expected package, author and licence together"),
    ],
)
def test_what_is_wrong_with_a_row_is_told(row, message):
    with pytest.raises(SourceError) as caught:
        collect_icons.check("desktop.toml: [a]", row)
    assert str(caught.value).startswith(f"desktop.toml: [a]: {message}")


def test_references_name_a_library_and_a_drawing():
    assert source_of("lucide:save") == (SOURCES["lucide"], "save")
    for wrong in ("lucide", "lucide:", "nobody:save", ""):
        with pytest.raises(SourceError, match="expected library:name"):
            source_of(wrong)


def test_a_program_with_an_icon_of_its_own_has_no_other():
    own = [program for row in rows("programs").values() for program in row["programs"]]
    assert len(set(own)) == len(own)
    others = {program for row in rows("taskbar").values() for program in row.get("programs", ())}
    assert not others.intersection(own)


def test_a_file_of_a_package_must_exist(tmp_path, monkeypatch):
    monkeypatch.setattr(icon_sources, "debian_root", lambda *_: tmp_path)
    (tmp_path / "a.svg").write_text("<svg/>")
    (tmp_path / "a.svgz").write_bytes(gzip.compress(b"<svg />"))
    assert drawing_of_package("a 1", "a.svg") == "<svg/>"
    assert drawing_of_package("a 1", "a.svgz") == "<svg />"
    for package, path in (("a 1", "b.svg"), ("a", "a.svg")):
        with pytest.raises(SourceError, match=f"Debian {package}: no file '{path}'"):
            drawing_of_package(package, path)


def test_tray_glyphs_take_the_colour_of_the_tray():
    assert collect_icons.tinted('<svg a="1"><svg /></svg>') == '<svg fill="currentColor" a="1"><svg /></svg>'


@pytest.fixture
def libraries(monkeypatch):
    """The libraries without their drawings, which need a network."""
    monkeypatch.setattr(collect_probes, "svg", lambda source, name: f"{source}:{name}")
    return {
        "emoji": collect_probes.emoji_icons(),
        "glyph": collect_probes.glyph_icons(),
        "familiar": collect_probes.familiar_icons(),
    }


def test_a_name_means_one_icon(libraries):
    for library, icons in libraries.items():
        check_names(library, icons)


def test_the_probe_lists_are_what_was_built(libraries):
    for library, icons in libraries.items():
        built = json.loads((collect_probes.FOLDER / f"{library}.json").read_text())["icons"]
        assert [(i["id"], i["name"], i["synonyms"]) for i in built] == [
            (i["id"], i["name"], i["synonyms"]) for i in icons
        ]


def test_confusable_pairs_are_what_was_built(libraries):
    assert confusable_pairs(libraries) == json.loads((collect_probes.FOLDER / "confusable.json").read_text())


def icon(identifier, *names, **others):
    return {"id": identifier, "name": names[0], "synonyms": list(names[1:]), **others}


def test_names_that_mean_two_icons_are_refused():
    with pytest.raises(ProbeListError, match=r"emoji\.toml: 'Mouse' names both 'mouse' and 'pointer'"):
        check_names("emoji", [icon("mouse", "mouse"), icon("pointer", "Pointer", "Mouse")])
    with pytest.raises(ProbeListError, match="id 'dog' occurs twice"):
        check_names("emoji", [icon("dog", "dog"), icon("dog", "hound")])
    check_names("familiar", [icon("save-a", "save", concept="save"), icon("save-b", "save", concept="save")])


def test_a_pair_must_belong_to_its_library(monkeypatch):
    pairs = {"emoji": {"pairs": [["rat", "dog"], ["dog", "rat"]]}}
    monkeypatch.setattr(collect_probes, "read_list", lambda _: pairs)
    both = [icon("rat", "rat"), icon("dog", "dog")]
    assert confusable_pairs({"emoji": both}) == [["dog", "rat"]]
    with pytest.raises(ProbeListError, match=r"\[emoji\] 'rat' is not in that library"):
        confusable_pairs({"emoji": both[1:]})
