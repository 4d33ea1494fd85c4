"""Where links of living pages lead, and which of them nobody knows."""

import json

from builders import element_record
from capture import sessions
from capture.living.links_commands import conditions, tell, unknown_links, with_leads
from capture.programs import load

PAGE = "orthanc/live-lookup--gnome-light"
UNKNOWN = [{"kind": "unmodelled", "why": "not tried"}]


def click(element, outcomes=UNKNOWN, **others):
    return {"from": PAGE, **others, "element": element, "action": "click", "outcomes": outcomes}


def test_a_link_is_unknown_if_no_click_on_it_is_told():
    leads = [{"kind": "page", "to": "orthanc/x"}]
    told = [click("e1"), click("e1", when={"c": 1}), click("e2", leads), click("e2", when={"c": 1})]
    assert conditions(told, "e1") == [{"c": 1}]
    assert conditions(told, "e2") is None
    assert conditions(told, "e3") == []


def test_one_line_says_where_a_link_leads_whatever_is_set():
    told = [click("e1"), click("e1", when={"c": 1}), click("e2"), {**click("e1"), "from": "orthanc/other"}]
    lead, values = {"to": "orthanc/plugins", "always": True}, {"c": 0}
    line = click("e1", [{"kind": "page", "to": "orthanc/plugins"}])
    assert with_leads(told, PAGE, {"e1": lead}, values) == [click("e2"), line, told[3]]
    lines = with_leads(told, PAGE, {"e1": {**lead, "always": False}}, values)
    assert lines == [*told[:3], {**line, "when": values}, told[3]]


def test_links_that_may_be_clicked_are_followed_and_count_as_known_then(tmp_path):
    folder = tmp_path / "windows" / "orthanc"
    folder.mkdir(parents=True)
    names = ["Plugins", "Print this", "", "Jobs"]
    elements = [{**element_record(n), "role": "link", "name": name, "interactive": True, "state": {}}
                for n, name in enumerate(names)]  # fmt: skip
    page = {"line": "page", "page": PAGE, "coverage": {"elements": 4, "known": 0}}
    (folder / "00112233445566aa.jsonl").write_text(json.dumps(page) + "\n")
    (folder / "transitions.jsonl").write_text("".join(json.dumps(click(f"e{n}")) + "\n" for n in range(4)))
    living = {"file": "00112233445566aa.jsonl", "sha256": "0" * 64, "atlas": None}
    capture = {"id": PAGE, "image": None, "inactive": None, "living": living, "elements": elements}
    path = folder / "live-lookup--gnome-light.json"
    path.write_text(json.dumps(capture))
    session, program = sessions.load("gnome-light"), load("orthanc")
    assert unknown_links(program, session, tmp_path)[PAGE]["links"] == {"e0": [], "e3": []}
    tell(folder, PAGE, {"e0": {"to": "orthanc/live-lookup-plugins--gnome-light", "always": True}})
    assert unknown_links(program, session, tmp_path)[PAGE]["links"] == {"e3": []}
    living = json.loads(path.read_text())["living"]
    assert json.loads((folder / living["file"]).read_text())["coverage"] == {"elements": 4, "known": 1}
