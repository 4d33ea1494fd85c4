#!/bin/bash
# web.sh list | run | maps | prove | try | sheet | windows | follow     (see ../README.md)
here=$(cd "$(dirname "$0")" && pwd)
# Debian's Python, which has numpy and Pillow as packages; -P: no `capture` of the folder that it is called in.
PYTHONPATH=$(dirname "$(dirname "$here")") PYTHONDONTWRITEBYTECODE=1 exec "${WEB_PYTHON:-/usr/bin/python3}" -P -m capture.web "$@"
