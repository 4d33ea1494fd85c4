"""Where a toolkit puts the letters of a font, and which of them are drawn differently beside others, as Pango tells it.
Nothing here touches the screen."""

import math

import cairo
import gi
import numpy as np

gi.require_version("Pango", "1.0")
gi.require_version("PangoCairo", "1.0")
gi.require_foreign("cairo")
from gi.repository import Pango, PangoCairo  # noqa: E402

from .letters import ASCII, UNITS, Shape, cover_all  # noqa: E402

DPI = 96
# Room around one letter of a picture, px.
ROOM_PX = 24
# Metrics of a font without any rounding are told of letters this large, px.
LARGE_PX = 2048
# Parts of a px in which they are told.
FINE = 1 << 16
# What Qt cuts off, 1/64 px, may be a whole one less this much: its scale is rounded.
HAIR = 0.005
# What is no kerning of large letters: the rounding of three widths.
ROUNDED = 2
# Letters with which others are tried in threes: a digit, a capital, a small letter.
SIDES = ("0", "A", "a")


def shape_of(font: str, toolkit: str) -> Shape:
    """How a toolkit sets the letters of a font, in Pango's words."""
    toolkit = toolkit.lower()
    if "qt" in toolkit:
        return _of_qt(font)
    return _unrounded(font) if "chrom" in toolkit else Shaper(font).shape()


def points_of(px: str) -> str:
    """The size of a font of which GTK 4 tells how many whole px it has: the smallest in half points."""
    return f"{math.ceil(int(px) * 72 / DPI * 2) / 2:g}"


def px_of(font: str) -> float:
    """How large a font is."""
    return float(font.rsplit(" ", 1)[1]) * DPI / 72


def _unrounded(font: str) -> Shape:
    """Letters that lie between px, as Chromium draws them."""
    large, scale = Shaper(font, LARGE_PX).metrics(), px_of(font) * FINE / LARGE_PX / UNITS
    kerning = {pair: round(by * scale) for pair, by in large.kerning.items()}
    advances = {letter: round(by * scale) for letter, by in large.advances.items()}
    return Shape(advances, kerning, Shaper(font).shape().dropped, FINE)


def _of_qt(font: str) -> Shape:
    """Qt 5 draws fonts in a size of whole px. Of advances it cuts off what is less than 1/64 px; kerning is rounded."""
    large, scale = Shaper(font, LARGE_PX).metrics(), round(px_of(font)) / LARGE_PX
    kerning = {pair: round(by * scale) for pair, by in large.kerning.items()}
    advances = {letter: int(by * scale + HAIR) for letter, by in large.advances.items()}
    return Shape(advances, kerning, Shaper(font).shape().dropped)


class Shaper:
    """Letters in the font's own size take whole px each, as in GTK. `large`: how many px they are large else; nothing
    is rounded then."""

    def __init__(self, font: str, large: int | None = None):
        self.rounded = rounded = large is None
        context = PangoCairo.FontMap.get_default().create_context()
        PangoCairo.context_set_resolution(context, DPI)
        options = cairo.FontOptions()
        options.set_antialias(cairo.ANTIALIAS_GRAY)
        options.set_hint_style(cairo.HINT_STYLE_SLIGHT if rounded else cairo.HINT_STYLE_NONE)
        options.set_hint_metrics(cairo.HINT_METRICS_ON if rounded else cairo.HINT_METRICS_OFF)
        PangoCairo.context_set_font_options(context, options)
        context.set_round_glyph_positions(rounded)
        self.layout = Pango.Layout.new(context)
        description = Pango.FontDescription.from_string(font)
        if large is not None:
            description.set_absolute_size(large * Pango.SCALE)
        self.layout.set_font_description(description)
        self.layout.set_single_paragraph_mode(True)

    def starts(self, text: str) -> list[int]:
        """Where each letter of an ASCII text begins, and where the last one ends, 1/64 px."""
        self.layout.set_text(text, -1)
        found = [self.layout.index_to_pos(index).x for index in range(len(text))]
        return [round(x * UNITS / Pango.SCALE) for x in (*found, self.layout.get_size()[0])]

    def drawn(self, text: str) -> np.ndarray:
        """What a text covers, 0 to 255, from ROOM_PX on the left."""
        self.layout.set_text(text, -1)
        wide, high = (len(text) + 2) * ROOM_PX, 2 * ROOM_PX
        surface = cairo.ImageSurface(cairo.FORMAT_A8, wide, high)
        context = cairo.Context(surface)
        context.move_to(ROOM_PX, ROOM_PX // 2)
        PangoCairo.show_layout(context, self.layout)
        surface.flush()
        return np.frombuffer(surface.get_data(), np.uint8).reshape(high, surface.get_stride())[:, :wide].copy()

    def metrics(self) -> Shape:
        """Advances and kerning alone."""
        advances = {letter: self.starts(letter)[1] for letter in ASCII}
        # Of an old table of kerning, half is put before the second letter and half behind it; it is drawn moved by all.
        between = {(a, b): self.starts(a + b)[2] - advances[a] - advances[b] for a in ASCII for b in ASCII}
        least = 0 if self.rounded else ROUNDED
        return Shape(advances, {pair: by for pair, by in between.items() if abs(by) > least})

    def shape(self) -> Shape:
        """Advances, kerning, and letters that stand differently beside others than alone."""
        metrics = self.metrics()
        advances, kerning = metrics.advances, metrics.kerning
        alone = {letter: self.drawn(letter) for letter in ASCII}
        pairs = ((a, b) for a in ASCII for b in ASCII)
        differ = {(a, b) for a, b in pairs if self._differs(a + b, alone, advances, kerning)}
        dropped = cover_all(differ)
        for b in ASCII:
            # Between digits, fonts make an x a multiplication sign, for one.
            rest = [s for s in SIDES if s not in dropped]
            texts = [a + b + c for a in rest for c in rest]
            if b not in dropped and any(self._differs(text, alone, advances, kerning) for text in texts):
                dropped.add(b)
        return Shape(advances, kerning, frozenset(dropped))

    def _differs(self, text: str, alone: dict, advances: dict, kerning: dict) -> bool:
        seen = self.drawn(text)
        told, pen, before = np.zeros(seen.shape, np.uint16), 0, None
        for letter in text:
            pen += kerning.get((before, letter), 0)
            shift = (pen + UNITS // 2) // UNITS
            own = alone[letter]
            told[:, shift : shift + own.shape[1]] += own[:, : seen.shape[1] - shift]
            pen += advances[letter]
            before = letter
        return int((np.abs(np.minimum(told, 255).astype(np.int16) - seen) > 9).sum()) > 2
