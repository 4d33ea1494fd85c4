"""Names of elements without what toolkits add to them."""

import re

# Capitals alone are none: QCOW2 and KOI8R are what lists show.
CLASS_NAME = re.compile(r"^(Gtk|Adw|Gd|Hdy|Gimp|Ggc|Ephy|Nautilus|[QK](?=\w*[a-z]))[A-Z][A-Za-z0-9]+$")
MACHINE_NAME = re.compile(r"^\S{60,}$")
# Default names that toolkits give to everything of a kind say nothing about the element.
EMPTY_NAMES = {"Switch", "unnamed", "Unnamed"}


def clean_name(name: str) -> str:
    name = " ".join(name.split())
    name = re.sub(r"(?<![A-Za-z0-9_])_(?=[A-Za-z])", "", name) if name.count("_") == 1 else name
    half = len(name) // 2
    if len(name) % 2 and name[half] == " " and name[:half] == name[half + 1 :]:
        name = name[:half]
    if CLASS_NAME.match(name) or MACHINE_NAME.match(name):
        return ""
    return name[:200]
