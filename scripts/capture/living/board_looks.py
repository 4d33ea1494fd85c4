"""What is known of a board's looks: pictures of values and marks, learned one at a time from pictures of the window.
Nothing here touches the screen.

A cell shows layers, one over the other: its own value if that has a look, then its marks in their order. A picture of
the board teaches a layer where it is the only one of its cell that is not known yet and no other mark shows there; all
other cells of the picture have to look as composed.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from ..boxes import Box, shifted
from . import changes
from .games import Game, Mark, Place, Value, cell

# Of how many rectangles a look may consist; else it has a mask.
MOST_RECTANGLES = 6
# A control's value on a cell.
Layer = tuple[str, Value]


@dataclass
class BoardLooks:
    """`boxes` are px of the client window."""

    game: Game
    boxes: dict[Place, Box]
    base: np.ndarray  # the client window as the game begins
    first: dict[str, Value]  # the values of all controls then
    known: dict[tuple[Place, Layer], list[changes.Piece]] = field(default_factory=dict)
    seen: dict[tuple[Place, Layer], int] = field(default_factory=dict)  # how often, the first time counted
    lent: set[tuple[Place, Layer]] = field(default_factory=set)  # taken from another cell
    unlike: set[tuple[Place, Layer]] = field(default_factory=set)  # which looked different there
    marks: dict[Place, list[Mark]] = field(default_factory=dict)

    def __post_init__(self):
        for mark in self.game.marks:
            if mark.place is not None:
                self.marks.setdefault(mark.place, []).append(mark)

    def layers(self, place: Place, values: dict[str, Value]) -> list[Layer]:
        """What a cell shows, the lowest first: what is as in the base is no layer."""
        own = cell(place)
        controls = [own] if self.game.shown and own in values else []
        controls += [mark.id for mark in self.marks.get(place, ())]
        return [(name, values[name]) for name in controls if values[name] != self.first[name]]

    def lesson(self, place: Place, values: dict[str, Value]) -> Layer | None:
        """The layer that a picture of these values teaches of a cell: its own value alone, or one mark over it. Two
        marks may draw the same pixels."""
        layers = self.layers(place, values)
        new = [layer for layer in layers if (place, layer) not in self.known]
        marks = [layer for layer in layers if layer[0] != cell(place)]
        return new[0] if len(new) == 1 and len(marks) <= 1 and layers[-1] == new[0] else None

    def composed(self, place: Place, layers: list[Layer]) -> np.ndarray:
        """A cell's picture with the layers of it that are known."""
        x0, y0, x1, y1 = self.boxes[place]
        picture = self.base[y0:y1, x0:x1].copy()
        for layer in layers:
            for piece in self.known.get((place, layer), ()):
                left, top, right, bottom = shifted(piece.rect, -x0, -y0)
                picture[top:bottom, left:right][piece.mask] = piece.active[piece.mask]
        return picture

    def is_composed(self, picture: np.ndarray, values: dict[str, Value]) -> bool:
        """Whether every cell of a picture looks as its layers say; all of them have to be known."""
        for place, (x0, y0, x1, y1) in self.boxes.items():
            layers = self.layers(place, values)
            if any((place, layer) not in self.known for layer in layers):
                return False
            if not changes.alike(self.composed(place, layers), picture[y0:y1, x0:x1]):
                return False
        return True

    def learn(self, picture: np.ndarray, values: dict[str, Value]) -> list[str]:
        """Learns from a picture of the window; returns what does not look as it has to."""
        faults = []
        for place, box in self.boxes.items():
            x0, y0, x1, y1 = box
            part, layers = picture[y0:y1, x0:x1], self.layers(place, values)
            lesson = self.lesson(place, values)
            told = self.composed(place, layers)
            if lesson is not None:
                if not self._take(place, lesson, told, part):
                    faults.append(f"{cell(place)}: {lesson} shows nothing")
                    continue
            elif any((place, layer) not in self.known for layer in layers):
                continue
            elif not changes.alike(told, part):
                doubted = [layer for layer in layers if (place, layer) in self.lent and (place, layer) not in self.seen]
                if doubted:
                    self._take_back(place, doubted)
                    continue
                faults.append(f"{cell(place)}: {changes.strayed(told, part)} px differ with {layers}")
                continue
            for layer in layers:
                self.seen[place, layer] = self.seen.get((place, layer), 0) + 1
        return faults

    def _take(self, place: Place, layer: Layer, told: np.ndarray, part: np.ndarray) -> bool:
        """Keeps what a picture shows of a layer; False if it shows nothing of it."""
        x0, y0, x1, y1 = self.boxes[place]
        mask = changes.changed(told, part)
        if not self.game.shown:
            # The mark is all that a cell shows.
            mask[:] = mask.any()
        self.known[place, layer] = rectangles(changes.Piece((x0, y0, x1, y1), mask, part.copy(), None))
        return bool(mask.any())

    def shows(self, place: Place, layer: Layer, values: dict[str, Value]) -> bool:
        """Whether a board shows a look of a cell, together with others that are known."""
        layers = self.layers(place, values)
        return layer in layers and all((place, other) in self.known for other in layers)

    def lend(self, place: Place, layer: Layer) -> bool:
        """Takes a look from another cell, where it was learned; the first picture of it has to agree."""
        if (place, layer) in self.unlike:
            return False
        kind = layer[0].rsplit("-", 2)[0]
        for (other, (name, value)), pieces in self.known.items():
            if value == layer[1] and name.rsplit("-", 2)[0] == kind and (other, (name, value)) not in self.lent:
                dx, dy = (self.boxes[place][i] - self.boxes[other][i] for i in (0, 1))
                self.known[place, layer] = [replace(p, rect=shifted(p.rect, dx, dy)) for p in pieces]
                self.lent.add((place, layer))
                return True
        return False

    def forget(self, place: Place, layer: Layer) -> None:
        for told in (self.known, self.seen):
            told.pop((place, layer), None)
        self.lent.discard((place, layer))

    def _take_back(self, place: Place, layers: list[Layer]) -> None:
        for layer in layers:
            self.forget(place, layer)
            self.unlike.add((place, layer))

    def is_proved(self, place: Place, layer: Layer) -> bool:
        """Whether it was seen to look as composed."""
        return self.seen.get((place, layer), 0) > ((place, layer) not in self.lent)

    def wanted(self) -> list[tuple[Place, Layer]]:
        """Every layer that a cell may have."""
        out = []
        for place in self.boxes:
            own = cell(place)
            if self.game.shown and own in self.first:
                out += [(place, (own, value)) for value in self.game.values if value != self.first[own]]
            for mark in self.marks.get(place, ()):
                out += [(place, (mark.id, value)) for value, _ in mark.cases if value != self.first[mark.id]]
        return out


def rectangles(piece: changes.Piece) -> list[changes.Piece]:
    """The same as rectangles without masks, if few are enough: frames are made of bars."""
    rows = [tuple(np.flatnonzero(np.diff(np.pad(row, 1).astype(np.int8)))) for row in piece.mask]
    boxes, begin = [], 0
    for at in range(1, len(rows) + 1):
        if at == len(rows) or rows[at] != rows[begin]:
            runs = rows[begin]
            boxes += [(runs[n], begin, runs[n + 1], at) for n in range(0, len(runs), 2)]
            begin = at
    if len(boxes) > MOST_RECTANGLES:
        small = changes.shrunk(piece)
        return [] if small is None else [small]
    left, top = piece.rect[:2]
    parts = [piece.within(shifted(tuple(map(int, box)), left, top)) for box in boxes]
    return [part for part in parts if part is not None]
