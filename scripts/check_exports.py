"""Reads a dataset and its exports back with the readers that users have, and compares boxes with the dataset's own.

    python3 scripts/check_exports.py WINDESK DATASET

WINDESK is the program, DATASET a finished dataset. Needs scripts/check_exports.requirements.txt. Records are held
against docs/schemas, croissant.json against its own library; every format is exported to a temporary folder. The first
difference ends the script with an error.
"""

import collections.abc
import gzip
import json
import pathlib
import re
import socket
import subprocess
import sys
import tempfile


def without_network() -> None:
    """A reader that asks a hub for anything fails at once: none may wait for an answer."""

    def refuse(*_args: object, **_named: object) -> None:
        raise OSError("a reader asked for the network")

    connect = socket.socket.connect

    def connect_here(self: socket.socket, address: object) -> None:
        if self.family != socket.AF_UNIX:
            refuse()
        connect(self, address)

    socket.socket.connect = connect_here
    socket.getaddrinfo = refuse
    socket.create_connection = refuse


def read_lines(path: pathlib.Path) -> list[dict]:
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def scenes(dataset: pathlib.Path) -> list[dict]:
    return [scene for part in sorted(dataset.glob("scenes/*.jsonl*")) for scene in read_lines(part)]


def clipped(box: list[int], scene: dict) -> list[int]:
    limit = [scene["width"], scene["height"]] * 2
    return [min(max(value, 0), most) for value, most in zip(box, limit, strict=True)]


def same(found: object, expected: object, what: str) -> None:
    if found != expected:
        raise SystemExit(f"{what}: read {found}, expected {expected}")


def split_of(truth: list[dict]) -> str:
    """The split that readers find: theirs is `train` where nothing was split."""
    return truth[0]["split"] or "train"


def loaded(place: pathlib.Path, truth: list[dict], *what: str, **more: object) -> collections.abc.Iterator[list[dict]]:
    """The rows that `load_dataset` gives, at once and streaming; no other split than the data's own."""
    import datasets

    for streaming in (False, True):
        given = datasets.load_dataset(*what, **more, streaming=streaming, cache_dir=str(place / "cache"))
        same(list(given), [split_of(truth)], f"{what}: splits")
        yield list(given[split_of(truth)])


def records(targets: list | dict) -> list[dict]:
    """Older versions give a list of records as a record of lists."""
    if isinstance(targets, dict):
        return [dict(zip(targets, values, strict=True)) for values in zip(*targets.values(), strict=True)]
    return targets


def check_rows(name: str, rows: list[dict], truth: list[dict], absent: tuple[list, list]) -> None:
    """Rows with a scene each: its picture, its targets' boxes and points. `absent` is what stands for none."""
    same([row["id"] for row in rows], [scene["id"] for scene in truth], f"{name}: rows")
    for row, scene in zip(rows, truth, strict=True):
        same(row["image"].size, (scene["width"], scene["height"]), f"{name}: {scene['id']}: size")
        same((row["pair_id"], row["split"]), (scene["pair_id"], scene["split"] or ""), f"{name}: {scene['id']}")
        for found, target in zip(records(row["targets"]), scene["targets"], strict=True):
            box = clipped(target["bbox"], scene) if target["bbox"] else absent[0]
            point = target["click_point"] or absent[1]
            same((found["bbox"], found["click_point"]), (box, point), f"{name}: {target['id']}")
            same(found["instruction"], target["instruction"], f"{name}: {target['id']}")


def check_imagefolder(out: pathlib.Path, truth: list[dict]) -> None:
    by_id = {scene["id"]: scene for scene in truth}
    for what, more in [(("imagefolder",), {"data_dir": str(out)}), ((str(out),), {})]:
        for rows in loaded(out.parent, truth, *what, **more):
            check_rows("imagefolder", rows, [by_id[row["id"]] for row in rows], ([], []))
            same(len(rows), len(truth), "imagefolder: rows")


