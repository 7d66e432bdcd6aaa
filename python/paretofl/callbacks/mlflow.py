"""Records of a run in MLflow."""

from paretofl.callbacks.callback import Callback
from paretofl.callbacks.scalars import flat, scalars


class MLflow(Callback):
    """Logs the config as parameters, every round's figures as metrics, and the run's files as artifacts. Needs the package mlflow.

    experiment: its name, made where it does not exist. run_name: default, the directory's name. tracking_uri: default, MLflow's own, which
    the environment variable MLFLOW_TRACKING_URI sets; such as "sqlite:///mlflow.db". tags: further tags. After the run, `run_id` names
    the record. A run that fails or is interrupted is recorded as FAILED or KILLED. In a sweep every run has a record of its own, with the
    sweep's folder as the tag `sweep`.
    """

    def __init__(self, experiment="paretofl", run_name=None, tracking_uri=None, tags=None):
        from mlflow.tracking import MlflowClient

        self._client = MlflowClient(tracking_uri=tracking_uri)
        self._experiment, self._run_name, self._tags = experiment, run_name, dict(tags or {})
        self.run_id = None

    def of_run(self, run):
        own = super().of_run(run)
        own._tags = {"sweep": run.directory.parent.name, **self._tags}
        return own

    def on_start(self, run):
        known = self._client.get_experiment_by_name(self._experiment)
        experiment = known.experiment_id if known is not None else self._client.create_experiment(self._experiment)
        self._objectives = run.objectives
        self.run_id = self._client.create_run(experiment, run_name=self._run_name or run.directory.name, tags=self._tags).info.run_id
        for key, value in flat(run.config).items():
            self._client.log_param(self.run_id, key, value)

    def on_round(self, row):
        from mlflow.entities import Metric
        import time

        now = int(1000 * time.time())
        figures = [Metric(name, value, now, row["round"]) for name, value in scalars(row, self._objectives).items()]
        self._client.log_batch(self.run_id, metrics=figures)

    def on_end(self, run, error):
        for file in ("config.toml", "summary.json", "report.html"):
            if (run.directory / file).is_file():
                self._client.log_artifact(self.run_id, str(run.directory / file))
        status = "FINISHED" if error is None else "KILLED" if isinstance(error, KeyboardInterrupt) else "FAILED"
        self._client.set_terminated(self.run_id, status=status)
