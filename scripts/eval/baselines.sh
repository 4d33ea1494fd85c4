#!/usr/bin/env bash
# Score every baseline on L1-L5 and on the occlusion sweep: the tables of docs/evaluation.md.
#
#   bash scripts/eval/baselines.sh [N [FOLDER]]
#
# N base scenes per condition (default 100), everything in FOLDER (default baselines). The same command again goes on
# where it was stopped. Needs tesseract (Debian: tesseract-ocr), which takes about 3 s per picture and core. Prints the
# tables; FOLDER also gets reports as HTML and JSON and all tables and figures as files. WINDESK names another binary
# than the one that cargo builds.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

n=${1:-100}
folder=${2:-baselines}
if [ -z "${WINDESK:-}" ]; then
    cargo build --release --locked
    WINDESK=target/release/windesk
fi
command -v tesseract >/dev/null 2>&1 || {
    echo "baselines: found no tesseract, expected it for the agent ocr" >&2
    echo "hint: on Debian or Ubuntu: apt-get install tesseract-ocr" >&2
    exit 2
}

mkdir -p "$folder"
# Exit code 1: some sample could not be made, and the run says which. The others count.
"$WINDESK" synth --level all --n "$n" --out "$folder/levels" >&2 || [ $? -eq 1 ]
"$WINDESK" sweep occlusion --n "$n" --out "$folder/occlusion" >&2 || [ $? -eq 1 ]

agents=(oracle oracle-jitter random center topmost active largest ocr)
# The datasets are independent of each other, and only ocr takes long.
answer() {
    local agent
    for agent in "${agents[@]}"; do
        "$WINDESK" predict "$folder/$1" --agent "$agent" --out "$folder/$1-$agent.jsonl" >/dev/null || return
    done
}
answer levels &
levels=$!
answer occlusion
wait $levels

for set in levels occlusion; do
    files=("${agents[@]/#/$folder/$set-}")
    score=("$WINDESK" eval "$folder/$set" "${files[@]/%/.jsonl}")
    "${score[@]}" --report html --out "$folder/$set.html" --export "$folder/$set-tables"
    "${score[@]}" --report json --out "$folder/$set.json"
    cat "$folder/$set-tables/conditions-visible.md"
done
