import pytest

from svg_cleaning import SvgError, as_text, cleaned, inner_text, view_box

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 24 24"'


def clean(body, head=HEAD):
    return as_text(cleaned(f"{head}>{body}</svg>", "lib:icon"))


def body(text):
    return text[text.index(">") + 1 : text.rindex("</svg>")]


def test_what_is_drawn_stays():
    assert body(clean('<path d="M0 0h4"/>\n  <g fill="red"><circle r="3"/></g>')) == (
        '<path d="M0 0h4" /><g fill="red"><circle r="3" /></g>'
    )


def test_what_is_not_drawn_goes():
    leftovers = (
        '<!-- note --><title>t</title><desc>d</desc><metadata><x/></metadata><path class="a" d="M0 0"/>'
        '<sodipodi:namedview xmlns:sodipodi="http://sodipodi.sourceforge.net" sodipodi:x="1"/>'
    )
    assert body(clean(leftovers)) == '<path d="M0 0" />'


def test_attributes_of_editors_go():
    text = clean(
        '<path xmlns:i="http://www.inkscape.org" i:label="x" style="fill:red; -inkscape-y:1;enable-background:new"/>'
    )
    assert body(text) == '<path style="fill:red" />'


def test_what_style_sheets_say_is_written_into_the_elements():
    sheet = "<style>/* note */ .a, path { fill: red; stroke:blue } #b { fill:green }</style>"
    text = clean(f'{sheet}<path class="a c" id="b" style="stroke:black"/><path/><circle/>')
    assert (
        body(text) == '<path id="b" style="fill:green;stroke:black" /><path style="fill:red;stroke:blue" /><circle />'
    )


def test_elements_can_be_left_out_by_name():
    assert body(as_text(cleaned(f"{HEAD}><g><text>a</text></g></svg>", "x", ("text",)))) == "<g />"


def test_a_size_on_paper_goes_where_there_is_a_view_box():
    assert as_text(cleaned(f'{HEAD} width="9mm" height="9mm"/>', "x")) == clean("")
    assert 'width="9px"' in as_text(cleaned(f'{HEAD} width="9px" height="9px"/>', "x"))


def test_unused_definitions_go_with_what_only_they_use():
    definitions = (
        '<defs><linearGradient id="a"/><linearGradient id="b" xlink:href="#c"/><linearGradient id="c"/>'
        '<linearGradient id="d" xlink:href="#a"/></defs><path fill="url(#d)"/>'
    )
    text = clean(definitions)
    assert ('id="a"' in text, 'id="b"' in text, 'id="c"' in text, 'id="d"' in text) == (True, False, False, True)


def test_a_group_that_holds_something_used_stays():
    assert "<circle" in clean('<defs><g><circle id="dot" r="1"/></g></defs><use xlink:href="#dot"/>')


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("<script>x</script>", "lib:icon: element <script> is not allowed"),
        ("<g><text>Hi</text></g>", "element <text> is not allowed"),
        ("<style>@media print {a{}}</style>", "lib:icon: style sheet with '@media print"),
        ("<style>a b{}</style>", "selector 'a b', expected a class, an id or a name"),
        ("<style>a</style>", "style sheet with 'a', expected plain rules"),
        ('<image href="a.png"/>', "element <image> is not allowed"),
        ('<use xlink:href="other.svg#a"/>', "href='other.svg#a' reaches outside the file"),
        ('<a href="http://example.org"><path/></a>', "reaches outside the file"),
        ('<path onclick="x()"/>', "attribute onclick is not allowed"),
    ],
)
def test_what_cannot_be_drawn_from_the_file_alone_is_refused(content, message):
    with pytest.raises(SvgError) as caught:
        clean(content)
    assert message in str(caught.value)


def test_cleaning_twice_changes_nothing():
    once = clean('<g><path d="M0 0"/> <path d="M1 1"/></g>')
    assert as_text(cleaned(once, "again")) == once


def test_the_inside_of_a_drawing():
    root = cleaned(f'{HEAD}><path d="M0 0"/><g> <circle r="1"/> </g></svg>', "x")
    assert inner_text(root) == '<path d="M0 0" /><g><circle r="1" /></g>'


def test_square_view_boxes():
    root = cleaned(f"{HEAD}></svg>", "x")
    assert view_box(root, "x") == (0, 0, 24)
    root.set("viewBox", "-2,1, 20,20")
    assert view_box(root, "x") == (-2, 1, 20)
    for wrong in ("0 0 24 12", "0 0 24", ""):
        root.set("viewBox", wrong)
        with pytest.raises(SvgError, match="x: expected a square viewBox"):
            view_box(root, "x")
