"""SVG from packages, made fit for the pack: no metadata, no editor leftovers, nothing that reaches outside the file."""

import re
import xml.etree.ElementTree as ET

SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
DROPPED = {"metadata", "title", "desc"}
FORBIDDEN = {"script", "image", "foreignObject", "animate", "animateTransform", "animateMotion", "set", "text", "style"}

ET.register_namespace("", SVG)
ET.register_namespace("xlink", XLINK)


class SvgError(Exception):
    """A drawing holds something that the pack must not contain."""


def cleaned(text: str, where: str) -> ET.Element:
    """The root element, without foreign elements and attributes. Raises SvgError for what
    cannot be drawn from the file alone."""
    root = ET.fromstring(text)
    _clean(root, where)
    while _drop_unused(root):
        pass
    return root


def as_text(root: ET.Element) -> str:
    text = ET.tostring(root, encoding="unicode")
    return re.sub(r">\s+<", "><", text).strip() + "\n"


def inner_text(root: ET.Element) -> str:
    """The content of the root element as text without namespace declarations."""
    return "".join(re.sub(r">\s+<", "><", ET.tostring(child, encoding="unicode")).strip() for child in root).replace(
        f' xmlns="{SVG}"', ""
    )


def view_box(root: ET.Element, where: str) -> tuple[float, float, float]:
    """Corner and edge of a square viewBox."""
    numbers = [float(part) for part in root.get("viewBox", "").replace(",", " ").split()]
    if len(numbers) != 4 or numbers[2] != numbers[3]:
        raise SvgError(f"{where}: expected a square viewBox, found {root.get('viewBox')!r}")
    return numbers[0], numbers[1], numbers[2]


def _clean(element: ET.Element, where: str) -> None:
    for child in list(element):
        # Comments have a function for a tag.
        namespace, _, name = (
            child.tag[1:].partition("}") if isinstance(child.tag, str) and child.tag.startswith("{") else ("", "", "")
        )
        if namespace != SVG or name in DROPPED:
            element.remove(child)
        elif name in FORBIDDEN:
            raise SvgError(f"{where}: element <{name}> is not allowed")
        else:
            _clean(child, where)
    for attribute, value in list(element.attrib.items()):
        if (attribute.startswith("{") and not attribute.startswith(f"{{{XLINK}}}")) or attribute == "class":
            del element.attrib[attribute]
        elif (attribute == f"{{{XLINK}}}href" and not value.startswith("#")) or (
            attribute == "href" and not value.startswith("#")
        ):
            raise SvgError(f"{where}: {attribute.split('}')[-1]}={value!r} reaches outside the file")
        elif attribute.startswith("on"):
            raise SvgError(f"{where}: attribute {attribute} is not allowed")
        elif attribute == f"{{{XLINK}}}type":
            del element.attrib[attribute]
        elif attribute == "style":
            element.attrib[attribute] = _plain_style(value)


def _drop_unused(root: ET.Element) -> bool:
    """Remove definitions that nothing refers to; true if any went, as they may have been
    the last to refer to others."""
    used = set(
        re.findall(r"#([\w.-]+)", " ".join(value for element in root.iter() for value in element.attrib.values()))
    )
    dropped = False
    for definitions in root.iter(f"{{{SVG}}}defs"):
        for child in list(definitions):
            # A group may hold something that is used although the group is not.
            if not used.intersection(inner.get("id") for inner in child.iter()):
                definitions.remove(child)
                dropped = True
    return dropped


def _plain_style(style: str) -> str:
    """Without the editor's own properties, which only take up room."""
    kept = [
        part.strip()
        for part in style.split(";")
        if part.strip() and not part.strip().startswith(("-inkscape", "enable-background"))
    ]
    return ";".join(kept)
