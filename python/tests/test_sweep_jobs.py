"""Sweeps of several runs at a time, their callbacks and their progress bars."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

import paretofl
from paretofl.callbacks import Callback, MLflow, OptunaPruning, WandB

EVALUATED = {"evaluation.every": 1}


def digests(sweep):
    return [(row["run"], row["parameters_sha256"]) for row in sweep.rows]


class Told(Callback):
    """Tells a list of events, each with its run's name."""

    def __init__(self):
        self.events, self.threads = [], set()

    def note(self, *event):
        self.events.append((self.name, *event))
        self.threads.add(threading.get_ident())

    def on_start(self, run):
        self.name = run.directory.name
        self.note("start", run.config["seed"])

    def on_round(self, row):
        self.note("round", row["round"])

    def on_end(self, run, error):
        self.note("end", type(error).__name__, (run.directory / "summary.json").is_file())


@pytest.mark.parametrize("jobs", [2, 3])
def test_any_number_of_jobs_gives_the_same_bits_of_a_problem(tmp_path, two_targets, jobs):
    arguments = dict(strategy=["fsmgda", {"name": "fedavg", "local_steps": 3}], seeds=[1, 2, 3], rounds=4, options=EVALUATED)
    one = paretofl.sweep(two_targets(), directory=tmp_path / "one", **arguments)
    several = paretofl.sweep(two_targets(), directory=tmp_path / "several", jobs=jobs, **arguments)
    assert len(one.rows) == 6 and digests(one) == digests(several)
    timeless = [[{**row, "seconds": None} for row in run.metrics] for sweep in (one, several) for run in sweep.runs]
    assert timeless[:6] == timeless[6:]


def test_any_number_of_jobs_gives_the_same_bits_of_configs(tmp_path):
    arguments = dict(strategy=["fedcmoo", "fedavg"], seeds="1..2", rounds=5, options={"workload.clients": 12})
    one = paretofl.sweep("fedcmoo-quadratics", directory=tmp_path / "one", **arguments)
    two = paretofl.sweep("fedcmoo-quadratics", directory=tmp_path / "two", jobs=2, **arguments)
    assert len(one.rows) == 4 and digests(one) == digests(two)


def test_runs_side_by_side_record_the_data_that_they_read_themselves(tmp_path):
    for name in ("north", "south"):
        (tmp_path / name).mkdir()
        for client in range(4):
            rows = [f"{x},{x * (client + 1) % 7},{(x + len(name)) % 5 > 2:d}" for x in range(40)]
            (tmp_path / name / f"{client}.csv").write_text("\n".join(["a,price,sold", *rows]))
    config = {"workload": {"name": "table", "targets": ["price", "sold"], "losses": ["squared", "logistic"]}, "strategy": {"name": "fedavg", "cohort_size": 4}}
    roots = {"data.root": [str(tmp_path / "north"), str(tmp_path / "south")]}
    sweep = paretofl.sweep(config, directory=tmp_path / "sweep", over=roots, seeds=[1, 2], rounds=3, jobs=2)
    for run in sweep.runs:
        alone = paretofl.run({**config, "data": run.config["data"]}, directory=tmp_path / "alone", seed=run.config["seed"], rounds=3, overwrite=True)
        assert run.summary["data_fingerprint"] == alone.summary["data_fingerprint"]
        assert run.summary["parameters_sha256"] == alone.summary["parameters_sha256"]


def test_a_torch_problem_with_random_steps_has_the_same_bits(tmp_path):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed (Debian: python3-torch)")
    import paretofl.torch

    def problem():
        torch.manual_seed(3)
        model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Dropout(0.3), torch.nn.Linear(8, 2))
        data = [(torch.randn(30, 4, generator=torch.Generator().manual_seed(client)),) for client in range(4)]
        losses = {"first": lambda out, batch: (out[:, 0] - batch[0][:, 0]).square().mean(), "second": lambda out, batch: (out[:, 1] + batch[0][:, 1]).square().mean()}
        return paretofl.torch.Problem(model, losses, clients=data, test=data[0], batch_size=8)

    one, two = (paretofl.sweep(problem(), directory=tmp_path / str(jobs), strategy="fedcmoo", seeds=[1, 2, 3], rounds=3, jobs=jobs) for jobs in (1, 2))
    assert digests(one) == digests(two)


