"""Buttons that the page shows disabled and that another value wakes, such as Find beside a text: each is clicked once
such a value was set. What they do may depend on all that is set: it is told with every value of the page
(views.py), and what the window shows then is a picture that belongs to no page that lives."""

from .context import Context, Seen
from .page_crawl import PageCrawl
from .records import is_enabled, is_frame
from .spots import spot
from .verify import Setter

# Values that are tried until one wakes a button, and values at which it is then clicked.
MOST_TRIED, MOST_CLICKED = 6, 2
# Openings of the page that one button may cost.
MOST_OPENINGS = 8
# How long a window may take to open.
PATIENCE_S = 1.2


def drive(page: PageCrawl, context: Context) -> None:
    setters = [s for s in page.setters if s.when == context.when and s.inner is None]
    for element in sleeping(page, context.elements):
        page.page.woken.add(element["id"])
        page.most_reopenings = max(page.most_reopenings, page.reopenings + MOST_OPENINGS)
        clicks = 0
        for number, setter in enumerate(setters):
            if clicks >= MOST_CLICKED or (not clicks and number >= MOST_TRIED):
                break
            page.guarded(context, f"{element['name']} after {setter.control}", _try, setter, element)
            clicks = sum(t["element"] == element["id"] for t in page.page.transitions)


def sleeping(page: PageCrawl, elements: list[dict]) -> list[dict]:
    """Disabled buttons of which nothing is told yet."""
    told = {t["element"] for t in page.page.transitions} | set(page.page.sticky)
    found = [e for e in elements if e["role"] == "push button" and not is_enabled(e) and not is_frame(e)]
    return [e for e in found if e["id"] not in told and page.may_click(e)]


def _try(page: PageCrawl, context: Context, setter: Setter, element: dict) -> None:
    inner = _entered(page, context, setter)
    now = next((e for e in inner.elements if e["id"] == element["id"]), None)
    if now is not None and is_enabled(now):
        seen = page.click(spot(now["role"], now["bbox"]), PATIENCE_S)
        if seen.kind == "seen":
            page.crawler.shows(page, inner, now)
        else:
            page.crawler.led_away(page, inner, now, seen)
    setter.undo()
    page.back(context)


def _entered(page: PageCrawl, context: Context, setter: Setter) -> Context:
    """The page once the value was set."""
    setter.do()
    records, _ = page.read()
    difference = page.differ(context, Seen("seen", records=records))
    _, active, inactive = page.look(context, difference)
    inner = Context({**context.when, setter.control: setter.value}, active, inactive,
                    page.crawler.elements_in(context, difference))  # fmt: skip
    inner.home_id, inner.opening, inner.home = page.new_home, page.reopenings, page.desk.home_handle
    inner.enter = [*context.enter, setter.do]
    return inner
