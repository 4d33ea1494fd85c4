#!/usr/bin/env python3
"""Write a BERT encoder as an ONNX file, from its safetensors weights.

    write_onnx.py model.safetensors config.json model.onnx

The graph maps input_ids, attention_mask and token_type_ids (int64, [batch, sequence]) to
last_hidden_state (float32, [batch, sequence, hidden]). Weights keep their 32 bits. Dropout and the
pooler are left out: inference has no use for them.

Only the standard library is used, so neither the interpreter's version nor anybody's release can
change a byte: the same weights give the same file everywhere. An ONNX file is a protocol buffer; the few
field numbers needed here are those of onnx.proto.
"""

import array
import json
import struct
import sys
from pathlib import Path

OPSET = 20  # the first with Gelu; ONNX Runtime has it since 1.17
IR_VERSION = 9  # what opset 20 was released with
FLOAT, INT64 = 1, 7  # TensorProto.DataType
ATTRIBUTE_FLOAT, ATTRIBUTE_INT, ATTRIBUTE_INTS = 1, 2, 7  # AttributeProto.AttributeType


# Protocol buffer wire format.


def varint(value):
    value &= (1 << 64) - 1  # negative numbers are sent as 64-bit two's complement
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def chunk(field, value):
    data = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(data)) + data


def real(field, value):
    return varint(field << 3 | 5) + struct.pack("<f", value)


# ONNX messages.


def tensor(name, kind, dims, raw):
    return b"".join(number(1, d) for d in dims) + number(2, kind) + chunk(8, name) + chunk(9, raw)


def tensor_input(name, kind, dims):
    shape = b"".join(chunk(1, chunk(2, d) if isinstance(d, str) else number(1, d)) for d in dims)
    return chunk(1, name) + chunk(2, chunk(1, number(1, kind) + chunk(2, shape)))


def attribute(name, value):
    if isinstance(value, float):
        return chunk(1, name) + real(2, value) + number(20, ATTRIBUTE_FLOAT)
    if isinstance(value, int):
        return chunk(1, name) + number(3, value) + number(20, ATTRIBUTE_INT)
    return chunk(1, name) + b"".join(number(8, v) for v in value) + number(20, ATTRIBUTE_INTS)


class Graph:
    """Nodes and constants in the order in which they were added."""

    def __init__(self):
        self.nodes = []
        self.initializers = []

    def node(self, op, inputs, output, **attributes):
        parts = [chunk(1, i) for i in inputs] + [chunk(2, output), chunk(3, output), chunk(4, op)]
        parts += [chunk(5, attribute(k, v)) for k, v in sorted(attributes.items())]
        self.nodes.append(b"".join(parts))
        return output

    def weight(self, name, dims, raw):
        self.initializers.append(tensor(name, FLOAT, dims, raw))
        return name

    def scalar(self, name, value):
        return self.weight(name, [], struct.pack("<f", value))

    def integers(self, name, values):
        self.initializers.append(tensor(name, INT64, [len(values)], struct.pack(f"<{len(values)}q", *values)))
        return name

    def message(self, name, inputs, outputs):
        parts = [chunk(1, n) for n in self.nodes] + [chunk(2, name)]
        parts += [chunk(5, t) for t in self.initializers]
        parts += [chunk(11, tensor_input(*i)) for i in inputs] + [chunk(12, tensor_input(*o)) for o in outputs]
        return b"".join(parts)


class Weights:
    """Tensors of a safetensors file: an 8-byte header length, a JSON header, raw little-endian data."""

    def __init__(self, path):
        content = Path(path).read_bytes()
        (header_len,) = struct.unpack_from("<Q", content)
        self.path = path
        self.header = json.loads(content[8 : 8 + header_len])
        self.data = memoryview(content)[8 + header_len :]

    def get(self, name, dims):
        if name not in self.header:
            raise ValueError(f"{self.path}: tensor {name} expected, found none")
        entry = self.header[name]
        if entry["dtype"] != "F32" or entry["shape"] != dims:
            raise ValueError(f"{self.path}: {name}: expected F32 {dims}, found {entry['dtype']} {entry['shape']}")
        start, end = entry["data_offsets"]
        return bytes(self.data[start:end])

    def transposed(self, name, rows, columns):
        """A [rows, columns] matrix as [columns, rows]: PyTorch stores linear layers output first."""
        words = array.array("I", self.get(name, [rows, columns]))  # bit patterns, never read as numbers
        out = array.array("I")
        for column in range(columns):
            out.extend(words[column::columns])
        return out.tobytes()