def test_parts_in_python_work_in_several_runs_at_a_time(tmp_path, two_targets):
    @paretofl.register_solver("takes_turns")
    class TakesTurns(paretofl.Solver):
        """One objective after the other: each run has a state of its own."""

        def __init__(self):
            self.calls = 0

        def solve(self, gramian):
            self.calls += 1
            return [self.calls % 2, (self.calls + 1) % 2]

    arguments = dict(strategy={"name": "fedcmoo", "solver": "takes_turns"}, seeds=[1, 2, 3], rounds=5)
    one, two = (paretofl.sweep(two_targets(), directory=tmp_path / str(jobs), jobs=jobs, **arguments) for jobs in (1, 2))
    assert digests(one) == digests(two)
    for run in two.runs:
        weights = [row["lambda"] for row in run.metrics]
        assert all(before != after and sorted(after) == [0, 1] for before, after in zip(weights, weights[1:]))


def test_blas_has_one_thread_while_runs_interleave_and_its_own_number_afterwards(tmp_path):
    lock, arrived, first_ended, seen = threading.Lock(), threading.Event(), threading.Event(), []

    def blas_threads():
        return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}

    @paretofl.register_strategy("waits_for_another")
    class WaitsForAnother(paretofl.Strategy):
        """The second of two runs begins its round in that of the first, and ends it after the first run."""

        def run_round(self, round, theta):
            with lock:
                second = bool(seen)
                seen.append(blas_threads())
            if second:
                arrived.set()
            assert (first_ended if second else arrived).wait(60)
            seen.append(blas_threads())
            return theta

    class Ends(Callback):
        def on_end(self, run, error):
            first_ended.set()

    with threadpool_limits(2):
        paretofl.sweep({"workload": {"name": "quadratics", "clients": 3}, "strategy": {"name": "waits_for_another", "cohort_size": 2}},
                       directory=tmp_path / "sweep", seeds=[1, 2], rounds=1, jobs=2, callbacks=Ends())
        assert seen == [{1}] * 4 and blas_threads() == {2}


@pytest.mark.parametrize("jobs", [1, 2])
def test_each_run_has_its_own_callback_in_this_thread(tmp_path, two_targets, jobs):
    told, rows = Told(), []
    sweep = paretofl.sweep(two_targets(), directory=tmp_path / "sweep", strategy="fedavg", seeds=[1, 2, 3], rounds=2, jobs=jobs,
                           callbacks=[told, lambda run, row: rows.append((run.directory.name, row["round"]))])
    for run in sweep.runs:
        name = run.directory.name
        assert [event[1:] for event in told.events if event[0] == name] == [
            ("start", run.config["seed"]), ("round", 1), ("round", 2), ("end", "NoneType", True)]
    assert sorted(rows) == [(name, number) for name in sorted(run.directory.name for run in sweep.runs) for number in (1, 2)]
    assert told.threads == {threading.get_ident()} and not hasattr(told, "name")


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("where", ["of_run", "on_start", "on_round", "on_end"])
def test_what_a_callback_raises_ends_the_sweep_and_it_can_go_on(tmp_path, two_targets, jobs, where):
    class Fails(Callback):
        def of_run(self, run):
            self.fail("of_run")
            return self

        def on_start(self, run):
            self.fail("on_start")

        def on_round(self, row):
            self.fail("on_round")

        def on_end(self, run, error):
            self.fail("on_end")

        def fail(self, place):
            if place == where:
                raise ArithmeticError("enough")

    told = Told()
    arguments = dict(directory=tmp_path / "sweep", strategy="fedavg", seeds=[1, 2, 3, 4], rounds=5)
    with pytest.raises(ArithmeticError, match="enough"):
        paretofl.sweep(two_targets(), jobs=jobs, callbacks=[told, Fails()], **arguments)
    ends = [event for event in told.events if event[1] == "end"]
    begun = {event[0] for event in told.events}
    assert len(ends) == len(begun) <= jobs  # of_run raises before on_start
    done = len(paretofl.Sweep(tmp_path / "sweep").rows)
    assert 1 <= done <= jobs if where == "on_end" else done == 0
    whole = paretofl.sweep(two_targets(), **{**arguments, "directory": tmp_path / "whole"})
    assert digests(paretofl.sweep(two_targets(), directory=tmp_path / "sweep", resume=True, jobs=3 - jobs)) == digests(whole)


