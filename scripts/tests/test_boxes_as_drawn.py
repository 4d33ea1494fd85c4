"""Boxes that toolkits tell wrongly, on trees as programs were seen to tell them."""

import numpy as np

from builders import element, node, tree
from capture import drawn, rows
from capture.cells import cell_starts
from capture.corrections import correct
from capture.icons import begin_at_icons
from capture.node_roles import heading_of, is_size_of_folder
from capture.opened import cut_opened
from capture.pages import hidden_nodes
from capture.tree import shift_libreoffice
from capture.viewports import without_bars
from capture.visibility import Visibility

FRAME = (0, 0, 400, 400)
PAPER = np.full((400, 400, 4), 255, np.uint8)


def test_fields_of_libreoffices_toolbars_are_right_already():
    window = tree(
        node("panel", box=(200, 166, 1598, 1028)),
        node("root pane", box=(200, 141, 1598, 1003), parent=1),
        node("panel", "Font Name", (206, 207, 404, 241), parent=2),
        node("panel", box=(206, 232, 404, 266), parent=3),
        node("text", box=(206, 232, 368, 266), parent=4),
        node("push button", "Bold", (518, 207, 551, 242), parent=2),
    )
    shift_libreoffice(window)
    assert [n.box[1] for n in window.nodes[3:]] == [232, 232, 232, 232]


def test_menus_of_a_bar_without_a_box_are_ghosts():
    window = tree(node("menu bar", box=None), node("menu", "Data", (110, 150, 150, 170), parent=1), frame=FRAME)
    assert Visibility(window, FRAME, []).visible_part(2) is None


def column(shifted_by, count=4):
    """Rows of a tree whose texts begin before the boxes of their cells."""
    pixels = PAPER.copy()
    cells = []
    for row in range(count):
        y = 100 + 20 * row
        pixels[y + 4 : y + 14, 100 - shifted_by : 140 : 2] = 0
        cells.append(node("table cell", f"Row {row}", (100, y, 300, y + 20), parent=1))
    return pixels, tree(node("tree table", box=(60, 80, 300, 300)), *cells, frame=FRAME)


def test_cells_of_a_column_begin_where_their_texts_do():
    pixels, window = column(16)
    pixels[124:134, 80:100] = 255  # a wide gap in one row: its letters do not cross the edge
    assert cell_starts(window, pixels, (0, 0)) == dict.fromkeys(range(2, 6), 84)


def test_a_single_row_that_a_neighbours_text_touches_stays():
    pixels, window = column(0)
    pixels[104:114, 84:100:2] = 0
    assert cell_starts(window, pixels, (0, 0)) == {}


def test_room_of_another_cell_is_not_taken():
    pixels, window = column(16)
    window.nodes += [node("table cell", "7", (60, 100 + 20 * i, 99, 120 + 20 * i), parent=1) for i in range(4)]
    assert not set(cell_starts(window, pixels, (0, 0))) & {2, 3, 4, 5}


def test_of_two_pages_at_one_place_the_toolkit_finds_one():
    pages = [
        node("panel", box=(0, 0, 300, 300)),
        node("filler", "World", (0, 50, 300, 300), parent=1),
        *(node("label", f"City {i}", (10, 60 + 20 * i, 90, 80 + 20 * i), parent=2) for i in range(3)),
        node("filler", "Alarms", (0, 50, 300, 300), parent=1),
        *(node("label", f"Alarm {i}", (10, 60 + 20 * i, 90, 80 + 20 * i), parent=6) for i in range(3)),
    ]
    window = tree(*pages, frame=FRAME)
    assert hidden_nodes(window, lambda i: window.nodes[i].name.startswith("Alarm")) == {2, 3, 4, 5}
    assert hidden_nodes(window, lambda _: False) == set(), "a toolkit that finds nothing tells nothing"


def test_what_stands_out_does_not_add_up_over_the_levels():
    nested = [node("filler", box=(0, 0, 200 + 10 * i, 200), parent=i) for i in range(5)]
    window = tree(*nested, node("combo box", "Outline", (150, 50, 300, 80), parent=5), frame=FRAME)
    visibility = Visibility(window, FRAME, [])
    shown = [visibility.visible_part(i) for i in range(7)]
    assert shown[6] is None or shown[6][0][2] <= 202


def test_rows_show_below_the_headings():
    view = node("tree table", box=(0, 100, 300, 300))
    heading = node("table column header", "Title", (0, 100, 300, 125), parent=1)
    row = node("table cell", "Seats Taken", (0, 115, 300, 140), parent=1)
    visibility = Visibility(tree(view, heading, row, frame=FRAME), FRAME, [])
    assert [visibility.visible_part(i) for i in range(4)][3] == ((0, 123, 300, 140), None)


def test_a_view_ends_at_its_scroll_bar():
    pixels = np.full((300, 300, 3), 27, np.uint8)
    for x in (277, 284, 291, 298):  # the bar's edge, its groove, the view's frame
        pixels[:, x] = 80
    assert without_bars(pixels, (0, 0, 300, 300))[2] in range(276, 280)
    assert without_bars(np.full((300, 300, 3), 27, np.uint8), (0, 0, 300, 300)) == (0, 0, 300, 300)


