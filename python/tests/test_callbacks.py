"""Callbacks, each against the library that it is for."""

import pytest

import paretofl
from paretofl.callbacks import Callback, MLflow, OptunaPruning, WandB


class Told(Callback):
    def __init__(self):
        self.events = []

    def on_start(self, run):
        self.events.append(("start", run.objectives, run.config["rounds"]))

    def on_round(self, row):
        self.events.append(("round", row["round"]))

    def on_end(self, run, error):
        self.events.append(("end", type(error).__name__, (run.directory / "summary.json").is_file()))


def test_a_callback_is_told_of_start_rounds_and_end(tmp_path, two_targets):
    told, rows = Told(), []
    paretofl.run(two_targets(), strategy="fedavg", rounds=2, directory=tmp_path / "run", callbacks=[told, rows.append])
    assert told.events == [("start", ["first", "second"], 2), ("round", 1), ("round", 2), ("end", "NoneType", True)]
    assert [row["round"] for row in rows] == [1, 2]


def test_all_are_told_of_a_failure_and_the_run_can_go_on(tmp_path, two_targets):
    def fail(row):
        raise ArithmeticError("enough")

    first, last = Told(), Told()
    with pytest.raises(ArithmeticError, match="enough"):
        paretofl.run(two_targets(), strategy="fedavg", rounds=3, directory=tmp_path / "run", callbacks=[first, fail, last])
    assert first.events[-1] == last.events[-1] == ("end", "ArithmeticError", False)
    assert len(paretofl.run(two_targets(), resume=tmp_path / "run").metrics) == 3


def test_what_on_start_raises_ends_the_run(tmp_path, two_targets):
    class Fails(Callback):
        def on_start(self, run):
            raise ArithmeticError("at once")

    with pytest.raises(ArithmeticError, match="at once"):
        paretofl.run(two_targets(), strategy="fedavg", rounds=3, directory=tmp_path / "run", callbacks=Fails())


def test_what_is_no_callback(tmp_path):
    with pytest.raises(paretofl.Error, match="callbacks: expected"):
        paretofl.run("fedcmoo-quadratics", rounds=1, directory=tmp_path / "run", callbacks=[3])


def test_scalars_have_tensorboards_names(tmp_path, two_targets):
    run = paretofl.run(two_targets(), strategy="fedcmoo", rounds=2, directory=tmp_path / "run")
    figures = paretofl.callbacks.scalars(run.metrics[-1], run.objectives)
    assert figures["test/loss/first"] == run.metrics[-1]["test"]["loss"]["first"]
    assert figures["lambda/second"] == run.metrics[-1]["lambda"][1] and "bytes_up" in figures


@pytest.fixture(scope="module")
def mlflow_store(tmp_path_factory):
    mlflow = pytest.importorskip("mlflow")
    folder = tmp_path_factory.mktemp("mlflow")
    uri = f"sqlite:///{folder}/mlflow.db"
    client = mlflow.tracking.MlflowClient(uri)
    client.create_experiment("targets", artifact_location=str(folder / "artifacts"))
    return uri, client


def test_mlflow_has_the_config_every_round_and_the_files(tmp_path, two_targets, mlflow_store):
    uri, client = mlflow_store
    record = MLflow(experiment="targets", tracking_uri=uri, tags={"who": "test"})
    run = paretofl.run(two_targets(), strategy="fedcmoo", rounds=3, directory=tmp_path / "run", callbacks=record, options={"evaluation.every": 1})
    kept = client.get_run(record.run_id)
    assert kept.info.status == "FINISHED" and kept.data.tags["who"] == "test" and kept.data.params["strategy.name"] == "fedcmoo"
    history = client.get_metric_history(record.run_id, "test/loss/first")
    assert [(point.step, point.value) for point in history] == [(row["round"], row["test"]["loss"]["first"]) for row in run.metrics]
    assert {"config.toml", "summary.json"} <= {file.path for file in client.list_artifacts(record.run_id)}


