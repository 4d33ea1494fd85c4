"""Elements of which one is chosen: radio buttons, tabs, rows. Nothing here touches the screen."""

from .records import SWITCHED

# Toggle buttons are one choice where they put each other out.
TYPES = {"radio button": "radio_group", "page tab": "tabs", **dict.fromkeys(SWITCHED, "radio_group")}
ROWS = ("list item", "tree item", "table cell", "table row")
# A row that is lower than this share of the others is cut off; fewer rows than this tell nothing.
WHOLE_SHARE, LEAST_ROWS = 0.9, 3
FLAGS = {"radio button": "checked", **SWITCHED}


def is_on(element: dict) -> bool:
    return bool(element["state"].get(FLAGS.get(element["role"], "selected")))


def groups(elements: list[dict]) -> list[list[dict]]:
    """Elements of which one is chosen: same role and parent; cells that lie side by side are one choice."""
    found: dict[tuple, list[dict]] = {}
    for element in elements:
        if element["role"] in (*TYPES, *ROWS) and element["role"] not in SWITCHED:
            found.setdefault((element["role"], element["parent"]), []).append(element)
    return [members for members in found.values() if len(members) > 1 or members[0]["role"] in ROWS]


def rows(members: list[dict]) -> list[list[dict]]:
    """Members that are chosen together: cells of one row."""
    if members[0]["role"] != "table cell":
        return [[m] for m in members]
    out: list[list[dict]] = []
    for member in members:
        middle = (member["bbox"][1] + member["bbox"][3]) // 2
        row = next((r for r in out if r[0]["bbox"][1] <= middle < r[0]["bbox"][3]), None)
        if row is None:
            out.append([member])
        else:
            row.append(member)
    return out


def cut_off(choices: list[list[dict]]) -> list[int]:
    """Rows of which the window shows only a part: a click on one scrolls the list."""
    if len(choices) < LEAST_ROWS or choices[0][0]["role"] not in ROWS:
        return []
    heights = [max(m["bbox"][3] - m["bbox"][1] for m in row) for row in choices]
    usual = sorted(heights)[len(heights) // 2]
    return [n for n, high in enumerate(heights) if high < WHOLE_SHARE * usual]


def apart(members: list[dict], goes_out: dict[str, str]) -> list[list[dict]]:
    """Members as the groups that they belong to. `goes_out`: of those that are off, which one goes out when they are
    chosen, as far as that is known."""
    on = [m["id"] for m in members if is_on(m)]
    groups_of = {name: [m for m in members if name in (m["id"], goes_out.get(m["id"]))] for name in on}
    return [group for group in groups_of.values() if len(group) > 1]
