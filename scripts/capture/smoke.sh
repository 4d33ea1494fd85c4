#!/usr/bin/env bash
# A smoke test of the capture tools: takes a few captures of two small programs, proves the pack sound, and clicks boxes in the live programs.
#
#   bash scripts/capture/smoke.sh [WINDESK]
#
# Needs root (or sudo that asks for no password), apt-get and Linux namespaces: where the machine cannot, it says so and passes.
# Takes about two minutes, and one more on a machine without the programs. WINDESK is the program that checks the pack (default:
# target/release/windesk of this checkout).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

PROGRAMS=(galculator mousepad)
CLICKS=8            # per program
LEAST=0.9           # share of the clicks that must be answered
SECONDS_PER_TRY=170 # a busy machine draws and answers late
TRIES=2

say() { echo "capture smoke: $1" >&2; }
leave_out() { say "LEFT OUT: $1"; exit 0; }

windesk=$(realpath "${1:-target/release/windesk}")
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null && sudo -n true 2>/dev/null || leave_out "it needs root, or sudo without a password"
    exec sudo -n --preserve-env=PATH bash scripts/capture/smoke.sh "$windesk"
fi
command -v apt-get >/dev/null || leave_out "it needs a Debian system; found no apt-get"
unshare --mount --uts --pid --net --ipc --fork true 2>/dev/null || leave_out "this machine allows no namespaces of its own"
work=$(mktemp -d -p /var/tmp windesk-smoke.XXXXXX)
trap 'rm -rf "$work"' EXIT
mkdir "$work"/{lower,upper,work,merged}
unshare --mount mount -t overlay -o "lowerdir=$work/lower,upperdir=$work/upper,workdir=$work/work" overlay "$work/merged" 2>/dev/null ||
    unshare --mount sh -c "mount -t tmpfs tmpfs '$work/merged' && cd '$work/merged' && mkdir l u w m && mount -t overlay -o lowerdir=l,upperdir=u,workdir=w overlay m" 2>/dev/null ||
    leave_out "this machine mounts no overlays"
rm -rf "$work"/*
[ -x "$windesk" ] || { say "found no $windesk; build it first"; exit 1; }

bash scripts/capture/install.sh --smoke "${PROGRAMS[@]}" >"$work/install.log" 2>&1 || {
    tail -n 5 "$work/install.log" >&2
    leave_out "the packages of the session can't be installed here"
}
/usr/bin/python3 -c 'import gi, tomllib, numpy, PIL, Xlib' || leave_out "the system's Python is older than 3.11, or has no bindings of its own"

export CAPTURE_WORK=$work/sessions
# A home of its own: making the demo home takes longer than the test.
mkdir -p "$CAPTURE_WORK/home/Documents"
printf '# Meeting notes\n\n- order seed trays\n- mend the greenhouse door\n- Priya waters on Friday\n' >"$CAPTURE_WORK/home/Documents/Meeting notes.md"
chown -R alex: "$CAPTURE_WORK/home"

attempt() {
    rm -rf "$work/pack"
    mkdir "$work/pack"
    cp -r assets/licenses "$work/pack/"
    scripts/capture/capture.sh run --brief --jobs 2 --program "${PROGRAMS[@]}" --out "$work/pack" || return 1
    "$windesk" pack licences "$work/pack" && "$windesk" pack check --pack "$work/pack" || return 1
    scripts/capture/capture.sh check --jobs 2 --clicks "$CLICKS" --least "$LEAST" --program "${PROGRAMS[@]}"
}

export -f attempt
export work windesk CLICKS LEAST PROGRAM_LIST="${PROGRAMS[*]}"
for try in $(seq "$TRIES"); do
    if timeout --kill-after=5 "$SECONDS_PER_TRY" bash -c 'set -u; PROGRAMS=($PROGRAM_LIST); attempt'; then
        say "passed in $SECONDS s"
        exit 0
    fi
    say "try $try of $TRIES failed"
done
for log in "$CAPTURE_WORK"/jobs/*/session.log; do
    say "end of $log:"
    tail -n 5 "$log" >&2
done
exit 1
