"""Letters of fields: how a text is set from them, and what is told of a page whose fields are."""

import random
from dataclasses import replace

import numpy as np
import pytest

from builders import element_record
from capture.living import changes, field_layers, letter_places, lettered, letters
from capture.living.letters import Effect, Field, Letter, Letters, Place, Unfit

BLACK, GREY = (0, 0, 0), (120, 120, 120)


def bar(high=9, wide=6):
    return np.full((high, wide), 255, np.uint8)


def plain_letters(**others):
    own = {
        "a": Letter(512, 1, -8, bar()),
        "b": Letter(500, 1, -8, bar()),
        " ": Letter(300),
    }
    return Letters(own, {("a", "b"): -33}, **({"colour": BLACK, "inactive": GREY} | others))


PLACE = Place((20, 50), (20, 40, 80, 56))


def test_letters_follow_each_other_by_advance_and_kerning():
    # As the engine sets them: see the test of its letters.rs.
    def lefts(text):
        return [x + 1 for _, x, _ in letters.origins(plain_letters(), text, PLACE)]

    assert lefts("aa") == [21, 29]
    assert lefts("ab") == [21, 28]
    assert lefts("ab a")[-1] == 41
    assert letters.fits(plain_letters(), "a" * 7, PLACE)
    assert not letters.fits(plain_letters(), "a" * 8, PLACE)


def test_a_text_shows_inside_of_its_field_alone():
    ground = np.full((80, 100, 3), 255, np.uint8)
    seen = letters.drawn(ground, plain_letters(), "aaaaaaaaaa", PLACE)
    rows, columns = np.nonzero((seen != 255).any(axis=2))
    assert (rows.min(), rows.max(), columns.min(), columns.max()) == (42, 50, 21, 79)
    assert (seen[45, 21:27] == 0).all()
    assert (seen[45, 27:29] == 255).all()


def test_what_a_letter_covers_is_found_again():
    cover = np.array([[0, 64, 255], [128, 255, 3]], np.uint8)
    ground = np.array([[[255, 250, 240]] * 3, [[250, 240, 230]] * 3], np.uint8)
    seen = letters.over(ground, (40, 50, 60), cover)
    found = letters.cover_of(ground, seen, (40, 50, 60))
    assert np.abs(found.astype(int) - cover).max() <= 1
    assert letters.is_of_colour(ground, seen, (40, 50, 60), found)
    wide = [np.tile(a, (9, 9) if a.ndim == 2 else (9, 9, 1)) for a in (ground, seen, cover)]
    assert letters.colour_by(*wide) == (40, 50, 60)
    coloured = seen.copy()
    coloured[..., 0] = 255
    assert not letters.is_of_colour(ground, coloured, (40, 50, 60), letters.cover_of(ground, coloured, (40, 50, 60)))


def test_the_colour_of_letters_is_the_one_farthest_from_the_field():
    ground = np.full((12, 20, 3), 255, np.uint8)
    cover = np.zeros((12, 20), np.uint8)
    cover[2:8, 3:9], cover[8, 3:9] = 255, 90
    seen = letters.over(ground, (30, 40, 50), cover)
    assert letters.colour_of(ground, [seen, ground]) == (30, 40, 50)
    with pytest.raises(Unfit, match="no letter shows"):
        letters.colour_of(ground, [ground])


def test_letters_where_pictures_differ_are_named():
    assert letters.where_they_differ(plain_letters(), "aba", PLACE, np.array([21, 22, 40])) == {0, 2}


def test_random_texts_have_seeds_of_their_own():
    one, other = (letters.random_texts(random.Random(seed), 50) for seed in ("x", "y"))
    assert one == letters.random_texts(random.Random("x"), 50)
    assert one != other
    assert {len(text) for text in one} <= set(range(1, 25))
    assert set("".join(one)) <= set(letters.ASCII)


