"""Letters that texts of fields are set from, as a program draws them, and what a text then looks like. Lengths along
the line are parts of a px, others px. Nothing here touches the screen."""

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from ..boxes import Box, intersection, shifted
from . import changes

ASCII = tuple(chr(code) for code in range(32, 127))
# Parts of a px, where nothing else is said.
UNITS = 64
# Letters of a random text.
MOST_LETTERS = 24
# A letter's colour shows where it covers a px whole: it has to do so at so many places.
LEAST_WHOLE = 12
Colour = tuple[int, int, int]


class Unfit(Exception):
    """A field whose texts can't be set from letters; the reason."""


@dataclass(frozen=True)
class Shape:
    """How a font sets letters: advances and kerning. `dropped` stand differently beside others than alone."""

    advances: dict[str, int]
    kerning: dict[tuple[str, str], int]
    dropped: frozenset[str] = frozenset()
    parts: int = UNITS

    def behind(self, spaces: int, letter: str) -> int:
        """Where a letter begins behind so many spaces."""
        between = (spaces - 1) * self.kerning.get((" ", " "), 0)
        return spaces * self.advances[" "] + between + self.kerning.get((" ", letter), 0)


@dataclass(frozen=True)
class Raster:
    """Where a program draws letters: at `phases` places within a px, each at the nearest one to `shift` beside where
    the font sets it."""

    parts: int = UNITS
    phases: int = 1
    shift: int = 0

    def nearest(self, at: int) -> tuple[int, int]:
        """The px and the place within it where a letter is drawn that the font sets so far from a px."""
        place = (2 * (at + self.shift) * self.phases + self.parts) // (2 * self.parts)
        return place // self.phases, place % self.phases


@dataclass
class Letter:
    """`left` and `top` are the top left of its picture, seen from its origin on the base line. `cover` says how much of
    each px it covers, 0 to 255; None if nothing is drawn. Its pictures at several places within a px lie side by
    side."""

    advance: int
    left: int = 0
    top: int = 0
    cover: np.ndarray | None = None


@dataclass
class Letters:
    letters: dict[str, Letter]
    kerning: dict[tuple[str, str], int]
    colour: Colour
    inactive: Colour  # in a window without the focus
    parts: int = UNITS
    phases: int = 1

    def can_set(self, text: str) -> bool:
        return all(letter in self.letters for letter in text)

    def without(self, dropped: Iterable[str]) -> "Letters":
        gone = set(dropped)
        letters = {name: letter for name, letter in self.letters.items() if name not in gone}
        kerning = {pair: by for pair, by in self.kerning.items() if not gone & set(pair)}
        return replace(self, letters=letters, kerning=kerning)

    def cover(self, name: str, phase: int) -> np.ndarray | None:
        """What a letter covers at one place within a px."""
        whole = self.letters[name].cover
        wide = 0 if whole is None else whole.shape[1] // self.phases
        return None if whole is None else whole[:, phase * wide : (phase + 1) * wide]


@dataclass
class Caret:
    """The caret behind a text: its box, seen from where the next letter would begin, `shift` parts of a px beside it,
    rounded to the nearest px."""

    rect: Box
    shift: int
    picture: np.ndarray


@dataclass
class Place:
    """Where a field shows its text: the left end of the base line, how far beside it the first letter begins, and the
    box in which letters show. It shows under these values of other controls."""

    origin: tuple[int, int]
    clip: Box
    shift: int = 0
    caret: Caret | None = None
    when: dict = field(default_factory=dict)


@dataclass
class Effect:
    """What changes beside a text once it is another one than the page's: `empty` if that is so for the empty one
    alone."""

    element: str
    pieces: list[changes.Piece]  # px of the page
    changes: list[dict]
    empty: bool = False


@dataclass
class Field:
    """A field whose text is set from letters. Boxes are px of the page."""

    control: str
    element: str
    letters: Letters
    place: Place
    blank: list[changes.Piece] = field(default_factory=list)  # what the empty field changes of the page's picture
    blank_changes: list[dict] = field(default_factory=list)
    effects: list[Effect] = field(default_factory=list)
    own_caret: Box | None = None  # behind the page's text
    empty_caret: changes.Piece | None = None  # in the empty field


