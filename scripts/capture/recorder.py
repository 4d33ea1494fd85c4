"""What a session records of a program: the states it has pictured, the clicks between them, and what went wrong."""

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from . import grabs, x11
from .boxes import covered_share, grown, height, intersection, union, width
from .duplicates import inside
from .elements import Element
from .live import LiveProgram
from .picture import SHADOW_PX, CaptureError, Picture
from .rows import overlapping
from .screen import SCREEN, SCREEN_BOX
from .shots import Shot
from .worth import require_worth


class Recorder:
    """States that are `known` to be in the pack are passed through and not pictured again."""

    def __init__(self, live: LiveProgram, out: Path, known: frozenset[str] = frozenset()):
        self.live, self.out, self.known = live, out, known
        self.shots: list[Shot] = []
        self.transitions: list[dict] = []
        self.failures: list[str] = []

    def capture(
        self,
        window,
        state: str,
        kind: str,
        steps: list[str],
        parent: Shot | None = None,
        placement: str = "floating",
        may_resemble: Sequence[Shot] = (),
    ) -> Shot | None:
        """None if the state is not worth keeping; the reason is noted. `may_resemble` are states that differ in single
        controls."""
        if state in self.known and all(s.state != state for s in self.shots):
            return self._recall(window, state, kind, steps, parent)
        try:
            shot = self._pictured(window, state, kind, steps, parent, placement, may_resemble)
            if placement == "floating" and not shot.popups and overlapping(shot.elements):
                self.live.lay_out_anew(window)
                shot = self._pictured(window, state, kind, steps, parent, placement, may_resemble)
            return self._keep(shot)
        except CaptureError as fault:
            self.failures.append(f"{state}: {fault}")
            return None

    @contextlib.contextmanager
    def _alone(self, window) -> Iterator[None]:
        """No other window shows, though none is unmapped: dialogs would vanish with their parent. What was hidden
        before stays so."""
        hidden = [other for other in self.live.windows_besides(window) if not x11.is_hidden(other)]
        try:
            if not x11.popups():
                x11.activate(window)
            for other in hidden:
                x11.set_opacity(other, False)
            yield
        finally:
            for other in hidden:
                if x11.exists(other):
                    x11.set_opacity(other, True)

    def _pictured(self, window, state, kind, steps, parent, placement, may_resemble: Sequence[Shot]) -> Shot:
        live = self.live
        known = {w.id for w in x11.clients()}
        with self._alone(window):
            grabs.wait_until_still(window, max(0.5, live.program.settle / 3), 8)
            surfaces = x11.popups()
            taken = grabs.take(live.stage, window, [p.box for p in surfaces], placement != "floating")
            popups, raw = live.look_at(window)
            if len(x11.popups()) != len(surfaces) or {w.id for w in x11.clients()} != known:
                raise CaptureError("a popup or window opened or closed meanwhile")
            frame = x11.frame_box(window)
            if any(intersection(p.box, grown(frame, 40)) is None for p in popups):
                raise CaptureError("a popup lies away from the window")
            found = inside(live.collect(window, raw, frame, popups, taken.pixels, taken.origin), taken.box())
            shown = taken.within(union([frame, *(p.box for p in popups)]))
            others = [shot for shot in self.shots if all(shot is not like for like in may_resemble)]
            require_worth(state, kind, found, shown, others)
            delta = None if popups else grabs.inactive_delta(live.stage, window, taken)
            return Shot(
                state=self._unique(state),
                kind=kind,
                title=x11.title(window),
                frame=frame,
                popups=popups,
                elements=found,
                picture=taken,
                inactive=delta,
                toolkit=raw.toolkit,
                steps=steps,
                window_id=window.id,
                parent=parent,
                modal=x11.is_modal(window),
                placement=placement,
            )

    def _recall(self, window, state: str, kind: str, steps: list[str], parent: Shot | None) -> Shot:
        """A state that the pack has: its elements of today, so that transitions can be told, and no picture worth
        storing."""
        grabs.wait_until_still(window, 0.5, 8)
        frame = x11.frame_box(window)
        popups = self.live.look_at(window)[0]
        region = intersection(union([frame, *(p.box for p in popups)]), SCREEN_BOX)
        solid = np.full((height(region), width(region)), 255, np.uint8)
        plain = np.dstack([grabs.grab(region).astype(np.uint8), solid])
        shot = Shot(
            state=state,
            kind=kind,
            title=x11.title(window),
            frame=frame,
            popups=popups,
            elements=self.live.elements_now(window),
            picture=Picture(plain, region[:2]),
            inactive=None,
            toolkit="",
            steps=steps,
            window_id=window.id,
            parent=parent,
        )
        return self._keep(shot)

    def _keep(self, shot: Shot) -> Shot:
        self.shots.append(shot)
        shot.save(self.out)
        return shot

    def _unique(self, state: str) -> str:
        names, candidate, number = {s.state for s in self.shots}, state, 2
        while candidate in names:
            candidate, number = f"{state}-{number}", number + 1
        return candidate

    def capture_dialog(self, window, state: str, steps: list[str], parent: Shot) -> Shot | None:
        margin = SHADOW_PX // 2
        limit = (margin, margin, SCREEN[0] - margin, SCREEN[1] - margin)
        if state not in self.known and covered_share(x11.frame_box(window), limit) < 1:
            x11.move_frame(window, 300, 140)
        kind = "utility" if any(t.endswith("_UTILITY") for t in x11.type_names(window)) else "dialog"
        return self.capture(window, state, kind, steps, parent)

    def link(self, start: Shot, element: Element, action: str, end: Shot) -> None:
        self.transitions.append(
            {
                "from": start.state,
                "element": start.element_id(element),
                "action": action,
                "to": end.state,
                "offset": start.offset_of(end),
            }
        )
