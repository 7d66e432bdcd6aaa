"""Records of a run in Weights & Biases."""

from __future__ import annotations

import copy
from typing import Any

from paretofl.annotations import Row
from paretofl.callbacks.callback import Callback
from paretofl.callbacks.scalars import flat, scalars
from paretofl.optional_packages import expect_package
from paretofl.run_result import Run


class WandB(Callback):
    """Logs the config, every round's figures and the final summary. It needs the package wandb.

    init: arguments of wandb.init, such as project="digits", mode="offline" or dir="runs".

    The attribute `record` is the wandb run. A run that fails or is interrupted ends with exit code 1. In a sweep
    every run has a record of its own, in a group with the name of the sweep's folder.
    """

    def __init__(self, **init: Any) -> None:
        expect_package("wandb", "callbacks.WandB", "wandb")  # now, not in the run
        import wandb

        self._wandb, self._init = wandb, {"project": "paretofl", **init}
        self.record: Any = None

    def of_run(self, run: Run) -> WandB:
        own = copy.copy(self)
        own._init = {"group": run.directory.parent.name, "reinit": "create_new", **self._init}  # several may be open at a time
        return own

    def on_start(self, run: Run) -> None:
        self._objectives = run.objectives
        self.record = self._wandb.init(**{"name": run.directory.name, "config": flat(run.config), **self._init})

    def on_round(self, row: Row) -> None:
        self.record.log(scalars(row, self._objectives), step=row["round"])

    def on_end(self, run: Run, error: BaseException | None) -> None:
        if self.record is None:
            return
        if error is None:
            self.record.summary.update({"parameters_sha256": run.summary["parameters_sha256"], "cpu_seconds": run.summary["cpu_seconds"]})
        self.record.finish(exit_code=0 if error is None else 1)
