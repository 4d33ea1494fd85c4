"""Fills the days one by one and steps back where nobody is left."""

from .rules import free_after_nights, may_follow

DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
NEEDED = {"E": 3, "L": 2, "N": 1}


def solve(people: dict, needed: dict = NEEDED) -> dict[str, list[str]] | None:
    weeks = {name: [] for name in people}
    return weeks if _fill(people, weeks, 0, dict(needed), list(people)) else None


def _fill(people, weeks, day, left, waiting) -> bool:
    if day == len(DAYS):
        return all(free_after_nights(week) for week in weeks.values())
    if not waiting:
        if any(left.values()):
            return False
        return _fill(people, weeks, day + 1, dict(NEEDED), list(people))
    name = waiting[0]
    for shift in _choices(people[name], DAYS[day], left):
        if not may_follow(weeks[name], shift):
            continue
        weeks[name].append(shift)
        rest = dict(left)
        if shift in rest:
            rest[shift] -= 1
        if _fill(people, weeks, day, rest, waiting[1:]):
            return True
        weeks[name].pop()
    return False


def _choices(person, day, left):
    if day in person.get("free", []):
        return ["-"]
    wish = person.get("wishes", {}).get(day)
    rest = [shift for shift, number in left.items() if number and shift != wish]
    return ([wish] if wish else []) + rest + ["-"]
