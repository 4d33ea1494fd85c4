"""Runs inside a session: a browser's window with one page of the web, whose content has exactly the page's size."""

import json
import sys
import traceback
from dataclasses import replace

from . import programs, x11
from .boxes import size
from .live import LiveProgram
from .looks import LOOKS
from .picture import CaptureError
from .programs import Program
from .recorder import Recorder
from .session import IN, OUT

PORT = 8090
# What a page without a window is drawn with (web/browser.py), and a host that is this machine.
FLAGS = (
    "--disable-gpu --hide-scrollbars --disable-lcd-text --font-render-hinting=none --force-color-profile=srgb "
    "--lang=en-GB --disable-smooth-scrolling --disable-partial-raster --force-prefers-reduced-motion --test-type"
)
TRIES = 3


def main(program_id: str, look_name: str, state: str, host: str, path: str, wide: str, high: str) -> int:
    """The in folder has the page's files. The report says where in the picture its content lies."""
    wanted = int(wide), int(high)
    address = f"http://{host}/{path}"
    program = replace(_on_page(programs.load(program_id), host, address), window_title=None)
    recorder, content, failures = Recorder(LiveProgram(program, LOOKS[look_name]), OUT), None, []
    try:
        live = recorder.live
        live.launch()
        for _ in range(TRIES):
            content = _content(live)
            if size(content) == wanted:
                break
            frame = x11.frame_box(live.window)
            live.place(
                tuple(have + want - now for have, want, now in zip(size(frame), wanted, size(content), strict=True))
            )
        x11.park_pointer()
        shot = recorder.capture(live.window, state, "main", ["launch", f"type {address}", "key Return"])
        content = _content(live) if shot else None
    except CaptureError as fault:
        failures.append(str(fault))
    except Exception:
        failures.append(traceback.format_exc())
    shots = recorder.shots
    local = [v - shots[0].picture.origin[i % 2] for i, v in enumerate(content)] if shots and content else None
    text = {"states": [s.state for s in shots], "transitions": [], "content": local, "seconds": 0,
            "failures": recorder.failures + failures}  # fmt: skip
    (OUT / "report.json").write_text(json.dumps(text), encoding="utf-8")
    return 0


def _on_page(program: Program, host: str, address: str) -> Program:
    """The program's own command with this page instead of those that it opens otherwise."""
    server = f"python3 -m http.server {PORT} --bind 127.0.0.1 --directory {IN} >/dev/null 2>&1 &\nsleep 0.7\n"
    start = next(line for line in program.command.splitlines() if line.startswith("exec "))
    own = " ".join(word for word in start.split() if not word.startswith("http"))
    rule = f'--host-resolver-rules="MAP {host} 127.0.0.1:{PORT}"'
    return replace(program, command=f"{server}{own} {FLAGS} {rule} {address}", use=(), chains=())


def _content(live: LiveProgram):
    """Where the page is, on the screen."""
    documents = [e for e in live.elements_now(live.window) if e.role == "document"]
    if not documents:
        raise CaptureError("no document in the window")
    return max((e.box for e in documents), key=lambda box: (box[2] - box[0]) * (box[3] - box[1]))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
