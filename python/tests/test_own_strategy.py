import collections
import enum
import os
import signal
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import paretofl


@paretofl.register_strategy("own_fedavg")
class OwnFedAvg(paretofl.Strategy):
    """Federated averaging, as the engine's own."""

    def run_round(self, round, theta):
        weights = np.full(len(round.objectives), 1 / len(round.objectives))
        replies = round.train(weights)
        return theta - replies.mean(replies.num_samples), {"lambda": weights, "train_loss": replies.losses.mean(axis=0)}


@paretofl.register_strategy("momentum_descent")
class MomentumDescent(paretofl.Strategy):
    """Two exchanges in a round, a solver, momentum, and random numbers of the server's.

    decay: of the momentum
    """

    def __init__(self, server_lr=0.5, decay=0.9, solver=paretofl.Part("solver", "min_norm")):
        self.server_lr, self.decay, self.solver = server_lr, decay, solver
        self.momentum = None
        self.seen = []

    def run_round(self, round, theta):
        drawn = round.jacobians()
        mean = drawn.mean()[:, round.shared]
        weights = self.solver(mean @ mean.T, losses=drawn.losses.mean(axis=0))
        trained = round.train(weights, clients=drawn.clients)
        noise = 1e-3 * round.random("noise").normal(size=theta.shape).astype(np.float32)
        update = trained.mean() + noise
        self.momentum = update if self.momentum is None else np.float32(self.decay) * self.momentum + update
        self.seen.append(round.number)
        return theta - self.server_lr * self.momentum, {"lambda": weights, "rounds_seen": len(self.seen)}


def test_federated_averaging_is_the_engines(tmp_path, two_targets):
    own = paretofl.run(two_targets(), strategy={"name": "own_fedavg", "client_lr": 0.05}, rounds=8, directory=tmp_path / "own")
    engines = paretofl.run(two_targets(), strategy={"name": "fedavg", "client_lr": 0.05}, rounds=8, directory=tmp_path / "engines")
    np.testing.assert_allclose(own.parameters, engines.parameters, rtol=1e-5)
    assert own.metrics[3]["train"]["loss"] == pytest.approx(engines.metrics[3]["train"]["loss"])
    assert own.metrics[3]["bytes_up"] == engines.metrics[3]["bytes_up"]
    assert own.metrics[0]["lambda"] == [0.5, 0.5]


def test_a_configs_workload_is_trained_too(tmp_path):
    config = {"workload": {"name": "quadratics", "clients": 12}, "strategy": {"name": "momentum_descent", "cohort_size": 5, "client_lr": 0.02}}
    run = paretofl.run(config, rounds=30, directory=tmp_path / "run")
    losses = [sum(run.metrics[row]["test"]["loss"].values()) for row in (9, 29)]
    assert losses[1] < losses[0] and run.metrics[29]["metrics"]["rounds_seen"] == 30
    assert 'name = "min_norm"' in (tmp_path / "run" / "config.toml").read_text()


def test_the_bits_are_the_same_with_any_threads_and_after_a_pause(tmp_path, two_targets):
    strategy = {"name": "momentum_descent", "client_lr": 0.05, "solver": "upgrad", "cohort_size": 3}
    hashes = set()
    for threads in (1, 2):
        run = paretofl.run(two_targets(), strategy=strategy, rounds=9, threads=threads, directory=tmp_path / str(threads))
        hashes.add(run.summary["parameters_sha256"])
    paretofl.run(two_targets(), strategy=strategy, rounds=4, directory=tmp_path / "part")
    resumed = paretofl.run(two_targets(), resume=tmp_path / "part", rounds=9, threads=2)
    hashes.add(resumed.summary["parameters_sha256"])
    assert len(hashes) == 1
    assert resumed.metrics[8]["metrics"]["rounds_seen"] == 9


