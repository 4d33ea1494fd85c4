"""Mail folders (mbox, MH for programs that keep one file per mail), contacts (vCard) and calendar (iCalendar)."""

import email.message
import mimetypes
import pathlib
import tomllib
from datetime import datetime, timedelta

from persona import Persona


def message(home: pathlib.Path, owner: str, number: int, mail: dict) -> email.message.EmailMessage:
    moment = datetime.fromisoformat(mail["date"])
    out = email.message.EmailMessage()
    out["From"] = mail["from"]
    out["To"] = mail.get("to", owner)
    out["Date"] = moment.strftime("%a, %d %b %Y %H:%M:%S +0000")
    out["Subject"] = mail["subject"]
    out["Message-ID"] = f"<{number:04}.{moment:%Y%m%d%H%M}@{mail['from'].partition('@')[2].rstrip('>')}>"
    out.set_content(mail["body"].strip("\n") + "\n")
    if "attachment" in mail:
        path = home / mail["attachment"]
        kind, subtype = (mimetypes.guess_type(path.name)[0] or "application/octet-stream").split("/")
        out.add_attachment(path.read_bytes(), maintype=kind, subtype=subtype, filename=path.name)
        out.set_boundary(f"part-{number:04}")  # the default boundary is random
    return out


def mbox(folder: pathlib.Path, mails: list[tuple[dict, email.message.EmailMessage]]) -> None:
    """mboxrd with the status headers that Thunderbird reads."""
    chunks = []
    for mail, text in mails:
        status = "0000" if mail.get("unread") else "0001"
        body = text.as_string().replace("\nFrom ", "\n>From ")
        chunks.append(
            f"From - {datetime.fromisoformat(mail['date']):%a %b %d %H:%M:%S %Y}\nX-Mozilla-Status: "
            f"{status}\nX-Mozilla-Status2: 00000000\n{body}\n"
        )
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("".join(chunks))


def mh(folder: pathlib.Path, mails: list[tuple[dict, email.message.EmailMessage]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for number, (_, text) in enumerate(mails, 1):
        (folder / str(number)).write_text(text.as_string())


def vcards(people: list[dict]) -> str:
    cards = []
    for person in people:
        first, last = person["name"].rsplit(" ", 1)
        cards.append(
            f"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:{person['name']}\r\nN:{last};{first};;;\r\nEMAIL:{person['mail']}\r\n"
            f"TEL;TYPE=CELL:{person['phone']}\r\nTITLE:{person['role']}\r\nEND:VCARD\r\n"
        )
    return "".join(cards)


def calendar(events: list[dict], facts: dict) -> str:
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:-//{facts['product']}//Calendar//EN"]
    for number, event in enumerate(events, 1):
        start = datetime.fromisoformat(event["start"])
        end = start + timedelta(hours=event["hours"])
        lines += [
            "BEGIN:VEVENT",
            f"UID:event-{number}@{facts['domain']}",
            f"DTSTAMP:{facts['stamp']}",
            f"DTSTART:{start:%Y%m%dT%H%M%S}",
            f"DTEND:{end:%Y%m%dT%H%M%S}",
            f"SUMMARY:{event['summary']}",
            f"LOCATION:{event['place'].replace(',', chr(92) + ',')}",
            "END:VEVENT",
        ]
    return "\r\n".join([*lines, "END:VCALENDAR", ""])


def make(home: pathlib.Path, persona: Persona) -> None:
    texts, owner = persona.folder / "mail", f"{persona.name} <{persona.email}>"
    mails = tomllib.loads((texts / "inbox.toml").read_text())["mail"]
    folders: dict[str, list] = {}
    for number, mail in enumerate(sorted(mails, key=lambda mail: mail["date"]), 1):
        folders.setdefault(mail["folder"], []).append((mail, message(home, owner, number, mail)))
    for name, content in folders.items():
        mbox(home / ".local/share/demo/mbox" / name, content)
        mh(home / "Mail" / {"Inbox": "inbox", "Sent": "sent", "Drafts": "draft"}.get(name, name), content)
    for empty in ("queue", "trash"):
        (home / "Mail" / empty).mkdir(parents=True, exist_ok=True)
    book = tomllib.loads((texts / "contacts.toml").read_text())
    (home / "Documents/Contacts.vcf").write_text(vcards(book["person"]), newline="")
    (home / "Documents/Calendar.ics").write_text(calendar(book["event"], persona.parts["mail"]), newline="")
