"""What shows, or can be used, only under a value of a page."""

from Xlib import error

from ..atspi import GLib
from ..picture import CaptureError
from .context import Context
from .page_crawl import PageCrawl
from .records import is_enabled, is_frame

# Values under which controls are crawled that show, or can be used, only then.
MOST_CONTEXTS = 2


class InnerContexts:
    """The part of a crawler that enters them."""

    def enter(self, page: PageCrawl, outer: Context, inner: Context, control: str) -> None:
        """Crawls what shows, or can be used, only under a value that was just set."""
        fresh = self.fresh_in(page, outer, inner, control)
        if not fresh:
            return
        if inner.depth > MOST_CONTEXTS or page.late:
            self.leave_out(page, inner, fresh)
            return
        try:
            self.probe(page, inner, fresh)
            self.prove(page, inner)
            page.back(inner)
        except (CaptureError, GLib.Error, error.XError) as fault:
            # What shows under a value costs no more than itself.
            page.page.notes.append(f"under {inner.when}: {fault or type(fault).__name__}")
            page.reopen(outer)
            inner.enter[-1]()

    def fresh_in(self, page: PageCrawl, outer: Context, inner: Context, control: str) -> list[dict]:
        """What appears, wakes or lies elsewhere under a value, if any of it can be used. Buttons that light up with any
        change are rules, not contexts."""
        before = {e["id"]: e for e in outer.elements}
        own = next(c.element for c in page.page.controls.values() if c.id == control)
        fresh = []
        for element in inner.elements:
            old = before.get(element["id"])
            if element["id"] == own or is_frame(element):
                continue
            wakes = old is not None and is_enabled(element) and not is_enabled(old)
            if old is None or wakes or old["bbox"] != element["bbox"]:
                fresh.append(element)
        woken = [e for e in fresh if e["id"] in before]
        rules = all(e["role"] == "push button" for e in fresh) and len(woken) == len(fresh)
        return fresh if not rules and any(e["interactive"] and is_enabled(e) for e in fresh) else []

    def enter_all(self, page: PageCrawl, outer: Context, inners: list[Context], control: str) -> bool:
        """Crawls what shows under each of several values, once all of them were seen: none of them costs the others
        their time. Whether there was any: then the page shows one of the values."""
        entered = False
        for inner in inners:
            fresh = self.fresh_in(page, outer, inner, control)
            if not fresh:
                continue
            try:
                if not page.late:
                    entered = True
                    inner.enter[-1]()
                    page.back(inner)
                self.enter(page, outer, inner, control)
            except (CaptureError, GLib.Error, error.XError) as fault:
                page.page.notes.append(f"again at {inner.when}: {fault or type(fault).__name__}")
                self.leave_out(page, inner, fresh)
                page.reopen(outer)
        return entered

    def leave_out(self, page: PageCrawl, inner: Context, fresh: list[dict]) -> None:
        """Elements that nobody tries under a value: what was told of them elsewhere does not hold there."""
        for element in fresh:
            if element["interactive"] and is_enabled(element):
                page.page.unknown(element["id"], "not tried", inner.when)
