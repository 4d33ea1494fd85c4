"""Mouse pointers drawn by the project, 24x24 px, as the two kinds of desktop have them. Their tips are the pixels that
point; sessions name those."""

# The outline of an arrow with a tail, and of one with a stump, tips at the top left.
_TAILED = "M4.5 2.5V18.700L8.300 15.200L10.900 21.100L13.700 19.900L11.200 14.200H16.500Z"
_STUMP = "M4.5 2.5V19.500H9.500L12.200 22.200H14V17.500L17.500 14.800V14.200Z"


def _arrow(outline: str, fill: str, edge: str) -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24">'
        f'<path d="{outline}" transform="translate(.6 .9)" fill="#000" fill-opacity=".22" stroke="#000" '
        'stroke-opacity=".22" stroke-width="2.4" stroke-linejoin="round"/>'
        f'<path d="{outline}" fill="{fill}" stroke="{edge}" stroke-width="1.5" stroke-linejoin="round"/></svg>\n'
    )


POINTERS = {
    "black_with_tail": _arrow(_TAILED, "#111", "#fff"),
    "grey_with_stump": _arrow(_STUMP, "#4d4d4d", "#fcfcfc"),
    "white_with_tail": _arrow(_TAILED, "#fff", "#111"),
}
