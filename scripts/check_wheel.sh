#!/usr/bin/env bash
# Build the Python package and test it: lint, types, and pytest in a virtual environment that has the wheel and no toolchain.
#
#   bash scripts/check_wheel.sh [ARGUMENT OF pytest ..]
#
# The wheel is left in target/wheels. What it runs (scripts/check_wheel.requirements.txt, about 150 MB) is installed with
# pip into a virtual environment in target/python-wheel the first time. Where there is no python3 of 3.11 or later with
# venv and pip, nothing is checked and the last line says so.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

place=$PWD/target/python-wheel
has_python() {
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' && python3 -m venv --help && python3 -m pip --version
}
if ! has_python >/dev/null 2>&1; then
    echo "check_wheel: left out: found no python3 of 3.11 or later with venv and pip" >&2
    exit 0
fi
command -v cargo >/dev/null 2>&1 || PATH=$PATH:${CARGO_HOME:-$HOME/.cargo}/bin

requirements=scripts/check_wheel.requirements.txt
# What was installed, and for which Python, written last: an interrupted installation is made again.
wanted=$(cat "$requirements" && python3 --version)
if [ "$(cat "$place/installed.txt" 2>/dev/null)" != "$wanted" ]; then
    rm -rf "$place"
    python3 -m venv "$place"
    "$place/bin/python" -m pip install --quiet --disable-pip-version-check --prefer-binary --requirement "$requirements"
    echo "$wanted" >"$place/installed.txt"
fi
export RUFF_CACHE_DIR=$place/ruff-cache MYPY_CACHE_DIR=$place/mypy-cache PYTHONDONTWRITEBYTECODE=1
"$place/bin/ruff" check python
"$place/bin/ruff" format --check python

wheels=$PWD/target/wheels
rm -rf "$wheels"
# The program of the tests is built by the same compiler with the same features: little is compiled anew.
# (`schema` is the tests' own; what it adds to types, nothing in the wheel calls.)
"$place/bin/maturin" build --quiet --release --locked --manifest-path python/Cargo.toml --out "$wheels" \
    --features embed,pack,parquet,schema,tls
for package in pack pack-windows; do
    "$place/bin/python" -m pip wheel --quiet --disable-pip-version-check --no-build-isolation --no-deps \
        --wheel-dir "$wheels" "python/$package"
done
# Each must fit onto the index of packages.
find "$wheels" -name '*.whl' -size +100000000c | while read -r large; do
    echo "check_wheel: $large: found more than 100 MB, expected less" >&2
    exit 1
done
"$place/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --force-reinstall "$wheels"/*.whl
(cd python && "$place/bin/mypy")
# The wheel must do without what built it.
PATH=$place/bin:/usr/bin:/bin PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 \
    "$place/bin/python" -m pytest --quiet -p no:cacheprovider python/tests "$@"