def check_dataset(dataset: pathlib.Path, truth: list[dict], place: pathlib.Path) -> None:
    """The folder itself: annotations with their pictures by default, scenes with the reader of JSON."""
    annotations = [row for part in sorted(dataset.glob("annotations/*")) for row in read_lines(part)]
    by_id = {annotation["id"]: annotation for annotation in annotations}
    for rows in loaded(place, truth, str(dataset)):
        same(sorted(row["id"] for row in rows), sorted(by_id), "dataset: annotations")
        for row in rows:
            picture, annotation = row.pop("image"), by_id[row["id"]]
            same(list(picture.size), annotation["img_size"], f"dataset: {row['id']}: size")
            same(row, {key: value for key, value in annotation.items() if key != "file_name"}, f"dataset: {row['id']}")
    files = {split_of(truth): [str(part) for part in sorted(dataset.glob("scenes/*"))]}
    for rows in loaded(place, truth, "json", data_files=files):
        same([row["id"] for row in rows], [scene["id"] for scene in truth], "dataset: scenes")


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
        same(json.loads(sample["scene.jsonl"]), scene, f"webdataset: {sample['__key__']}")
        same(sample["png"].size, (scene["width"], scene["height"]), f"webdataset: {sample['__key__']}: size")
    # The same with the reader that makes one type per column of the first rows.
    for what, more in [(("webdataset",), {"data_files": {split_of(truth): shards}}), ((str(out),), {})]:
        for rows in loaded(out.parent, truth, *what, **more):
            flat = [{**row["json"], "image": row["png"]} for row in rows]
            check_rows("webdataset", flat, truth, ([0, 0, 0, 0], [-1, -1]))


def check_coco(out: pathlib.Path, truth: list[dict]) -> None:
    import numpy
    from pycocotools.coco import COCO

    same(json.loads((out / "export.json").read_text())["masks"], True, "coco: masks")
    coco = COCO(str(out / "annotations.json"))
    same(len(coco.imgs), len(truth), "coco: images")
    names = {category["id"]: category["name"] for category in coco.loadCats(coco.getCatIds())}
    for image in coco.loadImgs(coco.getImgIds()):
        scene = truth[image["id"] - 1]
        same(image["scene"], scene["id"], "coco: scene")
        annotations = coco.loadAnns(coco.getAnnIds(imgIds=image["id"]))
        found = [
            (
                names[a["category_id"]],
                [a["bbox"][0], a["bbox"][1], a["bbox"][0] + a["bbox"][2], a["bbox"][1] + a["bbox"][3]],
            )
            for a in annotations
        ]
        visible = [element for element in scene["elements"] if element["visible_bbox"]]
        same(found, [(e["role"], clipped(e["bbox"], scene)) for e in visible], f"coco: {scene['id']}")
        masks = {target["element"]: target["visible_mask"] for target in scene["targets"] if target["visible_mask"]}
        for annotation, element in zip(annotations, visible, strict=True):
            mask = coco.annToMask(annotation)
            place = f"coco: {scene['id']}: {element['id']}"
            same(mask.shape, (scene["height"], scene["width"]), f"{place}: size")
            same(int(mask.sum()), element["visible_px"], f"{place}: visible pixels")
            rows, columns = numpy.flatnonzero(mask.any(axis=1)), numpy.flatnonzero(mask.any(axis=0))
            around = [int(v) for v in (columns[0], rows[0], columns[-1] + 1, rows[-1] + 1)]
            same(around, element["visible_bbox"], f"{place}: box")
            if element["id"] in masks:
                own = masks[element["id"]]
                (height, width), (x, y) = own["size"], own["origin"]
                runs = numpy.repeat(numpy.arange(len(own["counts"])) % 2, own["counts"]).reshape(height, width)
                same(bool((mask[y : y + height, x : x + width] == runs).all()), True, f"{place}: mask")


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
    files = {split_of(truth): [str(path) for path in sorted(out.glob("data/*.parquet"))]}
    for what, more in [(("parquet",), {"data_files": files}), ((str(out),), {})]:
        for rows in loaded(out.parent, truth, *what, **more):
            check_rows("hf-parquet", rows, truth, ([], []))


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
        for path in sorted(dataset.glob(f"{folder}/*.jsonl*")):
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
    counts = {"scenes": len(truth), "annotations": sum(len(scene["targets"]) for scene in truth)}
    names = [record_set.name for record_set in described.metadata.record_sets]
    same("annotations" in names, True, "croissant: annotations")
    for name in names:
        rows = list(itertools.islice(described.records(record_set=name), counts[name] + 1))
        same(len(rows), counts[name], f"croissant: {name}")
        if name == "annotations":
            instructions = {row["annotations/instruction"].decode() for row in rows}
    same(
        instructions,
        {target["instruction"] for scene in truth for target in scene["targets"]},
        "croissant: instructions",
    )


