"""The libraries and screens of web pages, and what is kept of two pictures."""

import json
from pathlib import Path

import numpy as np

from capture.living.matching import Names
from capture.web import crawl, differences, sources
from capture.web.live_page import Look
from capture.web.measure import Measured

ASSETS = Path(__file__).parents[2] / "assets"


def test_every_library_has_a_kit_and_its_screens():
    pages = sources.pages()
    assert len({page.program for page in pages}) == len(sources.libraries())
    assert len({(page.program, page.name) for page in pages}) == len(pages)
    for page in pages:
        assert page.source.is_file(), page.source
        assert page.title, page.source
        assert len(list((sources.HERE / "pages" / page.library.kit).glob("kit.*"))) == 1
        assert (ASSETS / "licenses" / f"{page.library.licence}.txt").is_file()


def test_the_lock_file_names_no_host():
    text = (sources.HERE / "package-lock.json").read_text(encoding="utf-8")
    assert "resolved" not in text
    assert "://" not in text
    wanted = json.loads((sources.HERE / "package.json").read_text(encoding="utf-8"))["dependencies"]
    versions = sources.installed()
    assert all(package in wanted and package in versions for lib in sources.libraries() for package in lib.packages)


def picture(box=None, level=20):
    out = np.full((40, 60, 3), 200, np.uint8)
    if box:
        out[box[1] : box[3], box[0] : box[2]] = level
    return out


def test_what_differs_is_found_by_rows():
    assert differences.changed_part(picture(), picture()) is None
    assert differences.changed_part(picture(), picture((5, 6, 9, 12))) == (5, 6, 9, 12)
    assert differences.off(picture(), picture((5, 6, 9, 12))) == 24
    assert differences.off(picture(), picture((5, 6, 9, 12), 195)) == 0


def test_a_corner_drawn_anew_is_no_change():
    faint = differences.all_pieces(picture(), picture((5, 6, 9, 9), 195))
    assert [piece.rect for piece in faint] == [(5, 6, 9, 9)]
    assert differences.seen_pieces(picture(), faint) == []
    [piece] = differences.seen_pieces(picture(), differences.all_pieces(picture(), picture((5, 6, 25, 12))))
    assert piece.rect == (5, 6, 25, 12)
    assert (piece.active == 20).all()


def element(uid, role="label", name="a", box=(0, 0, 5, 5), **state):
    return {"uid": uid, "id": f"e{uid}", "parent": None, "role": role, "name": name, "bbox": list(box),
            "interactive": False, "state": state}  # fmt: skip


def test_elements_are_told_by_their_nodes():
    before = differences.with_ids(
        [element(1, name="40 %"), element(2, "slider", "Volume", value=40), element(3, name="gone")]
    )
    now = [
        element(1, name="50 %"),
        element(2, "slider", "Volume", value=50),
        element(9, "heading", "new", (0, 9, 5, 14)),
    ]
    found = differences.difference(before, now, Names("n"))
    by_id = {change["id"]: change for change in found.changes}
    assert by_id["e1"] == {"id": "e1", "name": "50 %"}
    assert by_id["e2"] == {"id": "e2", "state": {"value": 50}}
    assert by_id["e3"] == {"id": "e3", "gone": True}
    assert [added["id"] for added in found.added] == ["n1"]


class Lamps:
    """Two lamps that answer alike; nothing is seen of the second one."""

    def __init__(self):
        self.values = {"seen": False, "unseen": False}

    def load(self):
        self.__init__()

    def value(self, name):
        return self.values[name]

    def click(self, point):
        name = "seen" if point[0] < 30 else "unseen"
        self.values[name] = not self.values[name]

    def look(self):
        return Look(picture((5, 6, 25, 12) if self.values["seen"] else None), [element(1)], {})


def test_a_control_of_which_nothing_is_seen_is_left_out():
    page = Lamps()
    base = page.look()
    out = crawl.Crawled(base, differences.with_ids(base.elements))
    for name, x in (("seen", 10), ("unseen", 50)):
        lamp = Measured(name, "switch", {"id": name}, [False, True], {})
        lamp.reach = {repr(value): ("click", (x, 9)) for value in (False, True)}
        patches = crawl.looks(page, out, lamp, Names("n"))
        assert [patch.value for patch in patches] == ([True] if name == "seen" else [])
        assert page.values == {"seen": False, "unseen": False}
    assert out.notes == ["switch unseen: nothing of True is seen"]


def test_faint_changes_of_the_same_place_are_not_seen_together():
    out = crawl.Crawled(Lamps().look(), [])
    near, far = (8, 6, 12, 9), (40, 6, 44, 9)
    told = {"one": ((5, 6, 9, 9), 5), "two": (near, 5), "faint": (near, 4), "far": (far, 90)}
    for name, touched in told.items():
        out.controls.append(Measured(name, "switch", {"id": name}, [False, True], {}))
        out.patches.append(crawl.Patch(name, True, [], differences.Difference(), [touched]))
    crawl.find_conflicts(out)
    assert out.conflicts == {("one", "two")}
