"""Which elements are those of before, and how they have changed."""

from builders import element_record
from capture.living import domains, groups, maps, matching, records, spots
from capture.living.page import Control, Page, Patch, order
from capture.living.views import finish


def record(number, role="check box", name="", box=(0, 0, 20, 20), **others):
    return {**element_record(number), "role": role, "name": name, "bbox": list(box), "state": {}, **others}


def test_elements_keep_their_ids_when_they_move_or_are_renamed():
    before = [record(0, name="Wrap"), record(1, name="Size", box=(0, 30, 20, 50))]
    now = [record(5, name="Wrap", box=(0, 60, 20, 80)), record(6, name="Length", box=(0, 30, 20, 50))]
    found = matching.difference(before, now, matching.Names())
    assert found.ids == ["e0", "e1"]
    assert found.changes == [{"id": "e0", "bbox": [0, 60, 20, 80]}, {"id": "e1", "name": "Length"}]


def test_what_comes_has_the_same_id_each_time_and_what_goes_is_told():
    names, before = matching.Names(), [record(0, name="Wrap")]
    now = [record(3, role="entry", name="Margin", box=(5, 5, 9, 9))]
    first, again = (matching.difference(before, now, names) for _ in range(2))
    assert first.gone() == {"e0"}
    assert [e["id"] for e in first.added] == ["n1"] == [e["id"] for e in again.added]
    assert [e["id"] for e in matching.applied(before, first)] == ["n1"]


def test_the_focus_is_no_change_of_a_value():
    before = [record(0, name="Wrap", state={"checked": False})]
    now = [record(0, name="Wrap", state={"checked": False, "focused": True})]
    assert matching.difference(before, now, matching.Names()).changes == []
    now[0]["state"]["checked"] = True
    (change,) = matching.difference(before, now, matching.Names()).changes
    assert change == {"id": "e0", "state": {"checked": True}}


def test_a_scale_explains_every_click_or_there_is_none():
    clicks = [(10 + 14, 0), (40, 13), (70, 39), (100, 65), (126, 87), (150, 100)]
    scale = maps.fitted(clicks, 0, 100, 1)
    assert scale is not None
    assert all(abs(maps.number_at(scale, p) - v) <= 1 for p, v in clicks)
    assert maps.fitted([(10, 10), (20, 80), (30, 20), (40, 90)], 0, 100, 1) is None
    assert maps.fitted([(10, 0), (20, 100)], 0, 100, 1) is None


def test_stops_only_grow_or_only_fall():
    assert maps.stops([(0, 1), (10, 1), (20, 2)]) == [{"from": 0, "value": 1}, {"from": 15, "value": 2}]
    assert maps.stops([(0, 1), (10, 3), (20, 2)]) is None


def test_values_that_are_visited():
    assert domains.steps(8, 1, 32, 1) == [9, 7, 10, 6, 11, 5]
    assert domains.steps(1, 1, 2, 1) == [2]
    assert [domains.lowest(v, 0.2, 0.02) for v in (0.5, 0.49, 0.2)] == [0.2, 0.21, 0.2]
    assert domains.unique_names(["Tab", "", "Tab"], "row") == ["Tab", "row 2", "Tab (2)"]
    fields = (("Port", ""), ("", "80"), ("x", "/tmp"), ("Find", ""), ("A", ""))
    kinds = [domains.kind_of_text(name, text) for name, text in fields]
    assert kinds == ["number", "number", "path", "search", "name"]
    assert not domains.is_scale({"value": 1, "min": 0, "max": 0, "step": 1})


def test_a_spin_button_has_its_buttons_beside_or_above_each_other():
    box = (100, 100, 200, 130)
    assert spots.spin_buttons(box, "gtk 3.24") == [(170, 100, 200, 130), (140, 100, 170, 130)]
    up, down = spots.spin_buttons(box, "Qt 5")
    assert (up, down) == ((180, 105, 198, 115), (180, 115, 198, 125))
    assert spots.spin_buttons((100, 100, 200, 116), "Qt 5") == [(180, 100, 198, 108), (180, 108, 198, 116)]
    assert spots.spot("check box", (0, 0, 300, 20)) == (10, 10)


