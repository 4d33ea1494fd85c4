import json
from datetime import datetime

import pytest

from builders import capture_record, element_record, write_capture
from capture import dates, sessions
from capture.home import persona as personas

NOW = datetime(2026, 11, 23, 10, 20)
NAMES = ("main", "old", "plain")


@pytest.mark.parametrize(
    ("text", "newest"),
    [
        ("2026-11-21", "2026-11-21"),
        ("Saved 2026-11-21 10:42:07", "2026-11-21T10:42"),
        ("2026-11-21T10:42:07Z", "2026-11-21T10:42"),
        ("2026/11/21", "2026-11-21"),
        ("21 Nov 2026", "2026-11-21"),
        ("Sat 21 November 2026, 10:42", "2026-11-21T10:42"),
        ("21. November 2026", "2026-11-21"),
        ("21-Nov-2026", "2026-11-21"),
        ("Nov 21, 2026 4:05 PM", "2026-11-21T16:05"),
        ("November 21st 2026", "2026-11-21"),
        ("Sat Nov 21 10:42:07 2026", "2026-11-21T10:42"),
        ("11/21/26", "2026-11-21"),
        ("11/21/2026 10:42", "2026-11-21T10:42"),
        ("21/11/26", "2026-11-21"),
        ("21.11.2026", "2026-11-21"),
        ("Nov 21", "2026-11-21"),
        ("-rw-r--r-- 1 alex alex 120 Nov 21 10:42 notes.txt", "2026-11-21T10:42"),
        ("21 Nov 10:42", "2026-11-21T10:42"),
        ("Dec 3", None),
        ("Jul 3", "2026-07-03"),
        ("Today 09:30", "2026-11-23T09:30"),
        ("today at 9:30 AM", "2026-11-23T09:30"),
        ("Yesterday", "2026-11-22"),
        ("09:42", "2026-11-23T09:42"),
        ("9:42 AM", "2026-11-23T09:42"),
        # None of these is a date, or none that has been.
        ("10:42", None),
        ("3:42", None),
        ("Meeting at 09:30 in room 2", None),
        ("Version 3.11.2", None),
        ("192.168.1.20", None),
        ("10.12.2.1", None),
        ("1/2", None),
        ("31/31/26", None),
        ("2026-11-24", None),
        ("Due 3 December 2026", None),
        ("May 4 people come", "2026-05-04"),
        ("Maybe 4", None),
        ("2026", None),
        ("", None),
    ],
)
def test_a_date_is_read(text, newest):
    assert dates.newest_date([text], NOW) == newest


def test_the_newest_counts():
    assert dates.newest_date(["1 May 2026", "2026-11-20 and 21 Nov 2026", "Nov 19"], NOW) == "2026-11-21"
    assert dates.newest_date(["2026-11-21", "21 Nov 2026 08:00"], NOW) == "2026-11-21T08:00"
    assert dates.newest_date(["2026-11-21 23:59", "2026-11-22"], NOW) == "2026-11-22"
    assert dates.newest_date([], NOW) is None


def test_the_locale_decides_where_numbers_do_not():
    assert dates.newest_date(["05/11/26"], NOW) == "2026-05-11"
    assert dates.newest_date(["05/11/26"], NOW, day_first=True) == "2026-11-05"


def test_a_pack_is_told_its_dates(tmp_path):
    folder = tmp_path / "windows" / "editor"
    shown = element_record(0, name="Nov 23 10:25", state={"text": "Nov 24 08:00"})
    source = {"recipe": "editor", "steps": ["launch"], "captured": "2026-11-22"}
    write_capture(folder, capture_record("main", elements=[shown], session="kde-light", source=source))
    today = [element_record(0, name="Nov 23 10:25"), element_record(1, name="Nov 22 09:00")]
    write_capture(folder, capture_record("old", elements=today, source=source))
    write_capture(folder, capture_record("plain", elements=[element_record(0, name="Save")], source=source))
    (folder / "program.json").write_text("{}")
    known = sessions.all_sessions()
    lines = dates.tell(tmp_path, known)
    newest = {name: json.loads((folder / f"{name}.json").read_text())["newest_date"] for name in NAMES}
    assert newest == {"main": "2026-11-23T10:25", "old": "2026-11-22T09:00", "plain": None}
    assert len(lines) == 2
    assert "1 captures,    1 with a date, newest 2026-11-23T10:25" in lines[0]
    assert "2 captures,    1 with a date, newest 2026-11-22T09:00" in lines[1]
    before = (folder / "main.json").read_bytes()
    dates.tell(tmp_path, known)
    assert (folder / "main.json").read_bytes() == before


def test_a_session_writes_what_its_clock_has_reached():
    session = sessions.Session("s", "yaru", personas.load("alex"), "en_GB.UTF-8", NOW)
    shown = capture_record("main", elements=[element_record(0, name=n) for n in ("05/11/26", "Today 11:30")])
    assert session.newest_date(shown) == "2026-11-05", "the clock runs on by an hour at most"
