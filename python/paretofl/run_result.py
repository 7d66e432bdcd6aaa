"""What a run left in its directory."""

import contextlib
import json
from pathlib import Path

import numpy as np

from paretofl import _engine
from paretofl.settings import path_of


def known_metric(test, metric=None):
    """The metric asked for, or the first one of a row's test figures that is not a loss, else the loss. Error where it is not there."""
    if metric is None:
        return next((name for name in test if not _engine.is_minimized(name)), next(iter(test)))
    if metric not in test:
        raise _engine.Error(f"metric: expected one of {', '.join(test)}, found {metric!r}")
    return metric


class Rows(list):
    """The rounds of a run: one dictionary per round, as in metrics.jsonl."""

    def to_pandas(self):
        """A DataFrame with one row per round and a column per figure, such as `test.accuracy.digit`. Needs pandas."""
        import pandas

        return pandas.json_normalize(list(self))


class Run:
    """A run's directory, read when asked for: `Run("runs/try")` opens one that any process made."""

    def __init__(self, directory, problem=None, objectives=None):
        self.directory = path_of("Run", directory)
        self.problem = problem
        self._objectives = objectives
        if not (self.directory / "config.toml").is_file():
            raise _engine.Error(f"Run: expected a run's directory with a config.toml, found none in {self.directory}")

    def __repr__(self):
        return f"Run({str(self.directory)!r})"

    @property
    def summary(self):
        """The final figures: summary.json as a dictionary."""
        path = self.directory / "summary.json"
        if not path.is_file():
            raise _engine.Error(f"{self.directory}: expected a finished run with a summary.json, found none; paretofl.run(resume=...) goes on with it")
        return json.loads(path.read_text(encoding="utf-8"))

    @property
    def config(self):
        """All settings with their values, defaults too: config.toml as nested dictionaries."""
        return _engine.read_config(self.directory / "config.toml")

    @property
    def objectives(self):
        """The names of the M objectives."""
        return list(self._objectives) if self._objectives is not None else self.summary["objectives"]

    @property
    def metrics(self):
        """All rounds so far, as `Rows`."""
        path = self.directory / "metrics.jsonl"
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        return Rows(json.loads(line) for line in lines)

    @property
    def parameters(self):
        """theta of the newest checkpoint, float32: [d], or [n, d] for strategies with one model per client. The last round's, also where
        evaluation.choose_by chose an earlier one; `model()` is the chosen one."""
        return _engine.trained_parameters(self.directory)[0]

    def front(self, metric=None):
        """The Pareto front of the run's test figures by one metric, as `Rows`: of the clients' own models, a row per client with its number
        under "client"; of a single model, of all rounds in which it was evaluated, a row per round. Every row has the objectives' figures
        by name. `metric` is such as "accuracy"; default: the first test metric that is not a loss, else the loss."""
        metric, points, rows = self._points(metric)
        kept = _engine.pareto_front(np.array(points, dtype=np.float64), [_engine.is_minimized(metric)] * len(self.objectives), False)
        return Rows(rows[index] for index in kept)

    def _points(self, metric):
        """The metric, its figures [n, M], and a row for each."""
        evaluated = [row for row in self.metrics if "test" in row]
        if not evaluated:
            raise _engine.Error(f"{self.directory}: expected rounds with test figures, found none")
        metric = known_metric(evaluated[-1]["test"], metric)
        if "clients" in evaluated[-1] and metric in evaluated[-1]["clients"]:
            labelled = [({"client": client}, figures) for client, figures in enumerate(evaluated[-1]["clients"][metric])]
        else:
            labelled = [({"round": row["round"]}, list(row["test"][metric].values())) for row in evaluated]
        labelled = [(label, figures) for label, figures in labelled if None not in figures]
        if not labelled:
            raise _engine.Error(f"{self.directory}: expected finite test figures of {metric}, found none")
        return metric, [figures for _, figures in labelled], [{**label, **dict(zip(self.objectives, figures))} for label, figures in labelled]

    def plot(self, kind="metrics", path=None, **options):
        """A figure of this run: see `paretofl.plot`."""
        from paretofl.figures import plot

        return plot([self], kind, path, **options)

    def report(self, path=None):
        """Writes the report page, by default report.html in the directory, and returns its path."""
        page = Path(path) if path is not None else self.directory / "report.html"
        _engine.write_report([self.directory], page)
        return page

    def export(self, path, format="safetensors", client=None):
        """Writes the trained model into a file, as `paretofl export` does, and returns its path: "safetensors", "numpy" (.npz) or "onnx",
        with the parameters' names and shapes; of one client where every client has its own. Error where the format has no such model."""
        _engine.export_model(self.directory, format, Path(path), client)
        return Path(path)

    def evaluate(self, data=None):
        """Evaluates the trained model on the test set, as `paretofl evaluate` does: a dictionary with "round", "test" and, where there are
        such figures, "overall" and "clients", as in `summary`. `data` is a folder in the place of the run's data.root. The run of a problem
        of one's own needs it: `Run(directory, problem)`. Error without a test set."""
        with self.problem._running() if self.problem is not None else contextlib.nullcontext():
            return _engine.evaluate(self.directory, Path(data or ""), self.problem)

    def model(self, client=None):
        """The trained PyTorch module of a paretofl.torch.Problem, a copy: the one that evaluation.choose_by chose, else the last; of one
        client where every client has its own."""
        if not hasattr(self.problem, "module"):
            raise _engine.Error(f"model: expected a run of a paretofl.torch.Problem, found {type(self.problem).__name__}")
        theta, chosen = _engine.trained_parameters(self.directory)
        theta = theta if chosen is None else chosen
        if theta.ndim == 2 and client is None:
            raise _engine.Error("model: expected client=NUMBER where every client has a model of its own, found none")
        clients = self.problem.num_clients()
        if client is not None and not (isinstance(client, int) and 0 <= client < clients):
            raise _engine.Error(f"model: expected a client of 0 to {clients - 1}, found {client!r}")
        return self.problem.module(theta if theta.ndim == 1 else theta[client], client)
