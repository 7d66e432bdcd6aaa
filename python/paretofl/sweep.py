"""Grids of runs over strategies, seeds, preferences and any setting."""

from __future__ import annotations

import csv
import io
import json
import os
import pathlib
import signal as signals
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from paretofl import _engine
from paretofl.annotations import Config, Options, Path, Row, Strategies
from paretofl.arrays import integer, to_numpy
from paretofl.callbacks import Callback, NotebookSweepProgress, SweepCallbacks, in_notebook
from paretofl.definition import FILE, expect_same_initial, warn_of_another
from paretofl.problem import Problem
from paretofl.process_end import awaited_at_exit
from paretofl.run import config_of, interrupt, running
from paretofl.run_result import Rows, Run
from paretofl.settings import arguments_named, assignments, check_key, expect_bool, listed_of, named, path_of, strategy_table, toml_text, with_options

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Sweep:
    """The folder of a sweep, whose files are read when asked for. `Sweep("runs/seeds")` opens a folder that this package or the command has
    written.

    directory: which has the sweep's sweep.json.
    problem: the `Problem` of the runs, if they have one.

    Error if the folder has no sweep.json.
    """

    def __init__(self, directory: Path, problem: Problem | None = None) -> None:
        self.directory = path_of("Sweep", directory).absolute()
        self.problem = problem
        if not (self.directory / "sweep.json").is_file():
            raise _engine.Error(f"Sweep: expected a sweep's folder with a sweep.json, found none in {self.directory}")

    def __repr__(self) -> str:
        return f"Sweep({str(self.directory)!r})"

    @property
    def results(self) -> dict[str, Any]:
        """sweep.json as a dictionary: means and standard deviations over seeds, and the Pareto fronts."""
        found: dict[str, Any] = json.loads((self.directory / "sweep.json").read_text(encoding="utf-8"))
        return found

    @property
    def rows(self) -> Rows:
        """The finished runs, as `Rows`: the swept values, the final test figures, costs, and whether the run is on the front."""
        return Rows(self.results["runs"])

    @property
    def runs(self) -> list[Run]:
        """The finished runs, each a `Run`."""
        return [Run(self.directory / row["run"], self.problem) for row in self.rows]

    def front(self) -> Rows:
        """The runs on the Pareto front, as `Rows`, by the first test metric that is not a loss, else the loss.

        If the seed changes the problem, there is one front per seed. The columns are the strategy, the settings in which its runs differ,
        seed, workload, metric, the figure of every objective by its name, and run, the name of the run's folder. An objective that is named
        as another column is called "objective NAME".
        """
        head, *rows = csv.reader(io.StringIO(_engine.front_csv([self.directory])))
        figures = range(head.index("metric") + 1, len(head) - 1)
        return Rows({key: float(value) if place in figures and value else value for place, (key, value) in enumerate(zip(head, row))} for row in rows)

    def front_csv(self, path: Path) -> pathlib.Path:
        """Writes the rows of `front` as a CSV file and returns its path."""
        file = path_of("front_csv", path)
        file.write_text(_engine.front_csv([self.directory]), encoding="utf-8")
        return file

    def plot(self, kind: Literal["metrics", "weights", "front"] = "front", path: Path | None = None, **options: Any) -> Figure:
        """Draws the sweep's runs by `paretofl.plot`, which has the same arguments."""
        from paretofl.figures import plot

        return plot(self.runs, kind, path, **options)

    def report(self, path: Path | None = None) -> pathlib.Path:
        """Writes the page that compares the runs, by default report.html in the folder, and returns its path."""
        page = path_of("report", path) if path is not None else self.directory / "report.html"
        _engine.write_report([self.directory], page)
        return page


