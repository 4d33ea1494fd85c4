"""Where the focus rests while values are compared: an element that takes it when asked."""

from .. import tree_reader
from ..atspi import Atspi, GLib
from ..boxes import area, centre, covered_share, grown, holds, intersection, shifted
from ..roles import pack_role
from . import changes
from .context import Context
from .desk import Lost
from .joined import aligned
from .records import is_enabled, is_frame
from .spots import spot

# Words of buttons that end a window, and roles, those first that keep the focus longest.
HOMES = ("close", "cancel", "help", "done", "ok")
KEEPERS = ("push button", "check box", "radio button", "switch", "combo box", "toggle button", "spin button", "entry")


class Homes:
    """The part of a page's crawl that knows where the focus is at home."""

    def find_home(self) -> None:
        home = next((e for e in self.page.elements if e["id"] == self.page.focus_home), None)
        self.desk.home_handle = None if home is None else self.handle_of(home)

    def home_of(self, context: Context) -> str | None:
        return context.home_id or self.page.focus_home

    def aim(self, context: Context) -> None:
        """Home is the context's. A window that was opened anew has other live counterparts."""
        if context.opening != self.reopenings and context.home is not None:
            home = next((e for e in context.elements if e["id"] == self.home_of(context)), None)
            context.home = None if home is None else self.handle_of(home)
            context.opening = self.reopenings
        self.desk.home_handle = context.home
        self.aimed = self.home_of(context)

    def choose_home(self, elements: list[dict]) -> tuple[str | None, object]:
        """An element that takes the focus when asked, and its live counterpart: the one that has it, a button at the
        end of the window, or any other."""
        if self.desk.gtk4:
            return None, None
        usable = [e for e in elements if e["interactive"] and e["state"].get("enabled", True) and e["role"] in KEEPERS]
        usable = [e for e in usable if not is_frame(e)]
        raw = tree_reader.read(self.window, [])
        # LibreOffice draws no ring around what has the focus from the start until it has lost it once.
        first = not self.live.program.id.startswith("libreoffice")
        for element in sorted(usable, key=lambda e: _as_home(e, first)):
            handle = self.handle_of(element, raw)
            try:
                if handle is not None and handle.get_component_iface().grab_focus():
                    self.desk.settle()
                    handle.clear_cache()
                    if handle.get_state_set().contains(Atspi.StateType.FOCUSED):
                        return element["id"], handle
            except (GLib.Error, AttributeError):
                continue
        return None, None

    def same_home(self, elements: list[dict]) -> tuple[str, object] | None:
        """The element that is the home of the same window in its usual size, if it takes the focus."""
        small = self.small.page if self.small is not None else None
        at = next((n for n, e in enumerate(small.elements) if e["id"] == small.focus_home), None) if small else None
        same = None if at is None else aligned(small.elements, elements).get(at)
        home = (None, None) if same is None else self.choose_home([elements[same]])
        return None if home[0] is None else home

    def choose_row(self, elements: list[dict]) -> str | None:
        """GTK 4 takes the focus by clicks alone: a row that shows nothing of it, and that a click does not change, or
        that a second click changes back. A row around a field leaves the focus with the field."""
        inner = [e for e in elements if e["interactive"]]

        def held(row: dict) -> set[str]:
            box = tuple(row["bbox"])
            return {e["role"] for e in inner if covered_share(tuple(e["bbox"]), box) == 1} - {"list item"}

        rows = [e for e in inner if e["role"] == "list item" and is_enabled(e) and self.may_click(e)]
        plain = [(row, 1) for row in rows if not held(row)]
        switched = [(row, 2) for row in rows if held(row) and held(row) <= {"check box", "switch"}]
        for row, times in [*plain, *switched]:
            point = spot("list item", tuple(row["bbox"]))
            before = self.desk.grab()
            seen = self.click(point)
            if seen.kind == "seen" and times == 2:
                seen = self.click(point)
            if seen.kind != "seen":
                return None
            if changes.alike(before, seen.active):
                self.home_spot, self.home_clicks = point, times
                return row["id"]
            if times == 1:
                # A row that has opened is closed again by another click.
                seen = self.click(point)
            if seen.kind != "seen" or not changes.alike(before, seen.active):
                raise Lost("a row that was clicked does not come back")
        focused = next((e for e in elements if e["state"].get("focused")), None)
        return focused and focused["id"]

    def aim_at_row(self) -> None:
        self.desk.home_point = None if self.home_spot is None else self.screen(self.home_spot)
        self.desk.home_clicks = self.home_clicks

    def handle_of(self, element: dict, raw=None):
        """The live counterpart of an element of the page."""
        raw = raw or tree_reader.read(self.window, [])
        x, y = centre(shifted(tuple(element["bbox"]), *self.origin))
        near = [n for n in raw.nodes if n.box and holds(grown(n.box, 12), x, y) and pack_role(n.role) != "panel"]
        named = [n for n in near if n.name.replace("_", "") == element["name"] or not element["name"]]
        ranked = sorted(named or near, key=lambda n: ("focusable" not in n.states, area(n.box)))
        return ranked[0].handle if ranked else None

    def _texts_that_differ(self, context: Context) -> list:
        """Live counterparts of fields that look different."""
        seen = self.desk.grab()
        if seen.shape != context.active.shape:
            return []
        boxes = changes.boxes_of(changes.changed(seen, context.active, self.ignored))
        boxes = [shifted(box, *self.offset) for box in boxes]
        fields = [e for e in context.elements if e["role"] in ("spin button", "entry", "text", "combo box")]
        raw = tree_reader.read(self.window, [])
        near = [e for e in fields if any(intersection(tuple(e["bbox"]), box) for box in boxes)]
        return [handle for handle in (self.handle_of(e, raw) for e in near) if handle is not None]

    def unselect(self, context: Context) -> None:
        """Fields keep their selection when they lose the focus; others have had none."""
        if self.desk.gtk4:
            return
        for handle in self._texts_that_differ(context):
            text = handle.get_text_iface()
            if text is not None and Atspi.Text.get_n_selections(text):
                Atspi.Text.remove_selection(text, 0)
        self.desk.settle(awaits=True)

    def select(self, context: Context) -> None:
        """Taking the focus selects all of a field."""
        if self.desk.gtk4:
            return
        for handle in self._texts_that_differ(context):
            handle.get_component_iface().grab_focus()
            self.desk.settle(awaits=True)


def _as_home(element: dict, focused_first: bool) -> tuple:
    """Earlier ones are tried first. A button that ends the window stays, whatever is set, and takes the focus."""
    rank = KEEPERS.index(element["role"])
    ends = element["role"] == "push button" and element["name"].lower() in HOMES
    end = HOMES.index(element["name"].lower()) if ends else len(HOMES)
    # A field that takes the focus selects its text, and keeps it selected or not.
    selects = element["role"] in ("spin button", "entry")
    focused = bool(element["state"].get("focused"))
    stays = end if focused_first else 0
    return (selects, stays, focused != focused_first, end, rank, element["id"])
