"""Settings of the user that every program meets: folders, shell prompt, bookmarks, templates."""

import pathlib

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
    (home / ".profile").write_text(". ~/.bashrc\n")
    (config / "gtk-3.0").mkdir(exist_ok=True)
    (config / "gtk-3.0/bookmarks").write_text(
        "".join(f"file://{home_path(persona, name)} {pathlib.Path(name).name}\n" for name in facts["bookmarks"])
    )
    (home / "Templates/Letter.txt").write_text(
        "\n".join([persona.name, *persona.address, "", "Dear", "", "Yours sincerely,", ""])
    )
    (home / "Templates/List.md").write_text("# List\n\n- [ ] \n")


def home_path(persona: Persona, name: str) -> str:
    """Where the persona finds the folder, wherever this copy of the home is being made."""
    return f"/home/{persona.user}/{name}"
