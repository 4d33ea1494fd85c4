"""Draws the clock face in a terminal."""
from math import cos, pi, sin

RADIUS = 9
HAND = "*"


def face(turn: float, label: str) -> str:
    """`turn` is 0 at high water, 0.5 at low water, and runs clockwise."""
    width, height = RADIUS * 4 + 3, RADIUS * 2 + 3
    grid = [[" "] * width for _ in range(height)]
    for minute in range(60):
        angle = 2 * pi * minute / 60
        x = round(width / 2 + 2 * RADIUS * sin(angle))
        y = round(height / 2 - RADIUS * cos(angle))
        grid[min(y, height - 1)][min(x, width - 1)] = "o" if minute % 5 == 0 else "."
    for step in range(RADIUS - 1):
        angle = 2 * pi * turn
        x = round(width / 2 + 2 * step * sin(angle))
        y = round(height / 2 - step * cos(angle))
        grid[y][x] = HAND
    rows = ["".join(row).rstrip() for row in grid]
    rows.append(label.center(width).rstrip())
    return "\n".join(rows)
