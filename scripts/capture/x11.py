"""The X side: client windows, their frames, open popups, placing, focus, mouse and keyboard."""

import subprocess
import time

from Xlib import X, Xatom, display, error
from Xlib.ext import xtest
from Xlib.protocol import event

from .boxes import Box
from .screen import SCREEN, Popup

TO_WM = X.SubstructureRedirectMask | X.SubstructureNotifyMask

DISPLAY = display.Display()
ROOT = DISPLAY.screen().root


def atom(name: str) -> int:
    return DISPLAY.intern_atom(name)


def prop(window, name: str):
    """A property's value as a list or bytes; None if the window or the property is gone."""
    try:
        value = window.get_full_property(atom(name), X.AnyPropertyType)
    except error.XError:
        return None
    if value is None:
        return None
    return value.value if isinstance(value.value, (bytes, str)) else list(value.value)


def box_of(window) -> Box:
    geometry = window.get_geometry()
    at = ROOT.translate_coords(window, 0, 0)
    return at.x, at.y, at.x + geometry.width, at.y + geometry.height


def mapped(window) -> bool:
    try:
        return window.get_attributes().map_state == X.IsViewable
    except error.XError:
        return False


def type_names(window) -> list[str]:
    return [DISPLAY.get_atom_name(t) for t in prop(window, "_NET_WM_WINDOW_TYPE") or []]


def clients() -> list:
    """Ordinary client windows, oldest first; without the desktop, docks and splash screens."""
    out = []
    for xid in prop(ROOT, "_NET_CLIENT_LIST") or []:
        window = DISPLAY.create_resource_object("window", xid)
        types = type_names(window)
        if mapped(window) and not any(t.endswith(("_DESKTOP", "_DOCK", "_SPLASH")) for t in types):
            out.append(window)
    return out


def exists(window) -> bool:
    return window.id in (prop(ROOT, "_NET_CLIENT_LIST") or []) and mapped(window)


def title(window) -> str:
    name = prop(window, "_NET_WM_NAME") or prop(window, "WM_NAME") or b""
    return name.decode("utf-8", "replace") if isinstance(name, bytes) else str(name)


def pid(window) -> int | None:
    value = prop(window, "_NET_WM_PID")
    return value[0] if value else None


def csd_extents(window) -> tuple[int, int, int, int] | None:
    """Left, right, top, bottom of a client-side shadow, or None for a server-side frame."""
    extents = prop(window, "_GTK_FRAME_EXTENTS")
    return tuple(extents) if extents and len(extents) == 4 and any(extents) else None


def has_csd(window) -> bool:
    extents = prop(window, "_GTK_FRAME_EXTENTS")
    frame = prop(window, "_NET_FRAME_EXTENTS")
    return bool(extents) and not (frame and any(frame))


def frame_box(window) -> Box:
    """The visible frame: with server-side decoration, without client-side shadow."""
    x0, y0, x1, y1 = box_of(window)
    own = csd_extents(window)
    if own:
        left, right, top, bottom = own
        return x0 + left, y0 + top, x1 - right, y1 - bottom
    left, right, top, bottom = prop(window, "_NET_FRAME_EXTENTS") or (0, 0, 0, 0)
    return x0 - left, y0 - top, x1 + right, y1 + bottom


def frame_window(window):
    """The window manager's frame around a client (the client itself where it is not reparented)."""
    while True:
        tree = window.query_tree()
        if tree.parent == 0 or tree.parent.id == ROOT.id:
            return window
        window = tree.parent


def popups() -> list[Popup]:
    out = []
    for window in ROOT.query_tree().children:
        try:
            attributes = window.get_attributes()
            if (
                attributes.map_state != X.IsViewable
                or not attributes.override_redirect
                or attributes.win_class != X.InputOutput
            ):
                continue
            types = type_names(window)
            # Real popups carry a window type; the window manager's helper windows do not.
            if not types or any("DND" in t for t in types):
                continue
            surface = box_of(window)
        except error.XError:
            continue
        extents = csd_extents(window) or (0, 0, 0, 0)
        box = surface[0] + extents[0], surface[1] + extents[2], surface[2] - extents[1], surface[3] - extents[3]
        if box[2] - box[0] > 8 and box[3] - box[1] > 8 and box[2] - box[0] < SCREEN[0] - 60:
            out.append(Popup(box, surface, types[0]))
    return out


def tell_wm(window, message: str, data) -> None:
    ROOT.send_event(event.ClientMessage(window=window, client_type=atom(message), data=(32, data)), event_mask=TO_WM)
    DISPLAY.sync()


def set_state(window, add: bool, *names: str) -> None:
    # Two to a message: xfwm4 does not maximise one direction after the other.
    for pair in zip(names[::2], [*names[1::2], None], strict=False):
        tell_wm(window, "_NET_WM_STATE", [1 if add else 0, *(atom(name) if name else 0 for name in pair), 2, 0])