def test_letters_that_are_dropped_leave_no_kerning():
    left = plain_letters().without("b")
    assert set(left.letters) == {"a", " "}
    assert left.kerning == {}
    assert left.can_set("a a")
    assert not left.can_set("ab")


def field(**others):
    lit = changes.Piece((60, 70, 70, 75), np.ones((5, 10), bool), np.full((5, 10, 3), 9, np.uint8), None)
    effect = Effect("e2", [lit], [{"id": "e2", "state": {}}])
    values = {"control": "c-e1", "element": "e1", "letters": plain_letters(), "place": PLACE, "effects": [effect]}
    return Field(**(values | others))


def test_a_field_is_told_and_read():
    own = field(blank=[changes.Piece((0, 0, 2, 1), np.array([[True, False]]), np.zeros((1, 2, 3), np.uint8), None)])
    again = letters.read(letters.told(own))
    assert letters.same_look(again.letters, own.letters)
    assert (again.place, again.effects[0].changes) == (own.place, own.effects[0].changes)
    assert np.array_equal(again.blank[0].mask, own.blank[0].mask)


def page(value=""):
    texts = {"kind": "text", "max_chars": 200}
    area = {"rect": [0, 0, 4, 4], "at": [0, 0]}
    control = {"line": "control", "id": "c-e1", "element": "e1", "type": "text_entry", "values": texts, "value": value}
    tabs = {"line": "control", "id": "g", "element": "e3", "type": "tabs", "value": "One"}
    return [
        {"line": "page", "inactive": {"kind": "captured"}},
        control,
        tabs,
        {"line": "patch", "control": "c-e1", "value": "Sample", "areas": [area], "verified": True},
        {"line": "patch", "control": "g", "value": "Two", "areas": [area], "elements": [{"id": "e1", "gone": True}]},
        {"line": "layer", "kind": "focus", "element": "e1", "areas": [area]},
        {"line": "layer", "kind": "focus", "element": "e1", "when": {"c-e1": "Sample"}, "areas": [area]},
    ]


def typed_line(text):
    outcomes = [{"kind": "value", "control": "c-e1", "to": text}, {"kind": "focus", "element": "e1"}]
    return {"from": "x/y", "when": {"c-e1": ""}, "element": "e1", "action": {"type": text}, "outcomes": outcomes}


def test_texts_that_were_pictured_make_way_for_letters():
    atlas = np.zeros((8, 30, 4), np.uint8)
    click = {"from": "x/y", "element": "e1", "action": "click", "outcomes": [{"kind": "focus", "element": "e1"}]}
    told = [click, typed_line("Sample"), typed_line("Garden")]
    lines, picture, transitions = lettered.add(page(), atlas, told, [field()])
    by_kind = {kind: [line for line in lines if line["line"] == kind] for kind in ("control", "patch", "layer", "rule")}
    assert by_kind["control"][0]["text"] == {"glyphs": "letters-1", "origin": [20, 50], "clip": [20, 40, 80, 56]}
    assert [(p["control"], p["value"]) for p in by_kind["patch"]] == [("g", "Two"), ("text-e1", True)]
    assert len(by_kind["layer"]) == 1
    derived, conflict = by_kind["rule"]
    assert derived["test"] == {"is": "changed", "controls": ["c-e1"]}
    assert conflict == {"line": "rule", "kind": "conflict", "controls": ["c-e1", "g"]}
    assert [t["action"] for t in transitions] == ["click", {"type": "a"}]
    assert transitions[1]["outcomes"] == [{"kind": "typed", "control": "c-e1"}]
    (glyphs,) = [line for line in lines if line["line"] == "glyphs"]
    assert glyphs["kerning"] == [["a", "b", -33]]
    assert [g["size"] for g in glyphs["glyphs"]] == [None, [6, 9], [6, 9]]
    # The same picture lies in the atlas once, below what was there.
    x, y = glyphs["glyphs"][1]["at"]
    assert y >= 8
    assert glyphs["glyphs"][2]["at"] == [x, y]
    assert (picture[y : y + 9, x : x + 6] == (0, 0, 0, 255)).all()
    assert not picture[:8].any()


