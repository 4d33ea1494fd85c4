"""A window that chooses files: its parts, and what they say of it."""

import numpy as np

from builders import element_record
from capture.living import changes
from capture.living.context import Context
from capture.living.file_model import At, FileModel, View, as_before, of_bar, of_place, without_bar
from capture.living.file_parts import bar_name, parts_of
from capture.living.matching import Difference, Names
from capture.living.page import Page
from test_living_changes import plain, with_box

BAR = (22, 0, 60, 8)


def element(number, role, name, box, parent=None, **state):
    told = {"role": role, "name": name, "bbox": list(box), "state": state, "interactive": True, "parent": parent}
    return {**element_record(number), **told}


def window(place="Home", files=("a.txt", "b.txt"), chosen="a.txt", bar=("alex",)):
    """Two places at the side, a bar above the files."""
    out = [
        element(0, "panel", "Places", (0, 0, 20, 40)),
        element(1, "list", "", (0, 0, 20, 40), "e0"),
        element(2, "list item", "", (0, 0, 20, 8), "e1", selected=place == "Home"),
        element(3, "label", "Home", (4, 1, 18, 7), "e2"),
        element(4, "list item", "", (0, 8, 20, 16), "e1", selected=place == "Music"),
        element(5, "label", "Music", (4, 9, 18, 15), "e4"),
        element(6, "panel", "PathBar Layer", (24, 2, 58, 6)),
        element(7, "table", "Files", (22, 8, 60, 40)),
        element(8, "column header", "Name", (22, 8, 60, 12), "e7"),
    ]
    out += [
        element(20 + n, "toggle button", name, (24 + 8 * n, 2, 30 + 8 * n, 6), "e6", pressed=n == len(bar) - 1)
        for n, name in enumerate(bar)
    ]
    out += [
        element(30 + n, "table cell", name, (22, 12 + 5 * n, 60, 17 + 5 * n), "e7", selected=name == chosen)
        for n, name in enumerate(files)
    ]
    return out


def test_parts_of_a_window():
    found = parts_of(window())
    assert list(found.places) == ["Home", "Music"]
    assert found.place == "Home"
    assert list(found.rows) == ["a.txt", "b.txt"]
    assert found.row == "a.txt"
    assert [b["name"] for b in found.buttons] == ["alex"]
    assert list(found.headers) == ["Name"]
    assert {"e2", "e4", "e8", "e20", "e30"} <= found.elements()
    assert "e7" not in found.elements()


def test_another_window_has_no_such_parts():
    assert parts_of([e for e in window() if e["name"] != "Places"]) is None


def test_a_row_that_is_cut_off_is_none():
    cut = window(files=("a", "b", "c"))
    cut[-1]["bbox"][3] -= 2
    found = parts_of(cut)
    assert list(found.rows) == ["a", "b"]
    assert found.hidden


def test_a_file_is_called_by_its_first_cell():
    mixed = window()
    mixed.insert(-2, element(40, "table cell", "12 kB", (50, 17, 60, 22), "e7", selected=False))
    mixed[-1]["bbox"][2] = 50
    assert [[c["name"] for c in row] for row in parts_of(mixed).rows.values()] == [["a.txt"], ["b.txt", "12 kB"]]


def test_a_bar_is_called_by_its_folders():
    assert bar_name(parts_of(window(bar=("alex", "Music")))) == "alex/[Music]"


def crawled():
    """A place with a second row, another place, and its bar."""
    home, music = window(), window("Music", ("c.txt",), "c.txt", ("alex", "Music"))
    page = Page("live-x", home)
    context = Context({}, plain(), plain(), home)
    parts = parts_of(home)
    model = FileModel(page, parts, context, (0, 0), "Name", bar_name(parts))
    second = with_box((22, 17, 60, 22), 20)
    chosen = Difference([{"id": "e30", "state": {"selected": False}}, {"id": "e31", "state": {"selected": True}}])
    model.add_row("Home", "Name", "b.txt", changes.pieces(plain(), second, None), chosen)
    other = with_box((0, 8, 20, 16), 90, with_box((30, 3, 38, 5), 40))
    found = changes.pieces(plain(), other, None)
    now = parts_of(music)
    model.add_place("Music", found, Difference(), View(Context({}, other, other, music), now, "c.txt"))
    model.add_bar(now.bar_key, bar_name(now), found, Difference())
    return page, model, second, other


def test_a_state_is_composed_of_place_row_and_bar():
    _, model, second, other = crawled()
    assert np.array_equal(model.composed(At("Home", "Name", "b.txt", "[alex]")), second)
    assert np.array_equal(model.composed(At("Music", "Name", "c.txt", "alex/[Music]")), other)
    # The bar lies in no patch of the place.
    place = model.composed(At("Music", "Name", "c.txt", "[alex]"))
    assert np.array_equal(place, with_box((0, 8, 20, 16), 90))


def test_what_nobody_has_seen_is_not_composed():
    _, model, *_ = crawled()
    assert model.composed(At("Music", "Name", "b.txt", "[alex]")) is None
    assert model.composed(At("Home", "Name, reversed", "a.txt", "[alex]")) is None
    assert model.composed(At("Home", "Name", "a.txt", "alex/[Video]")) is None