def test_a_failed_run_is_told_its_reason(tmp_path, two_targets):
    class Sometimes(two_targets):
        def evaluate(self, theta):
            if abs(theta).max() > 50:
                raise ArithmeticError("too far")
            return super().evaluate(theta)

    reasons = {}

    class Reasons(Callback):
        def on_end(self, run, error):
            reasons[run.directory.name] = error

    with pytest.raises(paretofl.Error, match="client_lr=3.*too far"):
        paretofl.sweep(Sometimes(), directory=tmp_path / "sweep", strategy="fsmgda", over={"strategy.client_lr": [0.1, 3.0, 0.2]}, rounds=3, jobs=2,
                       callbacks=Reasons())
    assert reasons["client_lr=0.1"] is None and reasons["client_lr=0.2"] is None
    assert isinstance(reasons["client_lr=3.0"], paretofl.Error) and "too far" in str(reasons["client_lr=3.0"])


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_that_fails_in_a_folder_whose_name_is_not_utf_8_is_named(tmp_path, two_targets, jobs):
    class TakesTheFolderOfTheThird(Callback):
        def on_start(self, run):
            (run.directory.parent / "seed=3").touch()

    folder = os.fsdecode(os.fsencode(tmp_path) + b"/sweep\xff")
    with pytest.raises(paretofl.Error, match="expected all runs to end well, found seed=3: sweep: expected to make .*/sweep\ufffd/seed=3"):
        paretofl.sweep(two_targets(), directory=folder, strategy="fedavg", seeds=[1, 2, 3], rounds=1, jobs=jobs, callbacks=TakesTheFolderOfTheThird())


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_is_evaluated_once_the_sweep_is_over(tmp_path, two_targets, jobs):
    class Evaluates(Callback):
        def on_end(self, run, error):
            run.evaluate()

    arguments = dict(strategy="fedavg", seeds=[1, 2], rounds=2, options=EVALUATED)
    with pytest.raises(paretofl.Error, match="^evaluate: expected one run at a time in a process, found another under way; call evaluate after it"):
        paretofl.sweep(two_targets(), directory=tmp_path / "sweep", jobs=jobs, callbacks=Evaluates(), **arguments)
    paretofl.run(two_targets(), directory=tmp_path / "run", strategy="fedavg", rounds=2, options=EVALUATED, callbacks=Evaluates())
    sweep = paretofl.sweep(two_targets(), directory=tmp_path / "sweep", jobs=jobs, resume=True, **arguments)
    for run in sweep.runs:
        assert run.evaluate()["test"] == run.summary["test"]


def test_a_config_keeps_its_threads(tmp_path):
    config = {"workload": {"name": "quadratics"}, "strategy": {"name": "fedavg"}}
    given = paretofl.sweep({**config, "runtime": {"threads": 7}}, directory=tmp_path / "given", rounds=1)
    assert [run.config["runtime"]["threads"] for run in given.runs] == [7]
    shared = paretofl.sweep(config, directory=tmp_path / "shared", rounds=1, seeds=[1, 2], jobs=4096)
    assert [run.config["runtime"]["threads"] for run in shared.runs] == [1, 1]


def test_ctrl_c_ends_the_runs_under_way_and_the_sweep_can_go_on(tmp_path, two_targets):
    script = """if True:
        import os, signal, sys
        sys.path.insert(0, sys.argv[1])
        from conftest import TwoTargets
        import paretofl
        signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell that runs this in the background has taken away
        sent = []
        class Ends(paretofl.callbacks.Callback):
            def on_round(self, row):
                if row["round"] == 2 and not sent:  # a second SIGINT ends a process at once
                    sent.append(True)
                    os.kill(os.getpid(), signal.SIGINT)
            def on_end(self, run, error):
                print("end of", run.directory.name, type(error).__name__)
        try:
            paretofl.sweep(TwoTargets(), directory=sys.argv[2], strategy="fedavg", seeds=[1, 2, 3, 4], rounds=6, jobs=2, callbacks=Ends())
        except KeyboardInterrupt as stopped:
            print("stopped:", stopped)
        try:
            os.kill(os.getpid(), signal.SIGINT)
        except KeyboardInterrupt:
            print("Python's own handler is back")
    """
    said = subprocess.run([sys.executable, "-c", script, str(Path(__file__).parent), str(tmp_path / "sweep")], capture_output=True, text=True,
                          check=True).stdout
    assert said.count("KeyboardInterrupt") == 2 and "resume=True" in said and "handler is back" in said
    arguments = dict(strategy="fedavg", seeds=[1, 2, 3, 4], rounds=6)
    resumed = paretofl.sweep(two_targets(), directory=tmp_path / "sweep", resume=True, jobs=2)
    assert digests(resumed) == digests(paretofl.sweep(two_targets(), directory=tmp_path / "whole", **arguments))


