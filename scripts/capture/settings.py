"""The walk through an open dialog: sets controls, chooses from lists, turns to other tabs and goes back to the window,
so that the same control is captured in two states and the clicks in between are a chain."""

import time
from collections.abc import Callable

from Xlib import error

from . import choices, grabs, x11
from .boxes import centre
from .choices import label
from .elements import Element
from .picture import CaptureError, differs
from .shots import Shot, slug

# Controls set on the first page of a dialog and on each further one; attempts, for some do not answer.
SETTINGS_OF_A_PAGE, ATTEMPTS = (2, 1), 4
# A check box is as wide as its page in some toolkits, and takes clicks on its mark and text only.
MARK_PX = 10
TABS_OF_A_DIALOG = 3
# Lists of dialogs that are opened and chosen from, in one session.
MOST_CHOICES = 1
# Of a window's pixels, how many may differ after a dialog has been left.
BACK_SHARE = 0.01


class DialogWalk:
    """Where the walk stands is its `here`: the state that the dialog shows now."""

    def __init__(self, explorer, dialog, first: Shot, main: Shot):
        self.explorer, self.dialog, self.first, self.main = explorer, dialog, first, main
        self.live, self.recorder = explorer.live, explorer.recorder
        self.here = first

    def walk(self) -> None:
        self._guard("settings", self._page, 0)
        for tab in choices.other_tabs(self.first.elements, self.explorer.may_click)[: self.explorer.tabs_of_a_dialog]:
            self._guard(f"tab {tab.name}", self._turn_to, tab)
        self._guard("leaving", self._leave)

    def _guard(self, what: str, action: Callable, *arguments) -> None:
        """A part of the walk that fails costs no other."""
        try:
            if x11.exists(self.dialog):
                action(*arguments)
        except (CaptureError, error.XError) as fault:
            self.recorder.failures.append(f"{self.first.state}, {what}: {fault or type(fault).__name__}")

    def _click(self, x: int, y: int, seconds: float) -> None:
        x11.click(x, y)
        time.sleep(seconds)

    def _capture(self, state: str, element: Element, like: list[Shot]) -> Shot | None:
        here = self.here
        steps = [*here.steps, f"click {element.role} {label(element)}"]
        return self.recorder.capture(self.dialog, state, here.kind, steps, here.parent, may_resemble=like)

    def _go(self, element: Element, end: Shot) -> None:
        self.recorder.link(self.here, element, "click", end)
        self.here = end

    def _page(self, setting_class: int) -> None:
        """Sets check boxes, radio buttons and switches of the page that shows, then chooses from one of its lists."""
        if self.explorer.brief:
            return
        page = [self.here]
        for element in choices.settings(self.here.elements, self.first.state, self.explorer.may_click)[:ATTEMPTS]:
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
        self._click(element.box[0] + MARK_PX if element.role in ("check box", "radio button") else x, y, 0.5)
        now = next((e for e in self.live.elements_now(self.dialog) if _is_at(e, element)), None)
        if now is None or all(now.state.get(key) == element.state.get(key) for key in ("checked", "pressed")):
            return None
        end = self._capture(f"{page[0].state}-set-{slug(label(element), 20)}", element, page)
        # A setting may have changed others: the click started in the state as it was seen last.
        own = choices.same(self.here.elements, element)
        if end is not None and own is not None:
            self._go(own, end)
        return end

    def _choose(self, page: list[Shot]) -> None:
        """Opens one combo box and takes another of its entries."""
        box = choices.combo_box(self.here.elements, self.explorer.may_click)
        if box is None:
            return
        x11.activate(self.dialog)
        self._click(*centre(box.box), 0.6)
        opened = self._capture(f"{page[0].state}-list-{slug(label(box), 20)}", box, [])
        if opened is None or not opened.popups:
            x11.press("Escape")
            return
        self.explorer.choices_left -= 1
        self._go(box, opened)
        entry = choices.other_entry(opened.elements, box.state.get("text") or box.name, self.explorer.may_click)
        if entry is None:
            x11.press("Escape")
            self.here = page[-1]
            return
        self._click(*centre(entry.box), 0.6)
        end = self._capture(f"{page[0].state}-chose-{slug(entry.name, 20)}", entry, page)
        if end is not None:
            self._go(entry, end)

    def _turn_to(self, tab: Element) -> None:
        x11.activate(self.dialog)
        self._click(*centre(tab.box), 0.5)
        first, steps = self.first, [*self.first.steps, f"click page tab {tab.name}"]
        state = f"{first.state}-tab-{slug(tab.name)}"
        shot = self.recorder.capture(self.dialog, state, first.kind, steps, first.parent)
        if shot is None:
            return
        self.recorder.link(first, tab, "click", shot)
        own = choices.same(self.here.elements, tab)
        if own is not None and self.here is not first:
            self.recorder.link(self.here, own, "click", shot)
        self.here = shot
        self._page(1)

    def _leave(self) -> None:
        """The click that ends the dialog leads back to the window, unless what was set in it shows there."""
        button = choices.ending(self.here.elements, has_set=self.here is not self.first)
        if button is None:
            return
        x11.activate(self.dialog)
        self._click(*centre(button.box), 0.8)
        window = self.live.window
        if x11.exists(self.dialog) or self.live.windows_besides(window):
            return
        x11.activate(window)
        grabs.wait_until_still(window, 0.5)
        now = grabs.grab(x11.frame_box(window))
        if not differs(self.main.shown()[..., :3], now, BACK_SHARE):
            self.recorder.transitions.append(
                {
                    "from": self.here.state,
                    "element": self.here.element_id(button),
                    "action": "click",
                    "to": self.main.state,
                    "offset": None,
                }
            )


def _is_at(a: Element, b: Element) -> bool:
    """Whether they are one control, which may have grown or shrunk."""
    return (a.role, a.name, a.box[:2]) == (b.role, b.name, b.box[:2])
