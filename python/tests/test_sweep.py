import csv
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import paretofl
from conftest import TwoTargets


def test_strategies_and_seeds_of_a_problem(tmp_path, two_targets):
    sweep = paretofl.sweep(two_targets(), directory=tmp_path / "sweep", strategy=["fsmgda", {"name": "fedavg", "local_steps": 3}], seeds=[1, 2], rounds=4)
    assert [(row["strategy"], row["seed"]) for row in sweep.rows] == [("fsmgda", 1), ("fsmgda", 2), ("fedavg", 1), ("fedavg", 2)]
    single = paretofl.run(two_targets(), strategy={"name": "fedavg", "local_steps": 3}, seed=2, rounds=4, directory=tmp_path / "run")
    assert sweep.rows[3]["parameters_sha256"] == single.summary["parameters_sha256"]
    assert sweep.runs[3].config["strategy"]["local_steps"] == 3
    assert (tmp_path / "sweep" / "report.html").is_file()


def test_a_config_gives_what_the_command_gives(tmp_path):
    python = paretofl.sweep("fedcmoo/fedavg-quadratics", directory=tmp_path / "python", preferences=3, over={"strategy.client_lr": [0.02, 0.05]},
                            rounds=3, options={"workload.clients": 12})
    subprocess.run([sys.executable, "-m", "paretofl.command", "sweep", "fedcmoo/fedavg-quadratics", "--preferences", "3", "--over",
                    "strategy.client_lr=0.02,0.05", "--set", "rounds=3", "--set", "workload.clients=12", "--dir", str(tmp_path / "command")],
                   check=True, capture_output=True)
    command = paretofl.Sweep(tmp_path / "command")
    assert len(python.rows) == 6
    assert [(row["run"], row["parameters_sha256"]) for row in python.rows] == [(row["run"], row["parameters_sha256"]) for row in command.rows]
    assert python.front() == command.front()


def test_the_front_has_the_runs_that_no_other_dominates(tmp_path, two_targets):
    vectors = [[4, 1], [1, 1], [1, 4]]
    sweep = paretofl.sweep(two_targets(noise=0), directory=tmp_path / "sweep", strategy="fedcmoo_pref", preferences=vectors, rounds=30)
    rows = sweep.front()
    points = np.array([list(row["test"]["loss"].values()) for row in sweep.rows])
    kept = paretofl.indicators.pareto_front(points, minimize=True)
    assert sorted(row["run"] for row in rows) == sorted(sweep.rows[index]["run"] for index in kept)
    assert all(isinstance(row["first"], float) for row in rows)
    written = sweep.front_csv(tmp_path / "front.csv")
    with open(written, encoding="utf-8") as file:
        assert [row["run"] for row in csv.DictReader(file)] == [row["run"] for row in rows]


def test_a_sweep_grows_and_keeps_what_it_has(tmp_path, two_targets):
    first = paretofl.sweep(two_targets(), directory=tmp_path / "sweep", strategy="fedavg", seeds={1}, rounds=3)
    before = first.rows[0]["wall_seconds"]
    grown = paretofl.sweep(two_targets(), directory=tmp_path / "sweep", seeds="1..3", resume=True)
    assert [row["seed"] for row in grown.rows] == [1, 2, 3] and grown.rows[0]["wall_seconds"] == before
    with pytest.raises(paretofl.Error, match="resume"):
        paretofl.sweep(two_targets(), directory=tmp_path / "sweep", strategy="fedavg", seeds=[1], rounds=3)


def test_a_run_that_fails_stops_no_other(tmp_path, two_targets):
    class Sometimes(two_targets):
        def evaluate(self, theta):
            if np.linalg.norm(theta) > 50:
                raise ArithmeticError("too far")
            return super().evaluate(theta)

    with pytest.raises(paretofl.Error, match="client_lr=3.*too far"):
        paretofl.sweep(Sometimes(), directory=tmp_path / "sweep", strategy="fsmgda", over={"strategy.client_lr": [0.1, 3.0, 0.2]}, rounds=3)
    assert [row["run"] for row in paretofl.Sweep(tmp_path / "sweep").rows] == ["client_lr=0.1", "client_lr=0.2"]


def test_ctrl_c_ends_the_sweep_and_it_can_go_on(tmp_path):
    script = """if True:
        import os, signal, sys
        sys.path.insert(0, sys.argv[1])
        from conftest import TwoTargets
        import paretofl
        signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell that runs this in the background has taken away
        class Interrupts(TwoTargets):
            calls = 0
            def evaluate(self, theta):
                Interrupts.calls += 1
                if Interrupts.calls == 5 and len(sys.argv) == 4:
                    os.kill(os.getpid(), signal.SIGINT)
                return super().evaluate(theta)
        try:
            sweep = paretofl.sweep(Interrupts(), directory=sys.argv[2], strategy="fedavg", seeds=[1, 2], rounds=4, resume=len(sys.argv) == 3,
                                   options={"evaluation.every": 1})
            print([row["parameters_sha256"] for row in sweep.rows])
        except KeyboardInterrupt as stopped:
            print("stopped:", stopped)
        try:
            os.kill(os.getpid(), signal.SIGINT)
        except KeyboardInterrupt:
            print("Python's own handler is back")
    """
    def call(*arguments):
        return subprocess.run([sys.executable, "-c", script, str(Path(__file__).parent), *map(str, arguments)], capture_output=True, text=True,
                              check=True).stdout

    first = call(tmp_path / "sweep", "interrupt")
    assert "stopped: " in first and "resume=True" in first and "handler is back" in first
    resumed = call(tmp_path / "sweep")
    whole = paretofl.sweep(TwoTargets(), directory=tmp_path / "whole", strategy="fedavg", seeds=[1, 2], rounds=4, options={"evaluation.every": 1})
    assert str([row["parameters_sha256"] for row in whole.rows]) in resumed and "handler is back" in resumed


