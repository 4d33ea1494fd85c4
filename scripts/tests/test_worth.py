import numpy as np
import pytest

from builders import FRAME, element, shot
from capture.picture import CaptureError
from capture.worth import require_worth

ENOUGH = [element(name="One"), element(name="Two")]
SHOWN = np.full((FRAME[3] - FRAME[1], FRAME[2] - FRAME[0], 4), 255, np.uint8)
OTHER = np.zeros_like(SHOWN)


def fault(state="dialog-find", kind="dialog", found=(), shown=OTHER, others=()):
    with pytest.raises(CaptureError) as caught:
        require_worth(state, kind, [*ENOUGH, *found], shown, others)
    return str(caught.value)


def test_a_state_that_says_enough_is_kept():
    require_worth("main", "main", ENOUGH, SHOWN, [])
    require_worth("menu-file", "main", ENOUGH, OTHER, [shot()])


def test_frame_buttons_and_labels_are_not_enough():
    few = [element(name="One"), element(name="Close", node=None), element("label", "Hi", interactive=False)]
    with pytest.raises(CaptureError, match="too few"):
        require_worth("main", "main", few, SHOWN, [])


def test_a_message_may_have_a_single_button():
    few = [element(name="OK"), element("label", "It failed", interactive=False)]
    require_worth("error-open", "dialog", few, SHOWN, [])
    with pytest.raises(CaptureError, match="too few"):
        require_worth("error-open", "dialog", few[1:], SHOWN, [])


def test_a_state_that_looks_like_another_one():
    assert fault(shown=SHOWN, others=[shot("main")]) == "looks like main"


def test_a_focus_ring_makes_no_other_state():
    ring = SHOWN.copy()
    ring[0, :20] = 0
    assert fault(shown=ring, others=[shot("main")]) == "looks like main"


def test_traces_of_the_capture_itself():
    assert "the capture itself" in fault(found=[element("label", "/srv/capture/out")])
    assert "the capture itself" in fault(found=[element("text", "Log", state={"text": "python3 -m capture.session"})])


def test_dialogs_that_tell_of_a_fault():
    told = element("label", "Could not open the file")
    assert fault(found=[told]) == "tells of a fault: Could not open the file"
    require_worth("main", "main", [*ENOUGH, told], OTHER, [])
    require_worth("dialog-find", "dialog", [*ENOUGH, element("entry", "Error text")], OTHER, [])