def test_only_letters_take_the_colours_of_a_window_without_the_focus():
    lines, _, _ = lettered.add(page(), np.zeros((8, 30, 4), np.uint8), [], [field()])
    assert lines[0]["inactive"] == {"kind": "colours", "pairs": [["#000000", "#787878"]]}
    areas = [area for line in lines for area in line.get("areas", ())]
    assert areas
    assert all(area["inactive"] == area["at"] for area in areas)
    same = field()
    same.letters.inactive = BLACK
    lines, _, _ = lettered.add(page(), None, [], [same])
    assert lines[0]["inactive"] == {"kind": "captured"}
    other = field(control="c-e9", element="e9")
    other.letters.inactive = (1, 1, 1)
    controls = [*page(), {**page()[1], "id": "c-e9", "element": "e9"}]
    with pytest.raises(Unfit, match="several"):
        lettered.add(controls, None, [], [field(), other])


def test_a_field_that_holds_a_text_says_how_it_looks_empty():
    gone = changes.Piece((20, 40, 30, 50), np.ones((10, 10), bool), np.full((10, 10, 3), 255, np.uint8), None)
    own = field(blank=[gone], blank_changes=[{"id": "e1", "state": {"editable": True}}])
    own.effects.append(Effect("e2", [], [{"id": "e2", "state": {"enabled": False}}], empty=True))
    lines, _, _ = lettered.add(page("Name"), None, [], [own])
    (empty,) = [line for line in lines if line["line"] == "patch" and line["control"] == "c-e1"]
    assert (empty["value"], empty["areas"][0]["rect"]) == ("", [20, 40, 30, 50])
    tests = {line["control"]: line["test"] for line in lines if line.get("kind") == "derived"}
    is_empty = {"is": "equal", "control": "c-e1", "value": ""}
    assert tests["empty-e1"] == is_empty
    assert tests["text-e1"]["tests"][1] == {"is": "not", "test": is_empty}


def test_what_is_known_to_follow_from_a_text_is_not_told_twice():
    known = [
        {"line": "control", "id": "of-e2", "element": "e2", "type": "derived", "value": False},
        {"line": "patch", "control": "of-e2", "value": True, "areas": [{"rect": [60, 70, 70, 75], "at": [0, 0]}]},
        {"line": "rule", "kind": "derived", "control": "of-e2", "test": {"is": "changed", "controls": ["c-e1", "g"]}},
    ]
    lines, _, _ = lettered.add([*page(), *known], None, [], [field()])
    assert all(line.get("id") != "text-e1" for line in lines)


ELEMENTS = [{**element_record(1), "id": "e1"}]


def test_what_stands_in_the_way_of_letters_is_told():
    assert lettered.obstacle(page(), ELEMENTS, "e1", "c-e1") is None
    shown = {"line": "patch", "control": "g", "value": "Two", "areas": [], "added": [{**element_record(1), "id": "e1"}]}
    assert lettered.obstacle([*page(), shown], [], "e1", "c-e1") is None
    assert lettered.when_of([*page(), shown], "e1") == {"g": "Two"}
    assert lettered.when_of(page(), "e1") == {}
    twice = [*page(), shown, {**shown, "value": "Three"}]
    assert "several values" in lettered.obstacle(twice, [], "e1", "c-e1")
    other = {"line": "patch", "control": "g", "value": "Two", "areas": [], "when": {"c-e1": "Sample"}}
    assert "another control" in lettered.obstacle([*page(), other], ELEMENTS, "e1", "c-e1")
    disabled = [{**ELEMENTS[0], "state": {"enabled": False}}]
    assert "typed" in lettered.obstacle(page(), disabled, "e1", "c-e1")


def test_few_letters_are_dropped_for_many_pairs_that_differ():
    pairs = {("(", "A"), ("(", "B"), ("C", "("), ("-", "A"), ("-", ">")}
    assert letters.cover_all(pairs) == {"(", "-"}
    assert letters.cover_all(set()) == set()


