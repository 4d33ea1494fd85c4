#!/usr/bin/env bash
# Check that no line of documentation is longer than 120 columns: comments of Rust, prose of Markdown. Tables, code and
# links can't be broken.
#
#   bash scripts/check_columns.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

comments() {
    git grep -n -E '^ *//' -- '*.rs' | grep -vE '^[^:]*:[0-9]+: *//[/!]? \|'
}
# Pages in the homes of invented persons are contents, not documentation.
prose() {
    git ls-files -z '*.md' ':!scripts/capture/home/personas' | xargs -0 awk '
        FNR == 1 { code = 0 }
        /^ *```/ { code = !code }
        !code && !/^ *\|/ && !/https?:|^!\[/ { print FILENAME ":" FNR ":" $0 }'
}

# Here grep counts characters; awk may count bytes.
found=$({ comments; prose; } | LC_ALL=C.UTF-8 grep -E '^[^:]*:[0-9]+:.{121}' || true)
if [ -n "$found" ]; then
    echo "check_columns: found lines of documentation beyond 120 columns:" >&2
    echo "$found" >&2
    exit 1
fi
