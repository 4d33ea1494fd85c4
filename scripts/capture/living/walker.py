"""Drives a live program and the pack's answers side by side, and judges every event once."""

import json
import random
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image
from Xlib import error

from .. import choices, grabs, x11
from ..boards import DRAWN_ROLE
from ..boxes import centre, covered_share, holds, intersection, shifted
from ..live import LiveProgram
from ..picture import CaptureError
from ..programs import LivePage, NeverClicked, never_clicked
from ..shots import slug
from . import changes, homes, judge, patience
from . import records as records_of
from .crawler import follow
from .desk import Desk, popup_picture
from .fresh import Settings, restart
from .leaving import hidden
from .letters import random_texts
from .spots import spot

MOST_SHOWN = 40
# Of the clicks on entries of lists, how many only bring the pointer there.
HOVER_SHARE = 0.3
# What is said of a text that is longer than its field.
LONGER = "is longer than its field shows"
# Letters of a text where every field of a page gets one.
SHORT = 8
# How long a window that was foretold may take to open or to close.
WINDOW_S = 2.5
# When what differs is looked at again: programs draw late on a busy machine.
AGAIN_S = (0.4, 0.8, 1.6)


@dataclass
class Side:
    """A window of the live program, and what the pack says of it."""

    page: str
    state: dict | None
    window: object
    desk: Desk
    origin: tuple[int, int]
    live: bool = True  # whether the page has a living file


