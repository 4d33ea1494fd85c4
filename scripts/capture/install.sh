#!/bin/bash
# Installs what a capture run needs on a bare Debian 12, as root. Safe to repeat: what is already there is skipped.
#
#   install.sh --core        the session (X server, window managers, themes, accessibility) and the user alex
#   install.sh               the core, then every program that programs/*.toml names
#   install.sh thunar kcalc  only these programs (by TOML id)
#   install.sh --smoke thunar  these programs, and of the session what GTK programs in the look yaru need (smoke.sh)
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
prefix=${CAPTURE_PREFIX:-/opt/capture}   # where npm and PyPI programs go: $prefix/<program id>/
failed=()

SMOKE=(
  xvfb dbus dbus-x11 x11-utils x11-xserver-utils xdotool                                # display
  at-spi2-core gir1.2-atspi-2.0 libatk-adaptor python3-gi python3-xlib                  # accessibility
  python3-pil python3-numpy webp                                                        # pictures
  python3-gi-cairo python3-cairo gir1.2-pango-1.0                                       # letters of living fields
  xfwm4 xfconf xfce4-settings yaru-theme-gtk yaru-theme-icon                            # a window manager and a look
  gsettings-desktop-schemas dconf-gsettings-backend dconf-cli libglib2.0-bin fonts-inter
)
CORE=(
  "${SMOKE[@]}"
  kwin-x11 plasma-integration                                                           # the other window manager
  arc-theme materia-gtk-theme orchis-gtk-theme papirus-icon-theme                       # GTK looks
  breeze kde-style-breeze breeze-icon-theme breeze-gtk-theme adwaita-qt adwaita-qt6     # Qt looks
  gcc libc6-dev locales                                                                 # clock and locales of sessions
  fonts-noto-core fonts-dejavu-core fonts-liberation2 fonts-noto-color-emoji
)
HOME_TOOLS=(   # what home/make_home.py runs
  python3-mutagen git zip sqlite3 ffmpeg keepassxc poppler-utils
  libreoffice-writer libreoffice-calc libreoffice-impress libreoffice-gtk3
)

die() { echo "install.sh: $*" >&2; exit 1; }

apt_get() {
  DEBIAN_FRONTEND=noninteractive apt-get -y --no-install-recommends -o DPkg::Lock::Timeout=600 "$@" </dev/null
}

# A mirror may hiccup and another process may hold the lock: three attempts, then give up on these packages only.
install_debian() {
  local attempt
  for attempt in 1 2 3; do
    apt_get install "$@" && return 0
    sleep $((attempt * 5))
  done
  return 1
}

# One unavailable package must not stop the others of its group.
install_debian_group() {
  install_debian "$@" && return 0
  local package
  for package in "$@"; do install_debian "$package" || failed+=("$package"); done
}

install_npm() {   # id, name@version ..
  local id=$1; shift
  command -v npm >/dev/null || install_debian nodejs npm || return 1
  mkdir -p "$prefix/$id"
  npm install --prefix "$prefix/$id" --no-audit --no-fund --loglevel=error "$@"
}

install_pip() {   # id, name==version ..
  local id=$1; shift
  dpkg -s python3-venv >/dev/null 2>&1 || install_debian python3-venv || return 1
  [ -x "$prefix/$id/bin/pip" ] || /usr/bin/python3 -m venv "$prefix/$id"
  "$prefix/$id/bin/pip" install --quiet "$@"
}

# Prints "id kind package .." for each recipe and kind of package it asks for.
requirements() {
  python3 - "$here/programs" "$@" <<'PY'
import pathlib, sys, tomllib
folder, wanted = pathlib.Path(sys.argv[1]), set(sys.argv[2:])
recipes = {path.stem: tomllib.loads(path.read_text()) for path in sorted(folder.glob("*.toml"))}
for name in sorted(wanted - recipes.keys()):
    sys.exit(f"install.sh: no recipe {name}: {folder}/{name}.toml does not exist")
for name, recipe in recipes.items():
    if wanted and name not in wanted:
        continue
    for kind in ("packages", "npm", "pip"):
        if recipe.get(kind):
            print(name, kind, *recipe[kind])
PY
}

create_user() {
  id alex >/dev/null 2>&1 || useradd --create-home --comment "Alex Morgan" --shell /bin/bash alex
}

# Of the sessions (sessions.toml): what tells programs their time, what is free and their seed, and the locales.
make_sessions() {
  local name
  mkdir -p "$prefix/clock"
  for name in clock disk seed; do
    cc -O2 -shared -fPIC -o "$prefix/clock/$name.so" "$here/$name.c" || failed+=("$name.c")
  done
  for name in en_GB en_US; do localedef -i "$name" -f UTF-8 "$name.UTF-8" || failed+=("locale $name"); done
}

install_core() {
  apt_get update
  install_debian_group "${CORE[@]}"
  install_debian_group "${HOME_TOOLS[@]}"
  make_sessions
  create_user
}

# What is there already needs no list of packages.
install_smoke() {
  if ! dpkg -s "${SMOKE[@]}" >/dev/null 2>&1; then
    apt_get update
    install_debian_group "${SMOKE[@]}"
  fi
  create_user
  install_programs "$@"
}

install_programs() {
  local lines debian=() id kind names
  lines=$(requirements "$@")
  while read -r id kind names; do
    [ -n "$id" ] || continue
    # shellcheck disable=SC2086  # package names hold no spaces
    case $kind in
      packages) debian+=($names) ;;
      npm) install_npm "$id" $names || failed+=("$id (npm)") ;;
      pip) install_pip "$id" $names || failed+=("$id (PyPI)") ;;
    esac
  done <<<"$lines"
  # Groups of twelve: small enough that a failing one is cheap to take apart, large enough to spare apt's start-up.
  local first
  for ((first = 0; first < ${#debian[@]}; first += 12)); do
    install_debian_group "${debian[@]:first:12}"
  done
}

[ "$(id -u)" = 0 ] || die "must run as root"
command -v apt-get >/dev/null || die "expected a Debian system, found no apt-get"
case ${1:-} in
  --core) install_core ;;
  --smoke) install_smoke "${@:2}" ;;
  -*) die "unknown option $1 (known: --core, --smoke)" ;;
  "") install_core; install_programs ;;
  *) install_programs "$@" ;;
esac

if [ ${#failed[@]} -gt 0 ]; then
  printf 'install.sh: could not install: %s\n' "${failed[*]}" >&2
  exit 1
fi
