"""Maps of web pages: what is claimed of a control is what was tried."""

from capture.web import manners, measure, prove


def inside(box, point):
    return box[0] <= point[0] < box[2] and box[1] <= point[1] < box[3]


def test_a_box_that_answers_at_its_corners_is_taken_whole():
    tried = []

    def holds(point):
        tried.append(point)
        return True

    assert measure.region((10, 20, 40, 30), (25, 25), holds) == (10, 20, 40, 30)
    assert {(10, 20), (39, 20), (10, 29), (39, 29)} <= set(tried)


def test_a_box_shrinks_to_what_answers():
    answers = (14, 22, 33, 28)
    assert measure.region((10, 20, 40, 30), (25, 25), lambda p: inside(answers, p)) == answers
    assert measure.region((10, 20, 40, 30), (25, 25), lambda _: False) is None


def test_a_round_button_loses_its_corners():
    def holds(point):
        return (point[0] - 20) ** 2 + (point[1] - 20) ** 2 <= 10**2

    found = measure.region((10, 10, 31, 31), (20, 20), holds)
    assert all(holds(point) for point in measure.points_of(found)[:4])
    assert found[2] - found[0] >= 10


def test_a_box_ends_at_a_gap():
    mark_and_label = lambda point: inside((10, 10, 26, 20), point) or inside((34, 10, 90, 20), point)  # noqa: E731
    assert measure.without_gaps((10, 10, 90, 20), (18, 15), 5, mark_and_label) == (10, 10, 26, 20)
    assert measure.without_gaps((10, 10, 90, 20), (60, 15), 5, mark_and_label) == (34, 10, 90, 20)
    assert measure.without_gaps((34, 10, 90, 20), (60, 15), 5, mark_and_label) == (34, 10, 90, 20)


def test_stops_are_found_to_the_pixel():
    tried = []

    def value(position):
        tried.append(position)
        return round((position - 23) / 96 * 10)

    found = measure.stops(23, 119, value)
    assert [v for _, v in found] == list(range(11))
    assert all(value(position) == v and value(position - 1) == v - 1 for position, v in found[1:])
    assert len(tried) < 97 + 20
    spots = measure.spot_of(found, 120)
    assert all(value(spots[repr(v)]) == v for v in range(11))


def test_values_that_come_back_are_no_stops():
    assert measure.stops(0, 40, lambda p: 1 if 10 <= p < 20 else 0 if p < 30 else 2) is None
    assert measure.stops(0, 40, lambda p: -1 if p == 20 else p // 10) is None


def test_a_point_of_a_map_has_its_value():
    told = measure.stops_map((10, 5, 50, 15), "x", [(10, 0), (20, 5), (40, 10)])
    assert told["stops"][1] == {"from": 20, "value": 5}
    assert prove.spot_of(told, 5) == [29, 10]
    assert prove.spot_of(told, 7) is None
    regions = {"kind": "regions", "regions": [{"rect": [0, 0, 10, 20], "value": "on"}]}
    assert prove.spot_of(regions, "on") == [5, 10]


class Page:
    """A switch and three tabs, as the browser would answer: clicks in a box that is smaller than the element's."""

    scale, size = 1, (200, 100)

    def __init__(self):
        self.values = {"lamp": False, "tab": "One"}

    def click(self, point):
        if inside((12, 10, 38, 20), point):
            self.values["lamp"] = not self.values["lamp"]
        for number, name in enumerate(("One", "Two", "Three")):
            if inside((50 + 30 * number, 10, 78 + 30 * number, 30), point):
                self.values["tab"] = name

    def value(self, name):
        return self.values[name]

    def load(self):
        self.__init__()


def told(**more):
    return {
        "type": "switch",
        "name": "",
        "axis": "x",
        "uid": 1,
        "core": None,
        "target": None,
        "parts": [],
        "flags": {},
        **more,
    }


def test_a_switch_goes_both_ways():
    [found] = manners.measure(Page(), told(id="lamp", manner="toggle", value=False, box=(10, 10, 40, 20)))
    assert found.click_map == {"kind": "regions", "regions": [{"rect": [12, 10, 38, 20], "value": True}]}
    assert [(t["when"], t["part"], t["outcomes"][0]["to"]) for t in found.transitions] == [
        ({"lamp": False}, [12, 10, 38, 20], True), ({"lamp": True}, [12, 10, 38, 20], False)]  # fmt: skip


def test_one_of_several_has_a_box_for_each():
    parts = [
        {"value": v, "uid": n, "box": (50 + 30 * n, 10, 80 + 30 * n, 30)} for n, v in enumerate(("One", "Two", "Three"))
    ]
    page = Page()
    [found] = manners.measure(
        page, told(id="tab", type="tabs", manner="pick", value="One", box=(50, 10, 140, 30), parts=parts)
    )
    assert found.values == ["One", "Two", "Three"]
    assert [region["rect"] for region in found.click_map["regions"]] == [
        [50, 10, 78, 30],
        [80, 10, 108, 30],
        [110, 10, 138, 30],
    ]
    assert all(t["outcomes"] == [{"kind": "mapped", "control": "tab"}] for t in found.transitions)


class Busy(Page):
    """The first click after it was opened is lost; so are all clicks on the third tab."""

    def __init__(self, loads=0):
        super().__init__()
        self.loads, self.asleep = loads, loads == 0

    def click(self, point):
        if not self.asleep and point[0] < 110:
            super().click(point)
        self.asleep = False

    def load(self):
        self.__init__(self.loads + 1)


def test_a_click_that_a_busy_page_lost_is_made_again():
    parts = [
        {"value": v, "uid": n, "box": (50 + 30 * n, 10, 80 + 30 * n, 30)} for n, v in enumerate(("Two", "One", "Three"))
    ]
    parts[0]["box"], parts[1]["box"] = parts[1]["box"], parts[0]["box"]
    page = Busy()
    [found] = manners.measure(
        page, told(id="tab", type="tabs", manner="pick", value="One", box=(50, 10, 140, 30), parts=parts)
    )
    assert found.values == ["One", "Two"]
    assert found.notes == ["a click on 'Three' does not choose it"]
    assert page.loads == 3, "once for the lost click, twice for the tab that never answers"
