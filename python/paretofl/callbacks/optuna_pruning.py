"""Optuna stops unpromising trials early."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from paretofl._engine import Error
from paretofl.annotations import Row
from paretofl.callbacks.callback import Callback
from paretofl.run_result import Run


class OptunaPruning(Callback):
    """Reports a figure of each evaluated round to an Optuna trial, and ends the run by optuna.TrialPruned if the trial asks for it.
    It needs the package optuna.

    trial: the trial of a study with one objective, as Optuna's pruners need it.
    figure: what to report. It is a path into the row, such as "test.accuracy.digit" or "overall.scalarized_loss", where "test.accuracy" is
        the mean over the objectives; or a function of the row that returns a number, or None if the round has none.

    Error if no round had the figure.
    """

    def __init__(self, trial: Any, figure: str | Callable[[Row], float | None] = "test.loss") -> None:
        if not isinstance(figure, str) and not callable(figure):
            raise Error(f"OptunaPruning: expected a path such as 'test.loss' or a function of the row as figure, found {figure!r}")
        self._trial, self._figure, self._found = trial, figure, False

    def of_run(self, run: Run) -> Callback:
        raise Error("OptunaPruning: expected the one run of its trial, found a sweep")

    def on_round(self, row: Row) -> None:
        import optuna

        value = self._figure(row) if callable(self._figure) else _at(row, self._figure)
        if value is None:
            return
        self._found = True
        self._trial.report(float(value), row["round"])
        if self._trial.should_prune():
            raise optuna.TrialPruned(f"after round {row['round']}")

    def on_end(self, run: Run, error: BaseException | None) -> None:
        if error is None and not self._found:
            raise Error(f"OptunaPruning: expected rows with {self._figure}, found none in {run.directory}")


def _at(row, path):
    value = row
    for key in path.split("."):
        if not isinstance(value, dict) or key not in value:
            return None
        value = value[key]
    return float(np.mean(list(value.values()))) if isinstance(value, dict) else value
