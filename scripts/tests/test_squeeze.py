import hashlib
import json

import numpy as np
import pytest
from PIL import Image

from builders import capture_record
from capture.squeeze import squeeze


@pytest.fixture
def pack(tmp_path):
    """Two sessions, one picture that both show, badly packed, and one of the other session alone."""
    folder = tmp_path / "windows" / "editor"
    folder.mkdir(parents=True)
    steps = np.indices((100, 200)).sum(axis=0) // 7 % 5 * 40
    shades = {"shared": steps, "alone": steps + 20}
    pictures = {}
    for name, shade in shades.items():
        pixels = np.dstack([shade, shade // 2, 200 - shade, np.where(shade == 0, 0, 255)]).astype(np.uint8)
        Image.fromarray(pixels, "RGBA").save(folder / "picture.webp", lossless=True, exact=True, quality=0, method=0)
        digest = hashlib.sha256((folder / "picture.webp").read_bytes()).hexdigest()
        (folder / "picture.webp").rename(folder / f"{digest[:16]}.webp")
        pictures[name] = {"file": f"{digest[:16]}.webp", "sha256": digest}
    for session, image in (("light", "shared"), ("dark", "shared"), ("night", "alone")):
        record = capture_record(session, session=session, image=dict(pictures[image], size=[200, 100]))
        (folder / f"{session}.json").write_text(json.dumps(record))
    (folder / "program.json").write_text("{}")
    return tmp_path


def shown(pack, name):
    folder = pack / "windows" / "editor"
    image = json.loads((folder / f"{name}.json").read_text())["image"]
    data = (folder / image["file"]).read_bytes()
    assert image["sha256"] == hashlib.sha256(data).hexdigest()
    assert image["file"] == f"{image['sha256'][:16]}.webp"
    assert image["size"] == [200, 100]
    with Image.open(folder / image["file"]) as picture:
        return image["file"], np.asarray(picture.convert("RGBA"))


def test_pictures_get_smaller_and_show_the_same(pack):
    before = {name: shown(pack, name) for name in ("light", "dark", "night")}
    large, small = squeeze(pack, "light")
    assert small < large
    after = {name: shown(pack, name) for name in before}
    for name, (file, pixels) in after.items():
        assert np.array_equal(pixels, before[name][1])
        assert (file == before[name][0]) == (name == "night"), "another session's own pictures stay"
    assert len(list((pack / "windows" / "editor").glob("*.webp"))) == 2
    assert squeeze(pack, "light") == (small, small), "there is nothing left to do"