def test_a_row_belongs_to_its_place():
    page, model, *_ = crawled()
    rows = [p for p in page.patches if p.control == model.rows.id]
    assert [(p.value, p.when[model.places.id]) for p in rows] == [("Home/b.txt", "Home"), ("Music/c.txt", "Music")]
    assert model.rows.values == ["Home/a.txt", "Home/b.txt", "Music/c.txt"]
    assert not [p for p in page.patches if p.value == "Home/a.txt"]


def cells_of(page, control, value):
    """What a patch says of cells: whether they are chosen."""
    patch = next(p for p in page.patches if (p.control, p.value) == (control, value))
    return {c["id"]: c["state"]["selected"] for c in patch.changes if "selected" in c.get("state", {})}


def test_the_row_alone_says_which_cells_are_chosen():
    page, model, *_ = crawled()
    assert cells_of(page, model.rows.id, "Home/b.txt") == {"e30": False, "e31": True}
    assert cells_of(page, model.rows.id, "Music/c.txt") == {"e30": True}


def test_an_order_says_nothing_of_chosen_cells():
    page, model, *_ = crawled()
    turned = window(files=("b.txt", "a.txt"), chosen="b.txt")
    turned[-2]["id"], turned[-1]["id"] = "e31", "e30"
    told = [
        {"id": "e30", "bbox": turned[-1]["bbox"], "state": {"selected": False}},
        {"id": "e31", "bbox": turned[-2]["bbox"], "state": {"selected": True}},
    ]
    view = View(Context({}, plain(), plain(), turned), parts_of(turned), "b.txt")
    model.add_order("Home", "Name, reversed", [], Difference(told), view)
    order = next(p for p in page.patches if p.control == model.orders.id)
    assert [(c["id"], "state" in c) for c in order.changes] == [("e30", False), ("e31", False)]
    own = [p for p in page.patches if p.value == "Home/b.txt" and p.when[model.orders.id] == "Name, reversed"]
    assert [c["id"] for c in own[0].changes] == ["e31", "e30"]


def test_another_place_has_other_files_of_the_same_name():
    change = of_place(window(), window("Music", ("a.txt",), None), Names())
    assert {c["id"] for c in change.changes if c.get("gone")} == {"e30", "e31"}
    assert [(e["name"], e["role"]) for e in change.added] == [("a.txt", "table cell")]


def test_a_place_sets_its_row_and_its_bar():
    _, model, *_ = crawled()
    told = {o["control"]: o["to"] for o in model.sets(At("Music", "Name", "c.txt", "alex/[Music]"))}
    assert told == {"places-e1": "Music", "row-e7": "Music/c.txt", "bar-e6": "alex/[Music]"}


def test_a_state_that_was_seen_again_is_verified():
    page, model, *_ = crawled()
    model.seen_again(At("Home", "Name", "b.txt", "[alex]"))
    assert [p.value for p in page.patches if p.verified] == ["Home/b.txt"]


def test_what_changes_of_the_bar_is_told_apart():
    parts = parts_of(window())
    added = [element(9, "toggle button", "Music", (32, 2, 38, 6)), element(10, "table cell", "c.txt", (22, 12, 60, 17))]
    both = Difference([{"id": "e20", "state": {"pressed": False}}, {"id": "e30", "gone": True}], added)
    assert [c["id"] for c in without_bar(both, parts, parts.bar).changes] == ["e30"]
    assert [e["id"] for e in of_bar(both, parts, parts.bar).added] == ["e9"]


def test_a_row_that_moved_looks_without_the_focus_as_it_did():
    band, was = (10, 20, 30, 26), with_box((2, 1, 8, 5), 20, plain(20, 6))
    faded = with_box((2, 1, 8, 5), 90, plain(20, 6, 150))
    # As wide as the list, that begins before the row's first cell.
    now = np.concatenate([plain(4, 6), was], axis=1)
    piece = changes.Piece((6, 20, 30, 26), np.ones((6, 24), bool), now, None)
    found = as_before(piece, band, was, faded)
    assert np.array_equal(found.inactive[:, 4:], faded)
    assert (found.inactive[:, :4] == 150).all()
    assert as_before(piece, band, with_box((2, 1, 8, 5), 60, plain(20, 6)), faded) is None


def test_what_has_one_value_is_no_control():
    page, model, *_ = crawled()
    page.tell("e31", "click", model.sets_row(At("Home", "Name", "b.txt", "")), model.when("Home", "Name"))
    model.finish()
    assert model.orders.id not in page.controls
    assert model.trail.id in page.controls
    assert [t["when"] for t in page.transitions] == [{model.places.id: "Home"}]


def test_all_of_it_is_taken_back():
    page, model, *_ = crawled()
    page.tell("e4", "click", model.sets(At("Music", "Name", "c.txt", "alex/[Music]")))
    model.remove()
    assert not page.controls
    assert not page.patches
    assert not page.transitions
