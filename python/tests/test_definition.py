"""A resumed run notices other code and other data."""

import functools
import random
import subprocess
import sys
import textwrap
import warnings

import numpy as np
import pytest

import paretofl
from paretofl import definition

SCALE = 2.0
HISTORY = []
CALLS = 0


def helper(x):
    return x * SCALE


def original(x, power=2):
    """Says something."""
    HISTORY.append(x)
    scaled = helper(x)
    return scaled**power


def digest_after(text, name="changed"):
    """The digest of a function that this text defines, as if it stood in this module."""
    space = {"__name__": __name__, "SCALE": SCALE, "HISTORY": HISTORY, "helper": helper, "functools": functools, "np": np}
    exec(textwrap.dedent(text), space)
    return definition.digest_of(space[name])


def test_what_changes_no_result_changes_no_digest():
    before = definition.digest_of(original)
    assert digest_after('''
        # A comment, another name of a variable and another sentence.
        def changed(y, power=2):
            """Says something else."""
            HISTORY.append(y)

            larger = helper(y)
            return larger**power
    ''') == before
    HISTORY.append(1)
    assert definition.digest_of(original) == before


@pytest.mark.parametrize("text", [
    "def changed(x, power=3):\n    HISTORY.append(x)\n    scaled = helper(x)\n    return scaled**power",
    "def changed(x, power=2):\n    HISTORY.append(x)\n    scaled = helper(x)\n    return scaled**power + 1",
    "def changed(x, power=2):\n    HISTORY.append(x)\n    scaled = helper(x)\n    return scaled*power",
    "def helper(x):\n    return x + SCALE\ndef changed(x, power=2):\n    HISTORY.append(x)\n    scaled = helper(x)\n    return scaled**power",
    "SCALE = 3.0\ndef helper(x):\n    return x * SCALE\ndef changed(x, power=2):\n    HISTORY.append(x)\n    scaled = helper(x)\n    return scaled**power",
])
def test_another_function_has_another_digest(text):
    assert digest_after(text) != definition.digest_of(original)


def test_closures_partials_classes_and_arrays_count():
    def made(weight):
        return lambda x: weight * x

    class Loss:
        def __init__(self, weight):
            self.weight = weight

        def __call__(self, x):
            return self.weight * x

        def method(self, x):
            return x

    pairs = [(made(1), made(2)), (made(np.ones(2)), made(np.zeros(2))), (made("a"), made("b")), (made(helper), made(original)),
             (functools.partial(original, power=2), functools.partial(original, power=3)), (Loss(1), original), (Loss(1).method, Loss(1))]
    for one, other in pairs:
        assert definition.digest_of(one) == definition.digest_of(one) != definition.digest_of(other)
    assert definition.digest_of(made(1)) == definition.digest_of(made(1))


def test_a_counter_of_the_function_does_not_count():
    def counting():
        global CALLS
        CALLS += 1

    before = definition.digest_of(counting)
    counting()
    assert definition.digest_of(counting) == before


def test_sets_and_recursive_functions_have_equal_digests_in_every_process():
    program = """
        from paretofl import definition
        def even(n):
            return n == 0 or odd(n - 1)
        def odd(n):
            return n in {"a", "b", "c", 3} or n != 0 and even(n - 1)
        class Own:
            names = frozenset(["x", "y", "z"])
            def use(self):
                return Own, even
        print(definition.digest_of(even), definition.digest_of(Own))
    """
    found = {subprocess.run([sys.executable, "-c", textwrap.dedent(program)], env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
                            capture_output=True, text=True, check=True).stdout for seed in ("1", "2", "3")}
    assert len(found) == 1


class Targets(paretofl.Problem):
    weight = 1.0

    def num_clients(self):
        return 2

    def objectives(self):
        return ["first", "second"]

    def initial_parameters(self):
        return np.zeros(2)

    def gradients(self, client, theta, draw):
        distance = theta - np.eye(2)
        return 0.5 * (distance**2).sum(axis=1), self.weight * distance


def train(directory, rounds, problem, resume=False):
    where = {"resume": directory} if resume else {"directory": directory, "strategy": "fedcmoo"}
    return paretofl.run(problem, rounds=rounds, progress=False, **where)


def test_another_class_of_the_same_name_warns(tmp_path, monkeypatch):
    train(tmp_path / "run", 2, Targets())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        train(tmp_path / "run", 3, Targets(), resume=True)
    monkeypatch.setattr(Targets, "weight", 2.0)
    with pytest.warns(UserWarning, match=r"these parts of it are others: .*test_definition.Targets$"):
        train(tmp_path / "run", 4, Targets(), resume=True)


def test_another_python_or_a_damaged_file_does_not_warn(tmp_path, monkeypatch):
    train(tmp_path / "run", 2, Targets())
    file = tmp_path / "run" / definition.FILE
    monkeypatch.setattr(Targets, "weight", 2.0)
    text = file.read_text()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for rounds, content in enumerate([text.replace('"python": "', '"python": "f'), text[:40], "[1]", '{"python": 1, "code": [1], "samples": {}}'], 3):
            file.write_text(content)
            train(tmp_path / "run", rounds, Targets(), resume=True)
        file.unlink()
        train(tmp_path / "run", 7, Targets(), resume=True)


class Items:
    """Not a tensor: items with random numbers of PyTorch's, and of NumPy's and Python's in the test data alone, which steps do not see."""

    def __init__(self, seed):
        self.seed = seed

    def __len__(self):
        return 9

    def __getitem__(self, index):
        import torch

        number = torch.randn(3, generator=torch.Generator().manual_seed(100 * self.seed + index))
        noise = np.random.rand() + random.random() if self.seed == 3 else 0.0
        return {"x": number + 0.01 * torch.rand(3) + 0.01 * noise, "name": f"item {index}"}


def torch_problem(seed=1, scale=1.0):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed (Debian: python3-torch)")
    import paretofl.torch

    torch.manual_seed(0)
    losses = {"size": lambda outputs, batch: scale * outputs.pow(2).mean(), "sum": lambda outputs, batch: outputs.sum() ** 2}
    return paretofl.torch.Problem(torch.nn.Linear(3, 2), losses, [Items(seed), Items(2)], test=Items(3), batch_size=4,
                                  forward=lambda module, batch: module(batch["x"]))


def test_another_loss_and_other_items_warn(tmp_path):
    train(tmp_path / "run", 2, torch_problem())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        train(tmp_path / "run", 3, torch_problem(), resume=True)
    with pytest.warns(UserWarning, match="others: loss size$"):
        train(tmp_path / "run", 4, torch_problem(scale=2.0), resume=True)
    with pytest.warns(UserWarning, match="others: client 0$"):
        train(tmp_path / "run", 5, torch_problem(seed=7), resume=True)