def sweep(config: Config | Problem | None = None, *, directory: Path, strategy: Strategies | Sequence[Strategies] | None = None,
          over: Mapping[str, Sequence[Any]] | None = None, preferences: int | Path | Sequence[Sequence[float]] | None = None,
          seeds: Sequence[int] | str | None = None, rounds: int | None = None, threads: int | None = None, options: Options | None = None,
          reference: Sequence[float] | None = None, resume: bool = False, jobs: int = 1,
          callbacks: Callback | Callable[[Run, Row], Any] | Sequence[Callback | Callable[[Run, Row], Any]] | None = None,
          progress: bool = True) -> Sweep:
    """Runs every combination of the strategies, the values in `over`, the preferences and the seeds, and returns the `Sweep`.

    config: as for `paretofl.run`.
    directory: a folder for the runs, their table sweep.csv, sweep.json and report.html.
    strategy: as for `paretofl.run`, or a list, which is a dimension of the grid.
    over: {key: [values]}, further dimensions by full key, such as {"strategy.client_lr": [0.02, 0.05]}.
    preferences: for the strategy's option `preference` or `objective_weights`: a list of vectors [M]; a number, for that many evenly spaced
        vectors; or a text, as the command's option --preferences takes it.
    seeds: a list of integers, or a text such as "1..5".
    rounds, threads, options: as for `paretofl.run`, for every run. The default of `threads` is what the config
        says, else the number of cores divided by `jobs`.
    reference: the reference point [M] of the hypervolumes. The default is the worst value of each objective.
    resume: whether to continue the sweep in the directory, with the same arguments as before, or without config and strategy, which the
        folder then says. The problem is still needed, if the sweep has one; it is a warning if its code, or the first and last items of its data
        sets, are others than when the sweep's first run began. Further seeds and preferences make the sweep larger.
    jobs: how many runs go on at a time. Results are the same with any number, to the bit; `cpu_seconds` and the peak memory of a run are then
        those of the process while it went on. Runs of one problem share the object: its methods may be called for the same client from
        several threads, so what they keep between calls must not depend on theta or the draw.
    callbacks: a function of a `Run` and a round's row; or a `paretofl.callbacks.Callback`, of which each run gets what its `of_run` returns;
        or a list of these. All are called in this thread. An exception in a callback ends the runs under way after a checkpoint and is
        raised by this function.
    progress: whether to show how far the sweep is, on standard error or in the notebook.

    Runs are done in this process, each on threads of its own: problems and registered parts are Python objects, which other processes do not
    have, and a process with threads, such as those of BLAS or PyTorch, must not be forked. The command `paretofl sweep` gives each run a
    process. Ctrl-C ends the runs under way after a checkpoint and raises KeyboardInterrupt. A run that fails stops no other run, and an Error
    in the end names it. Error on bad input, before any run starts.
    """
    problem = config if isinstance(config, Problem) else None
    if problem is not None:
        problem._description(anew=True)
    if not resume and config is None:
        raise _engine.Error("sweep: expected a config or a problem, or resume=True, found neither")
    again = resume and strategy is None and (config is None or problem is not None)  # as the folder says
    if again and any(value is not None for value in (over, rounds, threads, options)):
        raise _engine.Error("sweep: expected the config and the strategy too beside over, rounds, threads and options, found resume alone")
    expect_bool("resume", resume)
    jobs = integer(jobs, "jobs", 1, 4096)
    folder = path_of("directory", directory).absolute()
    settings = with_options({"rounds": rounds, "runtime.threads": threads}, options)
    configs = [] if again else _configs(config, strategy)
    notebook = bool(progress) and in_notebook()
    told = SweepCallbacks(callbacks, problem, NotebookSweepProgress() if notebook else None)
    with awaited_at_exit(), running(problem), arguments_named("resume=True"):
        if problem is not None and resume:
            begun = sorted(folder.glob(f"*/{FILE}"), key=lambda file: file.stat().st_mtime)
            if begun:
                expect_same_initial(problem, begun[0].parent)
                _expect_same(problem, begun[0].parent)
                warn_of_another(problem, begun[0].parent)
        failed, signal = _engine.sweep(configs, folder, assignments(settings), _axes(over), _preferences(preferences), _seeds(seeds), _reference(reference), resume, problem, jobs, told,
                                       bool(progress) and not notebook)
    if signal == signals.SIGINT:
        raise interrupt(f"the sweep in {directory} can go on: paretofl.sweep({'problem, ' if problem else ''}directory={str(directory)!r}, resume=True)")
    if signal != 0:
        signals.raise_signal(signal)
    if failed:
        raise _engine.Error("sweep: expected all runs to end well, found " + "; ".join(f"{name}: {reason}" for name, reason in failed)
                            + f"; paretofl.Sweep({str(directory)!r}) has the others")
    return Sweep(folder, problem)


def _expect_same(problem, folder):
    """Error where the run in the folder began with a problem of another name, number of clients or fingerprint."""
    kept = _engine.read_config(folder / "config.toml").get("workload", {})
    for key, found in problem._workload().items():
        if isinstance(found, (str, int)) and kept.get(key, found) != found:
            raise _engine.Error(f"sweep: expected the problem that its runs began with, {key} {kept[key]}, found {problem._description().name} with {key} {found}")


def _configs(config, strategy):
    """(name, path or dictionary) for each strategy."""
    if not isinstance(strategy, (list, tuple)):
        one = config_of(config, strategy)
        return [(strategy_table(one.get("strategy"))["name"] if isinstance(one, dict) else "", one)]
    if not strategy:
        raise _engine.Error("strategy: expected at least one in the list, found none")
    named = [(table["strategy"]["name"], table) for table in (config_of(config, one) for one in strategy)]
    names = [name for name, _ in named]
    return [(name if names.count(name) == 1 else f"{name}-{number}", one) for number, (name, one) in enumerate(named, 1)]


def _axes(over):
    axes = []
    for key, values in named("over", over, "of lists of values by full key").items():
        check_key(key, "over")
        listed = listed_of(values)
        if not listed:
            raise _engine.Error(f"over: expected a list of values for {key}, found {values!r}")
        axes.append((key, [toml_text(key, value) for value in listed]))
    return axes


def _preferences(preferences):
    if preferences is None or isinstance(preferences, (str, os.PathLike)):
        return None if preferences is None else os.fspath(preferences)
    if isinstance(preferences, (int, np.integer)) and not isinstance(preferences, bool):
        return str(int(preferences))
    vectors = listed_of(preferences)
    if not vectors:
        raise _engine.Error(f"preferences: expected a number, a list of vectors or a text, found {preferences!r}")
    return ",".join(toml_text("preferences", vector) for vector in vectors)


def _seeds(seeds):
    if seeds is None or isinstance(seeds, str):
        return seeds
    listed = listed_of(seeds) if isinstance(seeds, np.ndarray) or not isinstance(seeds, Iterable) else list(seeds)
    if isinstance(seeds, (set, frozenset)) and listed is not None:
        listed.sort(key=str)  # sets have no order of their own
    if not listed or not all(isinstance(seed, (int, np.integer)) and not isinstance(seed, bool) for seed in listed):
        raise _engine.Error(f"seeds: expected a list of integers or a text such as '1..5', found {seeds!r}")
    return ",".join(str(int(seed)) for seed in listed)


def _reference(reference):
    return [] if reference is None else to_numpy(reference, "reference", np.float64, 1).tolist()
