"""One field of a live page, typed into: its letters, where they show, and what else changes with them."""

import contextlib
import time
from dataclasses import dataclass, replace

import numpy as np

from .. import tree_reader, x11
from ..atspi import Atspi, GLib
from ..boxes import Box, centre, grown, holds, shifted
from . import changes, letters, matching, patience, shaping
from .carets import Carets
from .desk import Desk
from .letter_places import MOST_SPACES, Seen, raster_of, spaces_for
from .letters import ASCII, Effect, Field, Letters, Place, Raster, Shape, Unfit
from .spots import spot

# A text in which most shapes of letters occur.
SAMPLE = "Hamburgefonstiv"
# Letters whose lower edge is the base line, and that fill their whole width.
UPRIGHT, FILLS = "H", "_"
# How wide that letter is at least.
NARROW_PX = 5
# Letters that tell whether a field has those of another one.
PROBES = (UPRIGHT, "g", "Q", "%", "8", "_")
# A long text is taken once nothing has changed for so long; it is awaited so often at most.
REST_S, MOST_RESTS = 0.5, 20
# How long a program that has not drawn what was typed is given, and how often.
AGAIN_S, MOST_AGAIN = 0.3, 3
# Letters that are typed in one go.
AT_ONCE = 200
# What a letter covers at least of a px, of 255.
LEAST_COVER = 3


class Another(Exception):
    """A field has other letters than those that are known."""


@dataclass(frozen=True)
class Known:
    """Letters of a field, also those that stand differently beside others, and where they are drawn."""

    letters: Letters
    raster: Raster