def page_with(patches):
    page = Page("live-x", [record(0), record(1), record(2)])
    for name, element, values in (("tab", "e0", ["A", "B"]), ("wrap", "e1", [False, True])):
        page.controls[name] = Control(name, element, "check_box", values[0], values)
    page.patches = patches
    for name, element in (("tab", "e0"), ("wrap", "e1")):
        page.tell(element, "click", [{"kind": "value", "control": name, "next": True}])
    return page


def test_a_hidden_control_keeps_its_value_and_shows_nothing():
    gone = [{"id": "e1", "gone": True}]
    page = page_with([Patch("tab", "B", {}, [], gone), Patch("wrap", True, {}, [], [{"id": "e1", "state": {}}])])
    finish(page)
    looks = [(p.control, p.value, p.when) for p in page.patches if p.control == "wrap"]
    assert looks == [("wrap", True, {"tab": "A"}), ("wrap", True, {"tab": "B"})]
    assert page.patches[-1].changes == []


def test_a_control_that_nothing_sets_is_none():
    page = page_with([Patch("tab", "B", {}, [], []), Patch("wrap", True, {"tab": "B"}, [], [])])
    page.transitions = page.transitions[1:]
    finish(page)
    assert list(page.controls) == ["wrap"]
    assert page.patches == []


def test_two_controls_that_draw_the_same_pixels_differently_are_in_conflict():
    from test_living_changes import changes, plain, with_box

    def patch(control, value, level):
        parts = changes.pieces(plain(), with_box((10, 10, 20, 20), level), None)
        return Patch(control, value, {}, parts, [])

    page = page_with([patch("tab", "B", 10), patch("wrap", True, 50)])
    order(page)
    assert page.rules == [{"kind": "conflict", "controls": ["tab", "wrap"]}]
    page = page_with([patch("tab", "B", 10), patch("wrap", True, 10)])
    order(page)
    assert page.rules == []
    assert page.patches[1].over == {"tab"}


def test_what_another_tab_shows_is_something_else_unless_it_has_the_same_name():
    before = [record(0, name="Wrap"), record(1, name="", role="spin button", box=(30, 0, 50, 20), state={"value": 8})]
    now = [record(5, name="Backup"), record(6, name="", role="spin button", box=(30, 0, 50, 20), state={"value": 10})]
    assert matching.pair(before, now) == {0: 0, 1: 1}
    assert matching.pair(before, now, keys=matching.VIEW_KEYS) == {}
    now[1]["state"] = {"value": 8, "enabled": False}
    assert matching.pair(before, now, keys=matching.VIEW_KEYS) == {1: 1}


def test_a_list_that_is_named_by_its_value_stays_the_same_one_where_it_gets_wider():
    before = [record(0, name="audio/x-vorbis", role="combo box", box=(20, 0, 90, 20))]
    now = [record(4, name="audio/mpeg", role="combo box", box=(18, 0, 90, 20))]
    found = matching.difference(before, now, matching.Names())
    assert found.ids == ["e0"]
    assert found.changes == [{"id": "e0", "bbox": [18, 0, 90, 20], "name": "audio/mpeg"}]
    below = [record(4, name="audio/mpeg", role="combo box", box=(18, 30, 90, 50))]
    assert matching.difference(before, below, matching.Names()).ids == ["n1"]


def test_a_title_that_tells_the_view_stays_the_windows_title():
    before = [record(0, role="title bar", name="Options - View", box=(0, 0, 90, 20))]
    now = [record(0, role="title bar", name="Options - Print", box=(0, 0, 90, 20))]
    assert matching.pair(before, now, keys=matching.VIEW_KEYS) == {0: 0}


def test_entries_of_a_list_are_told_once_and_those_of_columns_all():
    row = [record(0, role="table cell", box=(0, 0, 20, 20)), record(1, role="table cell", box=(20, 0, 90, 20))]
    assert records.without_repeats(row) == row[:1]
    columns = [record(0, role="menu item", box=(0, 0, 20, 20)), record(1, role="menu item", box=(20, 0, 90, 20))]
    assert records.without_repeats([*columns, record(2, role="panel", box=(0, 5, 20, 15))]) == columns


