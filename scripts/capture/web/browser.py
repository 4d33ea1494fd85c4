"""Chromium without a window, driven over a pair of pipes by its DevTools protocol."""

import base64
import io
import json
import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

PROGRAM = "/usr/bin/chromium"
FLAGS = (
    "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update "
    "--disable-sync --disable-extensions --hide-scrollbars --disable-lcd-text --font-render-hinting=none "
    "--force-color-profile=srgb --lang=en-GB --remote-debugging-pipe --no-default-browser-check "
    "--allow-file-access-from-files --disable-features=Translate,OverscrollHistoryNavigation "
    "--disable-smooth-scrolling --disable-partial-raster "
    "--disable-frame-rate-limit --disable-gpu-vsync"
).split()


# The browser reads commands from file 3 and answers on file 4.
PIPES = 'a=$1 b=$2; shift 2; exec 3<&"$a" 4>&"$b"; exec "$@"'


class Broken(RuntimeError):
    """The browser refused a command, or a page threw."""


class Browser:
    """One process with a fresh profile."""

    def __init__(self):
        self.profile = tempfile.TemporaryDirectory(prefix="windesk-web-", ignore_cleanup_errors=True)
        profile = f"--user-data-dir={self.profile.name}"
        to_browser, our_end = os.pipe()
        our_ear, from_browser = os.pipe()
        self.process = subprocess.Popen(
            ["sh", "-c", PIPES, "sh", str(to_browser), str(from_browser), PROGRAM, *FLAGS, profile, "about:blank"],
            pass_fds=(to_browser, from_browser),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "TZ": "UTC"},
        )
        os.close(to_browser)
        os.close(from_browser)
        self.out, self.ear, self.rest, self.number = our_end, our_ear, b"", 0
        targets = self.send("Target.getTargets")["targetInfos"]
        page = next(t["targetId"] for t in targets if t["type"] == "page")
        self.session = self.send("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]

    def send(self, method: str, **arguments) -> dict:
        """Calls a method and waits for its answer."""
        return self.send_all([(method, arguments)])[-1]

    def send_all(self, calls: list[tuple[str, dict]]) -> list[dict]:
        """Calls methods one after the other without waiting in between."""
        waiting, data = {}, b""
        for method, arguments in calls:
            self.number += 1
            message = {"id": self.number, "method": method, "params": arguments}
            if getattr(self, "session", None):
                message["sessionId"] = self.session
            waiting[self.number] = method
            data += json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data) :]
        answers = []
        while waiting:
            answer = self._read()
            method = waiting.pop(answer.get("id"), None)
            if method is None:
                continue
            if "error" in answer:
                raise Broken(f"{method}: {answer['error'].get('message')}")
            answers.append(answer["result"])
        return answers

    def _read(self) -> dict:
        parts = [self.rest]
        while b"\0" not in parts[-1]:
            part = os.read(self.ear, 1 << 20)
            if not part:
                raise Broken("the browser ended")
            parts.append(part)
        message, _, self.rest = b"".join(parts).partition(b"\0")
        return json.loads(message)

    def run(self, script: str):
        """The value of an expression in the page; promises are awaited."""
        out = self.send("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in out:
            details = out["exceptionDetails"]
            raise Broken(details.get("exception", {}).get("description") or details["text"])
        # The protocol writes -0, which JSON has not, in words of its own.
        return 0 if out["result"].get("unserializableValue") == "-0" else out["result"].get("value")

    def picture(self) -> np.ndarray:
        """What the page shows, RGB, one row per device pixel."""
        data = self.send("Page.captureScreenshot", format="png", optimizeForSpeed=True)["data"]
        with Image.open(io.BytesIO(base64.b64decode(data))) as image:
            return np.asarray(image.convert("RGB"))

    def pointer(self, events: list[tuple[str, tuple[float, float], bool]]) -> None:
        """Events of the mouse in order: their type, the point in layout pixels, whether the button is held."""
        calls = []
        for kind, at, down in events:
            button = "none" if kind == "mouseMoved" and not down else "left"
            more = {"buttons": 1 if down else 0, "clickCount": 0 if kind == "mouseMoved" else 1}
            told = {"type": kind, "x": at[0], "y": at[1], "button": button, "pointerType": "mouse", **more}
            calls.append(("Input.dispatchMouseEvent", told))
        self.send_all(calls)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        os.close(self.out)
        os.close(self.ear)
        self.profile.cleanup()


def script_of(name: str) -> str:
    return (Path(__file__).parent / name).read_text(encoding="utf-8")