def test_letters_behind_spaces_begin_where_kerning_puts_them():
    shape = letters.Shape({" ": 300, "A": 512, "a": 500}, {(" ", "A"): -64})
    assert [shape.behind(1, name) for name in "aA"] == [300, 236]
    assert shape.behind(3, "a") == 900


def quarters(**others):
    """Letters with a picture for each quarter of a px: one bar, of which more and more is in the next column."""
    covers = np.array([[255 - 60 * phase, 60 * phase] for phase in range(4)], np.uint8)
    cover = np.tile(covers.ravel(), (9, 1))
    own = {"a": Letter(730, 1, -8, cover), " ": Letter(300)}
    return Letters(own, {}, **({"colour": BLACK, "inactive": BLACK, "parts": 100, "phases": 4} | others))


def test_letters_between_two_px_have_a_picture_for_each_quarter():
    # As the engine sets them: see the test of its letters.rs.
    told = letters.origins(quarters(), "aaaa", PLACE)
    assert [at for _, *at in told] == [[20, 0], [27, 1], [34, 2], [42, 0]]
    told = letters.origins(quarters(), "aaaa", replace(PLACE, shift=-10))
    assert [at for _, *at in told] == [[20, 0], [27, 1], [34, 2], [41, 3]]
    seen = letters.drawn(np.full((80, 100, 3), 255, np.uint8), quarters(), "aa", PLACE)
    assert [255 - int(v) for v in seen[45, 21:23, 0]] == [255, 0]
    assert [255 - int(v) for v in seen[45, 28:30, 0]] == [195, 60]
    line = letters.line_of("x", quarters(), lambda picture: [*picture.shape[1::-1]])
    assert (line["parts"], line["phases"]) == (100, 4)
    assert line["glyphs"][1] == {"letter": "a", "advance": 730, "bearing": [1, -8], "at": [8, 9], "size": [2, 9]}


def test_pictures_of_a_letter_lie_side_by_side_as_seen_from_their_px():
    own = letters.side_by_side([Letter(0, 1, -8, bar()), Letter(0, 2, -9, bar(3, 5))])
    assert (own.left, own.top, own.cover.shape) == (1, -9, (10, 12))
    assert own.cover[0].tolist() == [0] * 7 + [255] * 5
    assert letters.side_by_side([Letter(0), Letter(0)]).cover is None


SHAPE = letters.Shape({" ": 444, "H": 1155}, {}, parts=100)


def seen_at(phases, shift):
    raster = letters.Raster(100, phases, shift)
    out = []
    for count in range(1, 17):
        x, phase = raster.nearest(SHAPE.behind(count, "H"))
        out.append(letter_places.Seen(count, phase, 30 + x))
    return out