def test_kill_at_any_moment_and_resume(tmp_path):
    script = textwrap.dedent("""
        import os, signal, sys
        sys.path.insert(0, sys.argv[1])
        from conftest import TwoTargets
        import paretofl, test_own_strategy
        def kill(row):
            if row["round"] == int(sys.argv[3]):
                os.kill(os.getpid(), signal.SIGKILL)
        paretofl.run(TwoTargets(), strategy="momentum_descent", rounds=10, directory=sys.argv[2], callbacks=kill, options={"checkpoint.every": 3})
    """)
    from conftest import TwoTargets

    whole = paretofl.run(TwoTargets(), strategy="momentum_descent", rounds=10, directory=tmp_path / "whole", options={"checkpoint.every": 3})
    for moment in (1, 5, 9):
        folder = tmp_path / f"killed{moment}"
        ended = subprocess.run([sys.executable, "-c", script, os.path.dirname(__file__), str(folder), str(moment)], capture_output=True)
        assert ended.returncode == -signal.SIGKILL
        resumed = paretofl.run(TwoTargets(), resume=folder)
        assert resumed.summary["parameters_sha256"] == whole.summary["parameters_sha256"]


def test_every_client_may_have_its_own_weights_and_start(tmp_path, two_targets):
    seen = {}

    @paretofl.register_strategy("asks_each")
    class AsksEach(paretofl.Strategy):
        def run_round(self, round, theta):
            clients = [0, 2]
            seen["each"] = round.train([[1, 0], [0, 1]], clients=clients, theta=np.stack([theta, theta + 1])).updates
            seen["alone"] = [round.train([1, 0], clients=[0]).updates[0], round.train([0, 1], clients=[2], theta=theta + 1).updates[0]]
            seen["slices"], seen["shared"], seen["kept"] = round.slices, round.shared, round
            return theta

    paretofl.run(two_targets(noise=0), strategy="asks_each", rounds=1, directory=tmp_path / "run")
    np.testing.assert_array_equal(seen["each"], seen["alone"])
    assert seen["slices"] == [("theta", [3], -1)] and seen["shared"] == slice(0, 3)
    with pytest.raises(paretofl.Error, match="before run_round returns"):
        seen["kept"].train([1, 0], clients=[0])
    del seen["kept"]  # the registry keeps the class, and the class would keep the round until the interpreter ends


def test_a_round_with_too_few_replies_is_left_undone(tmp_path, two_targets):
    class Failing(two_targets):
        def gradients(self, client, theta, draw):
            if self.calls % 97 < 45:
                self.calls += 1
                raise RuntimeError("no answer")
            self.calls += 1
            return super().gradients(client, theta, draw)

    problem = Failing()
    problem.calls = 46
    run = paretofl.run(problem, strategy="own_fedavg", rounds=8, threads=1, directory=tmp_path / "run", options={"max_abandoned_rounds": 9})
    abandoned = [row for row in run.metrics if "abandoned" in row]
    assert abandoned and len(abandoned) < 8
    assert "RuntimeError: no answer" in abandoned[0]["failures"][0]["reason"]


class Returns(paretofl.Strategy):
    def __init__(self, what="theta"):
        self.what = what

    def run_round(self, round, theta):
        if self.what == "raise":
            raise ZeroDivisionError("no round today")
        return {"none": None, "short": theta[:2], "text": "x", "nan": theta * np.nan, "figures": (theta, [1]), "name": (theta, {1: 2}),
                "figure": (theta, {"a": "x"}), "unicode": (theta, {"\ud800": 1}), "deep": (theta, {"a": [[1]]}),
                "losses": (theta, {"train_loss": [1.0]})}[self.what]


paretofl.register_strategy("returns", Returns)


@pytest.mark.parametrize("what, message", [
    ("raise", "ZeroDivisionError: no round today\nTraceback"), ("none", "run_round"), ("short", "expected theta of 3 numbers, found 2"),
    ("text", "array of numbers"), ("nan", "finite"), ("figures", "dictionary of figures"), ("name", "names of figures"),
    ("figure", "run_round: a"), ("unicode", "run_round: names.*surrogates"), ("deep", "run_round: a"), ("losses", "train_loss: expected 2 losses, one for each objective, found 1"),
    ("colour", "KeyError")])
