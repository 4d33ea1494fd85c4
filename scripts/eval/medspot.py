"""Scores an export to `medspot` with the scripts that MedSPOT's authors released, and compares with `windesk eval`.

    python3 scripts/eval/medspot.py SCRIPTS WINDESK TASKS EXPORT PREDICTIONS

SCRIPTS is the folder `Evaluation_scripts` of github.com/Tajamul21/MedSPOT, WINDESK the program, TASKS a dataset of
tasks, EXPORT its export (`windesk export TASKS --to medspot`), PREDICTIONS a file with one `point` in px per step, such
as `windesk predict TASKS --agent oracle-jitter` writes. Nothing else is needed: libraries and models are stand-ins that
do nothing, and where a script reads a point out of a model's words, it gets the point of the file, in the script's own
unit. Boxes, hit test, the loop over steps and the metrics are the scripts'. The first difference ends the script with
an error.
"""

import collections.abc
import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import json
import pathlib
import struct
import subprocess
import sys
import types


class Anything:
    """Stands for whatever a library or a model gives: everything can be done with it, and nothing comes of it."""

    def __init__(self, *_args: object, **_named: object) -> None:
        pass

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()

    def __call__(self, *_args: object, **_named: object) -> object:
        return Anything()

    def __getitem__(self, _key: object) -> object:
        return Anything()

    def __iter__(self) -> collections.abc.Iterator:
        return iter((Anything(), Anything()))

    def __next__(self) -> object:
        return Anything()

    def __enter__(self) -> object:
        return self

    def __exit__(self, *_args: object) -> None:
        pass

    def __index__(self) -> int:
        return 0

    def keys(self) -> tuple:
        return ()

    def items(self) -> list:
        return [("input_ids", Anything())]


