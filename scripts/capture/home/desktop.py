"""Settings of the user that every program meets: folders, what lies on the desktop, shell prompt and history,
bookmarks, files opened last, templates."""

import json
import pathlib
import shutil
from datetime import datetime, timedelta
from urllib.parse import quote
from xml.sax.saxutils import escape

from persona import Persona

FOLDERS = ["Desktop", "Documents", "Downloads", "Music", "Pictures", "Projects", "Public", "Templates", "Videos"]
PROMPT = r"""
PS1='\[\e]0;USER@HOST: \w\a\]\[\e[32m\]USER@HOST\[\e[0m\]:\[\e[36m\]\w\[\e[0m\]\$ '
HISTFILE=
alias ls='ls --color=auto'
if [ -n "$FIRST_COMMAND" ]; then   # a terminal that has been used already
  printf '%s%s\n' "${PS1@P}" "$FIRST_COMMAND" | tr -d '\001\002'
  eval "$FIRST_COMMAND"
  unset FIRST_COMMAND
fi
"""


def make(home: pathlib.Path, persona: Persona) -> None:
    facts = persona.parts["desktop"]
    for name in FOLDERS:
        (home / name).mkdir(parents=True, exist_ok=True)
    for source, folder in facts["copies"]:
        target = home / "Desktop" / folder
        target.mkdir(exist_ok=True)
        shutil.copy(home / source, target)
    config = home / ".config"
    config.mkdir(exist_ok=True)
    (config / "user-dirs.dirs").write_text(
        "".join(
            f'XDG_{key}_DIR="$HOME/{name}"\n'
            for key, name in [
                ("DESKTOP", "Desktop"),
                ("DOCUMENTS", "Documents"),
                ("DOWNLOAD", "Downloads"),
                ("MUSIC", "Music"),
                ("PICTURES", "Pictures"),
                ("PUBLICSHARE", "Public"),
                ("TEMPLATES", "Templates"),
                ("VIDEOS", "Videos"),
            ]
        )
    )
    (home / ".bashrc").write_text(PROMPT.lstrip().replace("USER@HOST", f"{persona.user}@{persona.host}"))
    if facts["typed"]:
        bashrc = home / ".bashrc"
        bashrc.write_text(bashrc.read_text().replace("HISTFILE=\n", ""))
        (home / ".bash_history").write_text("\n".join(facts["typed"]) + "\n")
    (home / ".profile").write_text(". ~/.bashrc\n")
    (config / "gtk-3.0").mkdir(exist_ok=True)
    (config / "gtk-3.0/bookmarks").write_text(
        "".join(f"file://{home_path(persona, name)} {pathlib.Path(name).name}\n" for name in facts["bookmarks"])
    )
    (home / "Templates/Letter.txt").write_text(
        "\n".join([persona.name, *persona.address, "", "Dear", "", "Yours sincerely,", ""])
    )
    if facts["browser"]:
        browser_bookmarks(home, facts["browser"])
    if facts["recent"]:
        paths = [home_path(persona, name) for name in facts["recent"]]
        (home / ".local/share").mkdir(parents=True, exist_ok=True)
        (home / ".local/share/recently-used.xbel").write_text(recently_used(paths, persona.clock))
    (home / "Templates/List.md").write_text("# List\n\n- [ ] \n")


def home_path(persona: Persona, name: str) -> str:
    """Where the persona finds the folder, wherever this copy of the home is being made."""
    return f"/home/{persona.user}/{name}"


def browser_bookmarks(home: pathlib.Path, pages: list) -> None:
    """Of Chromium and Firefox, in the profiles that their recipes use."""
    addresses = [(name, f"http://localhost:8080/{page}") for name, page in pages]
    folder = home / ".chromium-demo/Default"
    folder.mkdir(parents=True, exist_ok=True)
    children = [
        {"id": str(number), "name": name, "type": "url", "url": address}
        for number, (name, address) in enumerate(addresses, 10)
    ]
    roots = {
        key: {"children": children if key == "bookmark_bar" else [], "id": str(number), "name": name, "type": "folder"}
        for number, (key, name) in enumerate(
            [("bookmark_bar", "Bookmarks bar"), ("other", "Other bookmarks"), ("synced", "Mobile bookmarks")], 1
        )
    }
    (folder / "Bookmarks").write_text(json.dumps({"roots": roots, "version": 1}))
    (folder / "Preferences").write_text(json.dumps({"bookmark_bar": {"show_on_all_tabs": True}}))
    folder = home / ".firefox-demo"
    folder.mkdir(exist_ok=True)
    lines = "".join(f'<DT><A HREF="{address}">{escape(name)}</A>\n' for name, address in addresses)
    (folder / "bookmarks.html").write_text(
        "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<H1>Bookmarks</H1>\n<DL><p>\n"
        f'<DT><H3 PERSONAL_TOOLBAR_FOLDER="true">Toolbar</H3>\n<DL><p>\n{lines}</DL><p>\n</DL>\n'
    )
    (folder / "prefs.js").write_text('user_pref("browser.places.importBookmarksHTML", true);\n')


def recently_used(paths: list[str], clock: datetime) -> str:
    """The list of GTK programs: each file a few hours before the one above it."""
    entries = []
    for number, path in enumerate(paths):
        moment = f"{clock - timedelta(hours=1 + 5 * number):%Y-%m-%dT%H:%M:%SZ}"
        entries.append(
            f'  <bookmark href="file://{quote(path)}" added="{moment}" modified="{moment}" visited="{moment}">\n'
            '    <info><metadata owner="http://freedesktop.org">'
            '<bookmark:applications><bookmark:application name="Files" exec="&apos;xdg-open %u&apos;" '
            f'modified="{moment}" count="1"/></bookmark:applications></metadata></info>\n  </bookmark>\n'
        )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<xbel version="1.0" '
        'xmlns:bookmark="http://www.freedesktop.org/standards/desktop-bookmarks" '
        f'xmlns:mime="http://www.freedesktop.org/standards/shared-mime-info">\n{"".join(entries)}</xbel>\n'
    )
