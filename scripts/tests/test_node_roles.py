from builders import node, tree
from capture.node_roles import cells_of_uneven_rows, inside_menu, is_static, role_of


def role(*nodes, toolkit="gtk 3.24"):
    return role_of(tree(*nodes, toolkit=toolkit), len(nodes))


def test_an_icon_that_nobody_can_choose_is_an_image():
    assert role(node("icon")) == "image"
    assert role(node("icon", states={"selectable"})) == "icon"


def test_items_of_the_menu_bar_are_menus():
    assert role(node("menu bar"), node("menu item", parent=1)) == "menu"
    assert role(node("menu"), node("menu item", parent=1)) == "menu item"


def test_a_low_editable_text_is_an_entry():
    assert role(node("text", box=(0, 0, 200, 30), states={"editable"})) == "entry"
    assert role(node("text", box=(0, 0, 200, 48), states={"editable"})) == "text"
    assert role(node("text", box=(0, 0, 200, 300), states={"editable", "single_line"})) == "entry"
    assert role(node("text", box=(0, 0, 200, 30), states={"editable", "multi_line"})) == "text"
    assert role(node("text", box=(0, 0, 200, 30))) == "text"


def test_cells_of_lists_are_list_items():
    assert role(node("list box"), node("table cell", parent=1)) == "list item"
    assert role(node("table"), node("table cell", parent=1)) == "table cell"


def test_a_nameless_tab_as_large_as_a_page_is_one():
    assert role(node("page tab", box=(0, 0, 300, 200))) == "panel"
    assert role(node("page tab", "General", box=(0, 0, 300, 200))) == "page tab"
    assert role(node("page tab", box=(0, 0, 80, 30))) == "page tab"


def test_high_check_boxes_of_qt_are_toggle_buttons():
    assert role(node("check box", box=(0, 0, 32, 32)), toolkit="Qt 5.15.8") == "toggle button"
    assert role(node("check box", box=(0, 0, 32, 32))) == "check box"


def test_tables_of_texts_are_static():
    page = tree(node("document web"), node("table", parent=1), node("table cell", parent=2))
    assert is_static(page, 3, "table cell")
    chosen = tree(node("document web"), node("table cell", parent=1, states={"selectable"}))
    assert not is_static(chosen, 2, "table cell")
    text = tree(node("document text"), node("table cell", parent=1, states={"selectable"}))
    assert is_static(text, 2, "table cell")
    sheet = tree(node("document spreadsheet"), node("table cell", parent=1))
    assert not is_static(sheet, 2, "table cell")
    assert not is_static(page, 3, "link")


def test_cells_of_uneven_rows():
    even = tree(node("table cell"), node("table cell", "a", parent=1), node("table cell", "b", parent=1))
    assert cells_of_uneven_rows(even) == set()
    uneven = tree(node("table cell"), node("table cell", "a", parent=1), node("table cell", box=None, parent=1))
    assert cells_of_uneven_rows(uneven) == {2}


def test_inside_menu():
    items = node("separator", parent=2), node("menu item", parent=2)
    menus = tree(node("menu bar"), node("menu", parent=1), *items, node("label"))
    assert [inside_menu(menus, index) for index in range(1, 6)] == [False, False, True, True, False]