class Libraries(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds a stand-in for every module that is not Python's own."""

    def find_spec(
        self, name: str, _path: object = None, _target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name.partition(".")[0] in sys.stdlib_module_names:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        module = types.ModuleType(spec.name)
        # `isinstance` wants types.
        module.Tensor = type("Tensor", (), {})
        module.__getattr__ = lambda _name: Anything()
        return module

    def exec_module(self, _module: types.ModuleType) -> None:
        pass


class Picture:
    """A keyframe of which scripts only want the size."""

    def __init__(self, path: pathlib.Path) -> None:
        with path.open("rb") as file:
            head = file.read(24)
        if head[:8] != b"\x89PNG\r\n\x1a\n":
            raise SystemExit(f"{path}: found no PNG, expected the keyframes that windesk writes by default")
        self.size = struct.unpack(">II", head[16:24])

    def convert(self, _mode: str) -> "Picture":
        return self


def overlap(a: list[float], b: list[float]) -> bool:
    """Whether two boxes touch."""
    return not (a[2] < b[0] or a[0] > b[2] or a[3] < b[1] or a[1] > b[3])


class Script:
    """A released script with the answers of a file in place of a model."""

    def __init__(self, path: pathlib.Path, export: pathlib.Path, answers: dict) -> None:
        self.name, self.export, self.answers = path.stem, export, answers
        self.task, self.at, self.size = "", 0, (1, 1)
        spec = importlib.util.spec_from_file_location(self.name, path)
        self.module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.module)
        self.module.print = lambda *_args, **_named: None
        self.module.Image = types.SimpleNamespace(open=self.opened)
        for name in ("encode_image", "image_to_base64", "call_gpt"):
            setattr(self.module, name, lambda *_args, **_named: "")
        for name in ("extract_point_from_text", "extract_pixel_point", "extract_click_point", "pred_2_point"):
            if hasattr(self.module, name):
                setattr(self.module, name, lambda *_args, name=name: self.said(name))
        if hasattr(self.module, "inference"):
            self.module.inference = lambda *_args, **_named: {"topk_points": self.said("inference") or []}
        if isinstance(getattr(self.module, "do_boxes_overlap", None), Anything):
            # One script has it from its model's library; the others define it as here.
            self.module.do_boxes_overlap = overlap
        # The words of an answer; no box is in them.
        self.model = Anything()
        self.model.chat = lambda *_args, **_named: ("", None)

    def opened(self, path: pathlib.Path) -> Picture:
        picture = Picture(pathlib.Path(path))
        self.size = picture.size
        return picture

    def said(self, by: str) -> object:
        """The point of the file in the unit that the function `by` of this script gives."""
        step = self.task["steps"][self.at]
        width, height = Picture(self.export / step["image_path"]).size
        point = self.answers.get((self.task["id"], self.at))
        if point is None:
            return None
        x, y = point
        if by in ("extract_pixel_point", "extract_click_point"):
            # Of this one model the words are thousandths.
            scale = getattr(self.module, "QWEN_COORD_SCALE", None) if self.name == "evaluate_qwen3vl0" else None
            return (x * scale / width, y * scale / height) if scale else (x, y)
        share = (x / width, y / height)
        if by == "extract_point_from_text":
            # Such functions move points to the border of the image.
            return tuple(min(max(value, 0.0), 1.0) for value in share)
        return [share] if by == "inference" else share

    def call(self, function: collections.abc.Callable, **given: object) -> object:
        names = inspect.signature(function).parameters
        return function(**{name: given.get(name, Anything()) for name in names})

    def metrics(self, tasks: list[dict]) -> dict:
        args = types.SimpleNamespace(dataset_root=self.export, use_placeholder=True, topk=1)
        step = self.module.evaluate_step if hasattr(self.module, "evaluate_step") else None
        if step is not None:
            signature = inspect.signature(step)

            def counted(*given: object, **named: object) -> object:
                result = step(*given, **named)
                self.at += 1
                return result

            counted.__signature__ = signature
            self.module.evaluate_step = counted
        else:
            # One script asks within its loop.
            ask = self.module.predict_qwen_point

            def counted_ask(*given: object, **named: object) -> object:
                result = ask(*given, **named)
                self.at += 1
                return result

            self.module.predict_qwen_point = counted_ask
        results = []
        for task in tasks:
            self.task, self.at = task, 0
            results.append(
                self.call(
                    self.module.evaluate_task,
                    task=task,
                    model=self.model,
                    dataset_root=self.export,
                    args=args,
                    prompt_template="{}",
                    debug_counter=None,
                )
            )
        return self.module.compute_metrics(results)


def main() -> None:
    scripts, program, tasks, export, predictions = sys.argv[1], sys.argv[2], *map(pathlib.Path, sys.argv[3:6])
    lines = [json.loads(line) for line in predictions.read_text(encoding="utf-8").splitlines() if line.strip()]
    answers = {(line["id"], line["step"]): line["point"] for line in lines if "point" in line}
    files = sorted((export / "Annotations").glob("*.json"))
    annotated = [task for file in files for task in json.loads(file.read_text(encoding="utf-8"))["tasks"]]
    sys.meta_path.insert(0, Libraries())
    for path in sorted(pathlib.Path(scripts).glob("evaluate_*.py")):
        command = [
            program,
            "eval",
            str(tasks),
            str(predictions),
            "--protocol",
            "sequence",
            "--published-code",
            path.stem,
        ]
        done = subprocess.run([*command, "--report", "json", "--resamples", "1"], capture_output=True, check=False)
        if done.returncode not in (0, 1):
            raise SystemExit(done.stderr.decode())
        own = json.loads(done.stdout)["models"][0]["all"]
        found = Script(path, export, answers).metrics(annotated)
        expected = {
            "task_completion_accuracy": {"tca": own["tca"]["value"]},
            "step1_accuracy": {"s1a": own["s1a"]["value"]},
            # Some scripts take all steps for the whole, others those that were attempted.
            "step_hit_rate": {name: own[name]["value"] for name in ("shr", "shr_attempted")},
            "avg_weighted_prefix_score": {"wps": own["wps"]},
        }
        same = []
        for key, values in expected.items():
            name = next((name for name, value in values.items() if abs(found[key] - value) < 1e-9), None)
            if name is None:
                raise SystemExit(f"{path.name}: {key}: the script says {found[key]}, windesk {values}")
            same.append(f"{name} {found[key]:.4f}")
        print(f"{path.name}: {', '.join(same)}: the same")


if __name__ == "__main__":
    main()