def cover_all(pairs: set[tuple[str, str]]) -> set[str]:
    """Few letters of which each pair has one: those of most pairs first."""
    left, out = set(pairs), set()
    while left:
        count = Counter(letter for pair in left for letter in set(pair))
        best = max(sorted(count), key=count.__getitem__)
        out.add(best)
        left = {pair for pair in left if best not in pair}
    return out


def random_texts(chance: random.Random, count: int, names: Iterable[str] = ASCII) -> list[str]:
    """Texts of 1 to 24 letters, each letter as likely as any other."""
    known = list(names)
    return ["".join(chance.choices(known, k=chance.randint(1, MOST_LETTERS))) for _ in range(count)]


def origins(letters: Letters, text: str, place: Place) -> list[tuple[str, int, int]]:
    """Letters with the px in which each begins, and at which place within it."""
    raster = Raster(letters.parts, letters.phases, place.shift)
    out, pen, before = [], place.origin[0] * letters.parts, None
    for name in text:
        pen += letters.kerning.get((before, name), 0) if before is not None else 0
        out.append((name, *raster.nearest(pen)))
        pen += letters.letters[name].advance
        before = name
    return out


def fits(letters: Letters, text: str, place: Place) -> bool:
    """Whether all of a text shows: one that is longer would be scrolled."""
    end = place.origin[0] * letters.parts + place.shift + sum(letters.letters[name].advance for name in text)
    return end <= place.clip[2] * letters.parts


def drawn(picture: np.ndarray, letters: Letters, text: str, place: Place, colour: Colour | None = None) -> np.ndarray:
    """A copy of a picture of the page with a text in it, px by px as the engine sets it."""
    out = picture.copy()
    high, wide = out.shape[:2]
    clip = intersection(place.clip, (0, 0, wide, high))
    for name, x, phase in origins(letters, text, place):
        letter, whole = letters.letters[name], letters.cover(name, phase)
        if x + letter.left >= place.clip[2]:
            break
        if whole is None or clip is None:
            continue
        left, top = x + letter.left, place.origin[1] + letter.top
        box = (left, top, left + whole.shape[1], top + whole.shape[0])
        inside = intersection(box, clip)
        if inside is not None:
            x0, y0, x1, y1 = inside
            cover = changes.cut(whole, inside, box)
            out[y0:y1, x0:x1] = over(out[y0:y1, x0:x1], colour or letters.colour, cover)
    return out


