"""The demo home: what is written is the same on every run, and says what it should."""

import datetime
import gzip
import os
import re
import struct
import tarfile
import zipfile

import numpy as np
import pytest

import accounts
import archives
import mail
import make_home
import medical
import spreadsheets


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "seeds"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref")
    (folder / "src").mkdir()
    (folder / "src" / "b.txt").write_text("b")
    (folder / "a.txt").write_text("a")
    return folder


PACKED = datetime.datetime(2026, 9, 3, 10, 30)


def pack_zip(target, folder):
    archives.zip_folder(target, folder, PACKED)


def pack_tar(target, folder):
    archives.tar_folder(target, folder, PACKED, "alex")


@pytest.mark.parametrize("pack", [pack_zip, pack_tar])
def test_archives_are_the_same_bytes_whatever_the_dates(project, tmp_path, pack):
    pack(tmp_path / "one", project)
    os.utime(project / "a.txt", (1, 1))
    pack(tmp_path / "two", project)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_archives_hold_no_git_folder(project, tmp_path):
    pack_zip(tmp_path / "a.zip", project)
    with zipfile.ZipFile(tmp_path / "a.zip") as packed:
        assert packed.namelist() == ["seeds/a.txt", "seeds/src/b.txt"]
    pack_tar(tmp_path / "a.tar.gz", project)
    with gzip.open(tmp_path / "a.tar.gz") as data, tarfile.open(fileobj=data) as packed:
        assert packed.getnames() == ["seeds/a.txt", "seeds/src/b.txt"]


def test_dates_depend_on_the_path_alone(project):
    def dates():
        make_home.set_dates(project, datetime.datetime(2026, 11, 20, 18))
        return [(project / name).stat().st_mtime for name in ("a.txt", "src", "src/b.txt")]

    first = dates()
    os.utime(project / "a.txt", (1, 1))
    assert dates() == first
    assert len(set(first)) == 3
    assert {datetime.datetime.fromtimestamp(d, datetime.UTC).year for d in first} == {2026}
    # Git's own files keep theirs: it would think them changed.
    assert (project / ".git" / "HEAD").stat().st_mtime not in first


OWNER = "Alex Morgan <alex.morgan@wrenmail.example>"
MAIL = {
    "from": "Priya <priya@hollowmere.example>",
    "date": "2026-11-03T08:15:00",
    "subject": "Seeds",
    "body": "Hello\nFrom the garden\n",
}


def test_a_mail(tmp_path):
    text = mail.message(tmp_path, OWNER, 7, MAIL)
    assert text["To"] == OWNER
    assert text["Date"] == "Tue, 03 Nov 2026 08:15:00 +0000"
    assert text["Message-ID"] == "<0007.202611030815@hollowmere.example>"
    assert text.get_content() == "Hello\nFrom the garden\n"


def test_an_attachment_is_the_same_on_every_run(tmp_path):
    (tmp_path / "plan.pdf").write_bytes(b"%PDF")
    texts = [mail.message(tmp_path, OWNER, 7, MAIL | {"attachment": "plan.pdf"}).as_string() for _ in range(2)]
    assert texts[0] == texts[1]
    assert 'filename="plan.pdf"' in texts[0]


def test_mail_folders(tmp_path):
    mails = [(m, mail.message(tmp_path, OWNER, n, m)) for n, m in enumerate([MAIL, MAIL | {"unread": True}], 1)]
    mail.mbox(tmp_path / "mbox" / "Inbox", mails)
    text = (tmp_path / "mbox" / "Inbox").read_text()
    # A line of the text that begins with "From " would begin another mail.
    assert len(re.findall(r"^From ", text, re.MULTILINE)) == 2
    assert text.count("\n>From the garden") == 2
    assert re.findall(r"^X-Mozilla-Status: (\d+)", text, re.MULTILINE) == ["0001", "0000"]
    mail.mh(tmp_path / "mh", mails)
    assert sorted(p.name for p in (tmp_path / "mh").iterdir()) == ["1", "2"]


def test_contacts_and_events():
    card = mail.vcards([{"name": "Mei Lin Castellan", "mail": "m@x.example", "phone": "1", "role": "Treasurer"}])
    assert "N:Castellan;Mei Lin;;;\r\n" in card
    event = {"start": "2026-11-28T23:00", "hours": 2, "summary": "Swap", "place": "Hall, Mill Lane"}
    facts = {"product": "Hollowmere", "domain": "hollowmere.example", "stamp": "20261101T090000Z"}
    lines = mail.calendar([event], facts).split("\r\n")
    assert "DTEND:20261129T010000" in lines
    assert "LOCATION:Hall\\, Mill Lane" in lines


def test_every_booking_balances():
    text = accounts.transaction(1, datetime.date(2026, 3, 2), "Bread & butter", "Food", "Purse", 350)
    assert sum(int(v) for v in re.findall(r"<split:value>(-?\d+)/100", text)) == 0
    assert "Bread &amp; butter" in text


def test_medical_images():
    assert medical.element(0x10, 0x10, "PN", "Doe^J") == struct.pack("<HH", 0x10, 0x10) + b"PN\x06\x00Doe^J "
    assert medical.element(2, 1, "OB", b"\0\1\2")[-4:] == b"\0\1\2\0", "values have an even length"
    first, second = (medical.phantom_slice(0.0, np.random.default_rng(1)) for _ in range(2))
    assert np.array_equal(first, second)
    assert first[128, 128] > first[2, 2], "the head is brighter than the air around it"


def test_sums_name_their_own_rows():
    rows = spreadsheets.savings_rows([("Bicycle", 900, 75), ("Boiler", 3200, 40)], spreadsheets.MONTHS[:10])
    assert rows[1][3] == ("=[.C2]*10", "num")
    assert rows[0][3] == ("Saved by October", "head")
    assert rows[-1][1] == (f"=SUM([.B2:.B{len(rows) - 1}])", "sum")
    assert {len(row) for row in rows[:-1]} == {5}
