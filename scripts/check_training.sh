#!/usr/bin/env bash
# Run the examples of the Python package with PyTorch, Ray Data, Grain and Hugging Face, and look at what they do.
#
#   bash scripts/check_training.sh [pytorch|ray|grain|hugging-face|memory ..]
#
# Takes about ten minutes and is no step of .ci/run: what it installs is large. Needs the wheel that scripts/check_wheel.sh
# leaves in target/wheels, and makes it where it is missing. PyTorch must be Debian's (python3-torch), which runs without a
# graphics card and belongs to /usr/bin/python3; where it can't be had, its part is left out and the last line says so.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

parts=("$@")
[ $# -gt 0 ] || parts=(pytorch ray grain hugging-face memory)
ls target/wheels/windesk-*.whl >/dev/null 2>&1 || bash scripts/check_wheel.sh
wheel=$(ls "$PWD"/target/wheels/windesk-[0-9]*.whl)
place=$PWD/target/python-training
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export PYTHONDONTWRITEBYTECODE=1
pip_quietly=(-m pip --disable-pip-version-check --quiet)
left_out=

# The last loss on scenes of programs that were never seen, of a training's lines.
last_loss() {
    awk '/test loss/ { loss = $NF } END { print loss }' "$1"
}

fail() {
    echo "check_training: $1" >&2
    exit 1
}

pytorch() {
    if ! /usr/bin/python3 -c 'import torch' 2>/dev/null && [ "$(id -u)" -eq 0 ]; then
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3-torch python3-venv >&2 || true
    fi
    if ! /usr/bin/python3 -c 'import torch' 2>/dev/null; then
        left_out="PyTorch: it needs Debian's python3-torch"
        return
    fi
    rm -rf "$place-torch"
    /usr/bin/python3 -m venv --system-site-packages "$place-torch"
    "$place-torch/bin/python" "${pip_quietly[@]}" install --no-deps "$wheel"
    local train=("$place-torch/bin/python" python/examples/train_torch.py)
    "${train[@]}" --steps 150 | tee "$scratch/whole"
    local before after
    before=$(awk '/test loss/ { print $NF; exit }' "$scratch/whole")
    after=$(last_loss "$scratch/whole")
    awk -v before="$before" -v after="$after" 'BEGIN { exit !(after < 0.8 * before) }' ||
        fail "train_torch: found a test loss of $after after $before, expected it to fall by a fifth"
    # The same losses without workers, and with a stop in the middle.
    "${train[@]}" --steps 20 --workers 0 | grep loss >"$scratch/no-workers"
    "${train[@]}" --steps 20 --workers 2 | grep loss >"$scratch/two-workers"
    diff "$scratch/no-workers" "$scratch/two-workers" || fail "train_torch: two workers give other losses than none"
    "${train[@]}" --steps 12 --weights "$scratch/weights" >/dev/null
    "${train[@]}" --steps 20 --start 12 --weights "$scratch/weights" >"$scratch/resumed"
    [ "$(last_loss "$scratch/resumed")" = "$(last_loss "$scratch/two-workers")" ] ||
        fail "train_torch: found another loss after a stop at step 12"
    echo "pytorch: test loss $before -> $after; the same with 0 and 2 workers, and after a stop" >&2
}

environment() {
    local wanted
    wanted=$(cat scripts/check_wheel.requirements.txt scripts/check_training.requirements.txt && python3 --version)
    if [ "$(cat "$place/installed.txt" 2>/dev/null)" != "$wanted" ]; then
        rm -rf "$place"
        python3 -m venv "$place"
        "$place/bin/python" "${pip_quietly[@]}" install --prefer-binary --requirement scripts/check_wheel.requirements.txt \
            --requirement scripts/check_training.requirements.txt
        echo "$wanted" >"$place/installed.txt"
    fi
    "$place/bin/python" "${pip_quietly[@]}" install --no-deps --force-reinstall "$wheel"
}

# pytest FILE.. [OPTION ..]: tests of python/tests.
pytest() {
    (cd python/tests && "$place/bin/python" -m pytest --quiet -p no:cacheprovider "$@")
}

for part in "${parts[@]}"; do
    echo "--- $part" >&2
    case $part in
    pytorch) pytorch ;;
    ray)
        environment
        pytest training/test_ray.py
        "$place/bin/python" python/examples/ray_generate.py --n 500 --out "$scratch/ray"
        ;;
    grain)
        environment
        pytest training/test_grain.py
        ;;
    hugging-face)
        environment
        pytest training/test_hugging_face.py test_docs.py
        ;;
    memory)
        environment
        WINDESK_MEMORY_SAMPLES=20000 pytest test_process.py -k memory
        ;;
    *) fail "found part $part, expected pytorch, ray, grain, hugging-face or memory" ;;
    esac
done
[ -z "$left_out" ] || echo "check_training: passed WITHOUT $left_out" >&2
