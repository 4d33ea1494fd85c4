"""A beam on two supports under an even load."""

from dataclasses import dataclass

from .section import Rectangle


@dataclass(frozen=True)
class Beam:
    span: float  # meters
    section: Rectangle
    modulus: float  # newtons per square millimeter
    load: float  # kilonewtons per meter

    @property
    def span_mm(self) -> float:
        return self.span * 1000

    def moment(self, x: float) -> float:
        """Newton millimeters at x millimeters from the left support."""
        return self.load * x * (self.span_mm - x) / 2

    def bend(self, x: float) -> float:
        """Millimeters down at x millimeters from the left support."""
        length = self.span_mm
        stiffness = self.modulus * self.section.inertia
        return self.load * x * (length**3 - 2 * length * x**2 + x**3) / (24 * stiffness)

    @property
    def deflection(self) -> float:
        return self.bend(self.span_mm / 2)

    @property
    def stress(self) -> float:
        return self.moment(self.span_mm / 2) / self.section.modulus

    def is_stiff(self, part: int = 300) -> bool:
        return self.deflection <= self.span_mm / part
