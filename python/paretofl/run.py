"""Runs from Python: a config, a preset, a dictionary or a problem of one's own."""

import contextlib
import json
import os
import signal as signals
from pathlib import Path

from paretofl import _engine
from paretofl.problem import Problem
from paretofl.run_result import Run

PRESETS = Path(__file__).parent / "share" / "paretofl" / "experiments"


def run(config=None, *, strategy=None, rounds=None, seed=None, threads=None, directory=None, resume=None, overwrite=False, options=None,
        after_round=None):
    """Trains, and returns the finished `Run`.

    config: a TOML file's path, a preset's name, a dictionary with the same keys, or a `Problem`. With `resume` only a problem is given.
    strategy: a name, or a dictionary with the name and its options, such as {"name": "fedcmoo", "local_steps": 10}. Of a problem with
        fewer clients than the strategy's default cohort_size, all take part in every round.
    rounds, seed, threads: the config's `rounds`, `seed` and `runtime.threads`.
    directory: where the run is kept; default runs/STRATEGY-WORKLOAD-SEED. `overwrite` replaces the run that it holds.
    resume: the directory of a run to go on with from its newest checkpoint; `rounds` may be larger than before.
    options: further settings by full key, such as {"strategy.solver": "upgrad", "evaluation.every": 5}.
    after_round: called with each round's row, a dictionary as in metrics.jsonl. What it raises ends the run after a checkpoint and is
        raised by this function.

    Ctrl-C ends the run after its round, with a checkpoint, and raises KeyboardInterrupt. Error on bad input, and where too many rounds in
    a row fail. One run at a time in a process.
    """
    if (config is None) == (resume is None) and not (resume is not None and isinstance(config, Problem)):
        raise _engine.Error("run: expected a config, a problem or resume=DIRECTORY, found " + ("none" if config is None else "both a config and resume"))
    problem = config if isinstance(config, Problem) else None
    if problem is not None:
        problem._description(anew=True)
    overrides = [f"{key}={toml_text(key, value)}" for key, value in _settings(rounds, seed, threads, options)]
    if resume is not None:
        if strategy is not None or directory is not None or seed is not None:
            raise _engine.Error("run: expected resume with rounds, threads and options alone, found strategy, directory or seed too")
        settings, directory = None, resume
    else:
        settings = _config_of(config, strategy)
        if not isinstance(settings, dict) and strategy is not None:
            overrides = [f"{key}={toml_text(key, value)}" for key, value in _strategy_settings(strategy)] + overrides
    with problem._running() if problem is not None else contextlib.nullcontext():
        folder, signal, _ = _engine.run(settings, Path(directory or ""), overrides, overwrite, resume is not None, problem, after_round)
    if signal == signals.SIGINT:
        raise KeyboardInterrupt(f"the run in {folder} has a checkpoint; go on with paretofl.run({'problem, ' if problem is not None else ''}resume={str(folder)!r})")
    if signal != 0:
        signals.raise_signal(signal)
    return Run(folder, problem)


def _config_of(config, strategy):
    if isinstance(config, Problem):
        description = config._description()
        if strategy is None:
            raise _engine.Error("run: expected strategy=NAME with a problem, such as strategy=\"fedcmoo\", found none")
        table = dict(_strategy_table(strategy))
        cohort = _engine.default_cohort_size(table["name"])
        if cohort is not None and cohort > description.num_clients:
            table.setdefault("cohort_size", description.num_clients)
        return {"workload": config._workload(), "strategy": table}
    if isinstance(config, dict):
        return {**config, "strategy": _strategy_table(strategy)} if strategy is not None else config
    if not isinstance(config, (str, os.PathLike)):
        raise _engine.Error(f"run: expected a path, a preset's name, a dictionary or a paretofl.Problem, found {type(config).__name__}")
    return _engine.config_file(os.fspath(config), PRESETS)


def _strategy_table(strategy):
    if isinstance(strategy, str):
        return {"name": strategy}
    if isinstance(strategy, dict) and "name" in strategy:
        return strategy
    raise _engine.Error(f"strategy: expected a name or a dictionary with a name, found {strategy!r}")


def _strategy_settings(strategy):
    table = _strategy_table(strategy)
    yield "strategy", table["name"]
    yield from ((f"strategy.{key}", value) for key, value in table.items() if key != "name")


def _settings(rounds, seed, threads, options):
    named = {"rounds": rounds, "seed": seed, "runtime.threads": threads, **(options or {})}
    return [(key, value) for key, value in named.items() if value is not None]


def toml_text(key, value):
    """A value as TOML has it, for the engine's settings."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(toml_text(key, item) for item in value) + "]"
    if hasattr(value, "item"):  # a number of NumPy's
        return toml_text(key, value.item())
    if isinstance(value, os.PathLike):
        return json.dumps(os.fspath(value))
    raise _engine.Error(f"{key}: expected a bool, a number, a str or a list of them, found {type(value).__name__}")