def xdotool(*words) -> None:
    subprocess.run(["xdotool", *map(str, words)], stderr=subprocess.DEVNULL, timeout=10, check=False)


def move_frame(window, x: int, y: int, frame_size: tuple[int, int] | None = None) -> None:
    """Puts the visible frame's top left at (x, y) and gives the frame this size."""
    set_state(window, False, "_NET_WM_STATE_MAXIMIZED_HORZ", "_NET_WM_STATE_MAXIMIZED_VERT", "_NET_WM_STATE_FULLSCREEN")
    time.sleep(0.15)
    for _ in range(2):
        frame, client = frame_box(window), box_of(window)
        if frame_size:
            extra = [(client[i + 2] - client[i]) - (frame[i + 2] - frame[i]) for i in (0, 1)]
            xdotool("windowsize", window.id, frame_size[0] + extra[0], frame_size[1] + extra[1])
            time.sleep(0.2)
        frame = frame_box(window)
        if frame[:2] != (x, y):
            # A message with static gravity names the client's own corner, whatever the frame is.
            client = box_of(window)
            # Client-side shadows reach beyond the screen's edge: negative numbers go as two's complement.
            corner = [(client[i] + at - frame[i]) & 0xFFFFFFFF for i, at in enumerate((x, y))]
            tell_wm(window, "_NET_MOVERESIZE_WINDOW", [10 | 3 << 8 | 2 << 12, *corner, 0, 0])
            time.sleep(0.2)


def activate(window) -> bool:
    for _ in range(4):
        tell_wm(window, "_NET_ACTIVE_WINDOW", [2, X.CurrentTime, 0, 0, 0])
        time.sleep(0.15)
        active = prop(ROOT, "_NET_ACTIVE_WINDOW")
        focus = DISPLAY.get_input_focus().focus
        if active and active[0] == window.id and getattr(focus, "id", focus) not in (0, 1, ROOT.id):
            return True
        try:
            window.set_input_focus(X.RevertToParent, X.CurrentTime)
            DISPLAY.sync()
        except error.XError:
            return False
    return False


def set_opacity(window, visible: bool) -> None:
    """Hides a window from the picture without unmapping it (dialogs would vanish with their parent)."""
    if visible:
        window.delete_property(atom("_NET_WM_WINDOW_OPACITY"))
    else:
        window.change_property(atom("_NET_WM_WINDOW_OPACITY"), Xatom.CARDINAL, 32, [0])
    DISPLAY.sync()


def is_hidden(window) -> bool:
    return prop(window, "_NET_WM_WINDOW_OPACITY") == [0]


def is_modal(window) -> bool:
    return atom("_NET_WM_STATE_MODAL") in (prop(window, "_NET_WM_STATE") or [])


def is_maximised(window) -> bool:
    return atom("_NET_WM_STATE_MAXIMIZED_VERT") in (prop(window, "_NET_WM_STATE") or [])


def maximise(window, large: bool) -> None:
    """Lets a window fill the work area, or gives it its former size."""
    set_state(window, large, "_NET_WM_STATE_MAXIMIZED_VERT", "_NET_WM_STATE_MAXIMIZED_HORZ")


def allowed(window, action: str) -> bool:
    actions = prop(window, "_NET_WM_ALLOWED_ACTIONS")
    return actions is None or atom("_NET_WM_ACTION_" + action) in actions


def move_pointer(x: int, y: int) -> None:
    xtest.fake_input(DISPLAY, X.MotionNotify, x=int(x), y=int(y))
    DISPLAY.sync()


def park_pointer() -> None:
    """Moves the pointer to where it touches no window, so that nothing is drawn hovered."""
    move_pointer(SCREEN[0] - 2, SCREEN[1] - 20)


def click(x: int, y: int, button: int = 1, times: int = 1) -> None:
    move_pointer(x, y)
    time.sleep(0.08)
    for _ in range(times):
        xtest.fake_input(DISPLAY, X.ButtonPress, button)
        DISPLAY.sync()
        time.sleep(0.03)
        xtest.fake_input(DISPLAY, X.ButtonRelease, button)
        DISPLAY.sync()
        time.sleep(0.05)


def press_button() -> None:
    """Holds the first button down where the pointer is, until `release_button`."""
    xtest.fake_input(DISPLAY, X.ButtonPress, 1)
    DISPLAY.sync()


def release_button() -> None:
    xtest.fake_input(DISPLAY, X.ButtonRelease, 1)
    DISPLAY.sync()


def press(keys: str) -> None:
    xdotool("key", "--clearmodifiers", keys)


def type_text(text: str) -> None:
    xdotool("type", "--delay", 12, "--", text)
