"""Makes what the fuzz targets begin with out of the project's own files: a folder per target.

    python3 scripts/drills/fuzz_seeds.py WINDESK OUT

WINDESK is the program, which makes a few scenes of the mini pack for records and plans. `fuzz.sh seeds` runs this.
"""

import io
import json
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "tests/fixtures"
MINI_PACK = FIXTURES / "mini-pack"
LEVEL = 'name = "mini"\nwindows = [4, 6]\nvisible_ratio = [0.5, 0.7]\ncanvas = [1600, 900]\n'
# The smallest files of COCO, LabelMe, and nested and flat accessibility trees, about the picture that the target makes.
BOXES = [
    {
        "images": [{"id": 1, "file_name": "shop_1.png", "width": 40, "height": 20}],
        "categories": [{"id": 1, "name": "button"}],
        "annotations": [
            {"id": 1, "image_id": 1, "category_id": 1, "bbox": [1, 2, 10, 8], "attributes": {"text": "OK"}}
        ],
    },
    {
        "version": "5.0.1",
        "imagePath": "shop_1.png",
        "imageWidth": 40,
        "imageHeight": 20,
        "shapes": [{"label": "button: OK", "shape_type": "rectangle", "points": [[1, 2], [11, 10]]}],
    },
    {
        "role": "window",
        "name": "Shop",
        "bbox": [0, 0, 40, 20],
        "children": [{"role": "push button", "name": "OK", "bbox": [1, 2, 11, 10]}],
    },
    [
        {"id": 0, "parent": None, "role": "window", "name": "Shop", "bbox": [0, 0, 40, 20]},
        {"id": 1, "parent": 0, "role": "push button", "name": "OK", "bbox": [1, 2, 11, 10]},
    ],
]


def list_in(source: str, name: str) -> list[str]:
    """The strings of a constant list in a Rust file of the tests."""
    text = (ROOT / "tests/integration" / source).read_text(encoding="utf-8")
    return re.findall(r'"([^"]+)"', re.search(rf"{name}: \[&str; \d+\] = \[(.*?)\];", text, re.DOTALL)[1])


def outputs() -> list[bytes]:
    """The strings of the tests of outputs, which hold what models write, before every convention's number."""
    text = (ROOT / "tests/integration/eval/outputs.rs").read_text(encoding="utf-8")
    found = {
        match.encode().decode("unicode_escape")
        for match in re.findall(r'"((?:[^"\\\n]|\\[nt"\\])*\d(?:[^"\\\n]|\\[nt"\\])*)"', text)
    }
    return [bytes([at % 32, 12, 7]) + text.encode("utf-8", "ignore") for at, text in enumerate(sorted(found))]


def mini_archive() -> bytes:
    """One program of the mini pack with its assets as a tar archive."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path in sorted(MINI_PACK.rglob("*")):
            name = path.relative_to(MINI_PACK).as_posix()
            if path.is_file() and not name.startswith("index/") and ("windows/" not in name or "/celluloid/" in name):
                archive.add(path, name)
    return out.getvalue()


def living() -> list[bytes]:
    """Files of the living pack, each behind the number that the target knows it by."""
    pack = FIXTURES / "living-pack"
    page = json.loads((pack / "windows/dimmer/main.json").read_text(encoding="utf-8"))
    names = [
        f"windows/dimmer/{page['living']['file']}" if name == "living" else name
        for name in list_in("use_pack.rs", "LIVING_FILES")
    ]
    return [bytes([at]) + (pack / name).read_bytes() for at, name in enumerate(names)]


def records(windesk: str) -> dict[str, list[bytes]]:
    """Lines of plans and scenes of the mini pack."""
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        (place / "mini.toml").write_text(LEVEL, encoding="utf-8")
        command = [
            windesk,
            "synth",
            "--level",
            place / "mini.toml",
            "--n",
            "4",
            "--pack",
            MINI_PACK,
            "--out",
            place / "data",
        ]
        subprocess.run(command, check=True, capture_output=True)
        return {
            target: (place / f"data/{kind}/part-00000.jsonl").read_bytes().splitlines()
            for target, kind in (("plan", "plans"), ("scene", "scenes"))
        }


def seeds(windesk: str) -> dict[str, list[bytes]]:
    def files(*patterns: str) -> list[bytes]:
        return [path.read_bytes() for pattern in patterns for path in sorted(ROOT.glob(pattern)) if path.is_file()]

    truth = list_in("eval/any_truth.rs", "KINDS")
    of_pack = list_in("use_pack.rs", "FILES")
    return records(windesk) | {
        "boxes": [json.dumps(boxes).encode() for boxes in BOXES] + files("tests/fixtures/eval/windeskground.json"),
        "icons": files("tests/fixtures/mini-pack/icons/*.svg"),
        "level": files("configs/levels/*.toml", "configs/sweeps/*.toml"),
        "living": living(),
        "outputs": outputs(),
        "pack": [mini_archive()],
        "pack_file": [bytes([at]) + (MINI_PACK / name).read_bytes() for at, name in enumerate(of_pack)],
        "predictions": files("tests/fixtures/eval/*.jsonl"),
        "truth": [bytes([at]) + (FIXTURES / "eval" / name).read_bytes() for at, name in enumerate(truth)],
    }


def main() -> None:
    if len(sys.argv) != 3:
        raise SystemExit("fuzz_seeds: expected the program and a folder: fuzz_seeds.py WINDESK OUT")
    for target, inputs in seeds(sys.argv[1]).items():
        folder = pathlib.Path(sys.argv[2]) / target
        folder.mkdir(parents=True, exist_ok=True)
        for at, content in enumerate(inputs):
            (folder / f"seed-{at:03}").write_bytes(content)
        print(f"{target}: {len(inputs)} inputs")


if __name__ == "__main__":
    main()
