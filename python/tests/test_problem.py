import colorsys
import importlib
import re
import tempfile
import threading

import numpy as np
import pytest

import paretofl
from conftest import TwoTargets


def gradients_of(problem, gradients):
    class Other(type(problem)):
        pass

    Other.gradients = gradients
    return Other()


def failures(tmp_path, problem):
    """The reasons recorded for failed clients in the one round that fails."""
    with pytest.raises(paretofl.Error, match="abandoned"):
        paretofl.run(problem, strategy="fedavg", rounds=1, directory=tmp_path / "run", options={"max_abandoned_rounds": 1})
    return [failure["reason"] for failure in paretofl.Run(tmp_path / "run").metrics[0]["failures"]]


def test_theta_reaches_the_minimum_of_one_objective(tmp_path, two_targets):
    problem = two_targets(noise=0)
    run = paretofl.run(problem, strategy={"name": "fedavg", "objective_weights": [1, 0]}, rounds=60, directory=tmp_path / "run")
    np.testing.assert_allclose(run.parameters, problem.targets[:, 0].mean(axis=0), atol=0.02)


def test_threads_change_no_bit(tmp_path, two_targets):
    hashes = {paretofl.run(two_targets(clients=9), strategy="fedcmoo", rounds=5, threads=threads, directory=tmp_path / str(threads)).summary[
        "parameters_sha256"] for threads in (1, 2, 5)}
    assert len(hashes) == 1


def test_named_parameters_are_laid_out_with_heads_last(two_targets):
    class Named(two_targets):
        def initial_parameters(self):
            return {"head": np.ones(1), "body": np.zeros((2, 1))}

        def heads(self):
            return {"second": ["head"]}

    problem = Named()
    np.testing.assert_array_equal(problem._initial(), [0, 0, 1])
    assert problem.unflatten(np.arange(3))["body"].shape == (2, 1)
    assert problem.unflatten(np.arange(3))["head"] == [2]


def test_an_exception_is_the_clients_failure_with_its_traceback(tmp_path, two_targets):
    def broken(self, client, theta, draw):
        return {}["missing"]

    reasons = failures(tmp_path, gradients_of(two_targets(), broken))
    assert len(reasons) == 4
    assert all("KeyError: 'missing'" in reason and "test_problem.py" in reason for reason in reasons)


def test_a_failing_client_leaves_the_others_to_train(tmp_path, two_targets):
    class Ill(two_targets):
        def gradients(self, client, theta, draw):
            if client == 2:
                raise ValueError("ill")
            return super().gradients(client, theta, draw)

    run = paretofl.run(Ill(), strategy="fedavg", rounds=3, directory=tmp_path / "run")
    assert [failure["client"] for row in run.metrics for failure in row["failures"]] == [2, 2, 2]


@pytest.mark.parametrize("result, message", [
    (None, "expected a tuple"),
    (([1.0, 2.0],), "expected a tuple"),
    (([1.0], np.zeros((2, 3))), "losses: expected 2"),
    (([1.0, 2.0], np.zeros((2, 4))), r"shape \[2, 3\]"),
    (([1.0, 2.0], np.zeros(6)), "2 dimensions"),
    (([1.0, np.nan], np.zeros((2, 3))), "objective second"),
    (([1.0, 2.0], np.full((2, 3), np.inf)), "objective first"),
    (([1.0, 2.0], [["a"] * 3] * 2), "array of numbers"),
    (([1.0, 2.0], [[1, 2, 3], [1]]), "array of numbers"),
])
def test_wrong_gradients_are_one_error(tmp_path, two_targets, result, message):
    for reason in failures(tmp_path, gradients_of(two_targets(), lambda self, client, theta, draw: result)):
        assert re.search(message, reason) and "Traceback" not in reason


def test_keeping_theta_is_an_error(tmp_path, two_targets):
    kept = []

    def keeps(self, client, theta, draw):
        kept.append(theta[:1])
        return [1.0, 1.0], np.zeros((2, 3))

    assert all("theta.copy()" in reason for reason in failures(tmp_path, gradients_of(two_targets(), keeps)))


def test_theta_cannot_be_written(tmp_path, two_targets):
    def writes(self, client, theta, draw):
        theta[0] = 1

    assert all("read-only" in reason for reason in failures(tmp_path, gradients_of(two_targets(), writes)))