def test_mlflow_knows_a_failed_run(tmp_path, two_targets, mlflow_store):
    uri, client = mlflow_store

    def fail(row):
        raise ArithmeticError

    record = MLflow(experiment="targets", tracking_uri=uri)
    with pytest.raises(ArithmeticError):
        paretofl.run(two_targets(), strategy="fedavg", rounds=3, directory=tmp_path / "run", callbacks=[record, fail])
    assert client.get_run(record.run_id).info.status == "FAILED"


def test_wandb_has_the_config_and_every_round(tmp_path, two_targets, monkeypatch):
    wandb = pytest.importorskip("wandb")
    monkeypatch.setenv("WANDB_SILENT", "true")
    kept, finish = {}, wandb.Run.finish

    def keep_and_finish(record, **arguments):
        kept.update(dict(record.summary), exit_code=arguments["exit_code"])
        finish(record, **arguments)

    monkeypatch.setattr(wandb.Run, "finish", keep_and_finish)
    record = WandB(mode="offline", dir=str(tmp_path))
    run = paretofl.run(two_targets(), strategy="fedcmoo", rounds=3, directory=tmp_path / "run", callbacks=record)
    assert record.record.config["strategy.name"] == "fedcmoo" and kept["exit_code"] == 0
    assert kept["parameters_sha256"] == run.summary["parameters_sha256"]
    wandb.teardown()  # waits until its service has written the file
    assert next(tmp_path.glob("wandb/offline-run-*/*.wandb")).read_bytes().count(b"lambda/first") >= 3


def test_optuna_prunes_a_hopeless_trial(tmp_path, two_targets):
    optuna = pytest.importorskip("optuna")
    optuna.logging.set_verbosity(optuna.logging.ERROR)

    def objective(trial):
        step = trial.suggest_categorical("client_lr", [0.1, 1e-6])
        run = paretofl.run(two_targets(), strategy={"name": "fsmgda", "client_lr": step}, rounds=6, directory=tmp_path / str(trial.number),
                           callbacks=OptunaPruning(trial, "test.loss"), options={"evaluation.every": 1})
        return sum(run.summary["test"]["loss"].values()) / 2

    study = optuna.create_study(sampler=optuna.samplers.GridSampler({"client_lr": [0.1, 1e-6]}, seed=1),
                                pruner=optuna.pruners.ThresholdPruner(upper=1.2, n_warmup_steps=3))
    study.optimize(objective, n_trials=2)
    states = {trial.params["client_lr"]: trial for trial in study.trials}
    assert states[0.1].state == optuna.trial.TrialState.COMPLETE and states[1e-6].state == optuna.trial.TrialState.PRUNED
    assert max(states[1e-6].intermediate_values) == 3
    reported = states[0.1].intermediate_values
    metrics = paretofl.Run(tmp_path / str(states[0.1].number)).metrics
    assert reported == {row["round"]: pytest.approx(sum(row["test"]["loss"].values()) / 2) for row in metrics}


def test_a_figure_that_no_row_has(tmp_path, two_targets):
    pytest.importorskip("optuna")
    with pytest.raises(paretofl.Error, match="test.acuracy"):
        paretofl.run(two_targets(), strategy="fedavg", rounds=1, directory=tmp_path / "run", callbacks=OptunaPruning(None, "test.acuracy"))
    with pytest.raises(paretofl.Error, match="figure"):
        OptunaPruning(None, 3)


def test_a_callback_that_changes_its_row_leaves_the_others_theirs(tmp_path, two_targets):
    rows = []
    run = paretofl.run(two_targets(), strategy="fedcmoo", rounds=2, directory=tmp_path / "run", progress=False,
                       callbacks=[lambda row: row["train"].clear(), lambda row: row.clear(), rows.append])
    assert [row["train"] for row in rows] == [row["train"] for row in run.metrics] != [{}, {}]
