"""Scoring: predictions against the truth of a dataset, as ``windesk eval`` scores them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._errors import ConfigError, exception_of_text
from ._indexed import Indexed
from ._sample import Sample
from ._states import StateInstance
from ._tasks import Task

if TYPE_CHECKING:
    import pandas
    import pyarrow

Prediction = Mapping[str, Any]


@dataclass(frozen=True)
class Evaluation:
    """What became of predictions.

    Attributes:
        report: the report, as ``windesk eval --report json`` writes it.
        outcomes: what became of every answer, one dictionary per question and model.
        warnings: what was found in the predictions, such as unknown ids.
    """

    report: dict[str, Any]
    outcomes: list[dict[str, Any]]
    warnings: list[str]

    def to_arrow(self) -> pyarrow.Table:
        """The outcomes as an Arrow table; `pyarrow` must be installed."""
        import pyarrow

        return pyarrow.Table.from_pylist(self.outcomes)

    def to_pandas(self) -> pandas.DataFrame:
        """The outcomes as a data frame; `pandas` must be installed."""
        import pandas

        return pandas.DataFrame(self.outcomes)


def evaluate(
    dataset: str | os.PathLike[str] | Iterable[Sample] | Iterable[Task],
    predictions: str | os.PathLike[str] | Iterable[Prediction] | Mapping[str, Iterable[Prediction]],
    protocol: str = "click",
    **options: str | float | bool | None,
) -> Evaluation:
    """Scores predictions.

    Args:
        dataset: a dataset's folder or file, or the samples themselves; of protocol sequence the tasks, of protocol
            state the state instances.
        predictions: a file of predictions; or predictions as dictionaries (``{"id": .., "point": [x, y]}`` or
            ``{"id": .., "output": ".."}``), or those of several models by name. Points are px of the full size.
        protocol: click, icons, confidence, sequence, state or episode.
        **options: those of ``windesk eval`` with underscores, such as ``coords="qwen2.5-vl"`` or ``strict=True``.

    Raises:
        WindeskError: dataset, predictions or options are not sound.
    """
    with tempfile.TemporaryDirectory(prefix="windesk-") as name:
        folder = Path(name)
        words = ["eval", _dataset_file(dataset, protocol, folder), *_prediction_files(predictions, folder)]
        outcomes = folder / "outcomes.jsonl"
        words += ["--protocol", protocol, "--report", "json", "--outcomes", os.fspath(outcomes)]
        for key, value in options.items():
            words += _flag(key, value)
        done = subprocess.run([sys.executable, "-m", "windesk", *words], capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1):
            raise exception_of_text(done.stderr)
        lines = outcomes.read_text(encoding="utf-8").splitlines() if outcomes.exists() else []
        return Evaluation(json.loads(done.stdout), [json.loads(line) for line in lines], done.stderr.splitlines())


def _flag(key: str, value: str | float | bool | None) -> list[str]:
    flag = "--" + key.replace("_", "-")
    if value is None or value is False:
        return []
    return [flag] if value is True else [flag, str(value)]


def _dataset_file(
    dataset: str | os.PathLike[str] | Iterable[Sample] | Iterable[Task], protocol: str, folder: Path
) -> str:
    if isinstance(dataset, str | os.PathLike):
        return os.fspath(dataset)
    if isinstance(dataset, Indexed) and dataset.n is None:
        raise ConfigError("option `dataset`", "found samples without an end", "samples with a number `n`")
    path = folder / "dataset.jsonl"
    with path.open("wb") as out:
        for sample in dataset:
            if protocol == "state" and isinstance(sample, StateInstance):
                out.write(sample.instance_line)
            else:
                out.write(sample.record_line)
    return os.fspath(path)


def _prediction_files(
    predictions: str | os.PathLike[str] | Iterable[Prediction] | Mapping[str, Iterable[Prediction]], folder: Path
) -> list[str]:
    if isinstance(predictions, str | os.PathLike):
        return [os.fspath(predictions)]
    models = predictions if isinstance(predictions, Mapping) else {"predictions": predictions}
    files = []
    for at, (model, lines) in enumerate(models.items()):
        path = folder / f"model-{at}.jsonl"
        with path.open("w", encoding="utf-8") as out:
            out.write(json.dumps({"header": {"model": model}}) + "\n")
            out.writelines(json.dumps(dict(line)) + "\n" for line in lines)
        files.append(os.fspath(path))
    return files
