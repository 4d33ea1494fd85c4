import re

import pytest

from builders import element
from capture import choices
from capture.picture import CaptureError
from capture.programs import Step


def anything(_element):
    return True


def names(elements):
    return [e.name for e in elements]


@pytest.mark.parametrize(
    "name",
    [
        "Quit",
        "Log out",
        "Close window",
        "Print...",
        "Send",
        "Delete file",
        "Check for updates",
        "Licence",
        "License",
        "Bug",
    ],
)
def test_never_clicked(name):
    assert not choices.may_click(element(name=name), [])


@pytest.mark.parametrize("name", ["Open", "Preferences...", "Enclose", "Webster", "Resend"])
def test_may_be_clicked(name):
    assert choices.may_click(element(name=name), [])


def test_neither_the_recipes_words_nor_what_is_disabled():
    skip = [re.compile("gam", re.IGNORECASE)]
    assert not choices.may_click(element(name="Game"), skip)
    assert not choices.may_click(element(name="", description="Gamble"), skip)
    assert not choices.may_click(element(name="Open", state={"enabled": False}), [])


def test_menus_of_the_menu_bar():
    bar = [element("menu", "File"), element("menu", "Sub", popup=0), element("push button", "Menu")]
    assert names(choices.menus(bar)) == ["File"]


def test_buttons_stand_for_menus_where_there_is_no_menu_bar():
    buttons = [
        element("toggle button", "Main menu"),
        element("push button", "Sort", state={"has_popup": True}),
        element("push button", "Save"),
        element("push button", "Menu", node=None),  # the window manager's
        element("link", "Menu"),
    ]
    assert names(choices.menus(buttons)) == ["Main menu", "Sort"]


def test_settings_come_first_and_what_every_program_has_last():
    items = [
        element("menu item", "About", popup=0),
        element("menu item", "Find", popup=0),
        element("menu item", "Copy", popup=0),
        element("menu item", "Preferences", popup=0),
        element("menu item", "Insert…", popup=0),
        element("menu item", "Properties", popup=None),
        element("label", "Options", popup=0),
    ]
    assert names(choices.dialog_items(items, anything)) == ["Preferences", "Find", "Insert…", "About"]
    assert names(choices.dialog_items(items, lambda e: e.name == "Find")) == ["Find"]


def test_tabs():
    tabs = [
        element("page tab", "A", state={"selected": True}),
        element("page tab", "B"),
        element("page tab", "C", popup=0),
    ]
    assert names(choices.other_tabs(tabs, anything)) == ["B"]
    assert choices.selected_tab(tabs) is tabs[0]
    assert choices.selected_tab(tabs[1:]) is None


def test_settings_of_a_page():
    page = [
        element("check box", "Wrap"),
        element("radio button", "Left", state={"checked": True}),
        element("radio button", "Right", state={"checked": False}),
        element("toggle button", "Folder"),
        element("switch", ""),
        element("push button", "OK"),
        element("check box", "Off", interactive=False),
    ]
    assert names(choices.settings(page, "dialog-preferences", anything)) == ["Wrap", "Right", "Folder"]
    assert names(choices.settings(page, "dialog-save-as", anything)) == ["Wrap", "Right"]


def test_another_entry_of_a_list():
    entries = [
        element("list item", "Small", popup=0),
        element("menu item", "", popup=0),
        element("menu item", "Large", popup=0, state={"selected": True}),
        element("menu item", "Huge", popup=0),
        element("menu item", "Window", popup=None),
    ]
    assert choices.other_entry(entries, "Small", anything).name == "Huge"
    assert choices.other_entry(entries, "Huge", anything).name == "Small"
    assert choices.other_entry(entries[1:3], "", anything) is None


def test_a_combo_box_needs_a_name():
    boxes = [element("combo box", ""), element("combo box", "", description="Font"), element("combo box", "Size")]
    assert choices.combo_box(boxes, anything) is boxes[1]


def test_what_ends_a_dialog():
    frame_button = element("push button", "Close")
    ok, cancel = element("push button", "_OK", parent=0), element("push button", "&Cancel", parent=0)
    assert choices.ending([frame_button, ok, cancel], has_set=True) is ok
    assert choices.ending([frame_button, ok, cancel], has_set=False) is cancel
    assert choices.ending([frame_button, element("push button", "Help", parent=0)], has_set=True) is frame_button
    assert choices.ending([element("push button", "OK", parent=0, state={"enabled": False})], has_set=True) is None


def test_the_same_element_in_another_state():
    old, new = element("check box", "Wrap", state={"checked": True}), element("check box", "Wrap")
    assert choices.same([element("check box", "Wrap", (9, 9, 12, 12)), new], old) is new
    assert choices.same([element("label", "Wrap")], old) is None


WINDOW = [
    element("push button", "Find and replace"),
    element("menu item", "Find..."),
    element("menu item", "Find next"),
    element("check menu item", "Don’t wrap"),
    element("label", "Find"),
    element("panel", "Find", interactive=False),
]


@pytest.mark.parametrize(
    ("role", "argument", "index"),
    [
        ("menu item", "Find", 1),  # the whole name, whatever dots it has
        ("menu item", "find n", 2),
        ("menu item", "Don't wrap", 3),  # a check item of a menu; either apostrophe
        ("push button", "replace", 0),
        ("", "Find", 4),
        ("menu item", "find", 1),
    ],
)
def test_the_element_that_a_step_names(role, argument, index):
    assert choices.matching(WINDOW, Step("click", role, argument)) is WINDOW[index]


def test_of_several_the_last_one():
    twins = [element(name="Add"), element(name="Add")]
    assert choices.matching(twins, Step("click", "push button", "Add")) is twins[1]


def test_a_step_without_an_element_says_what_there_is():
    with pytest.raises(
        CaptureError, match="step `click menu item Save`: no such element; there are: Don’t wrap, Find next"
    ):
        choices.matching(WINDOW[2:], Step("click", "menu item", "Save"))
    with pytest.raises(CaptureError, match="none of this role"):
        choices.matching(WINDOW, Step("click", "slider", "Zoom"))
