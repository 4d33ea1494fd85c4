"""Measures fields one after the other, and tries each with random texts: what the crawl of a page and of a pack's pages
have in common."""

import random
from dataclasses import replace

from .letters import Field, Letters, Shape, Unfit, random_texts
from .shaping import Shaper
from .typing_in import Another, TypedField

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
        self.shapes: dict[tuple[str, bool], Shape] = {}
        self.sets: list[Letters] = []
        # Of fields by their controls: those of a window as large as it gets are inset as they are in its usual size.
        self.insets: dict[str, tuple[int, int]] = {}

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
        return field

    def _measured(self, typed: TypedField, control: str, text: str) -> Field:
        """A field: with the letters of one before, where they are its own."""

        def shaped(font: str) -> Shape:
            return self.shape(font or FONT, typed.is_rounded)

        for known in self.sets:
            try:
                return typed.measure(control, text, shaped, known, self.insets.get(control))
            except Another:
                continue
        field = typed.measure(control, text, shaped)
        looks = typed.looks_of_a_letter(field)
        if looks > 1:
            raise Unfit(f"letters lie between px: one of them has {looks} looks")
        box, clip = typed.box, field.place.clip
        self.insets[control] = clip[0] - box[0], box[2] - clip[2]
        self.sets.append(typed.every)
        return field

    def shape(self, font: str, rounded: bool) -> Shape:
        if (font, rounded) not in self.shapes:
            self.shapes[font, rounded] = Shaper(font, rounded).shape()
        return self.shapes[font, rounded]


def figures(field: Field, seen: list[tuple[str, int, set]]) -> dict:
    """What a proof gave."""
    wrong = [(text, off, sorted(at)) for text, off, at in seen if off > 2]
    return {"letters": len(field.letters.letters), "tried": len(seen), "right": len(seen) - len(wrong), "wrong": wrong,
            "effects": len(field.effects), "colour": field.letters.colour,
            "inactive": field.letters.inactive, "kerning": len(field.letters.kerning)}  # fmt: skip
