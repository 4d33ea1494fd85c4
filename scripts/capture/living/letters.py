"""Letters that texts of fields are set from, as a program draws them, and what a text then looks like. Lengths are 1/64
px along the line, px otherwise. Nothing here touches the screen."""

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from ..boxes import Box, intersection, shifted
from . import changes

ASCII = tuple(chr(code) for code in range(32, 127))
# Parts of a px.
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

    def behind_space(self, letter: str) -> int:
        """Where a letter begins behind one space, px."""
        return (self.advances[" "] + self.kerning.get((" ", letter), 0) + UNITS // 2) // UNITS


@dataclass
class Letter:
    """`left` and `top` are the top left of its picture, seen from its origin on the base line. `cover` says how much of
    each px it covers, 0 to 255; None if nothing is drawn."""

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

    def can_set(self, text: str) -> bool:
        return all(letter in self.letters for letter in text)

    def without(self, dropped: Iterable[str]) -> "Letters":
        gone = set(dropped)
        letters = {name: letter for name, letter in self.letters.items() if name not in gone}
        kerning = {pair: by for pair, by in self.kerning.items() if not gone & set(pair)}
        return Letters(letters, kerning, self.colour, self.inactive)


@dataclass
class Place:
    """Where a field shows its text: the left end of the base line, and the box in which letters show."""

    origin: tuple[int, int]
    clip: Box


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


def origins(letters: Letters, text: str, x: int) -> list[tuple[str, int]]:
    """Letters with the px at which each begins."""
    out, pen, before = [], x * UNITS, None
    for name in text:
        pen += letters.kerning.get((before, name), 0) if before is not None else 0
        out.append((name, (pen + UNITS // 2) // UNITS))
        pen += letters.letters[name].advance
        before = name
    return out


def fits(letters: Letters, text: str, place: Place) -> bool:
    """Whether all of a text shows: one that is longer would be scrolled."""
    return place.origin[0] * UNITS + sum(letters.letters[name].advance for name in text) <= place.clip[2] * UNITS


def drawn(picture: np.ndarray, letters: Letters, text: str, place: Place, colour: Colour | None = None) -> np.ndarray:
    """A copy of a picture of the page with a text in it, px by px as the engine sets it."""
    out = picture.copy()
    high, wide = out.shape[:2]
    clip = intersection(place.clip, (0, 0, wide, high))
    for name, x in origins(letters, text, place.origin[0]):
        letter = letters.letters[name]
        if x + letter.left >= place.clip[2]:
            break
        if letter.cover is None or clip is None:
            continue
        left, top = x + letter.left, place.origin[1] + letter.top
        box = (left, top, left + letter.cover.shape[1], top + letter.cover.shape[0])
        inside = intersection(box, clip)
        if inside is not None:
            x0, y0, x1, y1 = inside
            cover = changes.cut(letter.cover, inside, box)
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


def where_they_differ(letters: Letters, text: str, x: int, columns: np.ndarray) -> set[int]:
    """Which letters of a text stand where two pictures of it differ: `columns` are px."""
    starts = [at for _, at in origins(letters, text, x)]
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
            glyph["size"] = [own.cover.shape[1], own.cover.shape[0]]
        glyphs.append(glyph)
    line = {"line": "glyphs", "id": name, "glyphs": glyphs}
    kerning = [[*pair, by] for pair, by in sorted(letters.kerning.items()) if by]
    return {**line, "kerning": kerning} if kerning else line


def text_of(place: Place, name: str) -> dict:
    """What the line of a control says of its text."""
    return {"glyphs": name, "origin": list(place.origin), "clip": list(place.clip)}


def same_look(one: Letters, other: Letters) -> bool:
    """Whether two fields show their texts alike."""
    if (one.colour, one.inactive, one.kerning) != (other.colour, other.inactive, other.kerning):
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
    own = field_.letters
    return {
        "control": field_.control,
        "element": field_.element,
        "place": {"origin": list(field_.place.origin), "clip": list(field_.place.clip)},
        "colour": list(own.colour),
        "inactive": list(own.inactive),
        "letters": {name: [x.advance, x.left, x.top, _hex(x.cover)] for name, x in own.letters.items()},
        "kerning": [[*pair, by] for pair, by in own.kerning.items()],
        "blank": [_piece_told(p) for p in field_.blank],
        "blank_changes": field_.blank_changes,
        "effects": [
            {"element": e.element, "pieces": [_piece_told(p) for p in e.pieces], "changes": e.changes, "empty": e.empty}
            for e in field_.effects
        ],
    }


def read(text: dict) -> Field:
    """The field that was told."""
    own = {name: Letter(*numbers, _px(cover)) for name, (*numbers, cover) in text["letters"].items()}
    kerning = {(a, b): by for a, b, by in text["kerning"]}
    place = Place(tuple(text["place"]["origin"]), tuple(text["place"]["clip"]))
    effects = [
        Effect(e["element"], [_piece_read(p) for p in e["pieces"]], e["changes"], e["empty"]) for e in text["effects"]
    ]
    set_ = Letters(own, kerning, tuple(text["colour"]), tuple(text["inactive"]))
    blank = [_piece_read(p) for p in text["blank"]]
    return Field(text["control"], text["element"], set_, place, blank, text["blank_changes"], effects)


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
