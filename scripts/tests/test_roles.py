import pytest

from capture import roles
from capture.roles import is_tool_button, pack_role


@pytest.mark.parametrize(
    ("atspi", "pack"),
    [
        ("push button", "push button"),
        ("button", "push button"),
        ("popup menu", "menu"),
        ("document web", "document"),
        ("tool tip", "label"),
        ("filler", "panel"),
        ("something new", "panel"),
    ],
)
def test_roles_of_the_pack(atspi, pack):
    assert pack_role(atspi) == pack


def test_every_alias_leads_to_a_role_of_the_pack_and_hides_none():
    assert set(roles.ALIASES.values()) <= roles.PACK_ROLES
    assert not set(roles.ALIASES) & roles.PACK_ROLES


def test_sets_of_roles_name_roles_of_the_pack():
    for group in (roles.ACTIONABLE, roles.SURFACES, roles.MENU_ITEMS, roles.CHECKABLE, roles.OF_TABLES, roles.BUTTONS):
        assert group <= roles.PACK_ROLES
    assert "push button" in roles.ACTIONABLE
    assert "push button" not in roles.SURFACES


@pytest.mark.parametrize(
    ("wide", "high", "expected"),
    [
        (120, 20, False),  # a mark and a label, one line high
        (32, 32, True),
        (28, 22, True),  # wider than high, no room for a label
        (40, 22, False),
        (300, 100, False),  # a group with a mark in its title
        (200, 60, False),  # the least group
        (199, 60, True),
        (300, 59, True),
        (120, 24, True),
        (120, 23, False),
        (25, 22, True),
        (24, 22, False),
        (33, 22, False),
    ],
)
def test_qt_check_boxes_that_are_tool_buttons(wide, high, expected):
    assert is_tool_button(wide, high) is expected
