"""SVG from packages, made fit for the pack: no metadata, no editor leftovers, nothing that reaches outside the file."""

import re
import xml.etree.ElementTree as ET

SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
# Flowed text is of no standard; no reader of SVG draws it.
DROPPED = {"metadata", "title", "desc", "flowRoot"}
FORBIDDEN = {"script", "image", "foreignObject", "animate", "animateTransform", "animateMotion", "set", "text", "style"}

ET.register_namespace("", SVG)
ET.register_namespace("xlink", XLINK)


class SvgError(Exception):
    """A drawing holds something that the pack must not contain."""


def cleaned(text: str, where: str, without: tuple[str, ...] = ()) -> ET.Element:
    """The root element, without foreign elements and attributes, and without the elements named. Raises SvgError for
    what cannot be drawn from the file alone."""
    root = ET.fromstring(text)
    _apply_style_sheets(root, where)
    _clean(root, where, DROPPED.union(without))
    while _drop_unused(root):
        pass
    if root.get("viewBox") and re.search(r"(?:pt|mm|cm|in|%)$", root.get("width", "")):
        # A length on paper says nothing beside the view box, and not all readers know its unit.
        del root.attrib["width"], root.attrib["height"]
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


# Of style sheets, what icon themes use: declarations for a class, an id or an element's name.
RULE = re.compile(r"\s*([^{}]+?)\s*\{([^{}]*)\}")
SELECTOR = re.compile(r"([.#]?)([A-Za-z_][\w-]*)")


def _apply_style_sheets(root: ET.Element, where: str) -> None:
    """Write what style sheets say into the elements, and take the sheets away."""
    rules = []
    for parent in list(root.iter()):
        for sheet in parent.findall(f"{{{SVG}}}style"):
            text = re.sub(r"/\*.*?\*/", "", sheet.text or "", flags=re.DOTALL)
            rest = RULE.sub("", text)
            if rest.strip():
                raise SvgError(f"{where}: style sheet with {rest.strip()[:40]!r}, expected plain rules")
            for selectors, declarations in RULE.findall(text):
                for selector in selectors.split(","):
                    found = SELECTOR.fullmatch(selector.strip())
                    if found is None:
                        raise SvgError(f"{where}: selector {selector.strip()!r}, expected a class, an id or a name")
                    rules.append((("", ".", "#").index(found[1]), found[2], declarations))
            parent.remove(sheet)
    # An id counts more than a class, a class more than a name; of equals the last. Own declarations come after all.
    rules.sort(key=lambda rule: rule[0])
    for element in root.iter():
        if not isinstance(element.tag, str):
            continue
        keys = (element.tag.partition("}")[2], *element.get("class", "").split(), element.get("id"))
        kinds = (0, *(1 for _ in element.get("class", "").split()), 2)
        named = set(zip(kinds, keys, strict=True))
        styles = [declarations for kind, name, declarations in rules if (kind, name) in named]
        if styles:
            element.set("style", ";".join([*styles, element.get("style", "")]))


def _clean(element: ET.Element, where: str, dropped: set[str]) -> None:
    for child in list(element):
        # Comments have a function for a tag.
        namespace, _, name = (
            child.tag[1:].partition("}") if isinstance(child.tag, str) and child.tag.startswith("{") else ("", "", "")
        )
        if namespace != SVG or name in dropped:
            element.remove(child)
        elif name in FORBIDDEN:
            raise SvgError(f"{where}: element <{name}> is not allowed")
        else:
            _clean(child, where, dropped)
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
    kept = {}
    for part in style.split(";"):
        name, _, value = (piece.strip() for piece in part.partition(":"))
        if name and not name.startswith(("-inkscape", "enable-background")):
            # The last declaration counts.
            kept.pop(name, None)
            kept[name] = value
    return ";".join(f"{name}:{value}" for name, value in kept.items())
