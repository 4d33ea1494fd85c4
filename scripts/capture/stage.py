"""The two windows a session adds to the screen: a backdrop that changes colour and a dock that takes the focus away."""

import time
from pathlib import Path

import numpy as np
from PIL import Image
from Xlib import X, Xatom

from . import x11
from .screen import SCREEN, TASKBAR_PX

GREY = 0x808080
# Requests to the X server have a largest size.
STRIP_BYTES = 250_000


class Stage:
    def __init__(self):
        width, height = SCREEN
        self.backdrop = self._window(0, 0, width, height, "DESKTOP", GREY)
        self.bystander = self._window(width - 160, height - 14, 100, 14, "NORMAL", 0x202020)
        # It may lie over a maximised window: invisible, it still takes the focus.
        x11.set_opacity(self.bystander, False)
        # The dock reserves the taskbar's strip, so that maximised windows leave it free.
        self.dock = self._window(0, height - 2, 40, 2, "DOCK", 0x202020)
        bottom = TASKBAR_PX
        self.dock.change_property(
            x11.atom("_NET_WM_STRUT_PARTIAL"), Xatom.CARDINAL, 32, [0, 0, 0, bottom, 0, 0, 0, 0, 0, 0, 0, width - 1]
        )
        self.dock.change_property(x11.atom("_NET_WM_STRUT"), Xatom.CARDINAL, 32, [0, 0, 0, bottom])
        x11.DISPLAY.sync()
        time.sleep(0.4)

    def _window(self, x, y, width, height, kind, colour):
        screen = x11.DISPLAY.screen()
        window = x11.ROOT.create_window(
            x, y, width, height, 0, screen.root_depth, X.InputOutput, X.CopyFromParent, background_pixel=colour
        )
        window.change_property(
            x11.atom("_NET_WM_WINDOW_TYPE"), Xatom.ATOM, 32, [x11.atom("_NET_WM_WINDOW_TYPE_" + kind)]
        )
        # No decoration (Motif hints), and at the place given (user position).
        window.change_property(x11.atom("_MOTIF_WM_HINTS"), x11.atom("_MOTIF_WM_HINTS"), 32, [2, 0, 0, 0, 0])
        window.set_wm_normal_hints(flags=1 | 2 | 4 | 8, min_width=0, min_height=0)
        window.set_wm_hints(flags=1, input=1)
        window.set_wm_name(kind.lower())
        window.map()
        x11.DISPLAY.sync()
        return window

    def colour(self, pixel: int) -> None:
        self.backdrop.change_attributes(background_pixel=pixel)
        self.backdrop.clear_area(0, 0, 0, 0, False)
        x11.DISPLAY.sync()
        want = bytes((pixel & 255, pixel >> 8 & 255, pixel >> 16 & 255))
        for _ in range(40):
            time.sleep(0.06)
            corner = x11.ROOT.get_image(SCREEN[0] - 3, 2, 1, 1, X.ZPixmap, 0xFFFFFFFF).data[:3]
            if corner == want:
                break
        # The compositor paints in strips: give the rest of the screen its turn.
        time.sleep(0.06)

    def hang(self, path: Path) -> None:
        """Shows a picture instead of the backdrop's colour."""
        with Image.open(path) as wallpaper:
            pixels = np.asarray(wallpaper.convert("RGB"))
        height, width = pixels.shape[:2]
        data = np.dstack([pixels[:, :, ::-1], np.zeros((height, width), np.uint8)])
        depth = x11.DISPLAY.screen().root_depth
        pixmap = x11.ROOT.create_pixmap(width, height, depth)
        context = pixmap.create_gc()
        rows = max(1, STRIP_BYTES // (width * 4))
        for y in range(0, height, rows):
            strip = data[y : y + rows]
            pixmap.put_image(context, 0, y, width, len(strip), X.ZPixmap, depth, 0, strip.tobytes())
        self.backdrop.change_attributes(background_pixmap=pixmap)
        self.backdrop.clear_area(0, 0, 0, 0, False)
        context.free()
        pixmap.free()
        x11.DISPLAY.sync()
        time.sleep(0.5)

    def owns(self, window) -> bool:
        return window.id in (self.backdrop.id, self.bystander.id, self.dock.id)

    def take_focus(self) -> None:
        x11.activate(self.bystander)