def size_of(step: dict) -> dict:
    return dict(zip(("width", "height"), step["image_size"], strict=True))


def check_medspot(out: pathlib.Path, tasks: list[dict]) -> None:
    """As the released scripts read: every file of a folder, boxes by their formula, images below the folder's root."""
    read = [
        (path.name.removesuffix("_Annotation.json"), task)
        for path in sorted((out / "Annotations").glob("*.json"))
        for task in json.loads(path.read_text(encoding="utf-8"))["tasks"]
    ]
    by_id = {task["id"]: (application, task) for application, task in read}
    same(sorted(by_id), sorted(task["id"] for task in tasks), "medspot: tasks")
    for task in tasks:
        application, found = by_id[task["id"]]
        same(
            (application, found["task_overview"]),
            (task["application"], task["task_overview"]),
            f"medspot: {task['id']}",
        )
        for at, (said, step) in enumerate(zip(found["steps"], task["steps"], strict=True)):
            (action,) = said["actions"]
            x, y, w, h = action["bbox"]
            width, height = step["image_size"]
            box = [x / 100.0 * width, y / 100.0 * height, (x + w) / 100.0 * width, (y + h) / 100.0 * height]
            place = f"medspot: {task['id']}, step {at}"
            outwards = [a - b for a, b in zip(box, clipped(step["bbox"], size_of(step)), strict=True)]
            outwards[:2] = [-by for by in outwards[:2]]
            same((action["type"], all(0 <= by < 1e-9 for by in outwards)), ("click", True), f"{place}: {box}")
            same((said["step_id"], said["instruction"]), (at + 1, step["instruction"]), place)
            same((out / said["image_path"]).is_file(), True, f"{place}: {said['image_path']}")


def json_rows(out: pathlib.Path) -> list[dict]:
    """The lines of an export as `datasets` reads them: one type per column."""
    import datasets

    files = [str(path) for path in out.glob("*.jsonl")]
    return list(datasets.load_dataset("json", data_files=files, split="train", cache_dir=str(out.parent / "cache")))


def check_agentnet(out: pathlib.Path, tasks: list[dict]) -> None:
    """The fields that the README of xlangai/AgentNet lists."""
    for row, task in zip(json_rows(out), tasks, strict=True):
        same((row["task_id"], row["instruction"]), (task["id"], task["task_overview"]), "agentnet: task")
        for at, (found, step) in enumerate(zip(row["traj"], task["steps"], strict=True)):
            place = f"agentnet: {task['id']}, step {at}"
            same((found["index"], found["value"]["action"]), (at, step["instruction"]), place)
            same((out / "images" / found["image"]).is_file(), True, f"{place}: {found['image']}")
            shares = re.fullmatch(r"pyautogui\.click\(x=([\d.]+), y=([\d.]+)\)", found["value"]["code"]).groups()
            for share, pixel, side in zip(shares, step["click_point"], step["image_size"], strict=True):
                same(abs(float(share) * side - pixel - 0.5) <= side * 5e-5, True, f"{place}: {found['value']['code']}")


def check_android_control(out: pathlib.Path, tasks: list[dict]) -> None:
    """The fields that the README of AndroidControl lists, with paths in place of images."""
    for number, (row, task) in enumerate(zip(json_rows(out), tasks, strict=True)):
        place = f"android-control: {task['id']}"
        same((row["episode_id"], row["goal"]), (number, task["task_overview"]), place)
        same(row["step_instructions"], [step["instruction"] for step in task["steps"]], place)
        clicks = [(action["action_type"], action["x"], action["y"]) for action in records(row["actions"])]
        same(clicks, [("click", *step["click_point"]) for step in task["steps"]], place)
        sizes = [list(size) for size in zip(row["screenshot_widths"], row["screenshot_heights"], strict=True)]
        same(sizes, [step["image_size"] for step in task["steps"]], place)
        same(all((out / path).is_file() for path in row["screenshots"]), True, f"{place}: screenshots")


