"""The callbacks of a sweep."""

import json
import pathlib

from paretofl import shared_generators
from paretofl._engine import Error
from paretofl.callbacks.callback import CallbackList, listed
from paretofl.definition import FILE, write_definition
from paretofl.run_result import Run


class SweepCallbacks:
    """What the engine tells of a sweep, passed on to the callbacks of each run and to the sweep's progress bar, or None. All in one thread."""

    def __init__(self, callbacks, problem, bar):
        self._callbacks = listed(callbacks, "functions of a run and its row")
        self._problem, self._bar = problem, bar
        self._running = {}
        self._stopped_by = None

    def on_plan(self, runs, done, rounds):
        if self._bar is not None:
            self._bar.on_plan(runs, done, rounds)

    def on_start(self, name, directory, objectives):
        if self._problem is not None and not (pathlib.Path(directory) / FILE).exists():
            self._guarded(write_definition, self._problem, pathlib.Path(directory))
        run = Run(directory, self._problem, objectives)
        self._running[name] = told = CallbackList(None, self._problem)
        for callback in self._callbacks:
            told.add(self._guarded(callback.of_run, run))
        self._guarded(told.on_start, directory, objectives)

    def on_round(self, name, row):
        row = json.loads(row)
        if self._bar is not None:
            self._bar.on_round(name, row["round"])
        self._guarded(self._running[name].on_round, row)

    def on_end(self, name, failure, stopped):
        if self._bar is not None:
            self._bar.on_end(name, failure, stopped)
        told = self._running.pop(name, None)
        if told is None:
            return  # it failed before its first round
        error = Error(failure) if failure else (self._stopped_by or KeyboardInterrupt()) if stopped else None
        self._guarded(told.__exit__, type(error), error, None)

    def _guarded(self, function, *arguments):
        """Keeps what a callback raises as the reason why the other runs stop."""
        try:
            with shared_generators.alone():  # other runs go on
                return function(*arguments)
        except BaseException as error:
            self._stopped_by = self._stopped_by or error
            raise
