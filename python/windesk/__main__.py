"""The command line: ``python -m windesk``, or ``windesk``."""

from __future__ import annotations

import signal
import sys

from . import _windesk
from ._pack import installed_packs


def main() -> int:
    """Runs the command line with the arguments of the process and returns its exit code."""
    # Python would keep Ctrl-C until the engine is done.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _windesk.run_command_line(["windesk", *sys.argv[1:]], installed_packs())


if __name__ == "__main__":
    sys.exit(main())