def check_ms_swift_tasks(out: pathlib.Path, tasks: list[dict]) -> None:
    """The fields that ms-swift's documentation of custom datasets lists: as many marks as images, words and boxes."""
    for row, task in zip(json_rows(out), tasks, strict=True):
        place, count = f"ms-swift-tasks: {task['id']}", len(task["steps"])
        turns = "".join(turn["content"] for turn in records(row["messages"]))
        same([turns.count(mark) for mark in ("<image>", "<ref-object>", "<bbox>")], [count] * 3, place)
        same([turn["role"] for turn in records(row["messages"])], ["user", "assistant"] * count, place)
        boxes = [clipped(step["bbox"], size_of(step)) for step in task["steps"]]
        objects = row["objects"]
        same((objects["bbox"], objects["image_id"]), (boxes, list(range(count))), place)
        same(all((out / path).is_file() for path in row["images"]), True, f"{place}: images")


def check_parquet_steps(out: pathlib.Path, tasks: list[dict]) -> None:
    steps = [(task, at, step) for task in tasks for at, step in enumerate(task["steps"])]
    split = next(out.glob("data/*.parquet")).name.rsplit("-", 1)[0]
    files = {split: [str(path) for path in sorted(out.glob("data/*.parquet"))]}
    for what, more in [(("parquet",), {"data_files": files}), ((str(out),), {})]:
        for rows in loaded(out.parent, [{"split": split}], *what, **more):
            for row, (task, at, step) in zip(rows, steps, strict=True):
                place = f"hf-parquet-steps: {task['id']}, step {at}"
                same((row["task_id"], row["step"], row["steps"]), (task["id"], at, len(task["steps"])), place)
                same((row["goal"], row["instruction"]), (task["task_overview"], step["instruction"]), place)
                same(list(row["image"].size), step["image_size"], f"{place}: size")
                box = clipped(step["bbox"], size_of(step))
                same((row["bbox"], row["click_point"]), (box, step["click_point"]), place)
                same(records(row["also_valid"]), step.get("also_valid", []), place)
                ratio = [step["visible_ratio"]] if step.get("visible_ratio") is not None else []
                same(row["visible_ratio"], ratio, place)
                same((row["kind"], row["step_kind"]), (task.get("kind", ""), step.get("step_kind", "")), place)


TASK_CHECKS = {
    "medspot": check_medspot,
    "agentnet": check_agentnet,
    "android-control": check_android_control,
    "ms-swift-tasks": check_ms_swift_tasks,
    "hf-parquet-steps": check_parquet_steps,
}


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


def check_all(program: str, dataset: pathlib.Path, formats: collections.abc.Iterable[str]) -> None:
    truth = scenes(dataset)
    check_records(dataset)
    print("records: as their schemas say")
    check_croissant(dataset, truth)
    print("croissant.json: read back")
    with tempfile.TemporaryDirectory() as place:
        check_dataset(dataset, truth, pathlib.Path(place))
    print("the dataset itself: read back")
    for name in formats:
        check_export(program, dataset, name, CHECKS[name], truth)


def check_export(
    program: str, dataset: pathlib.Path, name: str, check: collections.abc.Callable, truth: list[dict]
) -> None:
    with tempfile.TemporaryDirectory() as place:
        out = pathlib.Path(place) / "export"
        command = [program, "export", str(dataset), "--to", name, "--out", str(out), "--allow-lossy"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        check(out, truth)
    print(f"{name}: read back")


def check_tasks(program: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        dataset = pathlib.Path(place) / "tasks"
        command = [program, "tasks", "--n", "8", "--out", str(dataset)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        tasks = [task for part in sorted(dataset.glob("tasks/*")) for task in read_lines(part)]
        print("\ntasks:")
        for name, check in TASK_CHECKS.items():
            check_export(program, dataset, name, check, tasks)


def main() -> None:
    program, dataset = sys.argv[1], pathlib.Path(sys.argv[2])
    without_network()
    check_all(program, dataset, CHECKS)
    check_tasks(program)
    # Half of what this one asks for is not there, so that columns begin with nothing.
    with tempfile.TemporaryDirectory() as place:
        split = pathlib.Path(place) / "split"
        command = [program, "synth", "--level", "L1", "--n", "8", "--split", "test", "--absent-share", "0.5"]
        subprocess.run(
            [*command, "--compress-records", "--out", str(split)],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        print("\nthe split `test`, compressed:")
        check_all(program, split, ["imagefolder", "webdataset", "hf-parquet", "coco"])


if __name__ == "__main__":
    main()
