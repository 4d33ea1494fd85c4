"""What a session needs that asks `windesk pack act`: the program, the pack with one program alone, and its pages."""

import io
import json
import tarfile
from pathlib import Path

# Of a pack: what is made from all of its programs.
OF_ALL_PROGRAMS = ("index", "starter", "workflows.jsonl")


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
    return {c["id"]: _page(folder, c) for c in captures if "frame" in c}


def _page(folder: Path, capture: dict) -> dict:
    """`lettered`: the elements of fields whose texts are set from letters, with these letters. `lit`: entries of lists
    of which it is known how they look with the pointer over them."""
    living = capture.get("living")
    texts = (folder / living["file"]).read_text(encoding="utf-8").splitlines() if living else []
    lines = [json.loads(text) for text in texts]
    names = {line["id"]: "".join(g["letter"] for g in line["glyphs"]) for line in lines if line["line"] == "glyphs"}
    fields = {c["element"]: names[c["text"]["glyphs"]] for c in lines if c["line"] == "control" and c.get("text")}
    lettered = [{**e, "letters": fields[e["id"]]} for e in capture["elements"] if e["id"] in fields]
    lit = [layer["element"] for line in lines if line["line"] == "popup" for layer in line.get("lit", ())]
    return {"frame": capture["frame"], "living": bool(living), "lettered": lettered, "lit": lit}
