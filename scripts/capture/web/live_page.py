"""One page in the browser: events at its pixels, and what it then looks like."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..boxes import Box, intersection
from .browser import Broken, Browser, script_of

# Where the pointer rests while the page is looked at, device px.
NEUTRAL = (1, 1)
# How many steps a drag takes.
DRAG_STEPS = 4


@dataclass
class Look:
    """What a page shows with the pointer and the focus elsewhere; boxes in device px."""

    picture: np.ndarray
    elements: list[dict]
    controls: dict[str, dict]

    def values(self) -> dict:
        return {key: control["value"] for key, control in self.controls.items()}


class LivePage:
    """`size` and all points are device px; `scale` of them make a layout px."""

    def __init__(self, browser: Browser, address: str, size: tuple[int, int], scale: int, dark: bool):
        self.browser, self.address, self.size, self.scale = browser, address, size, scale
        for domain in ("Page", "Runtime"):
            browser.send(f"{domain}.enable")
        wide, high = (side // scale for side in size)
        phone = scale > 1
        metrics = {"width": wide, "height": high, "deviceScaleFactor": scale, "mobile": phone}
        browser.send("Emulation.setDeviceMetricsOverride", **metrics)
        features = {"prefers-color-scheme": "dark" if dark else "light", "prefers-reduced-motion": "reduce"}
        features |= {"hover": "none", "pointer": "coarse"} if phone else {}
        told = [{"name": name, "value": value} for name, value in features.items()]
        browser.send("Emulation.setEmulatedMedia", features=told)
        browser.send("Emulation.setTimezoneOverride", timezoneId="UTC")
        browser.send("Page.addScriptToEvaluateOnNewDocument", source=script_of("probe.js"))

    def load(self) -> None:
        """The page as somebody sees it first."""
        self.browser.send("Page.navigate", url="about:blank")
        self.browser.send("Page.navigate", url=self.address)
        for _ in range(200):
            try:
                if self.browser.run("window.windesk ? windesk.ready() : false"):
                    break
            except Broken as error:
                if "context" not in str(error):
                    raise
            faults = self.browser.run("window.faults || null")
            if faults:
                raise Broken(f"{self.address}: {faults}")
            self.browser.run("new Promise(done => setTimeout(done, 25))")
        else:
            raise Broken(f"{self.address}: it does not say that it is ready")
        self.rest()
        # Nodes are numbered in the order of the page as it is at first.
        self.browser.run("new Promise(done => setTimeout(done, 60)).then(() => { windesk.read(true) })")

    def at(self, point) -> tuple[float, float]:
        """A device px as the layout's point in its middle; whole px where the two are the same."""
        if self.scale == 1:
            return tuple(point)
        return tuple(round((v + 0.5) / self.scale, 3) for v in point)

    def rest(self) -> None:
        self.browser.pointer([("mouseMoved", self.at(NEUTRAL), False)])

    def click(self, point) -> None:
        at = self.at(point)
        self.browser.pointer([("mouseMoved", at, False), ("mousePressed", at, True), ("mouseReleased", at, False)])

    def drag(self, start, end, hold: int = 0, steps: int | None = None, rest: int = 0) -> None:
        """Along a straight line; `hold` is for how many milliseconds the pointer rests at its end, after more steps,
        `rest` for how many at each step on the way."""
        steps = steps or (DRAG_STEPS if hold else 2)
        first, last = self.at(start), self.at(end)
        events = [("mouseMoved", first, False), ("mousePressed", first, True)]
        self.browser.pointer(events)
        for step in range(1, steps + 1):
            between = [int(a + (b - a) * step / steps) for a, b in zip(start, end, strict=True)]
            # Each move by itself: those of one frame would become one.
            self.browser.pointer([("mouseMoved", self.at(between) if step < steps else last, True)])
            if rest and step < steps:
                self.browser.run(f"new Promise(done => setTimeout(done, {rest}))")
        if hold:
            self.browser.run(f"new Promise(done => setTimeout(done, {hold}))")
        self.browser.pointer([("mouseReleased", last, False)])

    def value(self, control: str):
        return tidy(self.browser.run(f"windesk.value({control!r})"))

    def control(self, control: str) -> dict:
        """What a control says of itself now."""
        return self._controls(self.browser.run("windesk.read(false)"))[control]

    def look(self, calm: bool = True) -> Look:
        """Pointer and focus are taken away first."""
        if calm:
            self.rest()
        told = self.browser.run("windesk.still()")
        if told["faults"]:
            raise Broken(f"{self.address}: {told['faults']}")
        elements = []
        for element in told["elements"]:
            box = self.box(element["bbox"])
            if box:
                element["state"] = tidy(element["state"])
                elements.append({**element, "bbox": list(box)})
            else:
                elements.append(None)
        places = {number: element for number, element in enumerate(elements) if element}
        kept = []
        for element in places.values():
            up = element["parent"]
            while up is not None and up not in places:
                up = told["elements"][up]["parent"]
            kept.append({**element, "parent": None if up is None else f"e{places[up]['uid']}"})
        controls = self._controls(told)
        kept = without_doubles(kept, {part["uid"] for control in controls.values() for part in control["parts"]})
        # The core of what a control is set to belongs to its element.
        for element in kept:
            control = controls.get(element.pop("control") or "")
            if control:
                element["is_control"] = control["id"]
                if control["core"]:
                    element["state"]["core"] = list(control["core"])
        return Look(self.browser.picture(), kept, controls)

    def box(self, told) -> Box | None:
        """A layout box in device px, clipped to the page."""
        if told is None:
            return None
        box = tuple(round(v * self.scale) for v in told)
        return intersection(box, (0, 0, *self.size)) if box[0] < box[2] and box[1] < box[3] else None

    def _controls(self, told: dict) -> dict[str, dict]:
        out = {}
        for key, control in told["controls"].items():
            parts = [{**part, "box": self.box(part["box"])} for part in control["parts"]]
            boxes = {name: self.box(control[name]) for name in ("box", "core", "target")}
            out[key] = {**control, **boxes, "parts": [p for p in parts if p["box"]], "value": tidy(control["value"])}
        return out


def without_doubles(elements: list[dict], parts: set[int]) -> list[dict]:
    """One of those that share role, name and box: the part of a control, else the first. A drawn mark and the hidden
    input behind it are one thing to a person."""
    best: dict[tuple, dict] = {}
    for element in elements:
        key = element["role"], element["name"], *element["bbox"]
        if key not in best or (element["uid"] in parts and best[key]["uid"] not in parts):
            best[key] = element
    stays = {element["uid"] for element in best.values()}
    up = {f"e{element['uid']}": element["parent"] for element in elements if element["uid"] not in stays}
    out = [element for element in elements if element["uid"] in stays]
    for element in out:
        while element["parent"] in up:
            element["parent"] = up[element["parent"]]
    return out


def address_of(page: Path, dark: bool) -> str:
    return page.as_uri() + ("#dark" if dark else "#light")


def tidy(value):
    """Numbers as a living file writes them."""
    if isinstance(value, dict):
        return {key: tidy(part) for key, part in value.items()}
    if isinstance(value, list):
        return [tidy(part) for part in value]
    if isinstance(value, float):
        value = round(value, 6)
        return int(value) if value.is_integer() else value
    return value
