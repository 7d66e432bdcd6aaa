"""Records of a run in MLflow."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from paretofl.annotations import Row
from paretofl.callbacks.callback import Callback
from paretofl.callbacks.scalars import flat, scalars
from paretofl.optional_packages import expect_package
from paretofl.run_result import Run


class MLflow(Callback):
    """Logs the config as parameters, every round's figures as metrics, and the run's files as artifacts. It needs the package mlflow.

    experiment: the name of the experiment, which is created if it does not exist.
    run_name: the default is the name of the run's directory.
    tracking_uri: such as "sqlite:///mlflow.db". The default is MLflow's own, which the environment variable MLFLOW_TRACKING_URI sets.
    tags: further tags by name.

    After the run, the attribute `run_id` names the record. A run that fails or is interrupted is recorded as FAILED or KILLED. In a
    sweep every run has a record of its own, with the sweep's folder as the tag `sweep`.
    """

    def __init__(self, experiment: str = "paretofl", run_name: str | None = None, tracking_uri: str | None = None,
                 tags: Mapping[str, str] | None = None) -> None:
        expect_package("mlflow", "callbacks.MLflow", "mlflow")
        from mlflow.tracking import MlflowClient

        self._client = MlflowClient(tracking_uri=tracking_uri)
        self._experiment, self._run_name, self._tags = experiment, run_name, dict(tags or {})
        self.run_id: Any = None

    def of_run(self, run: Run) -> MLflow:
        own = copy.copy(self)
        own._tags = {"sweep": run.directory.parent.name, **self._tags}
        return own

    def on_start(self, run: Run) -> None:
        known = self._client.get_experiment_by_name(self._experiment)
        experiment = known.experiment_id if known is not None else self._client.create_experiment(self._experiment)
        self._objectives = run.objectives
        self.run_id = self._client.create_run(experiment, run_name=self._run_name or run.directory.name, tags=self._tags).info.run_id
        for key, value in flat(run.config).items():
            self._client.log_param(self.run_id, key, value)

    def on_round(self, row: Row) -> None:
        from mlflow.entities import Metric
        import time

        now = int(1000 * time.time())
        figures = [Metric(name, value, now, row["round"]) for name, value in scalars(row, self._objectives).items()]
        self._client.log_batch(self.run_id, metrics=figures)

    def on_end(self, run: Run, error: BaseException | None) -> None:
        for file in ("config.toml", "summary.json", "report.html"):
            if (run.directory / file).is_file():
                self._client.log_artifact(self.run_id, str(run.directory / file))
        status = "FINISHED" if error is None else "KILLED" if isinstance(error, KeyboardInterrupt) else "FAILED"
        self._client.set_terminated(self.run_id, status=status)
