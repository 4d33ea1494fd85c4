"""AT-SPI, the accessibility bus, with its version chosen and its patience set before anybody asks."""

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

__all__ = ["Atspi", "GLib"]

Atspi.init()
Atspi.set_timeout(1500, 4000)
