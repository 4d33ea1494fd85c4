import json
import sys
import types

import pytest

import check_exports
from check_exports import check_yolo, clipped, read_lines, same, scenes

SCENE = {
    "id": "s1",
    "width": 100,
    "height": 50,
    "image": "images/s1.png",
    "targets": [{"id": "s1-0", "bbox": [90, 10, 120, 60], "instruction": "click"}],
    "elements": [{"visible_bbox": [0, 0, 1, 1]}, {"visible_bbox": None}],
}


def test_scenes_of_all_parts_in_order(tmp_path):
    (tmp_path / "scenes").mkdir()
    # A separator that is a line's end for str.splitlines, and not for JSON lines.
    for part, ids in (("0002", ["c"]), ("0001", ["a", "b\u2028b"])):
        text = "".join(json.dumps({"id": i}, ensure_ascii=False) + "\n" for i in ids)
        (tmp_path / "scenes" / f"{part}.jsonl").write_text(text, encoding="utf-8")
    assert [scene["id"] for scene in scenes(tmp_path)] == ["a", "b\u2028b", "c"]


def test_read_lines_says_where_json_ends(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"a": 1}\nnot JSON\n')
    with pytest.raises(json.JSONDecodeError):
        read_lines(tmp_path / "a.jsonl")


def test_boxes_are_clipped_to_the_scene():
    assert clipped([90, -5, 120, 60], SCENE) == [90, 0, 100, 50]


def test_the_first_difference_ends_the_check():
    same([1], [1], "coco: images")
    with pytest.raises(SystemExit, match="coco: images: read 3, expected 4"):
        same(3, 4, "coco: images")


@pytest.fixture(autouse=True)
def _yaml(monkeypatch):
    """JSON is YAML: what these checks read is written as JSON."""
    module = types.ModuleType("yaml")
    module.safe_load = json.loads
    monkeypatch.setitem(sys.modules, "yaml", module)


@pytest.fixture
def yolo(tmp_path):
    (tmp_path / "labels").mkdir()
    (tmp_path / "data.yaml").write_text(json.dumps({"names": ["button", "menu"]}))
    return tmp_path


@pytest.mark.parametrize(
    ("labels", "fault"),
    [
        ("1 0.5 0.5 0.1 0.1\n", None),
        ("1 0.5 0.5 0.1 0.1\n0 0.5 0.5 0.1 0.1\n", "yolo: s1: read 2, expected 1"),
        ("2 0.5 0.5 0.1 0.1\n", "yolo: s1: classes: read False, expected True"),
    ],
)
def test_labels_of_yolo(yolo, labels, fault):
    (yolo / "labels" / "s1.txt").write_text(labels)
    if fault is None:
        check_yolo(yolo, [SCENE])
    else:
        with pytest.raises(SystemExit, match=fault):
            check_yolo(yolo, [SCENE])


def test_records_and_their_pictures(tmp_path):
    entry = {"json_path": "data.json", "images_folder": "images"}
    (tmp_path / "data.yaml").write_text(json.dumps({"datasets": [entry]}))
    (tmp_path / "data.json").write_text(json.dumps([{"image": "s1.png"}]))
    with pytest.raises(SystemExit, match=r"aguvis: .*s1\.png: read False, expected True"):
        check_exports.CHECKS["aguvis"](tmp_path, [SCENE])
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "s1.png").write_bytes(b"")
    check_exports.CHECKS["aguvis"](tmp_path, [SCENE])
    with pytest.raises(SystemExit, match="gui-actor: records: read 1, expected 2"):
        check_exports.CHECKS["gui-actor"](tmp_path, [SCENE, SCENE])