def test_a_number_that_changes_another_one_is_found():
    before = [record(0, state={"value": 1}), record(1, state={"value": 3, "max": 5})]
    assert not records.changes_others(before, [{"id": "e0", "state": {"value": 2}}], "e0")
    assert not records.changes_others(before, [{"id": "e1", "state": {"value": 3, "max": 4}}], "e0")
    assert records.changes_others(before, [{"id": "e1", "state": {"value": 2, "max": 4}}], "e0")


def test_gtk_4_tells_labels_and_rows_are_clicked():
    told = [("list", "", [924, 470, 1044, 575])]
    told += [("label", name, [942, y, 996, y + 17]) for name, y in (("Radians", 479), ("Degrees", 514), ("Turns", 549))]
    # Lists that the popup hides.
    told += [("list", "", [927, 487, 970, 508]), ("label", "64-bit", [929, 489, 968, 506])]
    known = [{"role": r, "name": n, "bbox": b, "interactive": False} for r, n, b in told]
    rows = records.with_rows(known)
    assert [r["name"] for r in rows] == ["Radians", "Degrees", "Turns"]
    assert [r["bbox"] for r in rows] == [[924, 470, 1044, 505], [924, 505, 1044, 540], [924, 540, 1044, 575]]
    assert all(r["interactive"] and r["role"] == "list item" for r in rows)


def test_the_current_entry_of_a_qt_list_need_not_have_the_focus():
    told = [("list item", {"focused": True}), ("check box", {"focused": True})]
    known = [{"role": role, "state": state} for role, state in told]
    assert records.focused(known, "Qt 5.15.8") == 1
    assert records.focused(known[:1], "Qt 5.15.8") is None
    assert records.focused(known, "gtk 3.24.38") == 0


def test_only_a_button_at_the_top_is_one_of_the_frame():
    # Below 44 px of shadow: of KWin's frame, of a program's own bar, and at the end of a dialog.
    boxes = ([451, 7, 487, 43], [319, 48, 339, 68], [396, 42, 426, 84], [249, 314, 334, 345])
    buttons = [{**element_record(n), "name": "Close", "bbox": box} for n, box in enumerate(boxes)]
    assert [records.is_frame(e) for e in buttons] == [True, True, True, False]
    assert not records.is_frame({**buttons[0], "name": "Apply"})
    assert not records.is_frame({**buttons[0], "parent": "e9"})


def radio(number, checked):
    return {**element_record(number), "role": "radio button", "parent": "g", "state": {"checked": checked}}


def test_a_parent_may_hold_several_groups_of_radio_buttons():
    members = [radio(0, True), radio(1, False), radio(2, True), radio(3, False), radio(4, False)]
    assert groups.groups(members) == [members]
    parts = groups.apart(members, {"e1": "e0", "e3": "e2"})
    assert [[m["id"] for m in part] for part in parts] == [["e0", "e1"], ["e2", "e3"]]


def test_entries_are_found_by_name_wherever_a_list_begins():
    items = [{**element_record(n), "name": name} for n, name in enumerate((".tar", ".zip", "", ".zip"))]
    assert records.entry_names(items) == [".tar", ".zip", "entry 3", ".zip (2)"]
    assert records.place_of(items[1:], ".zip (2)") == 2
    assert records.place_of(items[1:], ".tar") is None


def test_entries_of_a_list_are_chosen_as_they_come_into_view():
    tried = [".tar"]
    for shown in ([".tar", ".zip"], [".7z", ".zip"], [".7z", ".zip"]):
        tried.append(records.next_entry(shown, tried))
    assert tried == [".tar", ".zip", ".7z", None]


def test_an_entry_out_of_view_is_chosen_by_way_of_another_one():
    lists = {".tar": [".tar", ".zip"], ".zip": [".7z", ".zip"]}
    assert records.way_to(".tar", [".tar", ".zip"], lists) == ".tar"
    assert records.way_to(".7z", [".tar", ".zip"], lists) == ".zip"
    assert records.way_to(".ar", [".tar", ".zip"], lists) == ".ar"


def test_a_list_has_all_of_its_entries_chosen_unless_too_much_is_told_of_it():
    assert [domains.choices_of(entries) for entries in (0, 5, 64, 128, 1000)] == [4096, 819, 64, 32, 10]


