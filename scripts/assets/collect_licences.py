"""Build `assets/licenses`: the text of every licence that travels with the pack.

    python scripts/assets/collect_licences.py

Files are named by SPDX identifier; where the copyright line belongs to one package, by identifier and package. The
texts are those that Debian ships; npm packages without a licence file get the MIT text with their own copyright line.
"""

from pathlib import Path

from fetch_packages import debian_root, npm_package
from icon_sources import TABLER

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "assets" / "licenses"

# Part of every Debian system; the package is not fetched because each point release replaces its version.
COMMON_FOLDER = Path("/usr/share/common-licenses")
COMMON = {
    "Apache-2.0": "Apache-2.0",
    "BSD-3-Clause": "BSD",
    "CC0-1.0": "CC0-1.0",
    "GPL-2.0": "GPL-2",
    "GPL-3.0": "GPL-3",
    "LGPL-2.0": "LGPL-2",
    "LGPL-2.1": "LGPL-2.1",
    "LGPL-3.0": "LGPL-3",
    "MPL-1.1": "MPL-1.1",
    "MPL-2.0": "MPL-2.0",
}

# SPDX identifier -> package whose copyright file holds the text, and the paragraph's name there.
QUOTED = {
    "BSD-2-Clause": ("audacious", "4.2-1", "BSD-2-clause"),
    "CC-BY-3.0": ("librsvg2-common", "2.54.7+dfsg-1~deb12u1", "CC-BY-3.0"),
    "CC-BY-4.0": ("lomiri-wallpapers-16.04", "20.04.0-2", "CC-BY-4.0"),
    "CC-PDDC": ("tango-icon-theme", "0.8.90-11", "public-domain"),
}

COPIED = {
    "MIT-tabler-icons": (*TABLER, "LICENSE"),
    "ISC-lucide": ("lucide-static", "1.62.0", "LICENSE"),
    "OFL-1.1": ("inter-ui", "4.1.1", "LICENSE.txt"),
}

MIT_HOLDERS = {
    "MIT": "Copyright (c) 2026 the windesk contributors",
    "MIT-fluentui-svg-icons": "Copyright (c) 2020 Microsoft Corporation",
    "MIT-fluentui-emoji": "Copyright (c) Microsoft Corporation.",
    "MIT-flat-color-icons": "Copyright (c) Icons8",
}
# With `{holder}` where the copyright line goes.
MIT_TEXT = Path(__file__).with_name("MIT.txt")


def quoted(copyright_file: str, paragraph: str) -> str:
    """The longest paragraph `License: <paragraph>` of a Debian copyright file, without the file's indentation."""
    texts = []
    for block in copyright_file.split(f"\nLicense: {paragraph}\n")[1:]:
        lines = []
        for line in block.splitlines():
            # A line that is not indented starts the next paragraph.
            if line and not line[0].isspace():
                break
            lines.append("" if line.strip() in ("", ".") else line[1:].rstrip())
        texts.append("\n".join(lines).strip() + "\n")
    if not texts:
        raise SystemExit(f"no paragraph 'License: {paragraph}' in the copyright file")
    return max(texts, key=len)


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    texts = {}
    if not COMMON_FOLDER.is_dir():
        raise SystemExit(f"{COMMON_FOLDER}: expected the folder of a Debian system, found none")
    for identifier, file in COMMON.items():
        texts[identifier] = (COMMON_FOLDER / file).read_text()
    for identifier, (package, version, paragraph) in QUOTED.items():
        copyright_file = debian_root(package, version) / "usr/share/doc" / package / "copyright"
        texts[identifier] = quoted(copyright_file.read_text(), paragraph)
    for identifier, (package, version, file) in COPIED.items():
        texts[identifier] = (npm_package(package, version) / file).read_text()
    for identifier, holder in MIT_HOLDERS.items():
        texts[identifier] = MIT_TEXT.read_text().format(holder=holder)
    for identifier, text in texts.items():
        (FOLDER / f"{identifier}.txt").write_text(text.rstrip() + "\n")


if __name__ == "__main__":
    main()