def test_a_sweep_may_grow_with_another_number_of_jobs(tmp_path, two_targets):
    paretofl.sweep(two_targets(), directory=tmp_path / "sweep", strategy="fedavg", seeds=[1, 2], rounds=3, jobs=2)
    same = paretofl.sweep(two_targets(), directory=tmp_path / "sweep", strategy="fedavg", seeds=[1, 2, 3], rounds=3, jobs=1, resume=True)
    assert [row["seed"] for row in same.rows] == [1, 2, 3]


def test_mlflow_records_every_run(tmp_path, two_targets):
    mlflow = pytest.importorskip("mlflow")
    uri = f"sqlite:///{tmp_path}/mlflow.db"
    client = mlflow.tracking.MlflowClient(uri)
    experiment = client.create_experiment("targets", artifact_location=str(tmp_path / "artifacts"))
    sweep = paretofl.sweep(two_targets(), directory=tmp_path / "seeds", strategy="fedcmoo", seeds=[1, 2, 3], rounds=2, jobs=2, options=EVALUATED,
                           callbacks=MLflow(experiment="targets", tracking_uri=uri))
    kept = {record.info.run_name: record for record in client.search_runs([experiment])}
    assert sorted(kept) == sorted(run.directory.name for run in sweep.runs)
    for run in sweep.runs:
        record = kept[run.directory.name]
        assert record.info.status == "FINISHED" and record.data.tags["sweep"] == "seeds" and record.data.params["seed"] == str(run.config["seed"])
        history = client.get_metric_history(record.info.run_id, "test/loss/first")
        assert [(point.step, point.value) for point in history] == [(row["round"], row["test"]["loss"]["first"]) for row in run.metrics]


def test_wandb_records_every_run(tmp_path, two_targets, monkeypatch):
    wandb = pytest.importorskip("wandb")
    monkeypatch.setenv("WANDB_SILENT", "true")
    kept, finish = {}, wandb.Run.finish

    def keep_and_finish(record, **arguments):
        kept[record.name] = record.group, dict(record.summary), arguments["exit_code"]
        finish(record, **arguments)

    monkeypatch.setattr(wandb.Run, "finish", keep_and_finish)
    sweep = paretofl.sweep(two_targets(), directory=tmp_path / "seeds", strategy="fedcmoo", seeds=[1, 2], rounds=2, jobs=2,
                           callbacks=WandB(mode="offline", dir=str(tmp_path)))
    wandb.teardown()
    for run in sweep.runs:
        group, summary, code = kept[run.directory.name]
        assert group == "seeds" and code == 0 and summary["parameters_sha256"] == run.summary["parameters_sha256"]
    assert len(list(tmp_path.glob("wandb/offline-run-*/*.wandb"))) == 2


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_notebook_shows_the_bar_of_the_sweep(tmp_path, two_targets, notebook, jobs):
    paretofl.sweep(two_targets(), directory=tmp_path / "sweep", strategy="fedavg", seeds=[1, 2, 3], rounds=2, jobs=jobs)
    assert len(notebook.shown) == 1
    assert 'value="6" max="6"' in notebook.shown[0] and "6/6 rounds" in notebook.shown[0] and "3 of 3 runs" in notebook.shown[0]


def test_a_notebook_shows_the_bar_of_a_run(tmp_path, two_targets, notebook):
    paretofl.run(two_targets(), strategy="fedavg", rounds=2, directory=tmp_path / "run")
    assert len(notebook.shown) == 1 and 'fedavg <progress value="2" max="2">' in notebook.shown[0]


def test_standard_error_shows_the_progress_unless_it_shall_not(tmp_path, two_targets, capfd):
    for progress in (True, False):
        paretofl.sweep(two_targets(), directory=tmp_path / str(progress), strategy="fedavg", seeds=[1, 2], rounds=2, progress=progress)
        said = capfd.readouterr().err
        assert ("2 runs, 0 of them done; 1 at a time" in said and "2/2 " in said) if progress else said == ""


@pytest.mark.parametrize("arguments, message", [
    (dict(jobs=0), "jobs: expected an integer from 1 to 4096, found 0"),
    (dict(jobs=True), "jobs: expected an integer from 1 to 4096, found True"),
    (dict(jobs="2"), "jobs: expected an integer from 1 to 4096, found '2'"),
    (dict(callbacks=[3]), "callbacks: expected functions of a run and its row"),
    (dict(callbacks=OptunaPruning(None)), "expected the one run of its trial, found a sweep"),
])
def test_wrong_arguments_are_one_error(tmp_path, two_targets, arguments, message):
    with pytest.raises(paretofl.Error, match=message):
        paretofl.sweep(two_targets(), directory=tmp_path / "sweep", strategy="fedavg", rounds=1, **arguments)