def test_a_row_that_the_window_shows_in_part_is_told_by_its_height():
    cells = [{**element_record(n), "role": "table cell", "bbox": [0, 20 * n, 90, 20 * n + 20]} for n in range(4)]
    cells[3]["bbox"][3] -= 12
    assert groups.cut_off([[c] for c in cells]) == [3]
    assert groups.cut_off([[c] for c in cells[2:]]) == [], "two tell nothing"
    assert groups.cut_off([[{**c, "role": "page tab"}] for c in cells]) == []


def test_a_ring_elsewhere_belongs_to_what_it_surrounds():
    tab, table, row, close = (element_record(n) for n in range(4))
    tab["bbox"], table["bbox"] = [124, 49, 174, 79], [22, 100, 480, 300]
    row["bbox"], close["bbox"] = [24, 143, 478, 164], [385, 335, 481, 369]
    elements = [tab, table, row, close]
    left = (383, 333, 483, 371)
    assert records.ring_of("e0", [(120, 47, 178, 82), left], elements, "e3") == "e0"
    assert records.ring_of("e0", [(22, 125, 480, 300), left], elements, "e3") == "e1"
    assert records.ring_of("e0", [(22, 142, 480, 165), left], elements, "e3") == "e2"
    assert records.ring_of("e0", [left], elements, "e3") == "e0"


def test_a_picture_tells_the_focus_where_no_element_does():
    buttons = [record(n, "push button", box=(30 * n, 0, 30 * n + 20, 20), interactive=True) for n in range(3)]
    field = record(3, "entry", box=(0, 40, 80, 60), interactive=True)
    elements = [*buttons, field]
    home, other, beside = (0, 0, 20, 20), (31, 1, 48, 19), (20, 70, 30, 80)
    assert records.ringed(elements, [home, other], "e0") == "e1"
    assert records.ringed(elements, [home, other, (0, 40, 80, 60)], "e0") == "e3"
    assert records.ringed(elements, [home], "e0") is None
    assert records.ringed(elements, [home, other, beside], "e0") is None
    buttons[1]["state"]["enabled"] = False
    assert records.ringed(elements, [home, other], "e0") is None


def test_toggle_buttons_that_put_each_other_out_are_one_choice():
    three = [record(n, "toggle button", parent="e9") for n in range(3)]
    alone = record(4, "toggle button", parent="e8")
    three[0]["state"] = {"pressed": True}
    put_out = [{"id": "e0", "state": {"pressed": False}}, {"id": "e1", "state": {"pressed": True}}]
    assert records.rivals(three[1], [*three, alone], put_out) == three
    assert records.rivals(three[1], [*three, alone], put_out[1:]) == []
    assert records.rivals(three[0], [*three, alone], put_out) == []
    boxes = [{**e, "role": "check box", "state": {"checked": e["id"] == "e0"}} for e in three]
    told = [{"id": "e0", "state": {"checked": False}}]
    assert records.rivals(boxes[1], boxes, told) == boxes
    assert records.rivals(boxes[1], boxes, [{"id": "e2", "state": {"checked": False}}]) == []


def test_a_track_is_told_before_and_after_its_handle():
    box = (100, 10, 220, 30)
    assert maps.beside_handle(box, "x", 0.5, True) == (176, 10, 220, 30)
    assert maps.beside_handle(box, "x", 0.5, False) == (100, 10, 144, 30)
    assert maps.beside_handle(box, "x", 1.0, True) is None
    assert maps.beside_handle((10, 100, 30, 220), "y", 0.0, True) == (10, 126, 30, 220)


def test_a_click_on_the_home_moves_the_focus_where_others_do():
    home, other = element_record(0, role="check box"), element_record(1, role="check box")
    shy = set()
    assert records.moved_to("e0", home, "e0", shy) == "e0", "nothing speaks against it"
    assert records.moved_to(None, other, "e0", shy) is None
    assert records.moved_to("e0", home, "e0", shy) is None, "a click leaves the focus where it is"
    assert records.moved_to("e2", element_record(2, role="switch"), "e0", shy) == "e2"
