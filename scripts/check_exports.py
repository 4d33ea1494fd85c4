"""Reads a dataset and its exports back with the readers that users have, and compares boxes with the dataset's own.

    python3 scripts/check_exports.py WINDESK DATASET

WINDESK is the program, DATASET a finished dataset. Needs scripts/check_exports.requirements.txt. Records are held
against docs/schemas, croissant.json against its own library; every format is exported to a temporary folder. The first
difference ends the script with an error.
"""

import json
import pathlib
import subprocess
import sys
import tempfile


def read_lines(path: pathlib.Path) -> list[dict]:
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def scenes(dataset: pathlib.Path) -> list[dict]:
    return [scene for part in sorted(dataset.glob("scenes/*.jsonl")) for scene in read_lines(part)]


def clipped(box: list[int], scene: dict) -> list[int]:
    limit = [scene["width"], scene["height"]] * 2
    return [min(max(value, 0), most) for value, most in zip(box, limit, strict=True)]


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
            targets = [dict(zip(targets, values, strict=True)) for values in zip(*targets.values(), strict=True)]
        for found, target in zip(targets, scene["targets"], strict=True):
            same(
                found["bbox"], clipped(target["bbox"], scene) if target["bbox"] else [], f"imagefolder: {target['id']}"
            )
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
            box = (
                row["objects"]["bbox"][0]
                if name == "ms-swift"
                else json.loads(row["messages"][1]["content"])["bbox_2d"]
            )
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
            (
                names[a["category_id"]],
                [a["bbox"][0], a["bbox"][1], a["bbox"][0] + a["bbox"][2], a["bbox"][1] + a["bbox"][3]],
            )
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
        same(
            all(0 <= int(line.split()[0]) < len(data["names"]) for line in lines), True, f"yolo: {scene['id']}: classes"
        )


def check_parquet(out: pathlib.Path, truth: list[dict]) -> None:
    import datasets

    files = [str(path) for path in sorted(out.glob("data/*.parquet"))]
    rows = datasets.load_dataset("parquet", data_files=files, split="train", cache_dir=str(out.parent / "cache"))
    same(len(rows), len(truth), "hf-parquet: rows")
    for row, scene in zip(rows, truth, strict=True):
        same(row["id"], scene["id"], "hf-parquet: order")
        same(row["image"].size, (scene["width"], scene["height"]), f"hf-parquet: {scene['id']}: size")
        for found, target in zip(row["targets"], scene["targets"], strict=True):
            box = clipped(target["bbox"], scene) if target["bbox"] else []
            same(
                (found["bbox"], found["click_point"]), (box, target["click_point"] or []), f"hf-parquet: {target['id']}"
            )
            same(found["instruction"], target["instruction"], f"hf-parquet: {target['id']}")


def check_verl(out: pathlib.Path, truth: list[dict]) -> None:
    import io

    import pyarrow.parquet
    from PIL import Image

    rows = [row for path in sorted(out.glob("*.parquet")) for row in pyarrow.parquet.read_table(path).to_pylist()]
    targets = [(target, scene) for scene in truth for target in scene["targets"] if target["bbox"]]
    same(len(rows), len(targets), "verl: rows")
    for row, (target, scene) in zip(rows, targets, strict=True):
        truth_box = row["reward_model"]["ground_truth"]
        same(
            [truth_box[side] for side in ("x1", "y1", "x2", "y2")],
            clipped(target["bbox"], scene),
            f"verl: {target['id']}",
        )
        same(target["instruction"] in row["prompt"][0]["content"], True, f"verl: {target['id']}: prompt")
        with Image.open(io.BytesIO(row["images"][0]["bytes"])) as picture:
            same(picture.size, (scene["width"], scene["height"]), f"verl: {target['id']}: size")


def check_records(dataset: pathlib.Path) -> None:
    """Every line and file of the dataset against the schema of its kind."""
    import jsonschema

    schemas = pathlib.Path(__file__).parent.parent / "docs/schemas"
    kind = json.loads((dataset / "manifest.json").read_text())["kind"]

    def validator(name: str) -> jsonschema.Draft202012Validator:
        return jsonschema.Draft202012Validator(json.loads((schemas / f"{name}.schema.json").read_text()))

    def check(name: str, value: object, place: str) -> None:
        for error in validator(name).iter_errors(value):
            raise SystemExit(f"{place}: {error.json_path}: {error.message}")

    plan = "probe-plan" if kind == "icons" else "plan"
    for folder, name in [("scenes", "scene"), ("annotations", "annotation"), ("plans", plan)]:
        for path in sorted(dataset.glob(f"{folder}/*.jsonl")):
            for number, record in enumerate(read_lines(path), 1):
                check(name, record, f"{path}:{number}")
    for number, record in enumerate(read_lines(dataset / "rejections.jsonl"), 1):
        check("rejection", record, f"rejections.jsonl:{number}")
    for name in ("manifest", "stats", "run"):
        check(name, json.loads((dataset / f"{name}.json").read_text()), f"{name}.json")
    study = {"windows": "study", "bench": "bench-study", "icons": "probe-study"}[kind]
    check(study, json.loads((dataset / "manifest.json").read_text())["study"], "manifest.json: study")


def check_croissant(dataset: pathlib.Path, truth: list[dict]) -> None:
    import itertools

    import mlcroissant

    described = mlcroissant.Dataset(jsonld=str(dataset / "croissant.json"))
    for name, count in [("scenes", len(truth)), ("annotations", sum(len(scene["targets"]) for scene in truth))]:
        rows = list(itertools.islice(described.records(record_set=name), count + 1))
        same(len(rows), count, f"croissant: {name}")
    instructions = {row["annotations/instruction"].decode() for row in rows}
    same(
        instructions,
        {target["instruction"] for scene in truth for target in scene["targets"]},
        "croissant: instructions",
    )


CHECKS = {
    "imagefolder": check_imagefolder,
    "ms-swift": lambda out, truth: check_json_lines("ms-swift", out, truth),
    "llama-factory": lambda out, truth: check_json_lines("llama-factory", out, truth),
    "webdataset": check_webdataset,
    "hf-parquet": check_parquet,
    "verl": check_verl,
    "coco": check_coco,
    "aguvis": lambda out, truth: check_yaml("aguvis", out, truth),
    "gui-actor": lambda out, truth: check_yaml("gui-actor", out, truth),
    "yolo": check_yolo,
}


def main() -> None:
    program, dataset = sys.argv[1], pathlib.Path(sys.argv[2])
    truth = scenes(dataset)
    check_records(dataset)
    print("records: as their schemas say")
    check_croissant(dataset, truth)
    print("croissant.json: read back")
    for name, check in CHECKS.items():
        with tempfile.TemporaryDirectory() as place:
            out = pathlib.Path(place) / "export"
            command = [program, "export", str(dataset), "--to", name, "--out", str(out), "--allow-lossy"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            check(out, truth)
        print(f"{name}: read back")


if __name__ == "__main__":
    main()
