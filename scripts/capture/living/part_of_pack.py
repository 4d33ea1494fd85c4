"""Sessions that ask `windesk pack act`, and what they need: it, the pack with one program alone, and its pages."""

import io
import json
import tarfile
from pathlib import Path

from .. import sandbox
from ..boxes import centre, intersection, shifted
from ..programs import Program
from ..sessions import Session
from .paths import PagePaths
from .wheels import is_wheel

# Of a pack: what is made from all of its programs.
OF_ALL_PROGRAMS = ("index", "starter", "workflows.jsonl")


def run_beside(
    module: str, program: Program, session: Session, pack: Path, windesk: Path, told: dict[str, dict], *words: str,
    seconds: int,
) -> tuple[Path, dict]:  # fmt: skip
    """Runs a module of this package; the folder that it wrote, and its report. `told`: by name, the files that it finds
    in its in folder beside the others. `words`: its arguments."""
    work = sandbox.WORK / module / f"{program.id}.{session.id}"
    work.mkdir(parents=True, exist_ok=True)
    for name, content in told.items():
        (work / name).write_text(json.dumps(content), encoding="utf-8")
    inputs = (*inputs_of(work, pack, windesk, program.id), *(work / name for name in told))
    out = sandbox.run(f"living.{module}", program.id, session.look, session.suffix, *words, inputs=inputs,
                      session=session, seconds=seconds)  # fmt: skip
    return out, json.loads((out / "report.json").read_text(encoding="utf-8"))


def inputs_of(work: Path, pack: Path, windesk: Path, program_id: str) -> tuple[Path, Path, Path]:
    """Writes them into a folder."""
    archive, pages, binary = work / "pack.tar", work / "pages.json", work / "windesk"
    part_of_pack(pack, program_id, archive)
    pages.write_text(json.dumps(_pages(pack / "windows" / program_id)), encoding="utf-8")
    binary.write_bytes(windesk.read_bytes())
    binary.chmod(0o755)
    return binary, archive, pages


def part_of_pack(pack: Path, program_id: str, target: Path) -> None:
    """The pack with the windows of one program alone: what is asked needs no other. What names others is left out."""
    with tarfile.open(target, "w") as archive:
        for path in sorted(pack.rglob("*")):
            name = path.relative_to(pack)
            if not path.is_file() or name.parts[0] in OF_ALL_PROGRAMS:
                continue
            if name.parts[0] == "sessions":
                session = json.loads(path.read_text(encoding="utf-8"))
                if "shell" in session:
                    session["shell"]["pinned"] = [p for p in session["shell"].get("pinned", []) if p == program_id]
                told = json.dumps(session).encode()
                entry = tarfile.TarInfo(str(name))
                entry.size = len(told)
                archive.addfile(entry, io.BytesIO(told))
            elif name.parts[0] != "windows" or name.parts[1] == program_id:
                archive.add(path, str(name), recursive=False)


def _pages(folder: Path) -> dict:
    captures = [json.loads(p.read_text(encoding="utf-8")) for p in folder.glob("*.json")]
    told = folder / "transitions.jsonl"
    transitions = [json.loads(line) for line in told.read_text(encoding="utf-8").splitlines()] if told.is_file() else []
    turned = {t["from"] for t in transitions if is_wheel(t["action"])}
    return {
        c["id"]: {**_page(folder, c, [t for t in transitions if t["from"] == c["id"]]), "wheel": c["id"] in turned}
        for c in captures if "frame" in c
    }  # fmt: skip


def _page(folder: Path, capture: dict, transitions: list[dict]) -> dict:
    """`lettered`: the elements of fields whose texts are set from letters, with these letters and the points that are
    clicked until they show. `lit`: entries of lists of which it is known how they look with the pointer over them.
    `heights`: see `heights_in`. `links`: names of those that lead somewhere whatever is set."""
    living = capture.get("living")
    texts = (folder / living["file"]).read_text(encoding="utf-8").splitlines() if living else []
    lines = [json.loads(text) for text in texts]
    names = {line["id"]: "".join(g["letter"] for g in line["glyphs"]) for line in lines if line["line"] == "glyphs"}
    fields = {c["element"]: c["text"] for c in lines if c["line"] == "control" and c.get("text")}
    paths = PagePaths(lines, transitions, [])
    shown = [*capture["elements"], *(e for line in lines for e in line.get("added", ()))]
    lettered = []
    for element in shown:
        text = fields.pop(element["id"], None)
        clicks = None if text is None else _clicks(capture, paths, text.get("when") or {})
        if clicks is not None:
            lettered.append({**element, "letters": names[text["glyphs"]], "clicks": clicks})
    lit = [layer["element"] for line in lines if line["line"] == "popup" for layer in line.get("lit", ())]
    areas = [line for line in lines if line["line"] == "scroll_area"]
    heights = {name: px for area in areas for name, px in heights_in(area, capture["elements"]).items()}
    leading = {t["element"] for t in transitions if not t.get("when") and t["outcomes"][0]["kind"] == "page"}
    links = [e["name"] for e in capture["elements"] if e["role"] == "link" and e["id"] in leading]
    told = {"frame": capture["frame"], "living": bool(living), "lettered": lettered, "lit": lit}
    return {**told, "heights": heights, "links": links}


def _clicks(capture: dict, paths: PagePaths, when: dict) -> list[list[int]] | None:
    """Points that set these values, one after the other, on the page as it was captured; None if none are told."""
    out, values = [], {}
    boxes = {e["id"]: tuple(e["bbox"]) for e in capture["elements"]}
    for name, value in when.items():
        if paths.base[name] != value:
            click = paths.click_to(values, name, value)
            if click is None or click.element not in boxes:
                return None
            out.append(list(centre(click.part or boxes[click.element])))
        values[name] = value
    return out


def heights_in(area: dict, elements: list[dict]) -> dict[str, int]:
    """How high elements of a scroll area's content are, those of the page and those that show further down: where one
    is lower, it shows in part."""
    viewport, offset = tuple(area["viewport"]), area["offset"]
    out = {}
    for element in area["elements"]:
        box = tuple(element["bbox"])
        part = intersection(shifted(box, viewport[0] - offset[0], viewport[1] - offset[1]), viewport)
        same = [e["id"] for e in elements if (e["role"], e["name"]) == (element["role"], element["name"])
                and part == tuple(e["bbox"])]  # fmt: skip
        out |= dict.fromkeys((element["id"], *same), box[3] - box[1])
    return out
