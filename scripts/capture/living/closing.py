"""How windows are closed."""

import time

from .. import x11


def close_window(window) -> None:
    x11.activate(window)
    x11.press("Escape")
    for _ in range(20):
        if not x11.exists(window):
            return
        time.sleep(0.03)
    x11.tell_wm(window, "_NET_CLOSE_WINDOW", [0, 2, 0, 0, 0])
    for _ in range(30):
        if not x11.exists(window):
            return
        time.sleep(0.03)
