"""Measures fields one after the other, and tries each with random texts: what the crawl of a page and of a pack's pages
have in common."""

import random
from dataclasses import replace

from .letters import Field, Shape, Unfit, random_texts, same_look
from .shaping import shape_of
from .typing_in import Another, Known, TypedField

# Of the texts that a field is tried with, as many may look otherwise as this share allows, or this many.
WRONG_SHARE, MOST_WRONG = 0.01, 1
# With so many texts, it is also measured what letters would give that stand differently beside others.
MANY = 100
# Of fields whose program does not tell their font.
FONT = "Inter 10"


class Lettering:
    """`texts`: how many a field is tried with."""

    def __init__(self, texts: int):
        self.texts = texts
        self.shapes: dict[str, Shape] = {}
        self.sets: list[Known] = []
        # Of fields by their controls: those of a window as large as it gets are inset as they are in its usual size.
        self.insets: dict[str, tuple[int, int]] = {}

    def know(self, known: Known) -> None:
        """Letters of a field that may be those of others, too."""
        if not any(same_look(known.letters, other.letters) for other in self.sets):
            self.sets.append(known)

    def field(self, typed: TypedField, control: str, text: str, seed: str, report: dict) -> Field:
        """Measures a field and tries it; raises Unfit if its texts can't be set from letters. What it gave is told in
        `report`, and the field's own text is put back."""
        try:
            field = self._measured(typed, control, text)
            chance = random.Random(seed)
            seen = typed.prove(field, random_texts(chance, self.texts, sorted(field.letters.letters)))
            report |= figures(field, seen)
            if self.texts >= MANY:
                every = typed.prove(replace(field, letters=typed.every), random_texts(chance, self.texts))
                report["ascii"] = figures(field, every)
        finally:
            report |= {"font": typed.font, "grabs": typed.grabs}
            if typed.original(text):
                report["stays"] = True
        if report["tried"] - report["right"] > max(MOST_WRONG, WRONG_SHARE * report["tried"]):
            raise Unfit(f"{report['right']} of {report['tried']} texts look as composed")
        if not field.letters.can_set(text):
            # What is typed is added to it.
            raise Unfit("its own text has letters that stand differently beside others")
        return field

    def _measured(self, typed: TypedField, control: str, text: str) -> Field:
        """A field: with the letters of one before, where they are its own."""

        def shaped(font: str) -> Shape:
            return self.shape(font or FONT, typed.desk.toolkit)

        for known in self.sets:
            try:
                return typed.measure(control, text, shaped, known, self.insets.get(control))
            except Another:
                continue
        field = typed.measure(control, text, shaped)
        box, clip = typed.box, field.place.clip
        self.insets[control] = clip[0] - box[0], box[2] - clip[2]
        self.sets.append(Known(typed.every, typed.raster))
        return field

    def shape(self, font: str, toolkit: str) -> Shape:
        if font not in self.shapes:
            self.shapes[font] = shape_of(font, toolkit)
        return self.shapes[font]


def figures(field: Field, seen: list[tuple[str, int, set]]) -> dict:
    """What a proof gave."""
    wrong = [(text, off, sorted(at)) for text, off, at in seen if off > 2]
    return {"letters": len(field.letters.letters), "tried": len(seen), "right": len(seen) - len(wrong), "wrong": wrong,
            "effects": len(field.effects), "colour": field.letters.colour,
            "inactive": field.letters.inactive, "kerning": len(field.letters.kerning),
            "phases": field.letters.phases, "shift": field.place.shift}  # fmt: skip
