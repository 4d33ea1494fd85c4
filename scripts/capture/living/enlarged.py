"""The window as large as it gets: a page of its own, and whether what was set goes there and comes back."""

from collections.abc import Callable

from .. import grabs, x11
from ..atspi import GLib
from . import matching
from .context import Context
from .desk import Lost
from .joined import aligned, differences
from .page_crawl import PageCrawl
from .records import ENLARGE, is_enabled, is_frame
from .spots import spot

# Controls that are set to see whether their values go along.
SET_ALONG = 3
# What takes the focus when asked, to see whether it keeps it.
TAKERS = ("check box", "radio button", "push button", "combo box", "toggle button", "spin button", "entry")


class Enlarged:
    """The part of a crawler that crawls the window as large as it gets."""

    def maximise(self, page: PageCrawl, context: Context) -> None:
        """The window as large as it gets, crawled as a page like any other."""
        button = enlarger(context.elements)
        if button is None or page.small is not None or not page.may_click(button):
            return
        if page.page.state in self.repeated:
            page.page.unknown(button["id"], "as large as it gets, it is the same as another page")
            return
        page.desk.click(*page.screen(spot("push button", button["bbox"])))
        grabs.wait_until_still(page.window, 0.5, 5)
        if x11.box_of(page.window) == page.client:
            page.page.tell(button["id"], "click", [{"kind": "inert"}])
            return
        page.aim(context)
        page.desk.go_home()
        steps = [*page.shot.steps, "click push button Maximize"]
        shot = self.crawl(
            page.window, f"{page.page.state}-max", steps, page.shot.parent, _opener(page), page.depth, small=page
        )
        window = page.large.window if page.large is not None else page.window
        if shot is not None:
            outcome = {"kind": "maximised", "to": shot.state}
            if page.large is not None and page.large.carries is not None:
                outcome["carries"] = page.large.carries
            page.page.tell(button["id"], "click", [outcome])
        # Programs remember how large a window was.
        if x11.exists(window):
            x11.maximise(window, False)
            grabs.wait_until_still(window, 0.4, 5)
        page.reopen(context)

    def restore(self, page: PageCrawl, context: Context) -> None:
        """Whether what is set on a large page is set on the small one, too, and back; and who has the focus then."""
        button, small = enlarger(context.elements), page.small
        if button is not None and small is not None:
            page.guarded(context, "its former size", self._restore, small, button)

    def _restore(self, page: PageCrawl, context: Context, small: PageCrawl, button: dict) -> None:
        page.carries = self._round_trip(page, context, small, button)
        if page.carries is not None:
            outcome = {"kind": "maximised", "to": small.page.state, "carries": page.carries}
            page.page.tell(button["id"], "click", [outcome])
        page.reopen(context)

    def _round_trip(self, page: PageCrawl, context: Context, small: PageCrawl, button: dict) -> dict | None:
        """What goes along: null if values do not."""
        base = [s for s in page.setters if s.when == context.when and s.inner is None]
        setters = list({s.control: s for s in base}.values())[:SET_ALONG]
        for setter in setters:
            setter.do()
        self._move_focus(page, context)
        first = page.read()
        page.desk.click(*page.screen(spot("push button", button["bbox"])))
        grabs.wait_until_still(page.window, 0.5, 5)
        small.desk.close()
        small.take_window(page.window)
        if small.size() != small.page_size:
            page.page.notes.append("the window does not come back to its former size")
            return None
        second = small.read()
        back = enlarger(second[0])
        if back is None:
            return None
        small.desk.click(*small.screen(spot("push button", back["bbox"])))
        grabs.wait_until_still(page.window, 0.5, 5)
        third = page.read()
        set_here = {page.page.controls[s.control].element for s in setters if s.control in page.page.controls}
        faults = [*differences(context.elements, first, second, set_here), *differences(context.elements, first, third)]
        if faults or not setters:
            page.page.notes.append(f"not carried: {faults[:4]}")
            return None
        own = matching.pair(context.elements, first[0]).get(first[1])
        moved = own is not None and context.elements[own]["id"] != page.page.focus_home
        stays = moved and all(aligned(first[0], now[0]).get(first[1]) == now[1] for now in (second, third))
        page.page.notes.append(f"carried {[s.control for s in setters]}; the focus {'too' if stays else 'not'}")
        return {"focus": True} if stays else {}

    def _move_focus(self, page: PageCrawl, context: Context) -> None:
        """The focus at some element that is not the page's home."""
        takers = [e for e in context.elements if e["role"] in TAKERS and e["interactive"] and is_enabled(e)]
        for element in [e for e in takers if e["id"] != page.page.focus_home and not is_frame(e)]:
            handle = page.handle_of(element)
            try:
                if handle is not None and handle.get_component_iface().grab_focus():
                    page.desk.settle()
                    return
            except (GLib.Error, AttributeError):
                continue


def _opener(page: PageCrawl) -> Callable[[bool], object]:
    """Opens a page's window anew and lets it fill the work area."""

    def reopen(fresh: bool):
        large = page.large
        if large is not None and x11.exists(large.window) and x11.is_maximised(large.window):
            x11.maximise(large.window, False)
            grabs.wait_until_still(large.window, 0.3, 4)
        window = page.open_anew(fresh)
        x11.maximise(window, True)
        grabs.wait_until_still(window, 0.5, 5)
        if not x11.is_maximised(window):
            raise Lost("the window does not fill the work area")
        return window

    return reopen


def enlarger(elements: list[dict]) -> dict | None:
    """The button of the frame that lets the window fill the work area, or gives it its former size."""
    return next((e for e in elements if e["name"] in ENLARGE and is_frame(e)), None)
