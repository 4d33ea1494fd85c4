"""What of a state the walk clicks: judged from its elements alone, nothing here touches the screen."""

import re
from collections.abc import Callable, Iterable

from .elements import Element
from .picture import CaptureError
from .programs import Step
from .roles import MENU_ITEMS

NEVER_CLICK = re.compile(
    r"quit|exit|^close|print|log ?out|shut ?down|restart|reboot|donate|website|online|translat|report a|bug|"
    r"\bweb\b|url|\bsend|mail|delete|remove|trash|full ?screen|help|contents|new window|release notes|"
    r"licen[cs]e|update|upgrade|feedback|get involved|what'?s new|tip of the day|homepage|forum|"
    r"document properties online|handbook",
    re.IGNORECASE,
)
OPENS_DIALOG = re.compile(
    r"(\.\.\.|…)$|^about|preferences|settings|options|properties|configure|^find|keyboard shortcuts", re.IGNORECASE
)
FIRST_CHOICE = re.compile(r"preferences|settings|options|properties|configure|customi[sz]e", re.IGNORECASE)
LAST_CHOICE = re.compile(r"^about|keyboard shortcuts", re.IGNORECASE)
OPENS_MENU = re.compile(r"menu|hamburger|^more|view options|^sort|^open$|application", re.IGNORECASE)
SETTABLE = {"check box", "radio button", "switch", "toggle button"}
# Their toggle buttons are folders on the way to the present one: no settings.
FILE_DIALOG = re.compile(r"open|save|file|folder|import|export|insert|locate|add-")
# What ends a dialog: the words that confirm come first where something was set.
CONFIRM, CANCEL = ("ok", "apply", "done", "close", "cancel"), ("cancel", "close", "done", "ok")

Judge = Callable[[Element], bool]


def label(element: Element) -> str:
    return element.name or element.description


def may_click(element: Element, skip: Iterable[re.Pattern]) -> bool:
    """`skip` are the recipe's own patterns."""
    words = label(element)
    return (
        element.state.get("enabled", True)
        and not NEVER_CLICK.search(words)
        and not any(pattern.search(words) for pattern in skip)
    )


def menus(elements: Iterable[Element]) -> list[Element]:
    """A window's menus, or the buttons that stand for them."""
    own = [e for e in elements if e.popup is None]
    named = [e for e in own if e.role == "menu" and e.interactive]
    return named or [
        e
        for e in own
        if e.role in ("push button", "toggle button")
        and e.node is not None
        and (e.state.get("has_popup") or OPENS_MENU.search(e.name + " " + e.description))
    ]


def dialog_items(elements: Iterable[Element], allowed: Judge) -> list[Element]:
    """Items of an open menu that lead to a dialog: those that lead to settings first, what every program has last."""
    items = [
        e
        for e in elements
        if e.popup is not None
        and e.interactive
        and e.role in ("menu item", "push button", "check menu item")
        and OPENS_DIALOG.search(e.name)
        and allowed(e)
    ]
    return sorted(items, key=lambda e: 0 if FIRST_CHOICE.search(e.name) else 2 if LAST_CHOICE.search(e.name) else 1)


def other_tabs(elements: Iterable[Element], allowed: Judge) -> list[Element]:
    tabs = [e for e in elements if e.role == "page tab" and e.popup is None]
    return [e for e in tabs if not e.state.get("selected") and allowed(e)]


def selected_tab(elements: Iterable[Element]) -> Element | None:
    return next((e for e in elements if e.role == "page tab" and e.popup is None and e.state.get("selected")), None)


def settings(elements: Iterable[Element], state: str, allowed: Judge) -> list[Element]:
    """Controls of a dialog's page whose click sets something; `state` is the dialog's."""
    roles = SETTABLE - {"toggle button"} if FILE_DIALOG.search(state) else SETTABLE
    controls = [
        e for e in elements if e.role in roles and e.popup is None and e.interactive and allowed(e) and label(e)
    ]
    return [e for e in controls if not (e.role == "radio button" and e.state.get("checked"))]


def combo_box(elements: Iterable[Element], allowed: Judge) -> Element | None:
    return next((e for e in elements if e.role == "combo box" and e.popup is None and allowed(e) and label(e)), None)


def other_entry(elements: Iterable[Element], shown: str, allowed: Judge) -> Element | None:
    """An entry of an open list other than the one that its combo box shows."""
    entries = [e for e in elements if e.popup is not None and e.role in MENU_ITEMS | {"list item", "table cell"}]
    return next((e for e in entries if e.name not in ("", shown) and not e.state.get("selected") and allowed(e)), None)


def ending(elements: Iterable[Element], has_set: bool) -> Element | None:
    """A button that ends a dialog: one of the dialog's own, or else the one of its frame."""
    buttons = [e for e in elements if e.role == "push button" and e.popup is None and e.state.get("enabled", True)]
    own = [e for e in buttons if e.parent is not None]
    for word in CONFIRM if has_set else CANCEL:
        for element in own:
            if element.name.lower().replace("_", "").replace("&", "") == word:
                return element
    return next((e for e in buttons if e.parent is None and e.name == "Close"), None)


def same(elements: Iterable[Element], element: Element) -> Element | None:
    """The element as another state has recorded it."""
    return next((e for e in elements if (e.role, e.name, e.box) == (element.role, element.name, element.box)), None)


def matching(elements: Iterable[Element], step: Step) -> Element:
    """The element that a recipe's step names: by its whole name, else by its beginning, else by a part of it; of
    several, the one recorded last. Raises CaptureError if there is none."""
    wanted = _folded(step.argument)
    # Qt does not tell radio and check items of a menu from plain ones.
    roles = MENU_ITEMS if step.role in MENU_ITEMS else {step.role}
    candidates = [e for e in elements if (e.role in roles if step.role else e.interactive or e.role == "label")]
    for fits in (str.__eq__, str.startswith, str.__contains__):
        for element in reversed(candidates):
            if any(fits(_folded(text), wanted) for text in (element.name, element.description)):
                return element
    names = ", ".join(sorted({e.name for e in candidates if e.name})[:12])
    raise CaptureError(f"step `{step}`: no such element; there are: {names or 'none of this role'}")


def _folded(text: str) -> str:
    return text.lower().rstrip(".…").replace("'", "’")