def test_wrong_results_are_one_error(tmp_path, two_targets, what, message):
    with pytest.raises(paretofl.Error, match=message):
        paretofl.run(two_targets(), strategy={"name": "returns", "what": what}, rounds=2, directory=tmp_path / "run")


@pytest.mark.parametrize("arguments, message", [
    (dict(weights=[1, 0, 0]), "weights"), (dict(weights=[np.nan, 1]), "finite"), (dict(weights=[1, 0], clients=[2, 1]), "ascending"),
    (dict(weights=[1, 0], clients=[]), "different numbers"), (dict(weights=[1, 0], clients=[4]), "clients"), (dict(weights=[1, 0], clients=3), "clients"),
    (dict(weights=[1, 0], theta=[1, 2]), "theta"), (dict(weights=[1, 0], theta=np.ones((2, 3)), clients=[1]), "theta")])
def test_wrong_questions_are_one_error(tmp_path, two_targets, arguments, message):
    @paretofl.register_strategy("asks_wrongly")
    class AsksWrongly(paretofl.Strategy):
        def run_round(self, round, theta):
            round.train(**arguments)

    with pytest.raises(paretofl.Error, match=message):
        paretofl.run(two_targets(), strategy="asks_wrongly", rounds=1, directory=tmp_path / "run")


def test_what_a_checkpoint_cannot_hold_is_found_before_the_first_round(tmp_path, two_targets):
    @paretofl.register_strategy("keeps_a_file")
    class KeepsAFile(paretofl.Strategy):
        def __init__(self):
            self.file = sys.stdout

        def run_round(self, round, theta):
            return theta

    with pytest.raises(paretofl.Error, match=r"state_dict\['file'\]: expected None, bool"):
        paretofl.run(two_targets(), strategy="keeps_a_file", rounds=1, directory=tmp_path / "run")


def test_state_comes_back_as_it_was():
    from paretofl.state import decode, encode

    state = {"a": None, "b": True, "c": 2**70, "d": 0.1, "e": "text", "f": [1, (2.0, "x"), {}], "g": {"h": []}}
    assert decode(encode(state, "state")) == state
    assert list(decode(encode(collections.OrderedDict(b=1, a=2.5), "state")).items()) == [("b", 1), ("a", 2.5)]
    array = np.arange(6.0).reshape(2, 3)[:, ::2]
    np.testing.assert_array_equal(decode(encode({"x": array}, "state"))["x"], array)


def test_what_was_one_object_is_one_again():
    from paretofl.state import decode, encode

    shared, itself = np.zeros(2), []
    itself.append(itself)
    torch = pytest.importorskip("torch")
    tensor = torch.zeros(3)
    state = {"z": shared, "a": {"deep": [(shared, 1), shared.copy()]}, "t": tensor, "b": tensor, "itself": itself, "number": np.array(2.0)}
    found = decode(encode(state, "state"))
    assert found["a"]["deep"][0][0] is found["z"] and found["a"]["deep"][1] is not found["z"]
    assert found["b"] is found["t"] and found["itself"][0] is found["itself"]


def test_a_resumed_strategy_has_its_attributes_in_their_order_and_shares_what_it_shared(tmp_path, two_targets):
    @paretofl.register_strategy("keeps_order")
    class KeepsOrder(paretofl.Strategy):
        def __init__(self):
            self.total = {"z": np.zeros(2), "a": 0.0, "m": "text"}
            self.kept = self.total["z"]  # the same array

        def run_round(self, round, theta):
            self.kept += 1
            assert list(self.total) == ["z", "a", "m"]
            assert (self.total["z"] == self.kept).all()
            return theta + np.float32(self.total["z"][0])

    whole = paretofl.run(two_targets(), strategy="keeps_order", rounds=4, directory=tmp_path / "whole")
    paretofl.run(two_targets(), strategy="keeps_order", rounds=2, directory=tmp_path / "run")
    resumed = paretofl.run(two_targets(), resume=tmp_path / "run", rounds=4)
    assert resumed.summary["parameters_sha256"] == whole.summary["parameters_sha256"]


