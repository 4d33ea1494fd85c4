#!/usr/bin/env bash
# Check that the module tables of docs/architecture.md name every module of every crate, and nothing else.
#
#   bash scripts/check_modules.sh
#
# A row starts with the module's path below `src/` in backquotes; the heading above its table ends with the crate's folder in backquotes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

page=docs/architecture.md
named=$(awk -F'`' '/^#/ { crate = /^### / && NF > 2 ? $(NF - 1) : "" }
    crate != "" && /^\| `/ { print crate "/" $2 }' "$page" | sort)
there=$(find crates/*/src python/src src -name '*.rs' | sed -E 's,/src/,/,; s,\.rs$,,; s,/mod$,,' |
    grep -Ev '/(lib|tests)$' | sort)
if ! difference=$(diff <(echo "$there") <(echo "$named")); then
    echo "check_modules: found that $page differs from the code (< in the code alone, > in the page alone):" >&2
    grep '^[<>]' <<<"$difference" >&2
    exit 1
fi
echo "check_modules: $(wc -l <<<"$there") modules, all in $page" >&2
