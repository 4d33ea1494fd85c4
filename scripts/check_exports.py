"""Reads exports back with the readers that users have, and compares boxes with the dataset's own.

    python3 scripts/check_exports.py WINDESK DATASET

WINDESK is the program, DATASET a finished dataset. Needs scripts/check_exports.requirements.txt. Every format is exported to a
temporary folder; the first difference ends the script with an error.
"""

import json
import pathlib
import subprocess
import sys
import tempfile


def scenes(dataset: pathlib.Path) -> list[dict]:
    parts = sorted(dataset.glob("scenes/*.jsonl"))
    return [json.loads(line) for part in parts for line in part.open()]


def clipped(box: list[int], scene: dict) -> list[int]:
    limit = [scene["width"], scene["height"]] * 2
    return [min(max(value, 0), most) for value, most in zip(box, limit)]


def same(found: object, expected: object, what: str) -> None:
    if found != expected:
        raise SystemExit(f"{what}: read {found}, expected {expected}")


def check_imagefolder(out: pathlib.Path, truth: list[dict]) -> None:
    import datasets

    rows = datasets.load_dataset("imagefolder", data_dir=str(out), split="train", cache_dir=str(out.parent / "cache"))
    by_id = {row["id"]: row for row in rows}
    same(len(by_id), len(truth), "imagefolder: rows")
    for scene in truth:
        row = by_id[scene["id"]]
        same(row["image"].size, (scene["width"], scene["height"]), f"imagefolder: {scene['id']}: size")
        targets = row["targets"]
        # Older versions give a list of records as a record of lists.
        if isinstance(targets, dict):
            targets = [dict(zip(targets, values)) for values in zip(*targets.values())]
        for found, target in zip(targets, scene["targets"], strict=True):
            same(found["bbox"], clipped(target["bbox"], scene), f"imagefolder: {target['id']}")
            same(found["instruction"], target["instruction"], f"imagefolder: {target['id']}")


def check_json_lines(name: str, out: pathlib.Path, truth: list[dict]) -> None:
    """The trainers' lists, read as `datasets` reads JSON: one type per column."""
    import datasets

    files = [str(path) for path in sorted(out.glob("*.json*")) if path.name not in ("export.json", "dataset_info.json")]
    rows = datasets.load_dataset("json", data_files=files, split="train", cache_dir=str(out.parent / "cache"))
    same(len(rows), sum(len(scene["targets"]) for scene in truth), f"{name}: rows")
    by_id = {row["id"]: row for row in rows}
    for scene in truth:
        for target in scene["targets"]:
            row = by_id[target["id"]]
            box = row["objects"]["bbox"][0] if name == "ms-swift" else json.loads(row["messages"][1]["content"])["bbox_2d"]
            same(box, clipped(target["bbox"], scene), f"{name}: {target['id']}")
            same((out / row["images"][0]).is_file(), True, f"{name}: {row['images'][0]}")


def check_webdataset(out: pathlib.Path, truth: list[dict]) -> None:
    import webdataset

    shards = [str(path) for path in sorted(out.glob("*.tar"))]
    samples = list(webdataset.WebDataset(shards, shardshuffle=False).decode("pil"))
    same(len(samples), len(truth), "webdataset: samples")
    for sample, scene in zip(samples, truth, strict=True):
        same(sample["json"], scene, f"webdataset: {sample['__key__']}")
        same(sample["png"].size, (scene["width"], scene["height"]), f"webdataset: {sample['__key__']}: size")


def check_coco(out: pathlib.Path, truth: list[dict]) -> None:
    from pycocotools.coco import COCO

    coco = COCO(str(out / "annotations.json"))
    same(len(coco.imgs), len(truth), "coco: images")
    names = {category["id"]: category["name"] for category in coco.loadCats(coco.getCatIds())}
    for image in coco.loadImgs(coco.getImgIds()):
        scene = truth[image["id"] - 1]
        same(image["scene"], scene["id"], "coco: scene")
        found = [
            (names[a["category_id"]], [a["bbox"][0], a["bbox"][1], a["bbox"][0] + a["bbox"][2], a["bbox"][1] + a["bbox"][3]])
            for a in coco.loadAnns(coco.getAnnIds(imgIds=image["id"]))
        ]
        visible = [element for element in scene["elements"] if element["visible_bbox"]]
        same(found, [(e["role"], clipped(e["bbox"], scene)) for e in visible], f"coco: {scene['id']}")


def check_yaml(name: str, out: pathlib.Path, truth: list[dict]) -> None:
    import yaml

    entry = yaml.safe_load((out / "data.yaml").read_text())["datasets"][0]
    records = json.loads((out / entry["json_path"]).read_text())
    same(len(records), sum(len(scene["targets"]) for scene in truth), f"{name}: records")
    for record in records:
        path = out / entry["images_folder"] / record["image"]
        same(path.is_file(), True, f"{name}: {path}")


def check_yolo(out: pathlib.Path, truth: list[dict]) -> None:
    import yaml

    data = yaml.safe_load((out / "data.yaml").read_text())
    for scene in truth:
        label = out / scene["image"].replace("images/", "labels/").rsplit(".", 1)[0]
        lines = label.with_name(label.name + ".txt").read_text().splitlines()
        same(len(lines), sum(1 for e in scene["elements"] if e["visible_bbox"]), f"yolo: {scene['id']}")
        same(all(0 <= int(line.split()[0]) < len(data["names"]) for line in lines), True, f"yolo: {scene['id']}: classes")


CHECKS = {
    "imagefolder": check_imagefolder,
    "ms-swift": lambda out, truth: check_json_lines("ms-swift", out, truth),
    "llama-factory": lambda out, truth: check_json_lines("llama-factory", out, truth),
    "webdataset": check_webdataset,
    "coco": check_coco,
    "aguvis": lambda out, truth: check_yaml("aguvis", out, truth),
    "gui-actor": lambda out, truth: check_yaml("gui-actor", out, truth),
    "yolo": check_yolo,
}


def main() -> None:
    program, dataset = sys.argv[1], pathlib.Path(sys.argv[2])
    truth = scenes(dataset)
    for name, check in CHECKS.items():
        with tempfile.TemporaryDirectory() as place:
            out = pathlib.Path(place) / "export"
            command = [program, "export", str(dataset), "--to", name, "--out", str(out), "--allow-lossy"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            check(out, truth)
        print(f"{name}: read back")


if __name__ == "__main__":
    main()
