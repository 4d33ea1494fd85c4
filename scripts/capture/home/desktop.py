"""Settings of the user that every program meets: folders, shell prompt, bookmarks, templates."""

import pathlib

FOLDERS = ["Desktop", "Documents", "Downloads", "Music", "Pictures", "Projects", "Public", "Templates", "Videos"]
PROMPT = r"""
PS1='\[\e]0;alex@orchard: \w\a\]\[\e[32m\]alex@orchard\[\e[0m\]:\[\e[36m\]\w\[\e[0m\]\$ '
HISTFILE=
alias ls='ls --color=auto'
if [ -n "$FIRST_COMMAND" ]; then   # a terminal that has been used already
  printf '%s%s\n' "${PS1@P}" "$FIRST_COMMAND" | tr -d '\001\002'
  eval "$FIRST_COMMAND"
  unset FIRST_COMMAND
fi
"""


def make(home: pathlib.Path) -> None:
    for name in FOLDERS:
        (home / name).mkdir(parents=True, exist_ok=True)
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
    (home / ".bashrc").write_text(PROMPT.lstrip())
    (home / ".profile").write_text(". ~/.bashrc\n")
    (config / "gtk-3.0").mkdir(exist_ok=True)
    (config / "gtk-3.0/bookmarks").write_text(
        "".join(
            f"file://{home_path(name)} {label}\n"
            for name, label in [
                ("Documents", "Documents"),
                ("Downloads", "Downloads"),
                ("Music", "Music"),
                ("Pictures", "Pictures"),
                ("Projects", "Projects"),
            ]
        )
    )
    (home / "Templates/Letter.txt").write_text(
        "Alex Morgan\n17 Orchard Row\nWrenfield WF3 6QD\n\nDear\n\nYours sincerely,\n"
    )
    (home / "Templates/List.md").write_text("# List\n\n- [ ] \n")


def home_path(name: str) -> str:
    """Where the demo user finds the folder, wherever this copy of the home is being made."""
    return f"/home/alex/{name}"
