#!/usr/bin/env bash
# Run all tests, after making the machine ready for them (scripts/setup.sh).
#
#   bash scripts/test.sh [ARGUMENT OF cargo test ..]
#
# Where python3 or pip can't be had, the tests that need the embedding model are left out, and the last line says so.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

features=()
code=0
bash scripts/setup.sh || code=$?
case $code in
0) ;;
3) features=(--no-default-features) ;;
*) exit "$code" ;;
esac
# Where setup.sh has just installed it, or where a shell without a profile doesn't look.
command -v cargo >/dev/null 2>&1 || PATH=$PATH:${CARGO_HOME:-$HOME/.cargo}/bin

# The release profile everywhere: a dataset and the tests need the same build, and unoptimised tests take minutes.
cargo test --release --locked "${features[@]}" "$@"
if [ "${#features[@]}" -gt 0 ]; then
    echo "test: passed WITHOUT the embedding code: it needs python3 and pip to fetch its model" >&2
fi
