"""Clicks that lead away from a page: windows and lists that open, a window that closes, buttons that do nothing."""

import time
from collections.abc import Callable

import numpy as np

from .. import grabs, x11
from ..shots import Shot, slug
from . import combos, entries
from .closing import close_window
from .context import Context, Seen
from .desk import Lost
from .page_crawl import PageCrawl
from .records import with_focus
from .spots import spot

MOST_DEPTH = 2
# How long a button's window may take to open on a busy machine.
PATIENCE_S = 1.2


class Openings:
    """The part of a crawler that follows what opens."""

    def led_away(self, page: PageCrawl, context: Context, element: dict, seen: Seen) -> None:
        """A click that opened or closed something, or changed the window's size."""
        own = element["id"]
        if seen.kind == "closed":
            page.page.tell(own, "click", [{"kind": "closed", "to": None}], context.when)
            page.reopen(context)
        elif seen.kind == "window":
            self.opened(page, context, element, seen.window)
        elif seen.kind == "popup":
            self._popup(page, context, element, seen)
        elif seen.kind == "resized":
            page.page.unknown(own, "the window gets another size", context.when)
            page.reopen(context)
        else:
            page.page.unknown(own, "what it does was not understood", context.when)
            page.back(context)

    def opened(
        self, page: PageCrawl, context: Context, element: dict, window, again: Callable[[], Seen] | None = None
    ) -> None:
        """A window that a click has opened. `again` does the click of a menu's entry once more."""
        grabs.wait_until_still(window, 0.4, 5)
        if not x11.exists(window):
            page.back(context)
            page.page.unknown(element["id"], "a window showed for a moment", context.when)
            return
        title = x11.title(window)
        state = self.free_state(f"{page.page.state}-{slug(element['name'] or element['description'] or title, 16)}")
        frame = x11.frame_box(page.window)
        # Buttons of one kind open windows of one title that show different things.
        known = self.known_window(page, title, element["id"])
        offset = [x11.frame_box(window)[i] - frame[i] for i in (0, 1)]
        if known is None and page.depth < MOST_DEPTH:

            def reopen(fresh: bool):
                if fresh or not x11.exists(page.window):
                    page.reopen(context)
                else:
                    page.dismiss()
                    page.back(context)
                seen = again() if again else page.click(spot(element["role"], element["bbox"]))
                if seen.kind != "window":
                    raise Lost("the window does not open again")
                grabs.wait_until_still(seen.window, 0.4, 5)
                return seen.window

            began = time.monotonic()
            shot = self.crawl(window, state, [f"click {element['name']}"], page.shot, reopen, page.depth + 1)
            page.ends += time.monotonic() - began
            if shot is not None:
                # Where it lies may have changed for the picture: dialogs are moved onto the screen.
                known, offset = self.only_one(shot), [shot.frame[i] - frame[i] for i in (0, 1)]
                self.windows[title, element["id"]] = known
        if known is None:
            page.page.unknown(element["id"], "it opens a window that was not captured", context.when)
        else:
            closes = [{"kind": "popup_closed"}] if again else []
            outcome = [*closes, {"kind": "window", "to": known, "offset": offset}]
            page.page.tell(element["id"], "click", outcome, context.when)
        for other in [w for w in self.live.windows_besides(page.window) if w.id in self.foreign(page)]:
            close_window(other)
        if not x11.exists(page.window):
            page.reopen(context)
            return
        page.desk.activate()
        page.back(context)

    def known_window(self, page: PageCrawl, title: str, element: str) -> str | None:
        """The state of a window that was pictured. A page of the same window in its usual size opens the same ones, by
        buttons that may have other ids there."""
        own = self.windows.get((title, element))
        titled = {state for (words, _), state in self.windows.items() if words == title}
        return next(iter(titled)) if own is None and page.small is not None and len(titled) == 1 else own

    def only_one(self, shot: Shot) -> str:
        """The state of a window that was pictured, or of one that looked the same before: then this one is dropped."""
        for other in self.recorder.shots:
            same = other is not shot and other.title == shot.title and len(other.elements) == len(shot.elements)
            if same and np.array_equal(other.picture.pixels, shot.picture.pixels):
                self.recorder.shots = [s for s in self.recorder.shots if s is not shot]
                self.reports = [r for r in self.reports if r["state"] != shot.state]
                return other.state
        return shot.state

    def free_state(self, wanted: str) -> str:
        """A name that no state of the program has."""
        names = {s.state for s in self.recorder.shots}
        return next(n for n in (wanted, *(f"{wanted}-{k}" for k in range(2, 1000))) if n not in names)

    def shows(self, page: PageCrawl, context: Context, element: dict) -> None:
        """A button that shows something else in the window: it is pictured, and the way back is to open the page anew.
        What it shows may depend on what was set before."""
        shot = self.pictured(page, element, page.page.state)
        if shot is None:
            page.page.unknown(element["id"], "it changes what is shown", context.when)
        else:
            page.page.tell(element["id"], "click", [{"kind": "page", "to": shot.state}], context.when)
        page.reopen(context)

    def pictured(self, page: PageCrawl, element: dict, after: str) -> Shot | None:
        """The window of a page as it shows after a click on an element of the state `after`; None if that is not worth
        keeping."""
        grabs.wait_until_still(page.window, 0.6, 6)
        state = self.free_state(f"{after}-{slug(element['name'] or element['description'] or 'shown', 16)}")
        kept, self.recorder.shots = self.recorder.shots, []
        steps = [*page.shot.steps, f"click {element['name']}"]
        shot = self.recorder.capture(page.window, state, page.shot.kind, steps, page.shot.parent, page.shot.placement)
        self.recorder.shots = kept + self.recorder.shots
        return shot

    def pressed(self, page: PageCrawl, context: Context, element: dict, seen: Seen, from_home: bool = False) -> bool:
        """A click after which the window shows what it showed before: it moves the focus, or does nothing. False if
        something else is shown. `from_home`: with the focus elsewhere, it may do something else."""
        difference = page.differ(context, seen)
        if difference.changes or difference.added:
            return False
        focus = page.focus_of(difference, seen) or page.ring_at(element["id"], context, context.active, seen.active)
        if not page.is_seen(focus, context, seen.active):
            # Another part has the focus than the one that says so.
            focus = element["id"]
        page.add_focus(context.when, context.active, context.inactive, focus, seen.active)
        page.back(context)
        outcomes = with_focus([], focus) or [{"kind": "inert"}]
        focused = [page.home_of(context)] if from_home else None
        page.page.tell(element["id"], "click", outcomes, context.when, focused=focused)
        return True

    def _popup(self, page: PageCrawl, context: Context, element: dict, seen: Seen) -> None:
        popup, items = combos.picture(page, context, element, seen, {}, "menu")
        popup.when = dict(context.when)
        page.page.popups.append(popup)
        page.page.tell(element["id"], "click", [{"kind": "popup", "popup": popup.id}], context.when)
        page.page.tell(None, {"key": "Escape"}, [{"kind": "popup_closed"}])
        page.dismiss()
        page.back(context)
        if self.clicks_entries and not context.depth and page.depth == 1:
            entries.drive(page, context, element, items)
        for item in items:
            if item["interactive"]:
                page.page.unknown(item["id"], "not tried")


def press(page: PageCrawl, context: Context, element: dict) -> None:
    """A button: what it opens, or that it does nothing."""
    seen = page.click(spot(element["role"], element["bbox"]), PATIENCE_S)
    if seen.kind != "seen":
        page.crawler.led_away(page, context, element, seen)
        return
    if not page.crawler.pressed(page, context, element, seen):
        page.crawler.shows(page, context, element)
