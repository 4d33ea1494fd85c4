"""Shapes that a one-colour glyph is set on to make a full icon: tile, disc, folder, page, or no shape at all.

Every shape is drawn by the project on a 48x48 canvas; the glyph is (SVG content, viewBox) of a
drawing with a square viewBox.
"""

from dataclasses import dataclass

SHAPES = ("tile", "disc", "folder", "page", "bare")


@dataclass
class Glyph:
    """Paths of a one-colour drawing, and the corner and edge length of its square viewBox."""

    content: str
    x: float
    y: float
    edge: float

    def placed(self, left: float, top: float, edge: float, fill: str, extra: str = "") -> str:
        scale = edge / self.edge
        return (
            f'<g fill="{fill}"{extra} transform="translate({left - self.x * scale:.4g} {top - self.y * scale:.4g}) '
            f'scale({scale:.5g})">'
            f"{self.content}</g>"
        )


def shaped(shape: str, colours: list[str], glyph: Glyph | None) -> str:
    """SVG text of a 48x48 icon."""
    body = {"tile": _tile, "disc": _disc, "folder": _folder, "page": _page, "bare": _bare}[shape](colours, glyph)
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48" viewBox="0 0 48 48">{body}</svg>\n'


def _gradient(name: str, top: str, bottom: str) -> str:
    return (
        f'<linearGradient id="{name}" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="{top}"/>'
        f'<stop offset="1" stop-color="{bottom}"/></linearGradient>'
    )


def _tile(colours: list[str], glyph: Glyph) -> str:
    return (
        f'<defs>{_gradient("a", *colours)}</defs><rect x="3" y="3" width="42" height="42" rx="10" fill="url(#a)"/>'
        f'<rect x="3.5" y="3.5" width="41" height="41" rx="9.5" fill="none" stroke="#fff" stroke-opacity=".18"/>'
        + glyph.placed(10, 10, 28, "#fff")
    )


def _disc(colours: list[str], glyph: Glyph) -> str:
    return (
        f'<defs>{_gradient("a", *colours)}</defs><circle cx="24" cy="24" r="21.5" fill="url(#a)"/>'
        f'<circle cx="24" cy="24" r="21" fill="none" stroke="#fff" stroke-opacity=".18"/>'
        + glyph.placed(10.5, 10.5, 27, "#fff")
    )


def _bare(colours: list[str], glyph: Glyph) -> str:
    # The gradient spans the canvas, not each path: a glyph of four squares shall look lit as one.
    low, high = glyph.y, glyph.y + glyph.edge
    stops = f'<stop offset="0" stop-color="{colours[0]}"/><stop offset="1" stop-color="{colours[1]}"/>'
    return (
        f'<defs><linearGradient id="a" gradientUnits="userSpaceOnUse" x1="0" y1="{low:g}" x2="0" '
        f'y2="{high:g}">{stops}</linearGradient></defs>' + glyph.placed(3, 3, 42, "url(#a)")
    )


def _folder(colours: list[str], glyph: Glyph | None) -> str:
    light, deep = colours
    back = (
        "M4 12.5A3.5 3.5 0 0 1 7.5 9h10.2c.9 0 1.8.36 2.45 1l3 3H40.5a3.5 3.5 0 0 1 3.5 3.5V36a3.5 3.5 0 0 1-3.5 "
        "3.5h-33A3.5 3.5 0 0 1 4 36z"
    )
    front = "M4 20.5A3.5 3.5 0 0 1 7.5 17h33a3.5 3.5 0 0 1 3.5 3.5V36.5a3.5 3.5 0 0 1-3.5 3.5h-33A3.5 3.5 0 0 1 4 36.5z"
    mark = glyph.placed(17, 21.5, 14, "#000", ' fill-opacity=".42"') if glyph else ""
    return (
        f'<defs>{_gradient("a", light, deep)}</defs><path d="{back}" fill="{deep}"/>'
        f'<path d="{back}" fill="#000" fill-opacity=".14"/>'
        f'<path d="{front}" fill="url(#a)"/><path d="M7.5 17.5h33" stroke="#fff" stroke-opacity=".45" '
        f'stroke-linecap="round"/>{mark}'
    )


def _page(colours: list[str], glyph: Glyph) -> str:
    ink = colours[0]
    sheet = (
        "M12.5 3.5h15.600c.66 0 1.3.26 1.770.73l8.4 8.400c.47.47.73 1.1.73 1.770V41a3.5 3.5 0 0 1-3.5 "
        "3.5h-23A3.5 3.5 0 0 1 9 41V7a3.5 3.5 0 0 1 3.5-3.5z"
    )
    corner = "M28.5 3.600V10.5a2.5 2.5 0 0 0 2.5 2.5h7.4"
    return (
        f'<defs>{_gradient("a", "#ffffff", "#e9edf2")}</defs><path d="{sheet}" fill="url(#a)" stroke="#aab4c0"/>'
        f'<path d="{corner}" fill="none" stroke="#aab4c0"/>' + glyph.placed(14, 19, 20, ink)
    )
