#!/usr/bin/env bash
# Run all tests, after making the machine ready for them (scripts/setup.sh).
#
#   bash scripts/test.sh [ARGUMENT OF cargo test ..]
#
# Where python3 or pip can't be had, the tests that need the embedding model are left out; where chromium or tesseract
# can't be had, the tests of pages, or of the baseline that reads. The last lines say so.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

features=embed,pack,parquet,schema,tls
code=0
bash scripts/setup.sh || code=$?
case $code in
0) ;;
3) features=pack,parquet,schema,tls ;;
*) exit "$code" ;;
esac
# Where setup.sh has just installed it, or where a shell without a profile doesn't look.
command -v cargo >/dev/null 2>&1 || PATH=$PATH:${CARGO_HOME:-$HOME/.cargo}/bin

left_out=()
command -v chromium >/dev/null 2>&1 || {
    export WINDESK_WITHOUT_BROWSER=1
    left_out+=("pages in a browser: they need chromium")
}
command -v tesseract >/dev/null 2>&1 || {
    export WINDESK_WITHOUT_TESSERACT=1
    left_out+=("the baseline that reads: it needs tesseract")
}

# The release profile everywhere: a dataset and the tests need the same build, and unoptimised tests take minutes.
cargo test --release --locked --workspace --features "$features" "$@"
if [ $code -eq 3 ]; then
    left_out+=("the embedding code: it needs python3 and pip to fetch its model")
fi
for what in "${left_out[@]}"; do
    echo "test: passed WITHOUT $what" >&2
done
