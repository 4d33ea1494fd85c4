"""The bending line, drawn with characters."""

from .beam import Beam


def line(beam: Beam, width: int = 60, height: int = 8) -> str:
    rows = [[" "] * width for _ in range(height)]
    deepest = beam.deflection or 1.0
    for column in range(width):
        x = beam.span_mm * column / (width - 1)
        row = round(beam.bend(x) / deepest * (height - 1))
        rows[row][column] = "*"
    return "^" + "-" * (width - 2) + "^\n" + "\n".join("".join(row).rstrip() for row in rows)
