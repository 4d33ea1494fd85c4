#!/usr/bin/env bash
# Check that no library crate would be published with more than its code.
#
#   bash scripts/check_packages.sh
#
# Sums the sizes of the files that `cargo package --list` names for each crate in crates/, and fails where they are more than 2 MiB: a
# picture, a pack or a dataset that slipped in. The root package is left out, as it brings the default pack. Builds nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

MAX_BYTES=$((2 * 1024 * 1024))

too_large=0
for manifest in crates/*/Cargo.toml; do
    folder=${manifest%/Cargo.toml}
    package=$(awk -F'"' '/^name = / { print $2; exit }' "$manifest")
    files=$(cargo package --package "$package" --list --allow-dirty --quiet)
    bytes=0
    largest=0
    largest_name=
    while read -r name; do
        # Cargo makes some of the files itself.
        [ -f "$folder/$name" ] || continue
        size=$(wc -c <"$folder/$name")
        bytes=$((bytes + size))
        if [ "$size" -gt "$largest" ]; then
            largest=$size
            largest_name=$name
        fi
    done <<<"$files"
    echo "check_packages: $package: $bytes bytes in $(wc -l <<<"$files") files" >&2
    if [ "$bytes" -gt "$MAX_BYTES" ]; then
        echo "check_packages: $package: found $bytes bytes, expected at most $MAX_BYTES; the largest file is $folder/$largest_name" \
            "($largest bytes)" >&2
        echo "hint: move it out of the crate, or name it in \`exclude\` of $manifest" >&2
        too_large=1
    fi
done
exit $too_large
