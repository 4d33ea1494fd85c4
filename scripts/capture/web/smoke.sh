#!/usr/bin/env bash
# A smoke test of the web capture tool: captures one page and proves ten random states of it.
#
#   bash scripts/capture/web/smoke.sh [WINDESK]
#
# Needs Debian's Chromium, Node with npm (which fetches the libraries once), and Python with numpy and Pillow; where one
# of them is missing, it says so and passes. WINDESK is the program that composes the page (default:
# target/release/windesk of this checkout).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

PAGE=web-bootstrap/home
STATES=10

say() { echo "web smoke: $1" >&2; }
leave_out() { say "LEFT OUT: $1"; exit 0; }

windesk=$(realpath "${1:-target/release/windesk}")
[ -x "$windesk" ] || { say "found no $windesk, expected the program; build it first"; exit 1; }
command -v chromium >/dev/null || leave_out "found no chromium"
command -v npm >/dev/null || leave_out "found no npm"
"${WEB_PYTHON:-/usr/bin/python3}" -c 'import sys, tomllib, numpy, PIL' 2>/dev/null ||
    leave_out "found no Python of 3.11 or later with numpy and Pillow"

work=$(mktemp -d -p /var/tmp windesk-web-smoke.XXXXXX)
trap 'rm -rf "$work"' EXIT
export WEB_WORK=${WEB_WORK:-$work/web}
pack=$work/pack
mkdir -p "$pack/sessions"
cp -r assets/licenses assets/fonts assets/icons "$pack/"
cp assets/pack.json "$pack/"
for session in gnome-light gnome-dark; do
    sed 's/"pinned": \[[^]]*\]/"pinned": []/; s/"wallpapers": \[[^]]*\]/"wallpapers": []/' \
        "assets/sessions/$session.json" >"$pack/sessions/$session.json"
done
scripts/capture/web/web.sh run --page "$PAGE" --look light --out "$pack" || {
    [ -d "$WEB_WORK/build/node_modules" ] || leave_out "the libraries can't be installed here"
    exit 1
}
scripts/capture/web/web.sh prove --page "$PAGE" --look light --pack "$pack" --windesk "$windesk" --states "$STATES"
say "passed in $SECONDS s"
