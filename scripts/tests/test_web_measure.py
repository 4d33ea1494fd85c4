"""Maps of web pages: what is claimed of a control is what was tried."""

import random

import numpy as np

from capture.web import dial, live_page, manners, maps, measure, order, prove, tries


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


def covered(boxes):
    return {(x, y) for box in boxes for x in range(box[0], box[2]) for y in range(box[1], box[3])}


def test_a_row_with_round_corners_is_known_up_to_its_edges():
    def holds(point):
        """A row of 60x20 px whose corners are cut off by 5 px."""
        x, y = point
        return 0 <= x < 60 and 0 <= y < 20 and min(x, 59 - x) + min(y, 19 - y) >= 5

    found = measure.regions((0, 0, 60, 20), (30, 10), holds)
    assert found == [(0, 5, 60, 15), (5, 0, 55, 5), (5, 15, 55, 20)]
    assert sum((b[2] - b[0]) * (b[3] - b[1]) for b in found) == len(covered(found)), "they share no pixel"
    assert all(holds(point) for box in found for point in measure.points_of(box))
    assert measure.regions((0, 0, 60, 20), (0, 0), holds) == []
    assert measure.regions((0, 0, 60, 20), (30, 10), lambda _: True) == [(0, 0, 60, 20)]


def test_a_row_shorter_than_its_box_ends_where_clicks_do():
    assert measure.regions((0, 0, 60, 20), (20, 10), lambda p: inside((8, 0, 41, 18), p)) == [(8, 0, 41, 18)]


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
    chance = random.Random(1)
    assert prove.spot_of(told, 5, chance) == [29, 10]
    assert prove.spot_of(told, 7, chance) is None
    boxes = [[0, 0, 3, 2], [3, 0, 4, 1]]
    regions = {"kind": "regions", "regions": [{"rect": box, "value": "on"} for box in boxes]}
    assert {tuple(prove.spot_of(regions, "on", chance)) for _ in range(200)} == covered(boxes), (
        "every point has its turn"
    )


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


class Node(Page):
    """A node of a tree: its row answers from the arrow to the end, the annotated name is a part of it."""

    row = (10, 40, 120, 60)

    def __init__(self):
        self.values = {"node": False}

    def click(self, point):
        if inside(self.row, point):
            self.values["node"] = not self.values["node"]


def test_the_row_around_a_node_answers_too():
    row = {"uid": 7, "box": (0, 40, 150, 60)}
    [found] = manners.measure(
        Node(), told(id="node", type="tree_node", manner="toggle", value=False, box=(40, 42, 80, 58), row=row)
    )
    assert found.click_map["regions"] == [{"rect": [40, 42, 80, 58], "value": True}]
    assert {(t["uid"], tuple(t["part"] or ())) for t in found.transitions} == {(1, ()), (7, Node.row)}


class Pile(Page):
    """Four items below each other; whoever lets go over a place puts the item there, and elsewhere it stays."""

    names = ("A", "B", "C", "D")

    def __init__(self):
        self.values = {"pile": list(self.names)}

    def place(self, point):
        return (point[1] - 10) // 20 if inside((20, 10, 180, 90), point) else None

    def drag(self, start, end, hold=0, **_):
        assert hold, "a list looks where the pointer is every now and then"
        held, over = self.place(start), self.place(end)
        if held is not None and over is not None:
            items = self.values["pile"]
            items.insert(over, items.pop(held))

    def value(self, name):
        return list(self.values[name])


def pile(page):
    parts = [{"value": v, "uid": n, "box": (20, 10 + 20 * n, 180, 30 + 20 * n)} for n, v in enumerate(Pile.names)]
    return order.order(
        page,
        told(
            id="pile",
            type="reorder",
            manner="order",
            axis="y",
            value=list(Pile.names),
            parts=parts,
            flags={"drags": "0 2"},
        ),
    )


def test_an_item_is_dragged_from_all_of_it_to_all_of_each_place():
    page = Pile()
    first, third = pile(page)
    assert (first.id, third.id) == ("pile-a", "pile-c")
    assert first.drag_map["handle"] == [21, 11, 179, 29]
    assert page.values["pile"] == list(Pile.names), "the list is left as it was"
    for control, at in ((first, 0), (third, 2)):
        for region in control.drag_map["release"]["regions"]:
            to = region["value"].index(Pile.names[at])
            x0, y0, x1, y1 = region["rect"]
            assert (x0, x1) == (21, 179)
            assert 0 <= y0 - (10 + 20 * to) <= 5
            assert 0 <= 30 + 20 * to - y1 <= 5
        assert len(control.drag_map["release"]["regions"]) == 3


