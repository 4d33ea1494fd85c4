"""Where Pango puts the letters of a font, and which of them it draws differently beside others: for fields of GTK.
Nothing here touches the screen."""

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
# Letters with which others are tried in threes: a digit, a capital, a small letter.
SIDES = ("0", "A", "a")


class Shaper:
    """`rounded`: each letter takes whole px, as in GTK 3."""

    def __init__(self, font: str, rounded: bool = True):
        context = PangoCairo.FontMap.get_default().create_context()
        PangoCairo.context_set_resolution(context, DPI)
        options = cairo.FontOptions()
        options.set_antialias(cairo.ANTIALIAS_GRAY)
        options.set_hint_style(cairo.HINT_STYLE_SLIGHT)
        options.set_hint_metrics(cairo.HINT_METRICS_ON if rounded else cairo.HINT_METRICS_OFF)
        PangoCairo.context_set_font_options(context, options)
        context.set_round_glyph_positions(rounded)
        self.layout = Pango.Layout.new(context)
        self.layout.set_font_description(Pango.FontDescription.from_string(font))
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

    def shape(self) -> Shape:
        """Advances, kerning, and letters that stand differently beside others than alone."""
        advances = {letter: self.starts(letter)[1] for letter in ASCII}
        alone = {letter: self.drawn(letter) for letter in ASCII}
        kerning, differ = {}, set()
        for a in ASCII:
            for b in ASCII:
                by = self.starts(a + b)[1] - advances[a]
                if by:
                    kerning[a, b] = by
                if self._differs(a + b, alone, advances, kerning):
                    differ.add((a, b))
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
