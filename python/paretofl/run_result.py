"""What a run left in its directory."""

from __future__ import annotations

import contextlib
import json
import pathlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from paretofl import _engine
from paretofl.annotations import NDArray, Path, Row
from paretofl.arrays import integer, to_numpy
from paretofl.optional_packages import expect_package
from paretofl.process_end import awaited_at_exit
from paretofl.settings import path_of

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped, unused-ignore]
    from matplotlib.figure import Figure

    from paretofl.problem import Problem


def known_metric(test, metric=None):
    """The metric asked for, or the first one of a row's test figures that is not a loss, else the loss. Error where it is not there."""
    if metric is None:
        return next((name for name in test if not _engine.is_minimized(name)), next(iter(test)))
    if metric not in test:
        raise _engine.Error(f"metric: expected one of {', '.join(test)}, found {metric!r}")
    return metric


def parsed(text, path):
    """What a JSON text of a file holds. Error where it is none."""
    try:
        return json.loads(text)
    except ValueError as problem:
        raise _engine.Error(f"{path}: expected JSON, found none ({problem})") from None


def shares_of(preference):
    """A preference [M] as a list of numbers; None for None."""
    return None if preference is None else to_numpy(preference, "preference", np.float64, 1).tolist()


class Rows(list[Row]):
    """A list of dictionaries: the rounds of a run, as in metrics.jsonl, or the rows of a table."""

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas DataFrame with one row per dictionary and a column per figure, such as `test.accuracy.digit`. It needs pandas:
        `pip install "paretofl[pandas]"`. Without it, ImportError."""
        expect_package("pandas", "to_pandas", "paretofl[pandas]")
        import pandas

        return pandas.json_normalize(list(self))


class Run:
    """The directory of a run, whose files are read when asked for. `Run("runs/try")` opens a directory that any process has written.

    directory: which has the run's config.toml.
    problem: the `Problem` of the run, for `model` and `evaluate`.
    objectives: the names of the M objectives, if they are known already.

    Error if the directory has no config.toml.
    """

    def __init__(self, directory: Path, problem: Problem | None = None, objectives: Sequence[str] | None = None) -> None:
        self.directory = path_of("Run", directory).absolute()
        self.problem = problem
        self._objectives = objectives
        if not (self.directory / "config.toml").is_file():
            raise _engine.Error(f"Run: expected a run's directory with a config.toml, found none in {self.directory}")

    def __repr__(self) -> str:
        return f"Run({str(self.directory)!r})"

    @property
    def summary(self) -> dict[str, Any]:
        """The final figures: summary.json as a dictionary. Error if the run is not finished."""
        path = self.directory / "summary.json"
        if not path.is_file():
            raise _engine.Error(f"{self.directory}: expected a finished run with a summary.json, found none; paretofl.run(resume=...) goes on with it")
        found: dict[str, Any] = parsed(path.read_text(encoding="utf-8"), path)
        return found

    @property
    def config(self) -> dict[str, Any]:
        """All settings with their values, including the defaults: config.toml as nested dictionaries."""
        return _engine.read_config(self.directory / "config.toml")

    @property
    def objectives(self) -> list[str]:
        """The names of the M objectives."""
        return list(self._objectives) if self._objectives is not None else self.summary["objectives"]

    @property
    def metrics(self) -> Rows:
        """All rounds so far, as `Rows`: metrics.jsonl, one dictionary per round."""
        path = self.directory / "metrics.jsonl"
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        whole = text[: text.rfind("\n") + 1]  # a process that is writing, or was killed while it wrote, leaves a part of a line
        return Rows(parsed(line, path) for line in whole.splitlines())

    @property
    def parameters(self) -> NDArray[np.float32]:
        """theta of the newest checkpoint, float32: [d]; [n, d] for strategies with one model per client; and [M, d], the vertices, for those with
        a model for every preference. It is that of the last round,
        also if evaluation.choose_by chose an earlier one, which `model()` returns. Error if there is no checkpoint."""
        return _engine.trained_parameters(self.directory)[0]

    def front(self, metric: str | None = None) -> Rows:
        """The Pareto front of the run's test figures by one metric, as `Rows`.

        If the run trains a model for every preference (the strategy pareto_manifold, the agents envelope_dqn and capql), there is a row per
        preference at which the last model was evaluated, with the preference [M] under "preference". If each client has a model of its own,
        there is a row per client, with its number under "client". Otherwise there is a row per round in which the model was evaluated, with
        its number under "round". Every row has the objectives' figures by name.

        metric: such as "accuracy". The default is the first test metric that is not a loss, else the loss.

        Error on an unknown metric, and if the run has no finite test figures.
        """
        metric, points, rows = self._points(metric)
        kept = _engine.pareto_front(np.array(points, dtype=np.float64), [_engine.is_minimized(metric)] * len(self.objectives), False)
        return Rows(rows[index] for index in kept)

    def _points(self, metric):
        """The metric, its figures [n, M], and a row for each."""
        evaluated = [row for row in self.metrics if "test" in row]
        if not evaluated:
            raise _engine.Error(f"{self.directory}: expected rounds with test figures, found none")
        metric = known_metric(evaluated[-1]["test"], metric)
        front = evaluated[-1].get("front", {})
        if metric in front:
            labelled = [({"preference": preference}, figures) for preference, figures in zip(front["preferences"], front[metric])]
        elif "clients" in evaluated[-1] and metric in evaluated[-1]["clients"]:
            labelled = [({"client": client}, figures) for client, figures in enumerate(evaluated[-1]["clients"][metric])]
        else:
            labelled = [({"round": row["round"]}, list(row["test"][metric].values())) for row in evaluated]
        labelled = [(label, figures) for label, figures in labelled if None not in figures]
        if not labelled:
            raise _engine.Error(f"{self.directory}: expected finite test figures of {metric}, found none")
        return metric, [figures for _, figures in labelled], [{**label, **dict(zip(self.objectives, figures))} for label, figures in labelled]

    def plot(self, kind: Literal["metrics", "weights", "front"] = "metrics", path: Path | None = None, **options: Any) -> Figure:
        """Draws this run by `paretofl.plot`, which has the same arguments."""
        from paretofl.figures import plot

        return plot([self], kind, path, **options)

    def report(self, path: Path | None = None) -> pathlib.Path:
        """Writes the report page, by default report.html in the directory, and returns its path."""
        page = path_of("report", path) if path is not None else self.directory / "report.html"
        _engine.write_report([self.directory], page)
        return page

    def export(self, path: Path, format: Literal["safetensors", "numpy", "onnx"] = "safetensors", client: int | None = None,
               preference: Sequence[float] | None = None) -> pathlib.Path:
        """Writes the trained model into a file, as `paretofl export` does, and returns the file's path.

        format: "safetensors", "numpy" (.npz) or "onnx". The file has the parameters' names and shapes.
        client: whose model is written, if each client has a model of its own.
        preference: [M], of any scale: which model is written, if the strategy trains one for every preference. The default is uniform.

        Error if the format does not support the model or the preference does not fit, and if there is no checkpoint.
        """
        file = path_of("export", path)
        number = None if client is None else integer(client, "client", 0, 2**31 - 1)
        _engine.export_model(self.directory, format, file, number, shares_of(preference))
        return file

    def evaluate(self, data: Path | None = None, preference: Sequence[float] | None = None) -> dict[str, Any]:
        """Evaluates the trained model on the test set, as `paretofl evaluate` does.

        data: a folder of data sets instead of the run's data.root.
        preference: [M], of any scale: which model is evaluated, if the strategy trains one for every preference.

        Returns a dictionary with "round", "test" and, if there are such figures, "overall", "clients" and "front", as in `summary`. The run of a
        `Problem` needs the problem: `Run(directory, problem)`. Error if there is no test set, and while a run or a sweep is under way in this
        process: a callback's `on_end` can evaluate the run of `paretofl.run`, but the runs of a sweep are evaluated after `paretofl.sweep`.
        """
        with awaited_at_exit(), self.problem._running() if self.problem is not None else contextlib.nullcontext():
            folder = "" if data is None else path_of("data", data)
            figures: Any = _engine.evaluate(self.directory, folder, self.problem, shares_of(preference))
            return dict(figures)

    def model(self, client: int | None = None, preference: Sequence[float] | None = None) -> Any:
        """The trained PyTorch module of a `paretofl.torch.Problem`, as a copy: the model that evaluation.choose_by chose, else the last one.

        client: the client's number, if each client has a model of its own.
        preference: [M], of any scale: which model, if the strategy trains one for every preference. The default is uniform.

        Error on the run of another problem, on a preference that does not fit, and on a number of no client.
        """
        problem: Any = self.problem
        if not hasattr(problem, "module"):
            raise _engine.Error(f"model: expected a run of a paretofl.torch.Problem, found {type(self.problem).__name__}")
        theta, for_preferences, chosen = _engine.trained_parameters(self.directory)
        if for_preferences or preference is not None:
            shares = [1.0] * len(self.objectives) if preference is None else shares_of(preference)
            return problem.module(_engine.preferred_parameters(self.directory, shares), client)
        theta = theta if chosen is None else chosen
        if theta.ndim == 2 and client is None:
            raise _engine.Error("model: expected client=NUMBER where every client has a model of its own, found none")
        clients = problem.num_clients()
        client = None if client is None else integer(client, "client", 0, clients - 1)
        return problem.module(theta if theta.ndim == 1 else theta[client], client)
