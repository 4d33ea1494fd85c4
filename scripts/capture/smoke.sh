#!/usr/bin/env bash
# A smoke test of the capture tools: takes a few captures of two small programs, proves the pack sound,
# clicks boxes in the live programs, and walks on a living page.
#
#   bash scripts/capture/smoke.sh [WINDESK]
#
# Needs root (or sudo that asks for no password), a Debian system and Linux namespaces: where the machine has none, it
# says so and passes. Two minutes on two idle cores, and one more where the programs have to be installed. WINDESK is
# the program that checks the pack (default: target/release/windesk of this checkout).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

PROGRAMS=(galculator mousepad)
CLICKS=8                # per program
LEAST=0.9               # share of the clicks that must be answered
LIVING=galculator       # whose preferences are crawled and walked on
TRIES=2                 # of each part: programs draw and answer late on a busy machine
SECONDS_PER_TRY=400

say() { echo "capture smoke: $1" >&2; }
leave_out() { say "LEFT OUT: $1"; exit 0; }

windesk=$(realpath "${1:-target/release/windesk}")
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null && sudo -n true 2>/dev/null || leave_out "it needs root, or sudo without a password"
    exec sudo -n --preserve-env=PATH bash scripts/capture/smoke.sh "$windesk"
fi
[ -x "$windesk" ] || { say "found no $windesk, expected the program; build it first"; exit 1; }
command -v apt-get >/dev/null || leave_out "it needs a Debian system; found no apt-get"
work=$(mktemp -d -p /var/tmp windesk-smoke.XXXXXX)
trap 'rm -rf "$work"' EXIT
# What sandbox.sh does: everything of its own, and an overlay as the root folder.
unshare --mount --uts --pid --net --ipc --fork --mount-proc sh -c \
    'mount -t tmpfs tmpfs "$1" && cd "$1" && mkdir lower upper work all &&
        mount -t overlay -o lowerdir=lower,upperdir=upper,workdir=work overlay all' - "$work" \
    2>/dev/null || leave_out "this machine allows no namespaces with mounts of their own"

bash scripts/capture/install.sh --smoke "${PROGRAMS[@]}" >"$work/install.log" 2>&1 || {
    tail -n 5 "$work/install.log" >&2
    leave_out "the packages of the session can't be installed here"
}
/usr/bin/python3 -c 'import tomllib' 2>/dev/null || leave_out "the system's Python is older than 3.11"

export CAPTURE_WORK=$work/sessions
# A home of its own: making the demo home takes longer than the test.
mkdir -p "$CAPTURE_WORK/homes/alex/Documents"
printf '# Meeting notes\n\n- order seed trays\n- mend the greenhouse door\n- Priya waters on Friday\n' \
    >"$CAPTURE_WORK/homes/alex/Documents/Meeting notes.md"
chown -R alex: "$CAPTURE_WORK/homes"
chmod 755 "$work"

capture() {
    timeout --kill-after=5 "$SECONDS_PER_TRY" nice -n -10 \
        scripts/capture/capture.sh "$@" --jobs 2 --program "${PROGRAMS[@]}"
}

take_captures() {
    rm -rf "$work/pack"
    mkdir "$work/pack"
    cp -r assets/licenses "$work/pack/"
    capture run --brief --out "$work/pack" && "$windesk" pack licences "$work/pack" &&
        "$windesk" pack check --pack "$work/pack"
}

click_boxes() {
    capture check --clicks "$CLICKS" --least "$LEAST"
}

# A page crawled for a few seconds, and three events on it: seconds, so that what is not tried is left unmodelled.
walk_a_page() {
    local pack=$work/living
    rm -rf "$pack"
    mkdir -p "$pack/sessions"
    cp -r assets/licenses assets/fonts assets/icons "$pack/"
    sed 's/"pinned": \[[^]]*\]/"pinned": []/; s/"wallpapers": \[[^]]*\]/"wallpapers": []/' \
        assets/sessions/gnome-light.json >"$pack/sessions/gnome-light.json"
    timeout --kill-after=5 "$SECONDS_PER_TRY" nice -n -10 scripts/capture/capture.sh live --seconds 6 \
        --program "$LIVING" --session gnome-light --out "$pack" &&
        timeout --kill-after=5 "$SECONDS_PER_TRY" nice -n -10 scripts/capture/capture.sh walk --walks 1 --steps 3 \
            --program "$LIVING" --session gnome-light --pack "$pack" --windesk "$windesk"
}

for part in take_captures click_boxes walk_a_page; do
    for try in $(seq "$TRIES"); do
        "$part" && continue 2
        say "$part: try $try of $TRIES failed"
    done
    for log in "$CAPTURE_WORK"/jobs/*/session.log; do
        say "end of $log:"
        tail -n 5 "$log" >&2
    done
    exit 1
done
say "passed in $SECONDS s"
