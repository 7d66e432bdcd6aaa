"""The interface of a run's callbacks."""

from __future__ import annotations

import copy
import functools
from typing import Any

from paretofl._engine import Error
from paretofl.annotations import Row
from paretofl.run_result import Run


class Callback:
    """The base class of callbacks. Subclasses define those of the methods that they need. An exception in a method ends the run after a
    checkpoint and is raised by `paretofl.run`."""

    def of_run(self, run: Run) -> Callback:
        """In a sweep, the callback of one of its runs, which is called for this run only. The default is a shallow copy of this object."""
        return copy.copy(self)

    def on_start(self, run: Run) -> Any:
        """Called before the first round with the `Run` that begins. Its `directory`, `config` and `objectives` are known by then."""

    def on_round(self, row: Row) -> Any:
        """Called after each round with its row, a dictionary as in metrics.jsonl."""

    def on_end(self, run: Run, error: BaseException | None) -> Any:
        """Called at the end. `error` is the exception that ended the run early, or None if the run finished and has its `summary`. In a
        sweep, `run.evaluate()` must come after the sweep."""


class _Function(Callback):
    """A function of a row, or in a sweep of a run and its row."""

    def __init__(self, function):
        self.on_round = function

    def of_run(self, run):
        return _Function(functools.partial(self.on_round, run))


def listed(callbacks, functions):
    """Callbacks as a list, functions too. Error on what is neither."""
    given = callbacks if isinstance(callbacks, (list, tuple)) else [] if callbacks is None else [callbacks]
    for callback in given:
        if isinstance(callback, type) or not (isinstance(callback, Callback) or callable(callback)):
            found = f"the class {callback.__name__}" if isinstance(callback, type) else type(callback).__name__
            raise Error(f"callbacks: expected {functions} or paretofl.callbacks.Callback objects, found {found}")
    return [callback if isinstance(callback, Callback) else _Function(callback) for callback in given]


class CallbackList:
    """The callbacks of one run, told together. As a context it tells them of the end."""

    def __init__(self, callbacks, problem):
        self._problem = problem
        self._run = None
        self._callbacks = listed(callbacks, "functions of a row")

    def add(self, callback):
        self._callbacks.append(callback)

    def on_start(self, directory, objectives):
        self._run = Run(directory, self._problem, objectives)
        for callback in self._callbacks:
            callback.on_start(self._run)

    def on_round(self, row):
        for callback in self._callbacks[:-1]:
            callback.on_round(copy.deepcopy(row))  # one may change what it is given
        for callback in self._callbacks[-1:]:
            callback.on_round(row)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        """Every callback is told, also where another one fails; the first failure is raised unless the run has failed already."""
        failures = []
        for callback in self._callbacks if self._run is not None else []:
            try:
                callback.on_end(self._run, error)
            except Exception as failure:  # the others must be told
                failures.append(failure)
        if failures and error is None:
            raise failures[0]