def encoder(weights, config):
    """The graph of `BertModel` without its pooler; names follow the tensors of the checkpoint."""
    hidden, inner = config["hidden_size"], config["intermediate_size"]
    heads = config["num_attention_heads"]
    head_size = hidden // heads
    graph = Graph()

    def table(name, rows):
        return graph.weight(name, [rows, hidden], weights.get(name, [rows, hidden]))

    def linear(name, source, width_in, width_out):
        matrix = graph.weight(
            f"{name}.weight", [width_in, width_out], weights.transposed(f"{name}.weight", width_out, width_in)
        )
        bias = graph.weight(f"{name}.bias", [width_out], weights.get(f"{name}.bias", [width_out]))
        product = graph.node("MatMul", [source, matrix], f"{name}.product")
        return graph.node("Add", [product, bias], f"{name}.output")

    def layer_norm(name, source, output):
        scale, shift = (
            graph.weight(f"{name}.{part}", [hidden], weights.get(f"{name}.{part}", [hidden]))
            for part in ("weight", "bias")
        )
        return graph.node(
            "LayerNormalization", [source, scale, shift], output, axis=-1, epsilon=float(config["layer_norm_eps"])
        )

    zero, one = graph.integers("zero", [0]), graph.integers("one", [1])
    split_heads = graph.integers("split_heads", [0, 0, heads, head_size])
    join_heads = graph.integers("join_heads", [0, 0, hidden])
    mask_axes = graph.integers("mask_axes", [1, 2])
    sqrt_head_size = graph.scalar("sqrt_head_size", head_size**0.5)
    present = graph.scalar("present", 1.0)
    lowest = graph.scalar("lowest", -3.4028234663852886e38)  # the least float32: its exponential is exactly 0

    words = graph.node(
        "Gather", [table("embeddings.word_embeddings.weight", config["vocab_size"]), "input_ids"], "embeddings.words"
    )
    types = graph.node(
        "Gather",
        [table("embeddings.token_type_embeddings.weight", config["type_vocab_size"]), "token_type_ids"],
        "embeddings.types",
    )
    places = table("embeddings.position_embeddings.weight", config["max_position_embeddings"])
    length = graph.node("Shape", ["input_ids"], "sequence_length", start=1, end=2)
    positions = graph.node("Slice", [places, zero, length, zero, one], "embeddings.positions")
    typed = graph.node("Add", [words, types], "embeddings.words_types")
    placed = graph.node("Add", [typed, positions], "embeddings.sum")
    state = layer_norm("embeddings.LayerNorm", placed, "embeddings.output")

    mask = graph.node("Cast", ["attention_mask"], "mask", to=FLOAT)
    absent = graph.node("Sub", [present, mask], "mask.absent")
    penalty = graph.node("Mul", [absent, lowest], "mask.penalty")
    penalty = graph.node("Unsqueeze", [penalty, mask_axes], "mask.per_head")

    for index in range(config["num_hidden_layers"]):
        layer = f"encoder.layer.{index}"
        attention = f"{layer}.attention.self"

        def per_head(part, order, state=state, attention=attention):
            flat = linear(f"{attention}.{part}", state, hidden, hidden)
            split = graph.node("Reshape", [flat, split_heads], f"{attention}.{part}.heads")
            return graph.node("Transpose", [split], f"{attention}.{part}.by_head", perm=order)

        query, key_transposed = per_head("query", [0, 2, 1, 3]), per_head("key", [0, 2, 3, 1])
        value = per_head("value", [0, 2, 1, 3])
        raw = graph.node("MatMul", [query, key_transposed], f"{attention}.raw_scores")
        scaled = graph.node("Div", [raw, sqrt_head_size], f"{attention}.scaled_scores")
        masked = graph.node("Add", [scaled, penalty], f"{attention}.scores")
        shares = graph.node("Softmax", [masked], f"{attention}.shares", axis=-1)
        context = graph.node("MatMul", [shares, value], f"{attention}.by_head")
        context = graph.node("Transpose", [context], f"{attention}.heads", perm=[0, 2, 1, 3])
        context = graph.node("Reshape", [context, join_heads], f"{attention}.context")

        attended = linear(f"{layer}.attention.output.dense", context, hidden, hidden)
        attended = graph.node("Add", [attended, state], f"{layer}.attention.sum")
        attended = layer_norm(f"{layer}.attention.output.LayerNorm", attended, f"{layer}.attention.output")
        wide = linear(f"{layer}.intermediate.dense", attended, hidden, inner)
        wide = graph.node("Gelu", [wide], f"{layer}.intermediate.output")
        narrow = linear(f"{layer}.output.dense", wide, inner, hidden)
        narrow = graph.node("Add", [narrow, attended], f"{layer}.sum")
        last = index + 1 == config["num_hidden_layers"]
        state = layer_norm(f"{layer}.output.LayerNorm", narrow, "last_hidden_state" if last else f"{layer}.output")

    inputs = [(name, INT64, ["batch", "sequence"]) for name in ("input_ids", "attention_mask", "token_type_ids")]
    return graph.message("bert", inputs, [("last_hidden_state", FLOAT, ["batch", "sequence", hidden])])


def write_onnx(weights_path, config_path, onnx_path):
    config = json.loads(Path(config_path).read_text(encoding="utf-8"))
    expected = {"model_type": "bert", "hidden_act": "gelu", "position_embedding_type": "absolute"}
    for key, value in expected.items():
        if config.get(key) != value:
            raise ValueError(f"{config_path}: {key}: expected {value}, found {config.get(key)}")
    model = number(1, IR_VERSION) + chunk(2, "windesk") + chunk(7, encoder(Weights(weights_path), config))
    model += chunk(8, chunk(1, "") + number(2, OPSET))
    Path(onnx_path).write_bytes(model)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: write_onnx.py model.safetensors config.json model.onnx")
    try:
        write_onnx(*sys.argv[1:])
    except (OSError, ValueError) as error:
        sys.exit(f"error: {error}")