class Kind(enum.IntEnum):
    FIRST = 1


@pytest.mark.parametrize("value, found", [
    (np.ma.masked_array([1.0, 2.0], mask=[True, False]), "array of float64|MaskedArray"), (collections.defaultdict(int), "defaultdict"),
    (collections.Counter(), "Counter"), (collections.namedtuple("Pair", "a b")(1, 2), "Pair"), (Kind.FIRST, "Kind"),
])
def test_kinds_of_lists_dictionaries_and_numbers_that_would_not_come_back_are_one_error(value, found):
    from paretofl.state import encode

    with pytest.raises(paretofl.Error, match=rf"state\['x'\]: expected None, bool, .* found (an )?({found})"):
        encode({"x": value}, "state")


@pytest.mark.parametrize("state, name", [({"x": "\ud800"}, r"state\['x'\]"), ({"\ud800": 1}, "state: keys")])
def test_texts_that_are_no_unicode_are_one_error(state, name):
    from paretofl.state import encode

    with pytest.raises(paretofl.Error, match=f"{name}: expected texts of valid Unicode, found lone surrogates"):
        encode(state, "state")


@pytest.mark.parametrize("scalar", [np.float64(0.1), np.float32(0.1), np.int64(-7), np.uint8(3)])
def test_numbers_of_numpy_come_back_as_numbers(scalar):
    from paretofl.state import decode, encode

    found = decode(encode({"x": scalar}, "state"))["x"]
    assert type(found) is type(scalar) and found == scalar
    array = decode(encode({"x": np.array(scalar)}, "state"))["x"]
    assert isinstance(array, np.ndarray) and array.shape == ()


@paretofl.register_strategy("remembers_sums")
class RemembersSums(paretofl.Strategy):
    """Keeps a number of NumPy's, a list of what it was, and an array of no dimension."""

    def __init__(self):
        self.sum, self.sums, self.last = np.float64(0), [], np.array(0.0)

    def run_round(self, round, theta):
        self.sum += round.number
        self.last = np.array(self.last + 1)
        assert self.last.shape == () and type(self.sum) is np.float64
        self.sums.append(self.sum)
        return theta - np.float32(1e-3) * sum(self.sums), {"sums": self.sums}


def test_a_number_of_numpys_in_the_state_keeps_the_bits_of_a_resumed_run(tmp_path, two_targets):
    whole = paretofl.run(two_targets(), strategy="remembers_sums", rounds=6, directory=tmp_path / "whole")
    paretofl.run(two_targets(), strategy="remembers_sums", rounds=3, directory=tmp_path / "part")
    resumed = paretofl.run(two_targets(), resume=tmp_path / "part", rounds=6)
    assert resumed.summary["parameters_sha256"] == whole.summary["parameters_sha256"]
    assert resumed.metrics[5]["metrics"]["sums"] == [1, 3, 6, 10, 15, 21]


class TakesCohortSize(paretofl.Strategy):
    def __init__(self, cohort_size=3):
        pass

    def run_round(self, round, theta):
        return theta


@pytest.mark.parametrize("name, strategy, message", [
    ("fedavg", OwnFedAvg, "which a part of ParetoFL has"), ("mine", paretofl.Solver, "derived from paretofl.Strategy"),
    ("mine", type("Empty", (paretofl.Strategy,), {}), "method run_round"), ("mine", TakesCohortSize, "cohort_size")])
def test_what_cannot_be_registered_is_one_error(name, strategy, message):
    with pytest.raises(paretofl.Error, match=message):
        paretofl.register_strategy(name, strategy)


@pytest.mark.parametrize("options, message", [({"decai": 1}, "decay"), ({"cohort_size": 99}, "cohort_size"), ({"solver": "min_nrm"}, "min_norm")])
def test_wrong_options_are_one_error(tmp_path, two_targets, options, message):
    with pytest.raises(paretofl.Error, match=message):
        paretofl.run(two_targets(), strategy={"name": "momentum_descent", **options}, rounds=1, directory=tmp_path / "run")
