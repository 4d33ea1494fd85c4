"""The walk through a window's menus and into the dialogs that they open."""

import time

from . import choices, x11
from .boxes import centre
from .choices import label
from .elements import Element
from .live import LiveProgram
from .settings import DialogWalk
from .shots import Shot, slug

DIALOGS_OF_A_MENU = 3


def walk(explorer, main: Shot) -> None:
    found = choices.menus(main.elements)
    if explorer.only_known_menus:
        found = [m for m in found if f"menu-{slug(label(m))}" in explorer.known]
    for menu in [m for m in found if explorer.may_click(m)]:
        if explorer.menus_left <= 0 and explorer.dialogs_left <= 0:
            return
        explorer.guard(f"menu {menu.name}", _walk_menu, explorer, main, menu)


def _walk_menu(explorer, main: Shot, menu: Element) -> None:
    live, recorder = explorer.live, explorer.recorder
    name = label(menu)
    steps = ["launch", f"click {menu.role} {name}"]
    if not _open(live, menu):
        return
    if explorer.menus_left > 0:
        shot = recorder.capture(live.window, f"menu-{slug(name)}", "main", steps)
        if shot is None:
            return
        explorer.menus_left -= 1
        recorder.link(main, menu, "click", shot)
        elements = shot.elements
    else:
        shot, elements = None, live.elements_now(live.window)
    for position, item in enumerate(choices.dialog_items(elements, explorer.may_click)[:DIALOGS_OF_A_MENU]):
        # Each dialog's end has closed the menu.
        if explorer.dialogs_left <= 0 or (position > 0 and not _open(live, menu)):
            return
        way = [*steps, f"click {item.role} {item.name}"]
        explorer.guard(f"dialog {item.name}", _walk_dialog, explorer, main, shot, item, way)


def _open(live: LiveProgram, menu: Element) -> bool:
    x11.activate(live.window)
    x11.click(*centre(menu.box))
    time.sleep(0.6)
    popups = live.look_at(live.window)[0]
    live.popover_open = any(p.type_name == "POPOVER" for p in popups)
    return bool(popups)


def _walk_dialog(explorer, main: Shot, menu_shot: Shot | None, item: Element, steps: list[str]) -> None:
    recorder = explorer.recorder
    known = {w.id for w in x11.clients()}
    x11.click(*centre(item.box))
    dialog = explorer.live.wait_for_window(known)
    if dialog is None:
        return
    shot = recorder.capture_dialog(dialog, f"dialog-{slug(item.name)}", steps, main)
    if shot is None:
        return
    explorer.dialogs_left -= 1
    if menu_shot is not None:
        recorder.link(menu_shot, item, "click", shot)
    DialogWalk(explorer, dialog, shot, main).walk()
