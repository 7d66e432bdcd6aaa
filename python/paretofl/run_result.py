"""What a run left in its directory."""

import contextlib
import json
from pathlib import Path

from paretofl import _engine


class Rows(list):
    """The rounds of a run: one dictionary per round, as in metrics.jsonl."""

    def to_pandas(self):
        """A DataFrame with one row per round and a column per figure, such as `test.accuracy.digit`. Needs pandas."""
        import pandas

        return pandas.json_normalize(list(self))


class Run:
    """A run's directory, read when asked for: `Run("runs/try")` opens one that any process made."""

    def __init__(self, directory, problem=None):
        self.directory = Path(directory)
        self.problem = problem
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
        if (theta.ndim == 2) != (client is not None):
            raise _engine.Error("model: expected client=NUMBER where every client has a model of its own, and none elsewhere, found "
                                + ("none" if client is None else f"client={client}"))
        return self.problem.module(theta if client is None else theta[client])
