"""Runs from Python: a config, a preset, a dictionary or a problem of one's own."""

import contextlib
import os
import signal as signals
from pathlib import Path

from paretofl import _engine
from paretofl.callbacks import CallbackList, NotebookProgress, in_notebook
from paretofl.problem import Problem
from paretofl.run_result import Run
from paretofl.settings import assignments, default_cohort, named, path_of, strategy_assignments, strategy_table

PRESETS = Path(__file__).parent / "share" / "paretofl" / "experiments"


def run(config=None, *, strategy=None, rounds=None, seed=None, threads=None, directory=None, resume=None, overwrite=False, options=None,
        callbacks=None, progress=True):
    """Trains, and returns the finished `Run`.

    config: a TOML file's path, a preset's name, a dictionary with the same keys, or a `Problem`. With `resume` only a problem is given.
    strategy: a name, or a dictionary with the name and its options, such as {"name": "fedcmoo", "local_steps": 10}. Of a problem with
        fewer clients than the strategy's default cohort_size, all take part in every round.
    rounds, seed, threads: the config's `rounds`, `seed` and `runtime.threads`.
    directory: where the run is kept; default runs/STRATEGY-WORKLOAD-SEED. `overwrite` replaces the run that it holds.
    resume: the directory of a run to go on with from its newest checkpoint; `rounds` may be larger than before.
    options: further settings by full key, such as {"strategy.solver": "upgrad", "evaluation.every": 5}.
    callbacks: a function of each round's row, which is a dictionary as in metrics.jsonl; or a `paretofl.callbacks.Callback`; or a list of
        these. What one raises ends the run after a checkpoint and is raised by this function.
    progress: whether to show how far the run is, on standard error or in the notebook.

    Ctrl-C ends the run after its round, with a checkpoint, and raises KeyboardInterrupt. Error on bad input, and where too many rounds in
    a row fail. One run at a time in a process.
    """
    if (config is None) == (resume is None) and not (resume is not None and isinstance(config, Problem)):
        raise _engine.Error("run: expected a config, a problem or resume=DIRECTORY, found " + ("none" if config is None else "both a config and resume"))
    problem = config if isinstance(config, Problem) else None
    if problem is not None:
        problem._description(anew=True)
    overrides = assignments({"rounds": rounds, "seed": seed, "runtime.threads": threads, **named("options", options, "of settings by full key")})
    if resume is not None:
        if strategy is not None or directory is not None or seed is not None:
            raise _engine.Error("run: expected resume with rounds, threads and options alone, found strategy, directory or seed too")
        settings, directory = None, path_of("resume", resume)
    else:
        settings = config_of(config, strategy)
        if not isinstance(settings, dict) and strategy is not None:
            overrides = strategy_assignments(strategy) + overrides
    folder = Path() if directory is None else path_of("directory", directory)
    told = CallbackList(callbacks, problem)
    notebook = bool(progress) and in_notebook()
    if notebook:
        told.add(NotebookProgress())
    with told, running(problem):
        folder, signal, _ = _engine.run(settings, folder, overrides, overwrite, resume is not None, problem, told.on_start,
                                        told.on_round, bool(progress) and not notebook)
        if signal == signals.SIGINT:
            hint = f"paretofl.run({'problem, ' if problem is not None else ''}resume={str(folder)!r})"
            raise KeyboardInterrupt(f"the run in {folder} has a checkpoint; go on with {hint}")
    if signal != 0:
        signals.raise_signal(signal)
    return Run(folder, problem)


def running(problem):
    """A context for the length of a run of this problem, or of None."""
    return problem._running() if problem is not None else contextlib.nullcontext()


def config_of(config, strategy):
    """A file's path or a dictionary for the engine; a dictionary has the strategy in it."""
    if isinstance(config, Problem):
        description = config._description()
        if strategy is None:
            raise _engine.Error("run: expected strategy=NAME with a problem, such as strategy=\"fedcmoo\", found none")
        return {"workload": config._workload(), "strategy": default_cohort(strategy_table(strategy), description.num_clients)}
    if isinstance(config, dict):
        return {**config, "strategy": strategy_table(strategy)} if strategy is not None else config
    if not isinstance(config, (str, os.PathLike)):
        raise _engine.Error(f"run: expected a path, a preset's name, a dictionary or a paretofl.Problem, found {type(config).__name__}")
    return _engine.config_file(os.fspath(config), PRESETS)
