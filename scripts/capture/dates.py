"""The newest date that a window shows: a scene's clock may not be before it."""

import json
import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime, time, timedelta
from pathlib import Path

from .files import write_json

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAY = r"(?P<day>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?\.?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_CLOCK = r"(?P<hour>[01]?\d|2[0-3])[:.](?P<minute>[0-5]\d)(?::[0-5]\d(?:\.\d+)?)?(?:\s?(?P<half>[ap])\.?m\b\.?)?"
_THEN = rf"(?:(?:T|,?\s+(?:(?:at|UTC|-)\s+)?){_CLOCK}(?![\d:]))?"
_START, _END = r"(?<![\w.:/-])", r"(?![\w:/]|[.-]\d)"
# How far ahead appointments are.
SOON_DAYS = 60
# `21/11/26` and `11/21/26` are told apart by their numbers, where these allow it, else by the locale.
FORMS = [
    re.compile(_START + form + _END, re.IGNORECASE)
    for form in (
        rf"{_YEAR}(?P<mark>[-/.])(?P<number>1[0-2]|0?[1-9])(?P=mark){_DAY}{_THEN}(?:[zZ]|[+-]\d\d:?\d\d)?",
        rf"{_DAY}(?:\s+of)?[\s-]+{_MONTH},?[\s-]+{_YEAR}{_THEN}",
        rf"{_MONTH}\s+{_DAY},?\s+{_YEAR}{_THEN}",
        rf"{_MONTH}\s+{_DAY},?\s+(?:{_CLOCK}\s+(?:UTC\s+)?)?{_YEAR}",
        r"(?P<first>[0-3]?\d)(?P<mark>[/.])(?P<second>[0-3]?\d)(?P=mark)(?P<year>(?:20)?\d\d)" + _THEN,
        rf"{_DAY}\s+{_MONTH}{_THEN}",
        rf"{_MONTH}\s+{_DAY}{_THEN}",
        rf"(?P<word>today|yesterday|just now){_THEN}",
    )
]
# With two digits or its half of the day: 3:42 is how long a song takes.
_ONLY_CLOCK = re.compile(
    r"\s*(?:(?:[01]\d|2[0-3]):[0-5]\d|(?:1[0-2]|[1-9]):[0-5]\d(?::[0-5]\d)?\s?[ap]\.?m\.?)\s*", re.IGNORECASE
)
_CLOCK_TIME = re.compile(_CLOCK, re.IGNORECASE)


def newest_date(texts: Iterable[str], now: datetime, day_first: bool = False) -> str | None:
    """The newest date that the texts tell of, `YYYY-MM-DD` or, with its time of day, `YYYY-MM-DDTHH:MM`; None if they
    tell none. A date without a year is this year's if that is past or soon; a time of day alone is today's. What lies
    after `now` (appointments, warranties) is no trace of when the window was looked at and does not count."""
    found = [moment for text in texts for moment in _moments(text, now, day_first)]
    # A day without a time of day lies after every time of the day before, and before those of its own.
    newest = max(found, key=lambda moment: (moment[0], moment[1] or time.min, moment[1] is not None), default=None)
    if newest is None:
        return None
    day, clock = newest
    return day.isoformat() if clock is None else f"{day.isoformat()}T{clock:%H:%M}"


def of_capture(capture: dict, now: datetime, day_first: bool = False) -> str | None:
    """The newest date in a capture's title and in what its elements show."""
    shown = (part for e in capture["elements"] for part in (e["name"], str(e["state"].get("text", ""))))
    return newest_date([capture["title"], *shown], now, day_first)


def _moments(text: str, now: datetime, day_first: bool):
    if not text or not any(c.isdigit() or c in "yY" for c in text):
        return
    if _ONLY_CLOCK.fullmatch(text):
        clock = _clock(_CLOCK_TIME.search(text))
        if clock is not None and clock <= now.time():
            yield now.date(), clock
        return
    taken: list[tuple[int, int]] = []
    for form in FORMS:
        for found in form.finditer(text):
            if any(found.start() < end and start < found.end() for start, end in taken):
                continue
            taken.append(found.span())
            day = _day(found.groupdict(), now, day_first)
            clock = _clock(found)
            if day is not None and datetime.combine(day, clock or time.min) <= now:
                yield day, clock


def _clock(found: re.Match) -> time | None:
    groups = found.groupdict()
    if groups.get("hour") is None:
        return None
    hour, half = int(groups["hour"]), (groups.get("half") or "").lower()
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "p" else 0)
    return time(hour, int(groups["minute"]))


def _day(groups: dict, now: datetime, day_first: bool) -> date | None:
    if groups.get("word"):
        return now.date() - timedelta(days=groups["word"].lower() == "yesterday")
    if groups.get("first"):
        # 21.11.2026 is always the day first.
        first, second = int(groups["first"]), int(groups["second"])
        in_order = groups["mark"] == "." or day_first
        number, day = (second, first) if (in_order and second <= 12) or first > 12 else (first, second)
        year = int(groups["year"]) + (2000 if len(groups["year"]) == 2 else 0)
        return _valid(year, number, day)
    day = int(groups["day"])
    number = int(groups["number"]) if groups.get("number") else MONTHS.index(groups["month"].lower()[:3]) + 1
    if groups.get("year"):
        return _valid(int(groups["year"]), number, day)
    this = _valid(now.year, number, day)
    # Next week's appointment was not last year, but December's files in January are.
    is_last_years = this is not None and this - now.date() > timedelta(days=SOON_DAYS)
    return _valid(now.year - 1, number, day) if is_last_years else this


def _valid(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def tell(pack: Path, sessions: Mapping) -> list[str]:
    """Writes `newest_date` into every capture of a pack; returns a table of what was found, look by look. A capture of
    none of the sessions counts as taken at the end of its day."""
    found: dict[tuple, list[str | None]] = {}
    for path in sorted((pack / "windows").glob("*/*.json")):
        capture = json.loads(path.read_text(encoding="utf-8"))
        if "elements" not in capture:
            continue
        session = sessions.get(capture.get("session") or "")
        newest = session.newest_date(capture) if session else of_capture(capture, _end_of_capture(capture))
        look = capture.get("session") or "none", capture["frame_style"], capture["theme"]
        found.setdefault(look, []).append(newest)
        if "newest_date" not in capture or capture["newest_date"] != newest:
            write_json(path, with_date(capture, newest))
    return [
        f"{session:12} {frame_style:22} {theme:14} {len(dates):5} captures, "
        f"{len([d for d in dates if d]):4} with a date, newest {max(filter(None, dates), default='none')}"
        for (session, frame_style, theme), dates in sorted(found.items())
    ]


def _end_of_capture(capture: dict) -> datetime:
    return datetime.fromisoformat(capture["source"]["captured"]).replace(hour=23, minute=59)


def with_date(capture: dict, newest: str | None) -> dict:
    """The capture with the date before its elements, which are long."""
    told = {}
    for key, part in capture.items():
        if key == "elements":
            told["newest_date"] = newest
        if key != "newest_date":
            told[key] = part
    return told