@pytest.mark.parametrize("arguments, message", [
    (dict(), "found neither"),
    (dict(config=3), "found int"),
    (dict(config="fedcmoo-quadratics", seeds=[1, 1]), "seed"),
    (dict(config="fedcmoo-quadratics", seeds=[1.5]), "seeds"),
    (dict(config="fedcmoo-quadratics", seeds=3), "seeds"),
    (dict(config="fedcmoo-quadratics", over={"strategy.client_lr": 0.1}), "client_lr"),
    (dict(config="fedcmoo-quadratics", over={"strategy.colour": [1, 2]}), "colour"),
    (dict(config="fedcmoo-quadratics", over={"rounds": [object()]}), "rounds"),
    (dict(config="fedcmoo-quadratics", preferences={}), "preferences"),
    (dict(config="fedcmoo/fsmgda-quadratics", preferences=3), "preference"),
    (dict(config="fedcmoo/fedavg-quadratics", preferences=[[1, 2]]), "3"),
    (dict(config="fedcmoo/fedavg-quadratics", seeds=[1], reference=[1.0]), "reference"),
    (dict(config="fedcmoo-quadratics", strategy=[]), "strategy"),
    (dict(resume=True), "resume"),
    (dict(resume=True, rounds=3), "strategy too"),
])
def test_wrong_arguments_are_one_error(tmp_path, arguments, message):
    with pytest.raises(paretofl.Error, match=message):
        paretofl.sweep(**arguments, directory=tmp_path / "sweep")


def test_a_folder_without_a_sweep(tmp_path):
    with pytest.raises(paretofl.Error, match="sweep.json"):
        paretofl.Sweep(tmp_path)


def test_the_grid_may_be_arrays_of_numpy(tmp_path, two_targets):
    sweep = paretofl.sweep(two_targets(), directory=tmp_path / "sweep", strategy="fedavg", seeds=np.array([1, 2]), preferences=np.eye(2),
                           over={"strategy.client_lr": np.array([0.1, 0.2])}, rounds=1, progress=False)
    assert len(sweep.rows) == 8
    counted = paretofl.sweep(two_targets(), directory=tmp_path / "counted", strategy="fedavg", preferences=np.int64(3), rounds=1, progress=False)
    assert len(counted.rows) == 3


def test_a_finished_sweep_does_not_go_on_with_another_problem(tmp_path):
    paretofl.sweep(TwoTargets(), directory=tmp_path / "sweep", strategy="fedavg", seeds=[1], rounds=1)
    with pytest.raises(paretofl.Error, match="expected the problem that its runs began with.*found conftest.TwoTargets with"):
        paretofl.sweep(TwoTargets(clients=5), directory=tmp_path / "sweep", resume=True)
    assert len(paretofl.sweep(TwoTargets(), directory=tmp_path / "sweep", resume=True).rows) == 1


def test_a_run_that_failed_is_on_no_front(tmp_path):
    class Diverges(TwoTargets):
        def gradients(self, client, theta, draw):
            if abs(theta).max() > 5:
                raise RuntimeError("diverged")
            return super().gradients(client, theta, draw)

        def evaluate(self, theta):
            return {"loss": [abs(theta).max(), 1.0]}

    with pytest.raises(paretofl.Error, match="client_lr=50"):
        paretofl.sweep(Diverges(), directory=tmp_path / "sweep", strategy={"name": "fedavg", "local_steps": 2}, rounds=1,
                       over={"strategy.client_lr": [0.1, 50.0]})
    assert [row["run"] for row in paretofl.Sweep(tmp_path / "sweep").front()] == ["client_lr=0.1"]


def test_objectives_may_have_the_names_of_a_fronts_columns(tmp_path):
    class Named(TwoTargets):
        def objectives(self):
            return ["seed", "run"]

    sweep = paretofl.sweep(Named(), directory=tmp_path / "sweep", strategy="fedavg", seeds=[1], rounds=1)
    (row,) = sweep.front()
    losses = sweep.runs[0].summary["test"]["loss"]
    assert row["seed"] == "1" and row["run"] == "seed=1"
    assert [row["objective seed"], row["objective run"]] == pytest.approx([losses["seed"], losses["run"]])


def test_texts_of_any_letters_reach_the_config(tmp_path):
    run = paretofl.run(TwoTargets(), strategy="fedavg", rounds=1, directory=tmp_path / "run", options={"data.root": "/tmp/\U0001f600 \x7f \u00e9\"\\"})
    assert run.config["data"]["root"] == "/tmp/\U0001f600 \x7f \u00e9\"\\"