def test_looks_of_a_letter_tell_where_letters_are_drawn():
    told = letter_places.raster_of(SHAPE, "H", seen_at(4, 0))
    assert (told.phases, told.shift) == (4, 0)
    # Qt takes the quarter on the left.
    told = letter_places.raster_of(SHAPE, "H", seen_at(4, -12))
    assert (told.phases, told.shift) == (4, -12)
    assert letter_places.raster_of(SHAPE, "H", seen_at(1, 0)).phases == 1
    other = [replace(s, left=s.left + s.spaces // 3) for s in seen_at(4, 0)]
    with pytest.raises(Unfit, match="not where its font tells"):
        letter_places.raster_of(SHAPE, "H", other)


def test_spaces_bring_a_letter_to_each_place_within_a_px():
    raster = letters.Raster(100, 4, 0)
    counts = letter_places.spaces_for(SHAPE, raster, "H")
    assert [raster.nearest(SHAPE.behind(n, "H"))[1] for n in counts] == [0, 1, 2, 3]
    whole = letters.Shape({" ": 400, "H": 1200}, {}, parts=100)
    assert letter_places.spaces_for(whole, letters.Raster(100, 1, 0), "H") == [1]
    with pytest.raises(Unfit, match="all places"):
        letter_places.spaces_for(whole, raster, "H")


def caret_page():
    runs = [0, 80, 10 * 80 + 26, 1, 13 * 80 - 27, 80]
    ring = {"rect": [10, 35, 90, 60], "at": [0, 0], "inactive": [0, 30], "mask": runs}
    return [*page("ab")[:5], {"line": "layer", "kind": "focus", "element": "e1", "areas": [ring]}]


def test_carets_leave_layers_of_the_focus_and_stand_behind_texts():
    one = np.zeros((1, 1, 3), np.uint8)
    caret = letters.Caret((1, -4, 2, -3), -50, one)
    empty = changes.Piece((21, 46, 22, 47), np.ones((1, 1), bool), one, one + 255)
    place = replace(PLACE, caret=caret)
    own = field(place=place, own_caret=(36, 46, 37, 47), empty_caret=empty)
    again = letters.read(letters.told(own))
    assert (again.own_caret, again.empty_caret.rect) == (own.own_caret, empty.rect)
    assert again.place.caret.rect == caret.rect
    lines, _, _ = lettered.add(caret_page(), None, [], [own])
    control = next(line for line in lines if line["line"] == "control")
    assert (control["text"]["caret"]["rect"], control["text"]["caret"]["shift"]) == ([1, -4, 2, -3], -50)
    layers = {line.get("when", {}).get("c-e1"): line for line in lines if line["line"] == "layer"}
    assert [len(layers[at]["areas"]) for at in (None, "ab", "")] == [1, 1, 2]
    shown = {at: field_layers.mask_of(layers[at]["areas"][0])[11, 26] for at in (None, "ab")}
    assert shown == {None: False, "ab": True}
    assert layers[""]["areas"][1]["rect"] == [21, 46, 22, 47]
    elsewhere = field(place=place, own_caret=(50, 46, 51, 47), empty_caret=empty)
    with pytest.raises(Unfit, match="no caret shows"):
        lettered.add(caret_page(), None, [], [elsewhere])


def test_a_field_of_a_tab_shows_its_text_under_that_tab_alone():
    tabs = {**page()[2], "values": {"kind": "choices", "values": ["One", "Two"]}}
    lines = [*page("Name")[:2], tabs, *page()[4:]]
    own = field(place=replace(PLACE, when={"g": "One"}), blank_changes=[{"id": "e1", "state": {}}])
    lines, _, _ = lettered.add(lines, None, [], [own])
    control = next(line for line in lines if line["line"] == "control")
    assert control["text"]["when"] == {"g": "One"}
    patches = [(p["control"], p["value"], p.get("when")) for p in lines if p["line"] == "patch"][1:]
    assert patches == [("c-e1", "", {"g": "One"}), ("c-e1", "", {"g": "Two"}),
                       ("text-e1", True, {"g": "One"}), ("text-e1", True, {"g": "Two"})]  # fmt: skip
    assert all(line.get("kind") != "conflict" for line in lines)


def test_fields_whose_pictured_texts_touched_are_set_from_letters_together():
    other = {**page()[1], "id": "c-e5", "element": "e5"}
    touching = {**page()[3], "control": "c-e5", "areas": [{"rect": [78, 54, 84, 60], "at": [0, 0]}]}
    conflict = {"line": "rule", "kind": "conflict", "controls": ["c-e1", "c-e5"]}
    below = field(control="c-e5", element="e5", place=replace(PLACE, clip=(20, 60, 80, 76)), effects=[])
    lines, _, _ = lettered.add([*page(), other, touching, conflict], None, [], [field()])
    assert conflict in lines
    lines, _, _ = lettered.add(lines, None, [], [below])
    assert [line["controls"] for line in lines if line.get("kind") == "conflict"] == [["c-e1", "g"]]