@pytest.mark.parametrize("method, value, message", [
    ("num_clients", 0, "num_clients"),
    ("num_clients", "three", "num_clients"),
    ("objectives", [], "objectives"),
    ("objectives", ["a", "a"], "different names"),
    ("initial_parameters", np.zeros(0), "at least one number"),
    ("initial_parameters", np.array([np.nan]), "finite"),
    ("initial_parameters", {"a": "text"}, "array of numbers"),
    ("heads", {"third": ["theta"]}, "heads"),
    ("heads", {"first": ["nothing"]}, "heads"),
    ("num_samples", 0, "num_samples"),
    ("preference", [1.0], "expected 2"),
    ("evaluate", [1.0], "dictionary"),
    ("evaluate", {"loss": [1.0]}, "2 numbers for loss"),
])
def test_a_wrong_problem_is_one_error(tmp_path, two_targets, method, value, message):
    class Wrong(two_targets):
        pass

    setattr(Wrong, method, lambda self, *arguments: value)
    with pytest.raises(paretofl.Error, match=message):
        paretofl.run(Wrong(), strategy="fedavg", rounds=1, directory=tmp_path / "run")


def test_a_missing_method_is_named():
    with pytest.raises(NotImplementedError, match="num_clients"):
        paretofl.run(paretofl.Problem(), strategy="fedavg")


def test_one_run_at_a_time(tmp_path, two_targets):
    def nested(row):
        paretofl.run("fedcmoo-quadratics", rounds=1, directory=tmp_path / "inner")

    with pytest.raises(paretofl.Error, match="one run at a time"):
        paretofl.run(two_targets(), strategy="fedavg", rounds=1, directory=tmp_path / "outer", callbacks=nested)


def test_python_threads_go_on_while_the_engine_works(tmp_path, two_targets):
    beats, done = [], threading.Event()

    def beat():
        while not done.is_set():
            importlib.reload(colorsys)  # an import takes locks of its own
            beats.append(1)
            done.wait(0.001)

    thread = threading.Thread(target=beat)
    thread.start()
    try:
        paretofl.run(two_targets(), strategy="fedcmoo", rounds=20, threads=3, directory=tmp_path / "run")
    finally:
        done.set()
        thread.join()
    assert beats


def test_minibatches_are_the_engines(two_targets):
    seen = {}

    class Sees(two_targets):
        def gradients(self, client, theta, draw):
            if client == 0:
                seen.setdefault(draw.step, draw.minibatch(10, 3))
                assert draw.minibatch(2, 3).size == 2
            return super().gradients(client, theta, draw)

    with tempfile.TemporaryDirectory() as folder:
        paretofl.run(Sees(), strategy={"name": "fedavg", "local_steps": 3}, rounds=1, directory=folder + "/run")
    assert sorted(seen) == [0, 1, 2]
    assert len(set(np.concatenate(list(seen.values())).tolist())) == 9


def test_what_a_thread_keeps_is_there_at_the_next_call(tmp_path, two_targets):
    class Keeps(two_targets):
        local, began = threading.local(), []

        def gradients(self, client, theta, draw):
            if not hasattr(self.local, "calls"):
                self.local.calls = 0
                self.began.append(threading.get_ident())
            self.local.calls += 1
            return super().gradients(client, theta, draw)

    paretofl.run(Keeps(), strategy="fedcmoo", rounds=5, threads=2, directory=tmp_path / "run")
    assert len(Keeps.began) == len(set(Keeps.began)) <= 3


def test_a_start_that_changes_is_an_error(two_targets, tmp_path):
    class Changing(two_targets):
        def initial_parameters(self):
            self.calls = getattr(self, "calls", 0) + 1
            return np.full(2, self.calls)

    with pytest.raises(paretofl.Error, match="initial_parameters: expected the same numbers as at the beginning of the run, found others"):
        paretofl.run(Changing(), strategy="fsmgda", rounds=1, directory=tmp_path / "run")


@pytest.mark.parametrize("found, message", [
    (({"loss": [1.0, 2.0]}, 0), "expected a positive number of samples, found 0"),
    ({"loss": [1.0, 2.0]}, r"expected a tuple \(figures, number of samples\) or None, found dict"),
    (({"loss": 1.0}, 5), "expected one number per objective for loss, found a single one"),
    (({"loss": [1.0, float("nan")]}, 5), "expected finite numbers for loss"),
])
def test_bad_held_out_figures_name_the_client_and_the_run_goes_on(tmp_path, found, message):
    class Held(TwoTargets):
        def evaluate_held_out(self, client, theta):
            return found if client == 1 else ({"loss": [1.0, 3.0]}, 2) if client == 2 else None

    run = paretofl.run(Held(), strategy="fedavg", rounds=1, directory=tmp_path / "run",
                       options={"evaluation.federated": True, "min_reply_fraction": 0.1})
    federated = run.summary["federated"]
    assert federated["test"] == {"loss": dict(zip(Held().objectives(), [1.0, 3.0]))} and federated["clients"] == 1
    assert [failure["client"] for failure in federated["failures"]] == [1]
    assert re.search(message, federated["failures"][0]["reason"])