def test_opened_rows_end_where_their_content_begins():
    root = element("tree item", "", (0, 0, 200, 200), state={"expanded": True})
    account = element("tree item", "Mail", (0, 0, 200, 100), state={"expanded": True}, parent=0)
    inbox = element("tree item", "Inbox", (0, 28, 200, 56), parent=1)
    assert cut_opened([root, account, inbox], PAPER, (0, 0)) == {0}
    assert account.box == (0, 0, 200, 28)


def test_rows_drawn_over_each_other_end_at_the_next():
    places = [element("list item", n, (0, 36 * i, 100, 36 * i + 52)) for i, n in enumerate("ABCD")]
    rows.cut_overlapping(places)
    assert [e.box[3] for e in places] == [36, 72, 108, 160]
    assert rows.overlapping(places) == []


def test_buttons_lose_the_margin_of_their_bar():
    pixels = np.full((100, 200, 4), 40, np.uint8)
    pixels[7:39, 20:60] = 60
    shown, flat = element("toggle button", "Menu", (20, 0, 60, 46)), element("push button", "Add", (100, 0, 140, 46))
    pixels[18:28, 115:125] = 200
    drawn.cut_margins([shown, flat], pixels, (0, 0))
    assert (shown.box, flat.box) == ((20, 7, 60, 39), (100, 7, 140, 39))


def test_icons_are_no_buttons():
    pixels = np.full((100, 200, 4), 40, np.uint8)
    pixels[10:36, 30:50:2] = 200
    button = element("push button", "Run", (20, 0, 60, 46))
    drawn.cut_margins([button], pixels, (0, 0))
    assert button.box == (20, 0, 60, 46)


def test_a_stretched_switch_is_where_it_is_drawn():
    pixels = PAPER.copy()
    pixels[12:34, 150:200] = 120
    switch = element("toggle button", "", (97, 10, 200, 36))
    correct([switch], "gtk 3.24.38", pixels, (0, 0))
    assert switch.box == (150, 10, 200, 36)


def test_headings_end_above_their_filters():
    pixels = PAPER.copy()
    pixels[29:66] = 200
    heading = element("column header", "id", (0, 0, 100, 66))
    correct([heading], "Qt 5.15.8", pixels, (0, 0))
    assert heading.box == (0, 0, 100, 29)


def test_sizes_of_folders_are_not_what_kde_draws():
    folder = node("table cell", "4.0 KiB", states={"expandable"})
    file = node("table cell", "4.0 KiB", states={"selectable"})
    window = tree(folder, file, toolkit="Qt 5.15.8")
    assert [is_size_of_folder(window, i) for i in (1, 2)] == [True, False]


def test_a_heading_of_uneven_rows_is_what_changed():
    heads = ["Library", "Library", "Playlists"]
    window = [node("tree table", box=(0, 0, 200, 200))]
    for number, (head, text) in enumerate(zip(heads, ["Recent", "Queue", "Queue"], strict=True)):
        opens = {"expandable"} if number != 1 else set()
        row = len(window) + 1
        window += [
            node("table cell", "", (0, 20 * number, 90, 20 * number + 20), parent=1, states=opens),
            node("table cell", head, None, parent=row),
            node("table cell", text, (10, 20 * number, 90, 20 * number + 20), parent=row),
        ]
    recorded = tree(*window)
    assert [heading_of(recorded, i) for i in (4, 7, 10)] == ["Library", "Queue", "Playlists"]


def listed(icon_px):
    """Two rows of a list with an icon of the given width in front of each text, and an expander before the second."""
    pixels = PAPER.copy()
    rows_ = [element("list", "Places", (10, 0, 300, 60), interactive=False)]
    for top in (2, 32):
        pixels[top + 4 : top + 20, 60 - 5 - icon_px : 55] = 90
        pixels[top + 8 : top + 18, 64:100:3] = 0
        rows_.append(element("table cell", f"Row {top}", (60, top, 300, top + 24), parent=0))
    pixels[40:48, 24:30] = 0
    return rows_, pixels


def test_cells_begin_at_their_icon():
    cells, pixels = listed(16)
    begin_at_icons(cells, "gtk 3.24.38", [], pixels, (0, 0))
    assert [c.box[0] for c in cells] == [10, 38, 38]


def test_neither_check_marks_nor_arrows_nor_other_cells_are_icons():
    for checks, icon_px, more, toolkit in [
        ([(38, 0, 56, 60)], 16, [], "gtk 3.24.38"),
        ([], 8, [], "gtk 3.24.38"),
        ([], 16, [element("table cell", "1", (34, 0, 58, 60), parent=0)], "gtk 3.24.38"),
        ([], 16, [], "Qt 5.15.8"),
    ]:
        cells, pixels = listed(icon_px)
        begin_at_icons([*cells, *more], toolkit, checks, pixels, (0, 0))
        assert [c.box[0] for c in cells] == [10, 60, 60]
