"""Runs from Python: a config, a preset, a dictionary or a problem of one's own."""

from __future__ import annotations

import os
import pathlib
import signal as signals
import threading
from typing import Any

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped, unused-ignore]

from paretofl import _engine
from paretofl.annotations import Callbacks, Config, Options, Path, Strategies
from paretofl.callbacks import CallbackList, NotebookProgress, in_notebook
from paretofl.definition import expect_same_initial, warn_of_another, write_definition
from paretofl.problem import Problem
from paretofl.process_end import awaited_at_exit
from paretofl.run_result import Run
from paretofl.settings import arguments_named, assignments, default_cohort, expect_bool, expect_nested, path_of, strategy_table, with_options

PRESETS = pathlib.Path(__file__).parent / "share" / "paretofl" / "experiments"


def run(config: Config | Problem | None = None, *, strategy: Strategies | None = None, rounds: int | None = None, seed: int | None = None,
        threads: int | None = None, directory: Path | None = None, resume: Path | None = None, overwrite: bool = False,
        options: Options | None = None, callbacks: Callbacks | None = None, progress: bool = True, carrier: Any = None) -> Run:
    """Trains, and returns the finished `Run`.

    config: the path of a TOML file, the name of a preset, a dictionary with the same keys, or a `Problem`. With `resume`, only a problem
        is given.
    strategy: a name, or a dictionary with the name and its options, such as {"name": "fedcmoo", "local_steps": 10}. It replaces the
        config's strategy with all its options. If a problem has fewer clients than the strategy's default cohort_size, all of them take
        part in every round.
    rounds, seed, threads: the config's `rounds`, `seed` and `runtime.threads`.
    directory: where the run is kept. The default is runs/STRATEGY-WORKLOAD-SEED.
    resume: the directory of a run to continue from its newest checkpoint. `rounds` may be larger than before. It is an Error if the problem has
        other clients, settings, tensors or initial parameters than the run began with, and a warning if its code, or the first and last items
        of its data sets, are others.
    overwrite: whether to replace the run that the directory holds.
    options: further settings by full key, such as {"strategy.solver": "upgrad", "evaluation.every": 5}.
    callbacks: a function of each round's row, which is a dictionary as in metrics.jsonl; or a `paretofl.callbacks.Callback`; or a list of
        these. An exception in a callback ends the run after a checkpoint and is raised by this function.
    carrier: what carries the messages of the runtime "flower" to the parties; `paretofl.flower` has one.
    progress: whether to show how far the run is, on standard error or in the notebook.

    Ctrl-C ends the run after its round, with a checkpoint, and raises KeyboardInterrupt; a second one before that ends the process at once. Where
    the run is in another thread than the main one, this thread gets an Error, and the main one its own KeyboardInterrupt, by every Ctrl-C.
    A program that ends while the run goes on in a daemon thread waits for the round and its checkpoint. Error on bad input, and if too many
    rounds in a row fail. There can be one run at a time in a process.
    """
    if (config is None) == (resume is None) and not (resume is not None and isinstance(config, Problem)):
        raise _engine.Error("run: expected a config, a problem or resume=DIRECTORY, found " + ("none" if config is None else "both a config and resume"))
    expect_bool("overwrite", overwrite)
    problem = config if isinstance(config, Problem) else None
    if problem is not None:
        problem._description(anew=True)
    overrides = assignments(with_options({"rounds": rounds, "seed": seed, "runtime.threads": threads}, options))
    if resume is not None:
        if strategy is not None or directory is not None or seed is not None:
            raise _engine.Error("run: expected resume with rounds, threads and options alone, found strategy, directory or seed too")
        settings: Any = None
        directory = path_of("resume", resume).absolute()
    else:
        settings = config_of(config, strategy)
    # Absolute, so that the run goes on where a callback or a loss changes the working directory.
    folder: Any = "" if directory is None else path_of("directory", directory).absolute()
    told = CallbackList(callbacks, problem)

    def on_start(started, objectives):
        if problem is not None and resume is None:
            write_definition(problem, pathlib.Path(started))
        told.on_start(started, objectives)

    notebook = bool(progress) and in_notebook()
    if notebook:
        told.add(NotebookProgress())
    with awaited_at_exit(), told, running(problem), arguments_named("resume=DIRECTORY"):
        if problem is not None and resume is not None:
            expect_same_initial(problem, folder)
            warn_of_another(problem, folder)
        folder, signal, _ = _engine.run(settings, folder, overrides, overwrite, resume is not None, problem, on_start,
                                        told.on_round, bool(progress) and not notebook, carrier)
        if signal == signals.SIGINT:
            hint = f"paretofl.run({'problem, ' if problem is not None else ''}resume={str(folder)!r})"
            raise interrupt(f"the run in {folder} has a checkpoint; go on with {hint}")
    if signal != 0:
        signals.raise_signal(signal)
    return Run(folder, problem)


def interrupt(message):
    """The exception for SIGINT. In another thread than the main one, which gets KeyboardInterrupt by itself, it is an Error: a future that
    holds KeyboardInterrupt would end the event loop that awaits it, such as that of a notebook."""
    if threading.current_thread() is threading.main_thread():
        return KeyboardInterrupt(message)
    return _engine.Error(f"run: expected to go on, found an interrupt; {message}")


def running(problem):
    """A context for the length of a run or sweep of this problem, or of None: the bits of a product in Python must not depend on BLAS's
    threads, whose number the whole process shares."""
    return problem._running() if problem is not None else threadpool_limits(1)


def config_of(config, strategy):
    """A file's path or a dictionary for the engine; a dictionary has the strategy in it."""
    if isinstance(config, Problem):
        description = config._description()
        if strategy is None:
            raise _engine.Error("run: expected strategy=NAME with a problem, such as strategy=\"fedcmoo\", found none")
        return {"workload": config._workload(), "strategy": default_cohort(strategy_table(strategy, description.objectives), description.num_clients)}
    if isinstance(config, dict):
        if isinstance(config.get("strategy"), dict):
            expect_nested(config["strategy"])
        return {**config, "strategy": strategy_table(strategy)} if strategy is not None else config
    if not isinstance(config, (str, os.PathLike)):
        raise _engine.Error(f"run: expected a path, a preset's name, a dictionary or a paretofl.Problem, found {type(config).__name__}")
    file = _engine.config_file(os.fspath(config), PRESETS)
    return file if strategy is None else {**_engine.read_config(file), "strategy": strategy_table(strategy)}
