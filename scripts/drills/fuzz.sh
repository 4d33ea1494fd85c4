#!/usr/bin/env bash
# Run the fuzz targets with libFuzzer, on the stable toolchain.
#
#   bash scripts/drills/fuzz.sh build              build all targets into target/fuzz
#   bash scripts/drills/fuzz.sh seeds [WINDESK]    begin the corpora with the project's own files; the program is by default target/release/windesk
#   bash scripts/drills/fuzz.sh run [SECONDS] [TARGET ..]
#                                                  fuzz the targets (default: all) one after the other, each for so long (default: 1800)
#   bash scripts/drills/fuzz.sh small [TARGET ..]  keep of each corpus what covers the most, in fuzz/seeds
#
# A run begins with fuzz/seeds/TARGET and what lies in target/fuzz/corpus/TARGET, and adds to the latter. What makes a target fail is left in
# target/fuzz/found. The last lines are a table: executions, executions per second, coverage (edges), size of the corpus. `build` needs a C++
# compiler.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

mapfile -t targets < <(sed -n 's/^path = "fuzz_targets\/\(.*\)\.rs"$/\1/p' fuzz/Cargo.toml)
place=${CARGO_TARGET_DIR:-$PWD/target/fuzz}
triple=$(rustc -vV | sed -n 's/^host: //p')
# Limits of one input: what takes longer or more is a finding.
LIMITS=(-timeout=20 -rss_limit_mb=3072 -max_len=131072)

build() {
    # Whatever is read by other crates is fuzzed in the versions that the program is built with.
    cp Cargo.lock fuzz/Cargo.lock
    # What cargo-fuzz asks of the compiler, less the sanitizer, which needs a nightly toolchain: `unsafe` is forbidden in these crates.
    local flags=(-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters
        -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing)
    CARGO_TARGET_DIR=$place RUSTFLAGS="${flags[*]}" CARGO_PROFILE_RELEASE_DEBUG=0 CARGO_PROFILE_RELEASE_INCREMENTAL=true \
        cargo build --release --manifest-path fuzz/Cargo.toml --target "$triple"
}

seeds() {
    python3 scripts/drills/fuzz_seeds.py "${1:-target/release/windesk}" "$place/corpus"
}

program() {
    echo "$place/$triple/release/$1"
}

run() {
    local seconds=1800
    if [[ ${1:-} =~ ^[0-9]+$ ]]; then
        seconds=$1
        shift
    fi
    [ $# -gt 0 ] || set -- "${targets[@]}"
    local failed=0
    for target in "$@"; do
        mkdir -p "$place/corpus/$target" "$place/found" "fuzz/seeds/$target"
        log=$place/$target.log
        "$(program "$target")" "${LIMITS[@]}" -max_total_time="$seconds" -print_final_stats=1 -artifact_prefix="$place/found/$target-" \
            "$place/corpus/$target" "fuzz/seeds/$target" >"$log" 2>&1 || {
            failed=1
            echo "fuzz: $target failed: see $log and $place/found" >&2
        }
    done
    printf '%-12s %12s %10s %9s %8s\n' target executions per_second edges corpus
    for target in "$@"; do
        log=$place/$target.log
        number() { sed -n "s/^stat::$1: *//p" "$log" | tail -n 1; }
        edges=$(grep -o 'cov: [0-9]*' "$log" | tail -n 1 | cut -d' ' -f2)
        printf '%-12s %12s %10s %9s %8s\n' "$target" "$(number number_of_executed_units)" "$(number average_exec_per_sec)" "$edges" \
            "$(find "$place/corpus/$target" -type f | wc -l)"
    done
    return $failed
}

# At most so many files of each corpus, none larger than this, are worth a place in the repository.
MAX_SEEDS=40
MAX_SEED_BYTES=4096

small() {
    [ $# -gt 0 ] || set -- "${targets[@]}"
    for target in "$@"; do
        merged=$(mktemp -d)
        mkdir -p "fuzz/seeds/$target" "$place/corpus/$target"
        "$(program "$target")" "${LIMITS[@]}" -merge=1 "$merged" "fuzz/seeds/$target" "$place/corpus/$target" >"$place/$target.merge.log" 2>&1
        rm -rf "fuzz/seeds/$target"
        mkdir -p "fuzz/seeds/$target"
        # Of all sizes: small ones reach little.
        find "$merged" -type f -size "-${MAX_SEED_BYTES}c" -printf '%s %p\n' | sort -n >"$merged.sizes"
        awk -v kept="$MAX_SEEDS" -v all="$(wc -l <"$merged.sizes")" \
            'int(NR * kept / all) > int((NR - 1) * kept / all) { print $2 }' "$merged.sizes" | xargs -r cp -t "fuzz/seeds/$target"
        rm "$merged.sizes"
        rm -rf "$merged"
    done
}

case ${1:-} in
build | seeds | run | small) "$@" ;;
*)
    echo "fuzz: expected build, seeds, run or small; see the top of scripts/drills/fuzz.sh" >&2
    exit 2
    ;;
esac
