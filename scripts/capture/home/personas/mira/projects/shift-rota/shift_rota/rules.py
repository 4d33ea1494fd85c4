"""What is allowed after what."""

SHIFTS = {
    "E": (7.0, 15.0),
    "L": (14.5, 22.5),
    "N": (22.0, 31.25),
    "F": (11.0, 19.0),
    "-": None,
}
REST_HOURS = 11
NIGHTS_IN_A_ROW = 3


def rest_between(earlier: str, later: str) -> float:
    """Hours from the end of one day's shift to the start of the next day's."""
    if SHIFTS[earlier] is None or SHIFTS[later] is None:
        return 24.0
    return SHIFTS[later][0] + 24 - SHIFTS[earlier][1]


def may_follow(week: list[str], shift: str) -> bool:
    if not week:
        return True
    if rest_between(week[-1], shift) < REST_HOURS:
        return False
    nights = 0
    for past in reversed(week):
        if past != "N":
            break
        nights += 1
    return not (shift == "N" and nights == NIGHTS_IN_A_ROW)


def free_after_nights(week: list[str]) -> bool:
    """Two free days follow a row of nights."""
    for day, shift in enumerate(week):
        if shift == "N" and week[day + 1 : day + 2] not in ([], ["N"]):
            if week[day + 1 : day + 3] != ["-", "-"]:
                return False
    return True
