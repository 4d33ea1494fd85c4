"""What has become of a page's elements: those of the same node of the document are the same element."""

from ..living.matching import KEYS, Difference, Names, pair


def with_ids(elements: list[dict]) -> list[dict]:
    return [{**element, "id": f"e{element['uid']}"} for element in elements]


def difference(before: list[dict], now: list[dict], names: Names) -> Difference:
    """`before` with the ids of the page. Nodes that were made anew are told by role, name and place."""
    by_uid = {element["uid"]: index for index, element in enumerate(before)}
    pairs = {n: by_uid[e["uid"]] for n, e in enumerate(now) if e["uid"] in by_uid and before[by_uid[e["uid"]]]["role"] == e["role"]}
    left_before = [index for index in range(len(before)) if index not in set(pairs.values())]
    left_now = [index for index in range(len(now)) if index not in pairs]
    found = pair([before[index] for index in left_before], [now[index] for index in left_now])
    pairs |= {left_now[a]: left_before[b] for a, b in found.items()}
    out, kept = Difference(), set(pairs.values())
    out.changes = [{"id": e["id"], "gone": True} for index, e in enumerate(before) if index not in kept]
    taken, own = {e["id"] for e in before}, {}
    for index, element in enumerate(now):
        old = before[pairs[index]] if index in pairs else None
        name = names.of(element, taken) if old is None else old["id"]
        taken.add(name)
        own[f"e{element['uid']}"] = name
        out.ids.append(name)
        if old is None:
            out.added.append({**element, "id": name, "parent": own.get(element["parent"] or "")})
            continue
        change = {key: element[key] for key in KEYS if key != "description" and old[key] != element[key]}
        if change:
            out.changes.append({"id": name, **change})
    return out
