"""The walk through an open dialog: sets controls, chooses from lists, turns to other tabs and goes back to the window,
so that the same control is captured in two states and the clicks in between are a chain."""

import re
import time

from Xlib import error

from . import picture, x11
from .boxes import centre
from .elements import Element
from .picture import CaptureError
from .roles import MENU_ITEMS
from .shots import Shot, slug

SETTABLE = {"check box", "radio button", "switch", "toggle button"}
# Their toggle buttons are folders on the way to the present one: no settings.
FILE_DIALOG = re.compile(r"open|save|file|folder|import|export|insert|locate|add-")
# Controls set on the first page of a dialog and on each further one; attempts, for some do not answer.
SETTINGS_OF_A_PAGE, ATTEMPTS = (2, 1), 4
# A check box is as wide as its page in some toolkits, and takes clicks on its mark and text only.
MARK_PX = 10
TABS_OF_A_DIALOG = 3
# Lists of dialogs that are opened and chosen from, in one session.
MOST_CHOICES = 1
# Of a window's pixels, how many may differ after a dialog has been left.
BACK_SHARE = 0.01
# What ends a dialog: the words that confirm come first where something was set.
CONFIRM, CANCEL = ("ok", "apply", "done", "close", "cancel"), ("cancel", "close", "done", "ok")


def label(element: Element) -> str:
    return element.name or element.description


