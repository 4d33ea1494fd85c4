"""Drives a tree at the side of a dialog: every row is clicked, then each page is crawled that a row shows."""

from ..boxes import Box, shifted, union
from . import changes
from .captions import Captions
from .context import Context
from .domains import MOST_ROWS, unique_names
from .groups import cut_off, is_on, rows
from .page_crawl import NEVER, PageCrawl
from .records import with_focus
from .side_list import Parts, SideList, bands, split
from .spots import spot


def drive(page: PageCrawl, context: Context, members: list[dict]) -> bool:
    """False if none of the rows is chosen, or all of them show pages: then it is a list like any other."""
    choices = [row[0] for row in rows(members)]
    home = next((n for n, row in enumerate(choices) if is_on(row)), None)
    if home is None or context.depth:
        return False
    crawl = _Crawl(page, context, choices, home)
    try:
        crawl.look_at_all()
        crawl.see_headings_again()
    except BaseException:
        crawl.list.remove()
        raise
    crawl.tell()
    page.back(context, crawl.clicks(home))
    crawl.enter_pages()
    return True


class _Crawl:
    def __init__(self, page: PageCrawl, context: Context, choices: list[dict], home: int):
        self.page, self.context, self.choices, self.home = page, context, choices, home
        self.role = choices[0]["role"]
        ids = [row["id"] for row in choices]
        self.names = unique_names([row["name"] for row in choices], self.role)
        self.list = SideList(page.page, ids, self.names, home)
        boxes = [self._local(row["bbox"]) for row in choices]
        around = next((e for e in context.elements if e["id"] == choices[0]["parent"]), None)
        self.bands = bands(boxes, union(boxes) if around is None else self._local(around["bbox"]))
        self.captions = Captions(page)
        self.inner: dict[int, Context] = {}
        self.parts: dict[int, Parts] = {}
        self.headings: dict[int, object] = {}
        self.focus: dict[int, str | None] = {}

    def _local(self, box) -> Box:
        return shifted(tuple(box), -self.page.offset[0], -self.page.offset[1])

    def clicks(self, number: int):
        row = self.choices[number]
        return self.page.clicker(spot(self.role, row["bbox"]))

    def look_at_all(self) -> None:
        """Clicks one row after the other."""
        self.captions.begin()
        self._again()
        parts_of_list = cut_off([[row] for row in self.choices])
        for number, row in enumerate(self.choices):
            if number == self.home:
                continue
            why = "a click scrolls to it" if number in parts_of_list else "not tried"
            if not self.page.may_click(row):
                self.page.page.unknown(row["id"], NEVER)
            elif number in parts_of_list or len(self.parts) >= MOST_ROWS or self.page.late:
                self.page.page.unknown(row["id"], why)
            else:
                self._look_at(number)

    def _look_at(self, number: int) -> None:
        """Clicks a row while the page's own page shows: a heading leaves what was there before."""
        page, context, row = self.page, self.context, self.choices[number]
        if self.inner:
            page.back(context, self.clicks(self.home))
        seen = page.click(spot(self.role, row["bbox"]))
        if seen.kind != "seen":
            page.crawler.led_away(page, context, row, seen)
            return
        difference = page.differ(context, seen, view=True)
        focus = page.focus_of(difference, seen)
        found, active, inactive = page.look(context, difference)
        shown = page.crawler.elements_in(context, difference)
        focus = focus or page.ring_at(row["id"], context, active, seen.active, shown)
        parts = split(found, difference, self.bands, self.list.ids)
        if not {number, self.home} == set(parts.states) >= set(parts.rows):
            page.page.unknown(row["id"], "it changes other rows, too")
            page.page.notes.append(f"{row['name']}: changes rows {sorted(parts.states)}, {sorted(parts.rows)}")
            page.back(context, self.clicks(self.home))
            return
        self.parts[number], self.focus[number] = parts, focus
        self.list.leave_home(parts)
        if not parts.shows_page:
            patch = self.headings[number] = self.list.add_heading(number, parts)
            page.add_focus({patch.control: patch.value}, active, inactive, focus, seen.active)
            return
        patch = self.list.add_page(number, parts)
        patch.caption = self.captions.now()
        when = {patch.control: patch.value}
        page.add_focus(when, active, inactive, focus, seen.active)
        self.inner[number] = Context(
            when, active, inactive, shown, page.new_home, page.reopenings, page.desk.home_handle,
            [*context.enter, self.clicks(number)],
        )  # fmt: skip

    def _again(self) -> None:
        """A click on the row that the page shows chosen: it takes the focus, or does nothing."""
        page, context, row = self.page, self.context, self.choices[self.home]
        seen, difference = page.choose_again(context, spot(self.role, row["bbox"]))
        focus = page.focus_of(difference, seen)
        self.focus[self.home] = focus or page.ring_at(row["id"], context, context.active, seen.active)
        page.add_focus({}, context.active, context.inactive, self.focus[self.home], seen.active)
        page.desk.go_home()

    def see_headings_again(self) -> None:
        """Each heading is chosen while another page shows, in turn: that has to stay. All other looks are seen a second
        time on the way."""
        pages = list(self.inner) or [self.home]
        for turn, (number, patch) in enumerate(list(self.headings.items())):
            shown = pages[turn % len(pages)]
            if self._is_composed(shown, None) and self._is_composed(shown, number):
                patch.verified = True
            else:
                self.list.drop_heading(number)
                del self.headings[number]
                self.page.page.unknown(self.list.ids[number], "what it shows was not understood")
        for shown in self.inner:
            if not self._patch(shown).verified:
                self._is_composed(shown, None)

    def _patch(self, number: int):
        own = self.list.pages.id, self.names[number]
        return next(p for p in self.page.page.patches if (p.control, p.value) == own)

    def _is_composed(self, shown: int, heading: int | None) -> bool:
        """Clicks a row; whether the window then looks as composed."""
        page = self.page
        pieces = [] if shown == self.home else list(self._patch(shown).pieces)
        chosen = shown if heading is None else heading
        if chosen != self.home:
            pieces += [p for parts in self.parts[chosen].rows.values() for p in parts]
        self.clicks(chosen)()
        page.aim(self.context)
        page.desk.go_home()
        composed, seen = changes.drawn(self.context.active, pieces), page.desk.grab()
        if not changes.alike(seen, composed, page.ignored):
            page.desk.settle(still=0.4)
            seen = page.desk.grab()
        same = changes.alike(seen, composed, page.ignored)
        if not same:
            page.show(composed, seen)
            off = changes.strayed(seen, composed, page.ignored)
            page.page.notes.append(f"{self.names[chosen]} while {self.names[shown]} shows: {off} px differ")
        elif shown in self.inner and heading is None:
            self._patch(shown).verified = True
        return same

    def tell(self) -> None:
        """What a click on each row does, and which rows are chosen when."""
        self.list.tell_rules()
        told = [self.home, *self.inner, *self.headings]
        for number in told if len(told) > 1 else ():
            outcome = self.list.outcome(number, number in self.headings)
            self.page.page.tell(self.list.ids[number], "click", with_focus(outcome, self.focus[number]))

    def enter_pages(self) -> None:
        for number, inner in self.inner.items():
            if self.page.late:
                break
            self.page.guarded(self.context, f"the page {self.names[number]}", self._enter, number, inner)

    def _enter(self, page: PageCrawl, context: Context, number: int, inner: Context) -> None:
        page.back(inner, self.clicks(number))
        page.crawler.enter(page, context, inner, self.list.pages.id)
        page.back(context, self.clicks(self.home))
