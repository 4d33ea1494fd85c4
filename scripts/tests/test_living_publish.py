"""Putting crawled pages into a pack."""

import json

from capture.living.publish_living import _drop_unused


def test_files_that_no_page_names_are_dropped_and_others_stay(tmp_path):
    used, stale = "0123456789abcdef.webp", "fedcba9876543210.webp"
    lines = "00112233445566aa.jsonl"
    capture = {"image": {"file": used}, "inactive": None, "living": {"file": lines, "atlas": None}}
    (tmp_path / "main.json").write_text(json.dumps(capture))
    (tmp_path / lines).write_text('{"line": "page"}\n')
    for name in (used, stale, "ffffffffffffffff.jsonl", "workflows.jsonl", "instructions.jsonl"):
        (tmp_path / name).write_text("")
    _drop_unused(tmp_path)
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"main.json", lines, used, "workflows.jsonl", "instructions.jsonl"}
