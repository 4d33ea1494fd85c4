"""Every way to close a page, and what its frame does."""

import re
import time

from .. import x11
from . import board_menus, changes, matching, views
from .context import Context
from .page_crawl import NEVER, PageCrawl
from .records import ENLARGE, choices_end, is_enabled, is_frame, with_focus
from .spots import spot

# Openings that the ways to close a page may cost, and those that are left for what follows.
MOST_LEAVINGS, SPARED = 12, 6
# How long a window may take to be minimised.
MINIMISED_S = 1.5
# Buttons that bring back the values of the start; how many controls are set to see it, and which stay as they are.
RESETS = re.compile(r"(restore )?defaults?$|reset$", re.IGNORECASE)
SET_BACK, SHOW_ALONE = 3, ("tabs", "list_box", "derived")


class Leaving:
    """The part of a crawler that ends a page."""

    def leave(self, page: PageCrawl, context: Context) -> None:
        """Every way to close the page: its own buttons, the frame's, Escape. Each costs opening it anew."""
        self.restore(page, context)
        for name in page.page.sticky:
            self._put_out(page, context, next((e for e in context.elements if e["id"] == name), None))
        self._set_back(page, context)
        ends = [e for e in context.elements if e["role"] == "push button" and is_enabled(e)]
        ends = [e for e in ends if (choices_end(e["name"]) and e["id"] not in page.page.sticky) or is_frame(e)]
        # A page that was lost often is left in the same ways as any other.
        most = page.reopenings + MOST_LEAVINGS
        page.most_reopenings = max(page.most_reopenings, most + SPARED)
        for element in ends:
            if element["name"] in ("Minimize", *ENLARGE) and is_frame(element):
                continue
            if not is_frame(element) and self.skip.has(element["name"]):
                page.page.unknown(element["id"], NEVER)
                continue
            if page.reopenings > most:
                page.page.unknown(element["id"], "not tried")
                continue
            seen = page.click(spot(element["role"], element["bbox"]))
            below = self.stack[-2] if len(self.stack) > 1 else None
            if seen.kind == "closed" and below is not None and below.board is not None:
                board_menus.ends_in(page, context, below, element)
            elif seen.kind == "closed":
                page.page.tell(element["id"], "click", [{"kind": "closed", "to": None}])
                page.reopen(context)
            elif element["name"] == "Apply" and seen.kind == "seen" and self._is_same(page, context):
                focus = page.focus_of(page.differ(context, seen), seen)
                focus = focus or page.ring_at(element["id"], context, context.active, seen.active)
                page.add_focus(context.when, context.active, context.inactive, focus, seen.active)
                page.page.tell(element["id"], "click", with_focus([], focus) or [{"kind": "inert"}])
            else:
                page.page.unknown(element["id"], "it does not close the window")
                page.reopen(context)
        minimise = next((e for e in context.elements if e["name"] == "Minimize" and is_frame(e)), None)
        if minimise is not None:
            page.desk.click(*page.screen(spot("push button", minimise["bbox"])))
            if _goes(page.window):
                page.page.tell(minimise["id"], "click", [{"kind": "minimised"}])
            x11.activate(page.window)
            page.back(context)
        self.maximise(page, context)
        escape = page.event(lambda: x11.press("Escape"), reads=False)
        if escape.kind == "closed":
            page.page.tell(None, {"key": "Escape"}, [{"kind": "closed", "to": None}])
        elif escape.kind == "seen" and changes.alike(escape.active, context.active, page.ignored):
            page.page.tell(None, {"key": "Escape"}, [{"kind": "inert"}])

    def _is_same(self, page: PageCrawl, context: Context) -> bool:
        page.desk.go_home()
        return changes.alike(page.desk.grab(), context.active, page.ignored)

    def _set_back(self, page: PageCrawl, context: Context) -> None:
        """A button that brings everything back as it was; some can be used only once something was changed."""
        setters = {s.control: s for s in page.setters if s.when == context.when and s.inner is None}
        buttons = [e for e in context.elements if sets_back(e)]
        if views.has_views(page.page):
            # One that can always be used may bring back the shown tab alone.
            for button in filter(is_enabled, buttons):
                page.page.unknown(button["id"], "it may bring back the shown tab alone")
            buttons = [b for b in buttons if not is_enabled(b)]
        for button in buttons if setters else []:
            for setter in list(setters.values())[:SET_BACK]:
                setter.do()
            records, _ = page.read()
            pairs = matching.pair(context.elements, records)
            now = next((records[n] for n, at in pairs.items() if context.elements[at]["id"] == button["id"]), None)
            seen = page.click(spot("push button", button["bbox"])) if now is not None and is_enabled(now) else None
            if seen is None or seen.kind != "seen":
                page.reopen(context)
                continue
            focus = page.focus_of(page.differ(context, seen), seen)
            page.desk.go_home()
            if changes.alike(page.desk.grab(), context.active, page.ignored):
                if focus is None or focus == button["id"]:
                    # It can't be used any more, and has lost the focus to another one.
                    focus = page.ringed(context, seen.active)
                page.add_focus(context.when, context.active, context.inactive, focus, seen.active)
                values = [c for c in page.page.controls.values() if c.type not in SHOW_ALONE]
                outcome = [{"kind": "value", "control": c.id, "to": c.value} for c in values]
                page.page.tell(button["id"], "click", with_focus(outcome, focus))
            else:
                page.page.unknown(button["id"], "it does not bring back what was")
                page.reopen(context)

    def _put_out(self, page: PageCrawl, context: Context, element: dict | None) -> None:
        """A button that any change lights up: whether a click puts it out again, and does nothing else."""
        if element is None or not choices_end(element["name"]):
            return
        seen = page.click(spot(element["role"], element["bbox"]))
        if seen.kind != "seen":
            page.reopen(context)
            return
        focus = page.focus_of(page.differ(context, seen), seen)
        page.desk.go_home()
        control = f"s-{element['id']}"
        now = page.desk.grab()
        if changes.alike(now, context.active, page.page.volatile):
            outcome = with_focus([{"kind": "value", "control": control, "to": False}], focus)
            page.page.tell(element["id"], "click", outcome, {control: True})
        else:
            page.page.notes.append(f"{element['name']}: {changes.strayed(now, context.active)} px differ")
            page.reopen(context)


def _goes(window) -> bool:
    """Whether a window is minimised now, or soon."""
    end = time.monotonic() + MINIMISED_S
    while x11.mapped(window) and not hidden(window):
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def sets_back(element: dict) -> bool:
    return element["role"] == "push button" and bool(RESETS.match(element["name"]))


def hidden(window) -> bool:
    return x11.atom("_NET_WM_STATE_HIDDEN") in (x11.prop(window, "_NET_WM_STATE") or [])