class DialogWalk:
    """Where the walk stands is its `here`: the state that the dialog shows now."""

    def __init__(self, explorer, dialog, first: Shot, main: Shot):
        self.explorer, self.dialog, self.first, self.main = explorer, dialog, first, main
        self.here = first

    def walk(self) -> None:
        self._guard("settings", lambda: self._page(0))
        for tab in [
            e
            for e in self.first.elements
            if e.role == "page tab" and e.popup is None and not e.state.get("selected") and self._may_click(e)
        ][:TABS_OF_A_DIALOG]:
            self._guard(f"tab {tab.name}", lambda: self._turn_to(tab))
        self._guard("leaving", self._leave)

    def _guard(self, what: str, action) -> None:
        """A part of the walk that fails costs no other."""
        try:
            if x11.exists(self.dialog):
                action()
        except (CaptureError, error.XError) as fault:
            self.explorer.failures.append(f"{self.first.state}, {what}: {fault or type(fault).__name__}")

    def _may_click(self, element: Element) -> bool:
        return self.explorer.may_click(element)

    def _capture(self, state: str, element: Element, like: list[Shot]) -> Shot | None:
        here = self.here
        return self.explorer.capture(
            self.dialog,
            state,
            here.kind,
            here.steps + [f"click {element.role} {label(element)}"],
            here.parent,
            may_resemble=like,
        )

    def _go(self, element: Element, end: Shot) -> None:
        self.explorer.link(self.here, element, "click", end)
        self.here = end

    def _page(self, setting_class: int) -> None:
        """Sets check boxes, radio buttons and switches of the page that shows, then chooses from one of its lists."""
        if self.explorer.brief:
            return
        page = [self.here]
        candidates = [
            e
            for e in self.here.elements
            if e.role in SETTABLE and e.popup is None and e.interactive and self._may_click(e) and label(e)
        ]
        if FILE_DIALOG.search(self.first.state):
            candidates = [e for e in candidates if e.role != "toggle button"]
        for element in [e for e in candidates if not (e.role == "radio button" and e.state.get("checked"))][:ATTEMPTS]:
            if len(page) > SETTINGS_OF_A_PAGE[setting_class] or not x11.exists(self.dialog):
                break
            end = self._set(element, page)
            if end is not None:
                page.append(end)
        if self.explorer.choices_left > 0 and x11.exists(self.dialog):
            self._choose(page)

    def _set(self, element: Element, page: list[Shot]) -> Shot | None:
        x11.activate(self.dialog)
        x, y = centre(element.box)
        x11.click(element.box[0] + MARK_PX if element.role in ("check box", "radio button") else x, y)
        time.sleep(0.5)
        now = next(
            (
                e
                for e in self.explorer.elements_now(self.dialog)
                if e.role == element.role and e.name == element.name and e.box[:2] == element.box[:2]
            ),
            None,
        )
        if now is None or all(now.state.get(key) == element.state.get(key) for key in ("checked", "pressed")):
            return None
        end = self._capture(f"{page[0].state}-set-{slug(label(element), 20)}", element, page)
        # A setting may have changed others: the click started in the state as it was seen last.
        if end is not None and self._own(element) is not None:
            self._go(self._own(element), end)
        return end

    def _own(self, element: Element) -> Element | None:
        """The element as the present state has recorded it."""
        return next(
            (
                e
                for e in self.here.elements
                if e.role == element.role and e.name == element.name and e.box == element.box
            ),
            None,
        )

    def _choose(self, page: list[Shot]) -> None:
        """Opens one combo box and takes another of its entries."""
        box = next(
            (
                e
                for e in self.here.elements
                if e.role == "combo box" and e.popup is None and self._may_click(e) and label(e)
            ),
            None,
        )
        if box is None:
            return
        x11.activate(self.dialog)
        x11.click(*centre(box.box))
        time.sleep(0.6)
        opened = self._capture(f"{page[0].state}-list-{slug(label(box), 20)}", box, [])
        if opened is None or not opened.popups:
            x11.press("Escape")
            return
        self.explorer.choices_left -= 1
        self._go(box, opened)
        shown = box.state.get("text") or box.name
        entry = next(
            (
                e
                for e in opened.elements
                if e.popup is not None
                and e.role in MENU_ITEMS | {"list item", "table cell"}
                and e.name
                and not e.state.get("selected")
                and e.name != shown
                and self._may_click(e)
            ),
            None,
        )
        if entry is None:
            x11.press("Escape")
            self.here = page[-1]
            return
        x11.click(*centre(entry.box))
        time.sleep(0.6)
        end = self._capture(f"{page[0].state}-chose-{slug(entry.name, 20)}", entry, page)
        if end is not None:
            self._go(entry, end)

    def _turn_to(self, tab: Element) -> None:
        x11.activate(self.dialog)
        x11.click(*centre(tab.box))
        time.sleep(0.5)
        shot = self.explorer.capture(
            self.dialog,
            f"{self.first.state}-tab-{slug(tab.name)}",
            self.first.kind,
            self.first.steps + [f"click page tab {tab.name}"],
            self.first.parent,
        )
        if shot is None:
            return
        self.explorer.link(self.first, tab, "click", shot)
        own = next(
            (e for e in self.here.elements if e.role == tab.role and e.name == tab.name and e.box == tab.box), None
        )
        if own is not None and self.here is not self.first:
            self.explorer.link(self.here, own, "click", shot)
        self.here = shot
        self._page(1)

    def _leave(self) -> None:
        """The click that ends the dialog leads back to the window, unless what was set in it shows there."""
        button = self._ending()
        if button is None:
            return
        x11.activate(self.dialog)
        x11.click(*centre(button.box))
        time.sleep(0.8)
        explorer = self.explorer
        if x11.exists(self.dialog) or [
            w for w in x11.clients() if w.id != explorer.window.id and not explorer.stage.owns(w)
        ]:
            return
        x11.activate(explorer.window)
        picture.wait_until_still(explorer.window, 0.5)
        now = picture.grab(x11.frame_box(explorer.window))
        if not picture.differs(self.main.shown()[..., :3], now, BACK_SHARE):
            explorer.transitions.append(
                {
                    "from": self.here.state,
                    "element": self.here.element_id(button),
                    "action": "click",
                    "to": self.main.state,
                    "offset": None,
                }
            )

    def _ending(self) -> Element | None:
        """A button of the dialog's own, or else the one of its frame."""
        buttons = [
            e
            for e in self.here.elements
            if e.role == "push button" and e.popup is None and e.state.get("enabled", True)
        ]
        own = [e for e in buttons if e.parent is not None]
        for word in CANCEL if self.here is self.first else CONFIRM:
            for element in own:
                if element.name.lower().replace("_", "").replace("&", "") == word:
                    return element
        return next((e for e in buttons if e.parent is None and e.name == "Close"), None)
