"""Sections in millimeters."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Rectangle:
    width: float
    height: float

    @property
    def area(self) -> float:
        return self.width * self.height

    @property
    def inertia(self) -> float:
        return self.width * self.height**3 / 12

    @property
    def modulus(self) -> float:
        return self.inertia / (self.height / 2)

    def with_planks(self, thickness: float) -> "Rectangle":
        """A plank of the same height on each side."""
        return Rectangle(self.width + 2 * thickness, self.height)

    @classmethod
    def read(cls, text: str) -> "Rectangle":
        width, _, height = text.partition("x")
        return cls(float(width), float(height))