def over(below: np.ndarray, colour: Colour, cover: np.ndarray) -> np.ndarray:
    """A colour over opaque px by its share, rounded to the nearest."""
    share = cover[..., None].astype(np.uint32)
    mixed = np.array(colour, np.uint32) * share + below.astype(np.uint32) * (255 - share)
    return ((mixed + 127) // 255).astype(np.uint8)


def colour_of(empty: np.ndarray, pictures: Iterable[np.ndarray]) -> Colour:
    """The colour that letters have: the one farthest from the empty field."""
    count: Counter[Colour] = Counter()
    far: dict[Colour, int] = {}
    for picture in pictures:
        away = np.abs(picture.astype(np.int16) - empty).sum(axis=2)
        for y, x in zip(*np.nonzero(away >= max(1, int(away.max()) - 6)), strict=True):
            colour = tuple(int(v) for v in picture[y, x])
            count[colour] += 1
            far[colour] = max(far.get(colour, 0), int(away[y, x]))
    if not count:
        raise Unfit("no letter shows")
    most = max(far.values())
    near = [colour for colour in count if far[colour] >= most - 9]
    best = max(near, key=lambda colour: (count[colour], far[colour]))
    if count[best] < LEAST_WHOLE:
        raise Unfit("its letters have no one colour")
    return best


def colour_by(empty: np.ndarray, seen: np.ndarray, cover: np.ndarray) -> Colour:
    """The colour that letters have where it is known what they cover."""
    share = cover.astype(np.float64) / 255
    whole = float((share * share).sum())
    if whole < LEAST_WHOLE:
        raise Unfit("letters cover too little")
    ground = empty.astype(np.float64)
    rest = seen - ground * (1 - share[..., None])
    found = (rest * share[..., None]).sum(axis=(0, 1)) / whole
    return tuple(int(v) for v in np.clip(np.rint(found), 0, 255))


def cover_of(empty: np.ndarray, seen: np.ndarray, colour: Colour) -> np.ndarray:
    """How much of each px a colour covers."""
    ground = empty.astype(np.float64)
    span = np.array(colour, np.float64) - ground
    whole = (span * span).sum(axis=2)
    share = ((seen - ground) * span).sum(axis=2) / np.maximum(whole, 1.0)
    return np.where(whole > 0, np.rint(np.clip(share, 0.0, 1.0) * 255), 0).astype(np.uint8)


def is_of_colour(empty: np.ndarray, seen: np.ndarray, colour: Colour, cover: np.ndarray) -> bool:
    """Whether a picture is that of a colour over the empty field: letters with coloured edges are not."""
    told = over(empty, colour, cover).astype(np.int16)
    return int((np.abs(told - seen).max(axis=2) > changes.MOST_LEVELS).sum()) <= changes.MOST_PIXELS


def letter_of(cover: np.ndarray, origin: tuple[int, int], at: tuple[int, int]) -> Letter:
    """A letter from what it covers of a part of the page whose top left is `at`; its advance is not known yet."""
    rows, columns = np.flatnonzero(cover.any(axis=1)), np.flatnonzero(cover.any(axis=0))
    if not len(rows):
        return Letter(0)
    y0, y1, x0, x1 = int(rows[0]), int(rows[-1]) + 1, int(columns[0]), int(columns[-1]) + 1
    return Letter(0, at[0] + x0 - origin[0], at[1] + y0 - origin[1], cover[y0:y1, x0:x1].copy())


def side_by_side(pictures: list[Letter]) -> Letter:
    """One letter of its pictures at all places within a px, each seen from the px in which it begins."""
    if any(p.cover is None for p in pictures):
        return Letter(0)
    left, top = min(p.left for p in pictures), min(p.top for p in pictures)
    right = max(p.left + p.cover.shape[1] for p in pictures)
    bottom = max(p.top + p.cover.shape[0] for p in pictures)
    cover = np.zeros((bottom - top, (right - left) * len(pictures)), np.uint8)
    for number, own in enumerate(pictures):
        x, y = own.left - left + number * (right - left), own.top - top
        cover[y : y + own.cover.shape[0], x : x + own.cover.shape[1]] = own.cover
    return Letter(0, left, top, cover)


def where_they_differ(letters: Letters, text: str, place: Place, columns: np.ndarray) -> set[int]:
    """Which letters of a text stand where two pictures of it differ: `columns` are px."""
    starts = [at for _, at, _ in origins(letters, text, place)]
    found = set()
    for column in columns:
        before = [number for number, start in enumerate(starts) if start <= column]
        found.add(before[-1] if before else 0)
    return found


# lines of a living file


def picture_of(letter: Letter, colour: Colour) -> np.ndarray:
    """RGBA."""
    cover = letter.cover
    plain = np.broadcast_to(np.array(colour, np.uint8), (*cover.shape, 3))
    return np.dstack([np.where(cover[..., None] > 0, plain, 0).astype(np.uint8), cover])


def line_of(name: str, letters: Letters, place_of) -> dict:
    """The line `glyphs` of a set of letters. `place_of` gives the place of an RGBA picture in the atlas."""
    glyphs = []
    for letter, own in sorted(letters.letters.items()):
        glyph = {"letter": letter, "advance": own.advance, "bearing": [own.left, own.top], "at": [0, 0], "size": None}
        if own.cover is not None:
            glyph["at"] = place_of(picture_of(own, letters.colour))
            glyph["size"] = [own.cover.shape[1] // letters.phases, own.cover.shape[0]]
        glyphs.append(glyph)
    line = {"line": "glyphs", "id": name}
    line |= {"parts": letters.parts} if letters.parts != UNITS else {}
    line |= {"phases": letters.phases} if letters.phases != 1 else {}
    line["glyphs"] = glyphs
    kerning = [[*pair, by] for pair, by in sorted(letters.kerning.items()) if by]
    return {**line, "kerning": kerning} if kerning else line


def text_of(place: Place, name: str, place_of) -> dict:
    """What the line of a control says of its text."""
    text = {"glyphs": name, "origin": list(place.origin)}
    text |= {"shift": place.shift} if place.shift else {}
    text["clip"] = list(place.clip)
    if place.caret is not None:
        caret = {"rect": list(place.caret.rect), "shift": place.caret.shift, "at": place_of(place.caret.picture)}
        text["caret"] = caret if place.caret.shift else {k: v for k, v in caret.items() if k != "shift"}
    return {**text, "when": place.when} if place.when else text


def same_look(one: Letters, other: Letters) -> bool:
    """Whether two fields show their texts alike."""
    if (one.colour, one.inactive, one.kerning) != (other.colour, other.inactive, other.kerning):
        return False
    if (one.parts, one.phases) != (other.parts, other.phases):
        return False
    if one.letters.keys() != other.letters.keys():
        return False
    return all(_same_letter(letter, other.letters[name]) for name, letter in one.letters.items())


def _same_letter(one: Letter, other: Letter) -> bool:
    if (one.cover is None) != (other.cover is None) or one.advance != other.advance:
        return False
    return one.cover is None or (
        (one.left, one.top) == (other.left, other.top) and np.array_equal(one.cover, other.cover)
    )


def moved(piece: changes.Piece, x: int, y: int) -> changes.Piece:
    return changes.Piece(shifted(piece.rect, x, y), piece.mask, piece.active, piece.inactive)


# as JSON


def told(field_: Field) -> dict:
    """A field as JSON."""
    return {
        **letters_told(field_.letters),
        "control": field_.control,
        "element": field_.element,
        "place": {
            "origin": list(field_.place.origin),
            "clip": list(field_.place.clip),
            "shift": field_.place.shift,
            "caret": _caret_told(field_.place.caret),
            "when": field_.place.when,
        },
        "blank": [_piece_told(p) for p in field_.blank],
        "blank_changes": field_.blank_changes,
        "own_caret": field_.own_caret and list(field_.own_caret),
        "empty_caret": field_.empty_caret and _piece_told(field_.empty_caret),
        "effects": [
            {"element": e.element, "pieces": [_piece_told(p) for p in e.pieces], "changes": e.changes, "empty": e.empty}
            for e in field_.effects
        ],
    }


def read(text: dict) -> Field:
    """The field that was told."""
    told = text["place"]
    caret = told["caret"] and Caret(tuple(told["caret"][0]), told["caret"][1], _px(told["caret"][2]))
    place = Place(tuple(told["origin"]), tuple(told["clip"]), told["shift"], caret, told["when"])
    effects = [
        Effect(e["element"], [_piece_read(p) for p in e["pieces"]], e["changes"], e["empty"]) for e in text["effects"]
    ]
    set_ = letters_read(text)
    blank = [_piece_read(p) for p in text["blank"]]
    carets = text["own_caret"] and tuple(text["own_caret"]), text["empty_caret"] and _piece_read(text["empty_caret"])
    return Field(text["control"], text["element"], set_, place, blank, text["blank_changes"], effects, *carets)


def letters_told(own: Letters) -> dict:
    """Letters as JSON."""
    return {
        "colour": list(own.colour),
        "inactive": list(own.inactive),
        "letters": {name: [x.advance, x.left, x.top, _hex(x.cover)] for name, x in own.letters.items()},
        "kerning": [[*pair, by] for pair, by in own.kerning.items()],
        "parts": own.parts,
        "phases": own.phases,
    }


def letters_read(text: dict) -> Letters:
    """The letters that were told."""
    own = {name: Letter(*numbers, _px(cover)) for name, (*numbers, cover) in text["letters"].items()}
    kerning = {(a, b): by for a, b, by in text["kerning"]}
    return Letters(own, kerning, tuple(text["colour"]), tuple(text["inactive"]), text["parts"], text["phases"])


def _caret_told(caret: Caret | None) -> list | None:
    return caret and [list(caret.rect), caret.shift, _hex(caret.picture)]


def _hex(pixels: np.ndarray | None) -> list | None:
    if pixels is None:
        return None
    return [list(pixels.shape), np.ascontiguousarray(pixels).astype(np.uint8).tobytes().hex()]


def _px(text: list | None) -> np.ndarray | None:
    return None if text is None else np.frombuffer(bytes.fromhex(text[1]), np.uint8).reshape(text[0])


def _piece_told(piece: changes.Piece) -> list:
    return [[int(v) for v in piece.rect], _hex(piece.mask), _hex(piece.active), _hex(piece.inactive)]


def _piece_read(text: list) -> changes.Piece:
    rect, mask, active, inactive = text
    return changes.Piece(tuple(rect), _px(mask).astype(bool), _px(active), _px(inactive))