class TypedField:
    """`origin` is the place of the page's picture on the screen; `elements` are the page's, `element` one of them."""

    def __init__(self, desk: Desk, origin, elements: list[dict], element: dict, read):
        self.desk, self.origin, self.elements, self.element = desk, origin, elements, element
        self.read = read
        toolkit = desk.toolkit.lower()
        # Fields of GTK are seen without a caret (fresh.py).
        self.hides_caret = "gtk" in toolkit or "libreoffice" in toolkit or "vcl" in toolkit
        client = x11.box_of(desk.window)
        self.offset = client[0] - origin[0], client[1] - origin[1]
        self.box: Box = tuple(element["bbox"])
        self.grabs = 0
        self.font = ""
        self.tried: list[tuple[str, np.ndarray]] = []  # texts, and the field with each
        self.every: Letters | None = None  # also letters that stand differently beside others
        self.raster: Raster | None = None

    # doing

    def enter(self) -> None:
        """The focus in the field, its caret at the end."""
        x, y = spot(self.element["role"], self.box)
        self.desk.click(x + self.origin[0], y + self.origin[1])
        self.desk.show_rings()
        self.desk.settle(awaits=True)
        x11.press("End")
        self.desk.settle()

    def put(self, text: str) -> None:
        """The field holding this text alone, with the focus."""
        x11.press("ctrl+a")
        for start in range(0, len(text), AT_ONCE):
            x11.type_text(text[start : start + AT_ONCE])
        if not text:
            x11.press("Delete")
        self.desk.settle(awaits=True)

    def seen(self) -> np.ndarray:
        self.grabs += 1
        return self.desk.grab()

    def looks(self, text: str) -> tuple[np.ndarray, np.ndarray, list[dict]]:
        """The window with a text in the field and the focus at home: active, inactive, and its elements."""
        self.enter()
        self.put(text)
        self.desk.go_home()
        self.desk.settle(awaits=True)
        active = self.seen()
        inactive = self.desk.inactive(active)
        self.grabs += 1
        self.desk.go_home()
        return active, inactive, self.read()

    def shows(self, text: str) -> np.ndarray:
        """The window with a text in the field: with the focus, or at home where a caret would be in the way."""
        if not self.hides_caret:
            self.enter()
        self.put(text)
        if not self.hides_caret:
            self.desk.go_home()
            self.desk.settle(awaits=True)
        return self.seen()

    def original(self, text: str) -> bool:
        """Puts the page's own text back; whether the field then shows another one."""
        self.enter()
        self.put(text)
        self.desk.go_home()
        handle = self.handle()
        if handle is None:
            return False
        with contextlib.suppress(GLib.Error, AttributeError):
            own = handle.get_text_iface()
            return Atspi.Text.get_text(own, 0, -1) != text
        return False

    def _shows_other(self, text: str, before: np.ndarray | None) -> np.ndarray:
        """The window with a text in the field, once it looks different from before."""

        def is_other(seen: np.ndarray) -> bool:
            return before is None or not np.array_equal(seen, before)

        return patience.until(is_other, self.shows(text), self.seen, [AGAIN_S] * MOST_RESTS)

    # measuring

    def measure(self, control: str, text: str, shaped, known: Known | None = None, inset=None) -> Field:
        """All that is known of a field. `text` is the page's own; `shaped` gives the shape of a font. `known`: letters
        of another field, which are taken if some of them look the same here. `inset`: how far beside the ends of the
        field letters show, where that is known."""
        own = self.looks(text) if text else None
        blank = self.looks("")
        own = own or blank
        sample = self.looks(SAMPLE)
        self.enter()
        self.put("")
        whole = self.shows("")
        self.font = self.font_of()
        shape = shaped(self.font)
        clip = self._clip(whole) if inset is None else self._within(inset)
        self.raster = raster = known.raster if known else raster_of(shape, UPRIGHT, self._behind_spaces(whole, clip))
        names = [name for name in PROBES if name in known.letters.letters] if known else ASCII[1:]
        spaces = {name: [1] if known else spaces_for(shape, raster, name) for name in names}
        pictures = self._pictures(spaces)
        ground = self._with_effects(self._cut(whole, self.box), pictures, clip)
        below = changes.cut(ground, clip, self.box)
        pictures = {key: changes.cut(picture, clip, self.box) for key, picture in pictures.items()}
        if known is None:
            place, self.every = self._own(below, pictures, shape, raster, clip)
        else:
            place, self.every = self._same_as(known, below, pictures, shape, clip), known.letters
        told = self.every.without(shape.dropped)
        told.inactive = self._inactive(told, place, blank, sample)
        if known is not None and _is_near(told.inactive, known.letters.inactive):
            told.inactive = known.letters.inactive
        field = Field(control, self.element["id"], told, place)
        if not self.hides_caret:
            Carets(self, field, shape).measure(text)
        self._beside(field, own, blank, sample, text)
        return field

    def _own(self, below, pictures, shape: Shape, raster: Raster, clip: Box) -> tuple[Place, Letters]:
        """Where a field shows its text, and its letters. `pictures`: by letter, and spaces before it."""
        colour = letters.colour_of(below, pictures.values())
        found: dict[str, list[letters.Letter]] = {}
        for (name, count), seen in pictures.items():
            cover = letters.cover_of(below, seen, colour)
            if not letters.is_of_colour(below, seen, colour, cover):
                raise Unfit(f"{name!r} is drawn in several colours")
            # What a rounding of one level leaves is no part of a letter.
            cover[cover < LEAST_COVER] = 0
            one = letters.letter_of(cover, (0, 0), (0, 0))
            if one.cover is None:
                raise Unfit("a letter does not show")
            one.left -= raster.nearest(shape.behind(count, name))[0]
            found.setdefault(name, []).append(one)
        measured = {" ": letters.Letter(0), **{name: letters.side_by_side(own) for name, own in found.items()}}
        upright = measured[UPRIGHT]
        origin = upright.left - 1, upright.top + upright.cover.shape[0]
        for name, letter in measured.items():
            letter.advance = shape.advances[name]
            if letter.cover is not None:
                letter.left, letter.top = letter.left - origin[0], letter.top - origin[1]
        place = Place((clip[0] + origin[0], clip[1] + origin[1]), clip, raster.shift)
        return place, Letters(measured, shape.kerning, colour, colour, shape.parts, raster.phases)

    def _same_as(self, known: Known, below, pictures, shape: Shape, clip: Box) -> Place:
        """Where a field shows its text, if it has the letters of another one."""
        seen = pictures[UPRIGHT, 1]
        cover = letters.cover_of(below, seen, known.letters.colour)
        cover[cover < LEAST_COVER] = 0
        here = letters.letter_of(cover, (0, 0), (0, 0))
        x, phase = known.raster.nearest(shape.behind(1, UPRIGHT))
        there = letters.letter_of(known.letters.cover(UPRIGHT, phase), (0, 0), (0, 0))
        right = known.letters.letters[UPRIGHT]
        bare = Place((here.left - x - right.left - there.left, here.top - right.top - there.top),
                     (0, 0, clip[2] - clip[0], clip[3] - clip[1]), known.raster.shift)  # fmt: skip
        for (name, count), picture in pictures.items():
            told = letters.drawn(below, known.letters, " " * count + name, bare)
            if not changes.alike(told, picture):
                raise Another
        return Place((clip[0] + bare.origin[0], clip[1] + bare.origin[1]), clip, known.raster.shift)

    def _behind_spaces(self, whole: np.ndarray, clip: Box) -> list[Seen]:
        """One letter behind more and more spaces."""
        below, looks, out, before = self._cut(whole, clip), [], [], None
        for count in range(1, MOST_SPACES + 1):
            before = self._shows_other(" " * count + UPRIGHT, before)
            off = changes.changed(below, self._cut(before, clip))
            rows, columns = np.flatnonzero(off.any(axis=1)), np.flatnonzero(off.any(axis=0))
            if not len(columns):
                raise Unfit("a letter does not show")
            own = self._cut(before, clip)[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
            look = next((n for n, known in enumerate(looks) if changes.alike(known, own)), len(looks))
            if look == len(looks):
                looks.append(own)
            out.append(Seen(count, look, int(columns[0])))
        return out

    def _pictures(self, spaces: dict[str, list[int]]) -> dict[tuple[str, int], np.ndarray]:
        """The field with each letter alone, behind spaces: a letter that begins left of its origin would be cut off.
        What shows beside the field has to be the same with all."""
        out, first, before = {}, None, None
        for name, counts in spaces.items():
            for count in counts:
                before = seen = self._shows_other(" " * count + name, before)
                out[name, count] = self._cut(seen, self.box).copy()
                first = seen if first is None else first
                off = changes.strayed(first, seen, [self._local(self.box), *self._volatile()])
                if off > changes.MOST_PIXELS:
                    raise Unfit(f"{off} px beside the field look different with {name!r}")
        return out

    def _cut(self, picture: np.ndarray, box: Box) -> np.ndarray:
        x0, y0, x1, y1 = shifted(box, -self.offset[0], -self.offset[1])
        return picture[max(0, y0) : y1, max(0, x0) : x1]

    def _clip(self, ground: np.ndarray) -> Box:
        """Where letters show: that of a text which is longer than the field, seen from both of its ends."""
        if not self.hides_caret:
            self.enter()
        self.put(FILLS * ((self.box[2] - self.box[0]) // NARROW_PX))
        sides = []
        for key in ("End", "Home"):
            if not self.hides_caret and sides:
                self.enter()
            x11.press(key)
            if not self.hides_caret:
                self.desk.go_home()
            columns = np.flatnonzero(self._rows_of_letters(ground, self._at_rest()))
            if not len(columns):
                raise Unfit("a long text does not show")
            sides += [int(columns[0]), int(columns[-1]) + 1]
        left = self.box[0]
        clip = left + min(sides), self.box[1], left + max(sides), self.box[3]
        self.put("")
        return clip

    def _at_rest(self) -> np.ndarray:
        """What shows once a long text has been taken."""
        self.desk.settle(awaits=True)
        before = self.seen()
        for _ in range(MOST_RESTS):
            time.sleep(REST_S)
            now = self.seen()
            if np.array_equal(before, now):
                break
            before = now
        return before

    def _within(self, inset: tuple[int, int]) -> Box:
        x0, y0, x1, y1 = self.box
        return x0 + inset[0], y0, x1 - inset[1], y1

    def _rows_of_letters(self, ground: np.ndarray, seen: np.ndarray) -> np.ndarray:
        """Which columns of the field differ in the row that differs most."""
        off = changes.changed(self._cut(ground, self.box), self._cut(seen, self.box))
        return off[int(off.sum(axis=1).argmax())]

    def _with_effects(self, ground: np.ndarray, pictures: dict[tuple, np.ndarray], clip: Box) -> np.ndarray:
        """The empty field with what else changes in it with any text, which has to be the same for all."""
        shared = np.logical_and.reduce([changes.changed(ground, p) for p in pictures.values()])
        first = next(iter(pictures.values()))
        out = ground.copy()
        out[shared] = first[shared]
        inside = shifted(clip, -self.box[0], -self.box[1])
        for (name, _), picture in pictures.items():
            off = changes.strayed(out, picture, [inside])
            if off > changes.MOST_PIXELS:
                raise Unfit(f"{off} px beside the text look different with {name!r}")
        return out

    def _local(self, box: Box) -> Box:
        return shifted(box, -self.offset[0], -self.offset[1])

    def _volatile(self) -> list[Box]:
        return list(self.desk.volatile)

    def _inactive(self, told: Letters, place: Place, blank, sample) -> letters.Colour:
        """The colour of letters in a window without the focus; the sample has to look as composed in both."""
        inside = place.clip
        for at, what in ((0, "with the focus elsewhere"), (1, "in a window without the focus")):
            ground, seen = self._cut(blank[at], inside), self._cut(sample[at], inside)
            bare = self._moved(place, inside)
            share = letters.drawn(np.zeros_like(ground), told, SAMPLE, bare, (255, 255, 255))[..., 0]
            colour = letters.colour_by(ground, seen, share)
            off = changes.strayed(letters.drawn(ground, told, SAMPLE, bare, colour), seen)
            if off > changes.MOST_PIXELS:
                raise Unfit(f"{off} px of a text differ {what}")
            if at == 0 and not _is_near(colour, told.colour):
                raise Unfit(f"letters are {colour} with the focus elsewhere, {told.colour} with it")
        return colour

    def _moved(self, place: Place, box: Box) -> Place:
        """A place as seen from the top left of a box."""
        x, y = box[:2]
        return replace(place, origin=(place.origin[0] - x, place.origin[1] - y), clip=shifted(place.clip, -x, -y))

    def _beside(self, field: Field, own, blank, sample, text: str) -> None:
        """What the empty field and other texts change of the page beside the letters."""
        inside = self._local(field.place.clip)
        ignored = [inside, *self._volatile()]
        x, y = self.offset
        if text:
            parts = changes.pieces(own[0], blank[0], (own[1], blank[1]), self._volatile())
            within = [part for p in parts if (part := p.within(inside))]
            field.blank = [letters.moved(p, x, y) for p in within]
            found = self._changes(blank[2])
            field.blank_changes = [c for c in found if c["id"] == self.element["id"]]
            self._effect(field, own, blank, ignored, [c for c in found if c not in field.blank_changes], True)
        found = [c for c in self._changes(sample[2]) if c["id"] != self.element["id"]]
        self._effect(field, own, sample, ignored, found, False)

    def _effect(self, field: Field, own, now, ignored, found: list[dict], empty: bool) -> None:
        x, y = self.offset
        parts = changes.pieces(own[0], now[0], (own[1], now[1]), ignored)
        if any("bbox" in c or c.get("gone") for c in found):
            raise Unfit("elements move or go with the text")
        if parts or found:
            stands_for = found[0]["id"] if found else self.element["id"]
            field.effects.append(Effect(stands_for, [letters.moved(p, x, y) for p in parts], found, empty))

    def _changes(self, records: list[dict]) -> list[dict]:
        known = [{"id": f"now-{number}", "parent": None, **record} for number, record in enumerate(records)]
        difference = matching.difference(self.elements, known, matching.Names())
        if difference.added:
            raise Unfit("elements come with the text")
        return [c for c in difference.changes if set(c) != {"id"}]

    # the font

    def handle(self):
        """The live counterpart of the field."""
        raw = tree_reader.read(self.desk.window, [])
        x, y = centre(shifted(self.box, *self.origin))
        near = [n for n in raw.nodes if n.box and holds(grown(n.box, 2), x, y) and "editable" in n.states]
        near.sort(key=lambda n: (n.box[2] - n.box[0]) * (n.box[3] - n.box[1]))
        return near[0].handle if near else None

    def font_of(self) -> str:
        """The font of the field's text, in Pango's words; empty if the program does not tell."""
        handle = self.handle()
        told: dict[str, str] = {}
        with contextlib.suppress(GLib.Error, AttributeError, TypeError):
            text = handle.get_text_iface()
            told = dict(Atspi.Text.get_default_attributes(text) or {})
            if "family-name" not in told:
                told |= dict(Atspi.Text.get_attribute_run(text, 0, True)[0] or {})
        family, size = told.get("family-name"), told.get("size", "").removesuffix("pt")
        if not family or not size:
            return ""
        size = shaping.points_of(size) if self.desk.gtk4 else size
        weight = told.get("weight", "400")
        return f"{family.strip(chr(34))} {'Bold ' if weight.isdigit() and int(weight) >= 600 else ''}{size}"

    # proving

    def prove(self, field: Field, texts: list[str], ground: np.ndarray | None = None) -> list[tuple[str, int, set]]:
        """Texts that fit, each with how many px differ from what is composed and which letters stand there."""
        out = []
        self.enter()
        first = self._effects_of(field, self.shows("") if ground is None else ground)
        bare = self._moved(field.place, (self.offset[0], self.offset[1], 0, 0))
        for text in texts:
            if not letters.fits(field.letters, text, field.place):
                continue
            told = letters.drawn(first, field.letters, text, bare)
            seen, off = self._shows_as(text, told)
            wrong: set[int] = set()
            if off > changes.MOST_PIXELS:
                columns = np.flatnonzero(changes.changed(told, seen).any(axis=0))
                wrong = letters.where_they_differ(field.letters, text, bare, columns)
            out.append((text, off, wrong))
            self.tried.append((text, self._cut(seen, self.box).copy()))
        self.put("")
        return out

    def _shows_as(self, text: str, told: np.ndarray) -> tuple[np.ndarray, int]:
        """The window with a text in the field, and how many px differ from what is told."""

        def judged(seen: np.ndarray) -> tuple[np.ndarray, int]:
            return seen, changes.strayed(told, seen, self._volatile())

        # A busy program may not have taken all of it.
        return patience.until(
            lambda found: found[1] <= changes.MOST_PIXELS,
            judged(self.shows(text)),
            lambda: judged(self.seen()),
            [AGAIN_S] * MOST_AGAIN,
        )

    def _effects_of(self, field: Field, picture: np.ndarray) -> np.ndarray:
        out = picture.copy()
        for effect in field.effects:
            if not effect.empty:
                for piece in effect.pieces:
                    letters.moved(piece, -self.offset[0], -self.offset[1]).on(out)
        return out


def _is_near(one: letters.Colour, other: letters.Colour) -> bool:
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) <= changes.MOST_LEVELS
