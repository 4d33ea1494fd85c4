"""Scores an export to `finestate` with the code of FineState-Bench's authors, and compares with `windesk eval`.

    python3 scripts/eval/finestate.py REPOSITORY WINDESK STATES EXPORT PREDICTIONS

REPOSITORY is a copy of github.com/FengxianJi/FineState-Bench, WINDESK the program, STATES a dataset of
`windesk states`, EXPORT its export (`windesk export STATES --to finestate`), PREDICTIONS a file with answers to both
questions, such as `windesk predict STATES --agent random` writes. Nothing else is needed: libraries are stand-ins that
do nothing, and a client gives the points of the file in the words that the code asks for; of a drag, where it ends.
Reading the lists, parsing the words, hit tests and metrics are the released code's. The first difference ends the
script with an error.
"""

import importlib
import importlib.abc
import importlib.machinery
import json
import logging
import os
import pathlib
import subprocess
import sys
import tempfile
import types

# Data folder and list by platform; the lists of desktops are found by the code itself.
PLATFORMS = {
    "desktop": ("desktop_en", None),
    "web": ("web_en", "web_en/instructions.jsonl"),
    "mobile-web": ("mobile_en", "mobile_en/instructions.jsonl"),
}
RATES = {
    "locate_success_rate": "sr_loc",
    "interaction_success_rate": "sr_int",
    "state_awareness_rate_locate": "es_sr_loc",
    "state_awareness_rate_interaction": "es_sr_int",
}


class Libraries(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds a stand-in for every module that is neither Python's own nor the repository's."""

    def find_spec(
        self, name: str, _path: object = None, _target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        first = name.partition(".")[0]
        if first in sys.stdlib_module_names or (first == "evaluation" and "model_client" not in name):
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        module = types.ModuleType(spec.name)
        module.__getattr__ = lambda _name: type("Anything", (), {})
        return module

    def exec_module(self, _module: types.ModuleType) -> None:
        pass


class Client:
    """Answers with the points of a file."""

    model_name = "file"

    def __init__(self, points: dict) -> None:
        self.points = points

    def get_response(self, image: str, prompt: str) -> str:
        question = "locate" if "Instruction (LOCATE)" in prompt else "interact"
        point = self.points.get((pathlib.Path(image).name, question))
        if point is None:
            return "I can't say."
        return f"2. Interaction Coordinates: [{decimal(point[0])}, {decimal(point[1])}]"


def decimal(number: float) -> str:
    """The shortest digits that give the number again, without an exponent."""
    text = repr(number)
    return text if "e" not in text else f"{number:.30f}"


def lines(path: pathlib.Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def shares(states: pathlib.Path, predictions: pathlib.Path) -> dict:
    """Points as shares of the image, by the image's name and the question."""
    instances = {line["id"]: line for part in sorted((states / "states").glob("*.jsonl")) for line in lines(part)}
    points = {}
    for answer in lines(predictions):
        if "header" in answer:
            continue
        instance = instances[answer["id"]]
        point = answer.get("point") or (answer["drag"][1] if "drag" in answer else None)
        if point is not None:
            share = tuple(value / side for value, side in zip(point, instance["image_size"], strict=True))
            points[pathlib.PurePath(instance["image"]).name, answer["question"]] = share
    return points


def main() -> None:
    repository, program = sys.argv[1:3]
    states, export, predictions = (pathlib.Path(path).resolve() for path in sys.argv[3:6])
    command = [program, "eval", states, predictions, "--protocol", "state", "--published-code", "LLM_eval.py"]
    done = subprocess.run([*command, "--report", "json", "--resamples", "1"], capture_output=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr.decode())
    own = json.loads(done.stdout)["models"][0]["platforms"]
    client = Client(shares(states, predictions))
    sys.path.insert(0, str(pathlib.Path(repository).resolve()))
    sys.meta_path.insert(0, Libraries())
    # The code looks for its data in the current folder, and writes a log there.
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, _ in PLATFORMS.values():
            if (export / name).is_dir():
                pathlib.Path(name).symlink_to(export / name)
        benchmark = importlib.import_module("evaluation.benchmark")
        logging.disable(logging.CRITICAL)
        results = pathlib.Path(folder, "results")
        results.mkdir()
        for platform, rates in sorted(own.items()):
            root, cases_file = PLATFORMS[platform]
            evaluator = benchmark.BenchmarkEvaluator(data_root=root, test_case_file=cases_file or "")
            cases = evaluator._load_test_cases() if cases_file else evaluator._load_desktop_test_cases()
            found = evaluator._process_test_cases_single(cases, None, results, client)
            metrics = evaluator._calculate_metrics(found)
            if metrics["total_cases"] != rates["sr_loc"]["n"]:
                theirs, ours = metrics["total_cases"], rates["sr_loc"]["n"]
                raise SystemExit(f"{platform}: the code has {theirs} cases, windesk {ours}")
            for theirs, ours in RATES.items():
                if abs(metrics[theirs] - rates[ours]["value"]) > 1e-9:
                    raise SystemExit(f"{platform}: {theirs} is {metrics[theirs]}, {ours} {rates[ours]['value']}")
            said = ", ".join(f"{ours} {rates[ours]['value']:.4f}" for ours in RATES.values())
            print(f"{platform}, {metrics['total_cases']} cases: {said}: the same")
        os.chdir("/")


if __name__ == "__main__":
    main()