class Walker:
    def __init__(self, live: LiveProgram, server, out: Path, suffix: str):
        self.live, self.server, self.out, self.suffix = live, server, out, suffix
        self.settings = Settings()
        self.skip = NeverClicked()  # of the page that is walked on
        self.events: list[judge.Judged] = []
        self.toolkit = ""
        self.shown = 0
        # What was read since the last event, by window.
        self.known: dict[int, tuple[list[dict], bool]] = {}

    def walk(self, entry: LivePage, number: int, steps: int, chance: random.Random) -> None:
        sides = self.begin(entry)
        for _ in range(steps):
            if not sides or not sides[-1].live:
                sides = self.begin(entry)
            side = sides[-1]
            records, popup = self.read(side)
            element, event = self.choose(side, records, popup, chance)
            lit = self.lit_entry(side, element) if popup and "click" in event else None
            if lit is not None and chance.random() < HOVER_SHARE:
                judged = self.hover(side, lit, number)
            else:
                judged = self.step(sides, records, popup, element, event, number)
            self.events.append(judged)
            if not judged.right:
                sides = self.begin(entry)

    def choose(self, side: Side, records: list[dict], popup: bool, chance: random.Random) -> tuple[dict | None, dict]:
        allowed = self.allowed(side, records)
        if popup or not self.pages()[side.page]["wheel"]:
            return judge.choose(allowed, side.desk.toolkit, chance)
        return judge.choose_with_wheel(allowed, records, side.desk.toolkit, chance)

    def write(self, entry: LivePage, number: int, texts: int, chance: random.Random) -> None:
        """Types random texts into each field of a page that is set from letters, and then one into all that show."""
        page = f"{self.live.program.id}/live-{slug(entry.name)}{self.suffix}"
        fields = self.pages()[page]["lettered"]
        for element in fields:
            sides = self.begin_at(entry, element, number)
            for text in random_texts(chance, texts, element["letters"]):
                if not sides:
                    sides = self.begin_at(entry, element, number)
                judged = self.fill(sides, element, text, number)
                sides = self.emptied(sides, element, judged.right)
        shown = [element for element in fields if not element["clicks"]]
        if len(shown) < 2:
            return
        sides = self.begin(entry)
        for element in shown:
            text = random_texts(chance, 1, element["letters"])[0][:SHORT]
            if not self.fill(sides, element, text, number).right:
                return

    def fill(self, sides: list[Side], element: dict, text: str, number: int) -> judge.Judged:
        """Clicks a field and types a text; one that is longer than the field counts as nothing."""
        side = sides[-1]
        for event in ({"click": list(spot(element["role"], tuple(element["bbox"])))}, {"type": text}):
            records, popup = self.read(side)
            judged = self.step(sides, records, popup, element, event, number)
        if judged.modelled or not judged.why.endswith(LONGER):
            self.events.append(judged)
        return judged

    def emptied(self, sides: list[Side], element: dict, right: bool) -> list[Side]:
        """The page as it was captured, by the shortest way: a field that was empty is emptied again. None if the page
        has to begin anew."""
        if not right or element["state"].get("text") or element["clicks"] or not sides:
            return []
        side = sides[-1]
        x11.press("ctrl+a")
        x11.press("Delete")
        side.desk.settle(awaits=True)
        side.desk.go_home()
        self.known.clear()
        side.state = None
        same, _, faults = self.compare(side, self.ask(side, None))
        return sides if same and not faults else []

    def begin_at(self, entry: LivePage, element: dict, number: int) -> list[Side]:
        """The page as it was captured, with a field in view."""
        sides = self.begin(entry)
        for point in element["clicks"]:
            records, popup = self.read(sides[-1])
            judged = self.step(sides, records, popup, None, {"click": point}, number)
            if not judged.right:
                raise CaptureError(f"a click at {point} was not foretold: {judged.why}")
        return sides

    # beginnings

    def begin(self, entry: LivePage) -> list[Side]:
        """Both sides as the page was captured."""
        self.skip = never_clicked(self.live.program, entry)
        restart(self.live, self.settings)
        window = follow(self.live, entry)
        page = f"{self.live.program.id}/live-{slug(entry.name)}{self.suffix}"
        side = self.side(window, page)
        told = self.ask(side, None)
        self.at_home(side, told)
        ok, off, _ = self.compare(side, told)
        if not ok:
            grabs.wait_until_still(window, 0.6, 4)
            side.desk.go_home()
            self.known.clear()
            ok, off, _ = self.compare(side, told)
        if not ok:
            self.show(side, told, "begin")
            raise CaptureError(f"the walk can't begin: {off} px of the page differ")
        return [side]

    def side(self, window, page: str) -> Side:
        toolkit = self.live.look_at(window)[1].toolkit
        self.toolkit = self.toolkit or toolkit
        told = self.server.ask({"window": page})
        if told.get("error"):
            raise CaptureError(f"{page}: {told['error']}")
        if self.live.window is not None and window.id == self.live.window.id:
            self.live.shows_board = any(e["role"] == DRAWN_ROLE for e in told["elements"])
        frame = self.pages()[page]["frame"]
        live_frame = x11.frame_box(window)
        origin = live_frame[0] - frame[0], live_frame[1] - frame[1]
        return Side(page, None, window, Desk(self.live, window, toolkit), origin, self.is_living(page))

    def at_home(self, side: Side, told: dict) -> None:
        """The focus where the page has it: what has just come says nothing of it."""
        self.known.clear()
        side.desk.inactive()
        side.desk.show_rings()
        home = next((e for e in told["elements"] if e["state"].get("focused")), None)
        if home is not None and side.desk.gtk4 and home["role"] == "list item":
            x, y = spot("list item", tuple(home["bbox"]))
            side.desk.home_point = x + side.origin[0], y + side.origin[1]
            side.desk.home_clicks = 1 + self.is_switched(told["elements"], home)
            side.desk.go_home()
            side.desk.hide_rings()
        elif home is not None and not side.desk.gtk4:
            side.desk.home_handle = self.handle_of(side, home)
            side.desk.go_home()

    def is_switched(self, elements: list[dict], row: dict) -> bool:
        """Whether a click on a row switches something: a second one switches it back."""
        inside = [e for e in elements if covered_share(tuple(e["bbox"]), tuple(row["bbox"])) == 1]
        return any(e["role"] in ("check box", "switch") for e in inside)

    def is_living(self, page: str) -> bool:
        return self.pages().get(page, {}).get("living", False)

    def pages(self) -> dict:
        return json.loads(Path("/srv/capture/in/pages.json").read_text(encoding="utf-8"))

    def handle_of(self, side: Side, element: dict):
        finder = homes.Homes()
        finder.window, finder.origin = side.window, side.origin
        return finder.handle_of(element)

    # seeing

    def read(self, side: Side) -> tuple[list[dict], bool]:
        """The live elements as records, in px of the page's picture: those of open popups alone, if there are any. They
        are read once after each event."""
        if side.window.id not in self.known:
            self.known[side.window.id] = self.read_now(side)
        return self.known[side.window.id]

    def read_now(self, side: Side) -> tuple[list[dict], bool]:
        found = side.desk.elements()
        above = records_of.popup_records(found, side.origin)
        if above:
            return above, True
        records = []
        for element in found:
            record = {
                "role": element.role, "name": element.name, "description": element.description,
                "bbox": list(shifted(element.box, -side.origin[0], -side.origin[1])),
                "interactive": element.interactive, "state": element.state, "popup": None,
            }  # fmt: skip
            records.append(record)
        return records, False

    def allowed(self, side: Side, records: list[dict]) -> list[dict]:
        """What may be clicked: nothing disabled, nothing that the crawl may not touch, and of links those of which it
        is told where they lead, whatever is set."""
        values = (side.state or {}).get("values", {}).values()
        links = self.pages()[side.page]["links"]
        out = []
        for record in records:
            words = record["name"] or record["description"]
            acts = record["role"] in ("push button", "menu", "link", "icon", "list item", "menu item")
            never = acts and choices.NEVER_CLICK.search(words) and not records_of.choices_end(words)
            never = never and not self.skip.allows(words)
            usable = record["interactive"] and record["state"].get("enabled", True)
            usable = usable and (record["role"] != "link" or words in links)
            if usable and not never and not self.skip.has(words, values):
                out.append(record)
        return out

    def ask(self, side: Side, event: dict | None, hover: str | None = None) -> dict:
        question = {"window": side.page, "state": side.state or {}, "event": event, "focus": "active", "hover": hover}
        return self.server.ask({**question, "picture": str(self.out / "told.png")})

    # an event

    def step(self, sides: list[Side], records, popup: bool, element, event: dict, number: int) -> judge.Judged:
        side = sides[-1]
        before, windows = side.desk.grab(), {w.id for w in x11.clients()}
        self.do(side, event)
        told = self.ask(side, event)
        role, name = (element["role"], element["name"]) if element else ("", "")
        opens = any(o["kind"] == "window" for o in told.get("outcomes") or [])
        fresh = self.fresh(windows, WINDOW_S if opens else 0)
        ends = any(o["kind"] in ("closed", "minimised") for o in told.get("outcomes") or [])
        exists = self.stays(side.window, WINDOW_S if ends else 0)
        base = {"walk": number, "page": side.page, "role": role, "name": name, "event": event}
        outcomes = told.get("outcomes") or []
        if told.get("error"):
            return judge.Judged(**base, changed=True, modelled=False, picture=False, states=False, why=told["error"])
        unknown = next((o for o in outcomes if o["kind"] == "unmodelled"), None)
        if unknown is not None:
            changed = bool(fresh) or not exists or self.has_changed(side, before, records, popup)
            why = f"unmodelled: {unknown.get('why')}"
            return judge.Judged(**base, changed=changed, modelled=False, picture=False, states=False, why=why)
        kinds = {o["kind"] for o in outcomes}
        if not exists:
            right = bool(kinds & {"closed", "minimised"})
            why = "" if right else f"it closed, told {sorted(kinds)}"
            self.leave(sides, right)
            below = next((o.get("to") for o in outcomes if o["kind"] == "closed"), None)
            if sides and below not in (None, sides[-1].page):
                sides.append(self.side(sides[-1].window, below))
                told = self.ask(sides[-1], None)
                return self.judge_page(sides, told, None, base)
            return judge.Judged(**base, changed=True, modelled=True, picture=right, states=right, why=why)
        if kinds & {"closed", "minimised"}:
            return judge.Judged(
                **base, changed=False, modelled=True, picture=False, states=False, why="it did not close"
            )
        if fresh:
            return self.judge_window(sides, fresh[-1], told, base)
        pictured = kinds & {"maximised", "page"}
        carries = next((o["carries"] for o in outcomes if "carries" in o), None)
        if opens:
            return judge.Judged(**base, changed=False, modelled=True, picture=False, states=False, why="no window came")
        if pictured:
            grabs.wait_until_still(side.window, 0.5, 5)
            sides.append(self.side(side.window, told["window"]))
            return self.judge_page(sides, told, carries, base)
        changed = self.has_changed(side, before, records, popup)
        side.state = told["state"]
        same, off, faults = self.compare_in_time(side, told)
        if not same or faults:
            self.show(side, told, f"walk{number}")
        why = "; ".join(([] if same else [f"{off} px differ"]) + faults[:4])
        return judge.Judged(**base, changed=changed, modelled=True, picture=same, states=not faults, why=why)

    def judge_page(self, sides: list[Side], told: dict, carries: dict | None, base: dict) -> judge.Judged:
        """What a window shows instead, the last of the sides. `carries`: what goes along, if values do."""
        if carries is None:
            self.at_home(sides[-1], told)
        else:
            # It is the same window, with what was set in it.
            sides[-1].state = told["state"]
            del sides[-2]
            if not carries.get("focus"):
                self.at_home(sides[-1], told)
        same, off, faults = self.compare_in_time(sides[-1], told)
        if not same or faults:
            self.show(sides[-1], told, f"walk{base['walk']}-shown")
        why = "; ".join(([] if same else [f"{off} px of what is shown then differ"]) + faults[:4])
        return judge.Judged(**base, changed=True, modelled=True, picture=same, states=not faults, why=why)

    def lit_entry(self, side: Side, element: dict) -> dict | None:
        """The pack's entry of the open list that stands where an element does, if it is known how that looks with the
        pointer over it."""
        lit = set(self.pages()[side.page]["lit"])
        if not lit:
            return None
        x, y = centre(tuple(element["bbox"]))
        shown = self.ask(side, None)["elements"]
        return next((e for e in shown if e["id"] in lit and e["popup"] is not None and holds(e["bbox"], x, y)), None)

    def hover(self, side: Side, entry: dict, number: int) -> judge.Judged:
        """The pointer over an entry of an open list."""
        point = centre(tuple(entry["bbox"]))
        x11.move_pointer(point[0] + side.origin[0], point[1] + side.origin[1])
        side.desk.settle(awaits=True)
        told = self.ask(side, None, entry["id"])
        same, off, faults = self.compare_in_time(side, told)
        if not same:
            self.show(side, told, f"hover{number}")
        x11.park_pointer()
        why = "; ".join(([] if same else [f"{off} px differ"]) + faults[:4])
        return judge.Judged(number, side.page, entry["role"], entry["name"], {"hover": list(point)}, changed=True,
                            modelled=True, picture=same, states=not faults, why=why)  # fmt: skip

    def fresh(self, known: set[int], seconds: float) -> list:
        """Windows that have come; `seconds`: how long one is awaited."""
        end = time.monotonic() + seconds
        while True:
            found = [w for w in x11.clients() if w.id not in known and not self.live.stage.owns(w)]
            if found or time.monotonic() >= end:
                return found
            time.sleep(0.05)

    def stays(self, window, seconds: float) -> bool:
        """Whether a window still shows; `seconds`: how long its end is awaited."""
        end = time.monotonic() + seconds
        while x11.exists(window) and not hidden(window):
            if time.monotonic() >= end:
                return True
            time.sleep(0.05)
        return False

    def judge_window(self, sides: list[Side], window, told: dict, base: dict) -> judge.Judged:
        grabs.wait_until_still(window, 0.4, 5)
        to = next((o["to"] for o in told["outcomes"] if o["kind"] == "window"), None)
        if to is None:
            return judge.Judged(**base, changed=True, modelled=True, picture=False, states=False, why="a window came")
        side, after = self.side(window, to), told["state"]
        told = self.ask(side, None)
        self.at_home(side, told)
        same, off, faults = self.compare_in_time(side, told)
        if not same or faults:
            self.show(side, told, "window")
        # An entry of a menu has closed that.
        sides[-1].state = after
        sides.append(side)
        why = "; ".join(([] if same else [f"{off} px of the new window differ"]) + faults[:4])
        return judge.Judged(**base, changed=True, modelled=True, picture=same, states=not faults, why=why)

    def leave(self, sides: list[Side], right: bool) -> None:
        sides.pop()
        self.known.clear()
        if right and sides and x11.exists(sides[-1].window):
            sides[-1].desk.activate()
            sides[-1].desk.settle(awaits=True)
        elif sides:
            sides.clear()

    def do(self, side: Side, event: dict) -> None:
        desk = side.desk
        self.known.clear()
        popups = len(desk.popups())
        if "click" in event:
            x, y = event["click"][0] + side.origin[0], event["click"][1] + side.origin[1]
            if popups:
                desk.click_popup(x, y, 0.8)
            else:
                desk.click(x, y)
        elif "scroll" in event:
            (x, y), (_, notches) = event["scroll"]["at"], event["scroll"]["notches"]
            desk.turn(x + side.origin[0], y + side.origin[1], notches)
        elif "key" in event:
            x11.press(event["key"])
        elif "type" in event:
            x11.press("End")
            x11.type_text(event["type"])
        if ("key" in event or "type" in event) and x11.exists(side.window):
            desk.hide_rings()
        if x11.exists(side.window):
            desk.show_rings()
            desk.settle(awaits=True)
            if desk.wait_for_popup(0.2):
                desk.settle(awaits=True)
            time.sleep(0.1)

    def has_changed(self, side: Side, before: np.ndarray, records: list[dict], popup: bool) -> bool:
        try:
            if popup != bool(side.desk.popups()) or not changes.alike(before, side.desk.grab()):
                return True
            return bool(judge.state_faults(records, self.read(side)[0]))
        except error.XError:
            if x11.exists(side.window):
                raise
            # It was about to close.
            return True

    def compare_in_time(self, side: Side, told: dict) -> tuple[bool, int, list[str]]:
        """As `compare`. What differs may not be drawn yet."""

        def compare_anew() -> tuple[bool, int, list[str]]:
            self.known.clear()
            return self.compare(side, told)

        return patience.until(lambda seen: seen[0] and not seen[2], self.compare(side, told), compare_anew, AGAIN_S)

    def compare(self, side: Side, told: dict) -> tuple[bool, int, list[str]]:
        """Whether the picture is the same, how many px differ, and what of the states does."""
        with Image.open(self.out / "told.png") as picture:
            composed = np.asarray(picture.convert("RGBA"))
        x, y = told.get("origin") or (0, 0)
        whole = (x, y, x + composed.shape[1], y + composed.shape[0])
        popups = [tuple(box) for box in told.get("popups") or []]
        records, popup = self.read(side)
        if popup != bool(popups):
            return False, -1, ["a popup is open on one side alone"]
        client = shifted(x11.box_of(side.window), -side.origin[0], -side.origin[1])
        inner = intersection(client, whole)
        if inner is None:
            return False, -1, ["the window lies elsewhere"]
        hidden = [*popups, *(tuple(box) for box in told.get("volatile") or [])]
        seen = changes.cut(side.desk.grab(), inner, client)
        off = judge.same_picture(
            changes.cut(composed, inner, whole), seen, [changes.local(box, inner) for box in hidden]
        )[1]
        # Of a list its own window is compared: what the compositor adds is no part of it.
        there = {p.box: popup_picture(p) for p in side.desk.popups()}
        for box in popups:
            seen = there.get(shifted(box, *side.origin))
            if seen is None:
                return False, -1, ["the list that opened lies elsewhere"]
            part = changes.cut(composed, box, whole).copy()
            part[seen[..., 3] < 255, 3] = 0
            off += max(0, judge.same_picture(part, seen[..., :3], ())[1])
        shown = [e for e in told["elements"] if e.get("popup") is not None] if popups else told["elements"]
        heights = self.pages()[side.page]["heights"]
        return 0 <= off <= changes.MOST_PIXELS, off, judge.state_faults(shown, records, heights)

    def show(self, side: Side, told: dict, name: str) -> None:
        """Keeps what was told and what was seen, to be looked at."""
        self.shown += 1
        if self.shown > MOST_SHOWN:
            return
        with Image.open(self.out / "told.png") as picture:
            composed = np.asarray(picture.convert("RGB"))
        x, y = told.get("origin") or (0, 0)
        at = shifted((x, y, x + composed.shape[1], y + composed.shape[0]), *side.origin)
        seen = side.desk.screen(at)
        high = min(composed.shape[0], seen.shape[0])
        sheet = np.hstack([composed[:high], seen[:high]])
        Image.fromarray(sheet).save(self.out / f"miss-{self.shown}-{name}.png", compress_level=1)
