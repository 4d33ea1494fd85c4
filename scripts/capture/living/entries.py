"""The entries of a menu, for pages whose recipe asks for it: each is clicked once, and what opens is crawled as after a
button of the page."""

import re
from functools import partial

from .. import choices
from ..boxes import centre
from . import board_menus, changes
from .context import Context, Seen
from .desk import Lost
from .page_crawl import NEVER, PageCrawl
from .spots import spot

# What they do is not the same each time.
OF_THE_PAST = re.compile(r"^(undo|redo)\b", re.IGNORECASE)
PAST = "what it does depends on what was done before"
# How long a window may take to open.
PATIENCE_S = 1.2


def drive(page: PageCrawl, context: Context, opener: dict, items: list[dict]) -> None:
    for item in items:
        if not item["interactive"]:
            continue
        words = item["name"] or item["description"]
        never = choices.NEVER_CLICK.search(words) and not page.crawler.skip.allows(words)
        if never or page.crawler.skip.has(words):
            page.page.unknown(item["id"], NEVER)
        elif OF_THE_PAST.search(words):
            page.page.unknown(item["id"], PAST)
        elif not page.late:
            page.guarded(context, f"entry {words}", _try, item, opener)


def _try(page: PageCrawl, context: Context, item: dict, opener: dict) -> None:
    seen = choose(page, opener, item)
    if seen.kind == "window":
        page.crawler.opened(page, context, item, seen.window, partial(choose, page, opener, item))
        return
    if seen.kind == "closed":
        page.page.tell(item["id"], "click", [{"kind": "popup_closed"}, {"kind": "closed", "to": None}])
        page.reopen(context)
        return
    if page.board is not None:
        board_menus.drive(page, context, item, partial(choose, page, opener, item), seen)
        return
    page.desk.go_home()
    if seen.kind == "seen" and changes.alike(page.desk.grab(), context.active, page.ignored):
        page.page.tell(item["id"], "click", [{"kind": "popup_closed"}])
        return
    page.page.unknown(item["id"], "it changes what is shown" if seen.kind == "seen" else f"it is {seen.kind}")
    page.reopen(context)


def choose(page: PageCrawl, opener: dict, item: dict) -> Seen:
    """Opens the menu and clicks an entry."""
    opened = page.click(spot(opener["role"], opener["bbox"]), PATIENCE_S)
    if opened.kind != "popup":
        raise Lost("the menu does not open again")

    place = page.screen(centre(tuple(item["bbox"])))
    return page.event(lambda: page.desk.click_popup(*place), patience=PATIENCE_S)