def test_what_only_a_slow_drag_does_is_not_claimed():
    class Slow(Pile):
        def place(self, point):
            return min(3, max(0, (point[1] - 10) // 20)) if self.slow or inside((20, 10, 180, 90), point) else None

        def drag(self, start, end, hold=0, **pace):
            self.slow = pace.get("rest", 0) > 0
            super().drag(start, end, hold)

    control = pile(Slow())[0]
    assert all(r["rect"][1] >= 10 and r["rect"][3] <= 90 for r in control.drag_map["release"]["regions"])


def test_a_place_at_whose_middle_nothing_happens_costs_no_item():
    class Lame(Pile):
        def drag(self, start, end, hold=0, **pace):
            if end != (100, 40):
                super().drag(start, end, hold, **pace)

    assert [control.id for control in pile(Lame())] == ["pile-a", "pile-c"]


def test_what_a_map_claims_is_tried_at_its_corners():
    page, kept = Pile(), maps.Kept.__new__(maps.Kept)
    parts = [{"value": v, "uid": n, "box": (20, 10 + 20 * n, 180, 30 + 20 * n)} for n, v in enumerate(Pile.names)]
    list_of = told(id="pile", type="reorder", manner="order", axis="y", value=list(Pile.names), parts=parts, flags={})
    regions = [{"rect": [20, 30, 180, 50], "value": ["B", "A", "C", "D"]}]
    line = {"id": "pile-a", "value": list(Pile.names), "drag_map": {"handle": [20, 10, 180, 30]}}
    line["drag_map"]["release"] = {"kind": "regions", "regions": regions}
    tried = tries.Tried(page, kept, random.Random(1), 3)
    assert tried._drags(list_of, line, parts[0]) == [None] * 7
    regions[0]["rect"][3] += 1
    wrong = [fault for fault in tried._drags(list_of, line, parts[0]) if fault]
    assert len(wrong) >= 2
    assert all(fault.startswith("pile-a: ") for fault in wrong)
    assert page.values["pile"] == list(Pile.names), "the list is left as it was"


def test_a_page_whose_elements_have_other_numbers_is_the_same_page():
    def element(number, name):
        return {"id": f"e{number}", "uid": number, "role": "button", "name": name, "bbox": [0, 0, 9, 9]}

    kept = maps.Kept.__new__(maps.Kept)
    picture = np.zeros((4, 4, 3), np.uint8)
    kept.picture = lambda: picture
    kept.id, kept.capture = "web-x/form", {"elements": [element(1, "One"), element(3, "Two")]}
    assert kept.is_shown(live_page.Look(picture, [element(1, "One"), element(2, "Two")], {})) is None
    assert kept.element(2) == "e3"
    assert kept.is_shown(live_page.Look(picture, [element(1, "One"), element(2, "Three")], {}))


def test_a_mark_and_its_label_are_two_boxes():
    def holds(point):
        return inside((10, 0, 30, 20), point) or inside((41, 0, 90, 20), point)

    assert measure.parted([(10, 0, 90, 20)], 5, holds) == [(10, 0, 30, 20), (41, 0, 90, 20)]
    assert measure.parted([(12, 0, 28, 20)], 5, holds) == [(12, 0, 28, 20)]


def test_an_edge_that_belongs_to_the_chosen_row_is_not_claimed():
    class Rows(Page):
        """Rows that share a px: it belongs to the chosen one of the two, else to the lower one."""

        def __init__(self):
            self.values = {"rows": "A"}

        def click(self, point):
            over = [name for n, name in enumerate("ABC") if inside((0, 19 * n, 50, 19 * n + 20), point)]
            if over:
                self.values["rows"] = self.values["rows"] if self.values["rows"] in over else over[-1]

    parts = [{"value": v, "uid": n, "box": (0, 19 * n, 50, 19 * n + 20)} for n, v in enumerate("ABC")]
    [found] = manners.measure(
        Rows(), told(id="rows", type="list_box", manner="pick", value="A", box=(0, 0, 50, 58), parts=parts)
    )
    rects = [region["rect"] for region in found.click_map["regions"]]
    assert rects == [[0, 0, 50, 19], [0, 20, 50, 38], [0, 39, 50, 58]]


def test_cells_of_a_dial_are_divided_where_it_changes():
    tried = set()

    def value(point):
        tried.add(point)
        return None if point[1] > 80 else "left" if point[0] < 43 else "right"

    found = dial.cells((0, 0, 101, 101), value)
    assert len(tried) < 21 * 21
    assert len(covered([r["rect"] for r in found])) == sum(dial_area(r["rect"]) for r in found), "they share no pixel"
    assert all(value((x, y)) == r["value"] for r in found for x, y in covered([r["rect"]]))
    assert [r["rect"] for r in found] == [[0, 0, 40, 80], [45, 0, 101, 80]]


def dial_area(rect):
    return (rect[2] - rect[0]) * (rect[3] - rect[1])


def test_only_values_that_have_a_look_are_taken():
    kept = maps.Kept.__new__(maps.Kept)
    line = {"line": "control", "id": "size", "value": "S", "click_map": regions_map({"S": 0, "M": 10})}
    kept.lines = [line, {"line": "patch", "control": "size", "value": "M"}]
    kept.controls = {"size": line}
    found = measure.Measured("size", "list_box", {"manner": "pick"}, [], {}, regions_map({"S": 0, "M": 12, "L": 30}))
    assert kept.take(found) is None
    assert line["click_map"] == regions_map({"S": 0, "M": 12})
    found.click_map = regions_map({"S": 0, "L": 30})
    assert kept.take(found) == "nothing sets 'M' any more"
    assert line["click_map"] == regions_map({"S": 0, "M": 12})


def regions_map(places):
    return {"kind": "regions", "regions": [{"rect": [x, 0, x + 8, 8], "value": v} for v, x in places.items()]}
