"""A recipe's chains: guided walks from a fresh start, step by step."""

import time

from . import choices, x11
from .boxes import centre
from .elements import Element
from .picture import CaptureError
from .programs import POINTER_VERBS, Chain, Step
from .recorder import Recorder
from .roles import MENU_ITEMS
from .shots import Shot, slug

# What a transition calls the clicks of a recipe.
ACTIONS = {"click": "click", "doubleclick": "double_click", "rightclick": "right_click"}
# The steps of a main window, fresh and in use.
LAUNCHED = ["launch"]
IN_USE = ["launch", "use"]
# Start, element and action of the one click that may become a transition.
Click = tuple[Shot, Element, str]


def restart_and_walk(recorder: Recorder, chain: Chain, main: Shot) -> None:
    """A chain counts on the focus and the contents of a fresh start, or of a program in use where `main` shows one."""
    recorder.live.stop()
    recorder.live.launch()
    if main.steps != LAUNCHED:
        bring_into_use(recorder)
    # The window is another one, in the same state as the one that `main` shows.
    main.window_id = recorder.live.window.id
    walk(recorder, chain, main)


def bring_into_use(recorder: Recorder) -> None:
    """What somebody has done with the program so far: a text half written, a track halted, a file chosen. A step that
    fails is noted and costs only itself."""
    live = recorder.live
    for step in live.program.use:
        try:
            if step.verb in POINTER_VERBS:
                point(live.find(live.window, step), step.verb)
            else:
                act(step)
        except CaptureError as fault:
            recorder.failures.append(f"use: {fault}")


def walk(recorder: Recorder, chain: Chain, main: Shot) -> None:
    """The chain's end is captured under its name; a single click from a known state to it is a transition."""
    live = recorder.live
    steps, window = list(main.steps), live.window
    here: Shot | None = main
    last: Click | None = None
    known = {w.id for w in x11.clients()}
    for step in chain.steps:
        if step.verb == "capture":
            here, last = _capture(recorder, window, step.argument, steps, main, last), None
            continue
        if step.verb in POINTER_VERBS:
            element = live.find(window, step)
            point(element, step.verb)
            here, last = _follow(recorder, here, element, step)
        else:
            act(step)
            here, last = None, None
        steps.append(str(step))
        # Menu items may open a window late.
        fresh = live.wait_for_window(known, 2.5 if step.role in MENU_ITEMS else 0.8)
        window = fresh or live.window
    _capture(recorder, window, chain.name, steps, main, last)


def point(element: Element, verb: str) -> None:
    if verb == "hover":
        x11.move_pointer(*centre(element.box))
    else:
        button, times = 3 if verb == "rightclick" else 1, 2 if verb == "doubleclick" else 1
        x11.click(*centre(element.box), button=button, times=times)


def act(step: Step) -> None:
    if step.verb == "type":
        x11.type_text(step.argument)
    elif step.verb == "key":
        for keys in step.argument.split():
            x11.press(keys)
            time.sleep(0.15)
    elif step.verb == "wait":
        time.sleep(float(step.argument))


def _follow(recorder: Recorder, here: Shot | None, clicked: Element, step: Step) -> tuple[Shot | None, Click | None]:
    """Where a click leads: a state already captured, or one click away from the state it started in."""
    if here is None or step.verb == "hover":
        return None, None
    own = choices.same(here.elements, clicked)
    if own is None:
        return None, None
    start = here.state, here.element_id(own)
    known = next((t for t in recorder.transitions if (t["from"], t["element"]) == start), None)
    if known is not None:
        return next(s for s in recorder.shots if s.state == known["to"]), None
    return None, (here, own, ACTIONS[step.verb])


def _capture(recorder: Recorder, window, name: str, steps: list[str], main: Shot, last: Click | None) -> Shot | None:
    state = slug(name)
    if window.id == recorder.live.window.id:
        shot = recorder.capture(window, state, "main", list(steps))
    else:
        shot = recorder.capture_dialog(window, state, list(steps), main)
    if shot is not None and last is not None:
        recorder.link(*last, shot)
    return shot
