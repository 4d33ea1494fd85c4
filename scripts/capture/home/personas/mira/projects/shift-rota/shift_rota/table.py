"""The week as a table."""

from .solver import DAYS


def table(weeks: dict[str, list[str]]) -> str:
    width = max(map(len, weeks))
    lines = [" " * width + "  " + "  ".join(DAYS)]
    for name, week in weeks.items():
        lines.append(f"{name:<{width}}  " + "  ".join(f"{shift:^3}" for shift in week))
    return "\n".join(lines)
