"""A short slide deck, written as flat ODP (title, bullets, one picture) and converted."""

import base64
import pathlib
import tempfile
from xml.sax.saxutils import escape

import office
from persona import Persona

NAMESPACES = (
    " ".join(
        f'xmlns:{p}="urn:oasis:names:tc:opendocument:xmlns:{u}:1.0"'
        for p, u in [
            ("office", "office"),
            ("text", "text"),
            ("style", "style"),
            ("draw", "drawing"),
            ("presentation", "presentation"),
            ("fo", "xsl-fo-compatible"),
            ("svg", "svg-compatible"),
        ]
    )
    + ' xmlns:xlink="http://www.w3.org/1999/xlink"'
)
STYLES = """
<office:styles><style:style style:name="standard" style:family="graphic"/></office:styles>
<office:automatic-styles>
 <style:page-layout style:name="wide"><style:page-layout-properties fo:page-width="28cm" fo:page-height="15.75cm" \
fo:margin="0cm"/></style:page-layout>
 <style:style style:name="page" style:family="drawing-page">\
<style:drawing-page-properties draw:fill="solid" draw:fill-color="#f6f1e3"/></style:style>
 <style:style style:name="plain" style:family="graphic">\
<style:graphic-properties draw:stroke="none" draw:fill="none"/></style:style>
 <style:style style:name="bar" style:family="graphic">\
<style:graphic-properties draw:stroke="none" draw:fill="solid" draw:fill-color="#2f6f5e"/></style:style>
 <style:style style:name="big" style:family="paragraph">\
<style:text-properties fo:font-size="36pt" fo:color="#ffffff" fo:font-weight="bold"/></style:style>
 <style:style style:name="body" style:family="paragraph"><style:paragraph-properties fo:margin-bottom="0.35cm"/>\
<style:text-properties fo:font-size="22pt" fo:color="#23302b"/></style:style>
</office:automatic-styles>
<office:master-styles><style:master-page style:name="Default" style:page-layout-name="wide" \
draw:style-name="page"/></office:master-styles>"""


def slide(number, title, lines, picture):
    width = 14.5 if picture else 25
    bullets = "".join(f'<text:p text:style-name="body">• {escape(line)}</text:p>' for line in lines)
    image = ""
    if picture:
        data = base64.b64encode(picture.read_bytes()).decode()
        image = (
            '<draw:frame draw:style-name="plain" svg:x="16.6cm" svg:y="4.2cm" svg:width="10cm" svg:height="6.7cm">'
            "<draw:image>"
            f"<office:binary-data>{data}</office:binary-data></draw:image></draw:frame>"
        )
    return (
        f'<draw:page draw:name="Slide {number}" draw:master-page-name="Default" draw:style-name="page">'
        f'<draw:rect draw:style-name="bar" svg:x="0cm" svg:y="0cm" svg:width="28cm" svg:height="2.9cm"/>'
        '<draw:frame draw:style-name="plain" presentation:class="title" svg:x="1.2cm" svg:y="0.5cm" '
        'svg:width="25.5cm" svg:height="2cm">'
        f'<draw:text-box><text:p text:style-name="big">{escape(title)}</text:p></draw:text-box></draw:frame>'
        '<draw:frame draw:style-name="plain" presentation:class="outline" svg:x="1.5cm" svg:y="4cm" '
        f'svg:width="{width}cm" svg:height="10cm">'
        f"<draw:text-box>{bullets}</draw:text-box></draw:frame>{image}</draw:page>"
    )


def make(home: pathlib.Path, persona: Persona) -> None:
    pictures, facts = home / "Pictures", persona.parts["slides"]
    pages = "".join(
        slide(n, page["title"], page["lines"], pictures / page["picture"] if "picture" in page else None)
        for n, page in enumerate(facts["pages"], 1)
    )
    text = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document {NAMESPACES} office:version="1.3" '
        f'office:mimetype="application/vnd.oasis.opendocument.presentation">{STYLES}<office:body>'
        f"<office:presentation>{pages}"
        "</office:presentation></office:body></office:document>"
    )
    with tempfile.TemporaryDirectory() as scratch:
        source = pathlib.Path(scratch) / f"{facts['name']}.fodp"
        source.write_text(text)
        office.convert(source, "odp", home / "Documents")
        office.convert(source, "pdf", home / "Documents")
