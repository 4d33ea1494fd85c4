import pytest

from builders import node
from capture.elements import state_of


@pytest.mark.parametrize(
    ("role", "states", "expected"),
    [
        ("push button", set(), {}),
        ("check box", {"checked"}, {"checked": True}),
        ("check box", {"indeterminate"}, {"checked": False, "mixed": True}),
        ("toggle button", {"pressed"}, {"pressed": True}),
        ("toggle button", {"checked"}, {"pressed": True}),
        ("list item", {"selectable"}, {"selected": False}),
        ("list item", {"selected"}, {}),  # what cannot be chosen has no such state
        ("page tab", {"checked"}, {"selected": True}),
        ("page tab", {"selectable", "checked"}, {"selected": False}),
        ("tree item", {"expandable"}, {"expanded": False}),
        ("combo box", {"expanded"}, {"expanded": True}),
        ("entry", {"editable", "focused"}, {"editable": True, "focused": True}),
        ("text", set(), {}),
        ("label", {"focused"}, {}),
        ("menu", set(), {"has_popup": True}),
    ],
)
def test_states(role, states, expected):
    assert state_of(role, node(role, states=states)) == expected


def test_only_what_acts_can_be_disabled():
    dead = node("push button")
    dead.states = {"showing"}
    assert state_of("push button", dead) == {"enabled": False}
    assert state_of("label", dead) == {}


def test_values_that_mean_something():
    slider = node("slider", value=(0.1 + 0.2, 0.0, float("inf"), 1e300))
    assert state_of("slider", slider) == {"value": 0.3, "min": 0.0}


@pytest.mark.parametrize(
    ("role", "text", "expected"),
    [
        ("label", "\ufffcnew\n", {"text": "new"}),
        ("label", "Name", {}),  # it says no more than the name
        ("label", "\ufffc", {}),
        ("label", "x" * 300, {"text": "x" * 200}),
        ("password text", "secret", {"editable": False}),
    ],
)
def test_texts(role, text, expected):
    assert state_of(role, node(role, "Name", text=text)) == expected
