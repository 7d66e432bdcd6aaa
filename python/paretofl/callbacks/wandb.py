"""Records of a run in Weights & Biases."""

from paretofl.callbacks.callback import Callback
from paretofl.callbacks.scalars import flat, scalars


class WandB(Callback):
    """Logs the config, every round's figures and the final summary. Needs the package wandb.

    `init` holds arguments of wandb.init, such as project="digits", mode="offline" or dir="runs". A run that fails or is interrupted ends
    with exit code 1. `record` is the wandb run. In a sweep every run has a record of its own, in a group with the name of the sweep's folder.
    """

    def __init__(self, **init):
        import wandb  # fails now, not in the run

        self._wandb, self._init, self.record = wandb, {"project": "paretofl", **init}, None

    def of_run(self, run):
        own = super().of_run(run)
        own._init = {"group": run.directory.parent.name, "reinit": "create_new", **self._init}  # several may be open at a time
        return own

    def on_start(self, run):
        self._objectives = run.objectives
        self.record = self._wandb.init(**{"name": run.directory.name, "config": flat(run.config), **self._init})

    def on_round(self, row):
        self.record.log(scalars(row, self._objectives), step=row["round"])

    def on_end(self, run, error):
        if self.record is None:
            return
        if error is None:
            self.record.summary.update({"parameters_sha256": run.summary["parameters_sha256"], "cpu_seconds": run.summary["cpu_seconds"]})
        self.record.finish(exit_code=0 if error is None else 1)
