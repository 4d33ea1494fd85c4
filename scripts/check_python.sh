#!/usr/bin/env bash
# Check the Python tools: lint, format, and the unit tests of what needs no screen.
#
#   bash scripts/check_python.sh [ARGUMENT OF pytest ..]
#
# What it runs (scripts/check_python.requirements.txt, about 120 MB) is installed with pip into target/python-tools the
# first time; nothing else changes. Where there is no python3 of 3.11 or later with pip, nothing is checked and the last
# line says so.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

has_python() {
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' && python3 -m pip --version
}
if ! has_python >/dev/null 2>&1; then
    echo "check_python: left out: found no python3 of 3.11 or later with pip" >&2
    exit 0
fi

requirements=scripts/check_python.requirements.txt
tools=target/python-tools
# What was installed, and for which Python, written last: an interrupted installation is made again.
wanted=$(cat "$requirements" && python3 --version)
if [ "$(cat "$tools/installed.txt" 2>/dev/null)" != "$wanted" ]; then
    rm -rf "$tools"
    python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --prefer-binary \
        --target "$tools" --requirement "$requirements"
    echo "$wanted" >"$tools/installed.txt"
fi
export RUFF_CACHE_DIR=$tools/ruff-cache
"$tools/bin/ruff" check scripts
"$tools/bin/ruff" format --check scripts
# Nothing of what the user has installed takes part.
PYTHONPATH=$PWD/$tools PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 python3 -s -B -m pytest --quiet scripts/tests "$@"
