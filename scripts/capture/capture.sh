#!/bin/bash
# capture.sh list | run .. --out PACK | sheet PACK PICTURE | clean PACK | prune PACK | check ..     (see README.md)
here=$(cd "$(dirname "$0")" && pwd)
# The interpreter that has Debian's gi bindings; -P: no `capture` of the folder that it is called in.
PYTHONPATH=$(dirname "$here") PYTHONDONTWRITEBYTECODE=1 exec /usr/bin/python3 -P -m capture "$@"
