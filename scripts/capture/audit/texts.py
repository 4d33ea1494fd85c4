"""Where a name is written in a picture: it is set in the fonts of the pack and looked for by correlation.

A name that is there scores 0.6 to 0.9, whichever colours it is written in and however its letters were hinted; another
text of the same length stays below 0.5.
"""

import functools
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from ..boxes import Box, shifted

# 10 pt at 96 dpi, in which all looks are captured.
SIZE_PX = 13.33
FACES = ("Inter-Regular", "Inter-SemiBold", "Inter-Bold", "Inter-Medium", "NotoSans-Regular", "NotoSans-Bold")
# Letters are drawn larger and made smaller: texts stand at fractions of pixels.
SCALE = 4
MOST_LETTERS, LEAST_LETTERS = 14, 2
# A score from which on no other face is tried.
SURE = 0.62
# How far around its box a text is looked for, and how much of a wide box at a time.
AROUND_PX, MOST_WIDTH_PX = (24, 36), 640
# Texts may stand out of their boxes by so much.
SLACK_PX = 4
LEAST_DEVIATION = 3.0


@dataclass(frozen=True)
class Found:
    score: float  # -1 to 1, in the box
    box: Box | None  # of the text, where it fits best in the box
    score_around: float  # in the box or around it
    box_around: Box | None


class Writing:
    """Finds names in one picture. The faces that names were found in are tried first."""

    def __init__(self, luma: np.ndarray, fonts: Path):
        self.luma, self.fonts, self.faces = luma, fonts, list(FACES)

    def find(self, box: Box, name: str) -> Found | None:
        """None if the name is too short to be told from others."""
        if len(name.strip()) < LEAST_LETTERS:
            return None
        best = Found(-1.0, None, -1.0, None)
        for face in list(self.faces):
            letters = _fitting(name, str(self.fonts / f"{face}.ttf"), box[2] - box[0])
            for part in _parts(box):
                best = _better(best, self._look(part, letters))
                if best.score >= SURE:
                    self.faces.remove(face)
                    self.faces.insert(0, face)
                    return best
        return best

    def _look(self, box: Box, letters: np.ndarray) -> Found:
        high, wide = self.luma.shape
        x0, y0 = max(0, box[0] - AROUND_PX[0]), max(0, box[1] - AROUND_PX[1])
        x1, y1 = min(wide, box[2] + AROUND_PX[0]), min(high, box[3] + AROUND_PX[1])
        scores = correlation(self.luma[y0:y1, x0:x1], letters)
        if scores is None:
            return Found(-1.0, None, -1.0, None)
        inner = np.full(scores.shape, -1.0)
        rows = slice(max(0, box[1] - SLACK_PX - y0), max(0, box[3] + SLACK_PX - y0 - letters.shape[0] + 1))
        columns = slice(max(0, box[0] - SLACK_PX - x0), max(0, box[2] + SLACK_PX - x0 - letters.shape[1] + 1))
        inner[rows, columns] = scores[rows, columns]
        return Found(*_best(inner, letters, (x0, y0)), *_best(scores, letters, (x0, y0)))


def _best(scores: np.ndarray, letters: np.ndarray, origin: tuple[int, int]) -> tuple[float, Box | None]:
    y, x = np.unravel_index(np.argmax(scores), scores.shape)
    score = float(scores[y, x])
    box = (int(x), int(y), int(x) + letters.shape[1], int(y) + letters.shape[0])
    return score, shifted(box, *origin) if score > 0 else None


def _better(a: Found, b: Found) -> Found:
    inside = max((a, b), key=lambda f: f.score)
    around = max((a, b), key=lambda f: f.score_around)
    return Found(inside.score, inside.box, around.score_around, around.box_around)


def _parts(box: Box) -> list[Box]:
    """A wide box's beginning and its end: texts stand at either."""
    x0, y0, x1, y1 = box
    if x1 - x0 <= MOST_WIDTH_PX:
        return [box]
    return [(x0, y0, x0 + MOST_WIDTH_PX, y1), (x1 - MOST_WIDTH_PX, y0, x1, y1)]


def _fitting(name: str, font: str, width: int) -> np.ndarray:
    """The name's beginning, as much of it as fits: long names are cut where they are drawn."""
    text = name.strip()[:MOST_LETTERS].strip()
    letters = template(text, font)
    while letters.shape[1] > width - 2 and len(text) > LEAST_LETTERS + 1:
        text = text[:-1].strip()
        letters = template(text, font)
    return letters


@functools.lru_cache(20_000)
def template(text: str, font: str) -> np.ndarray:
    """The coverage (0 to 1) of a text's pixels, without a margin but for one pixel."""
    face = _face(font)
    left, top, right, bottom = face.getbbox(text)
    wide, high = -(-(right - left) // SCALE) + 2, -(-(bottom - top) // SCALE) + 2
    picture = Image.new("L", (int(wide) * SCALE, int(high) * SCALE), 0)
    ImageDraw.Draw(picture).text((SCALE - left, SCALE - top), text, 255, font=face)
    return np.asarray(picture.resize((int(wide), int(high)), Image.Resampling.BOX), np.float32) / 255


@functools.cache
def _face(font: str) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(font, round(SIZE_PX * SCALE))


def correlation(picture: np.ndarray, letters: np.ndarray) -> np.ndarray | None:
    """For each place of the template in the picture, by how much they are alike (0 to 1), in either contrast; None if
    the template is larger."""
    high, wide = letters.shape
    if high > picture.shape[0] or wide > picture.shape[1]:
        return None
    number = high * wide
    centred = letters - letters.mean()
    norm = float(np.sqrt((centred * centred).sum()))
    if norm == 0:
        return None
    size = [_smooth(picture.shape[i] + letters.shape[i] - 1) for i in (0, 1)]
    product = np.fft.irfft2(np.fft.rfft2(picture, size) * np.fft.rfft2(centred[::-1, ::-1], size), size)
    product = product[high - 1 : picture.shape[0], wide - 1 : picture.shape[1]]
    total, squares = _sums(picture, high, wide), _sums(picture.astype(np.float64) ** 2, high, wide)
    deviation = np.sqrt(np.maximum(squares - total * total / number, 0))
    return np.where(
        deviation > LEAST_DEVIATION * number**0.5, np.abs(product) / (np.maximum(deviation, 1e-6) * norm), 0.0
    )


def _sums(picture: np.ndarray, high: int, wide: int) -> np.ndarray:
    table = np.zeros((picture.shape[0] + 1, picture.shape[1] + 1))
    table[1:, 1:] = picture.cumsum(axis=0, dtype=np.float64).cumsum(axis=1)
    return table[high:, wide:] - table[:-high, wide:] - table[high:, :-wide] + table[:-high, :-wide]


def _smooth(number: int) -> int:
    """The next number whose Fourier transform is quick."""
    while True:
        rest = number
        for prime in (2, 3, 5):
            while rest % prime == 0:
                rest //= prime
        if rest == 1:
            return number
        number += 1
