"""A resumed run notices other code and other data."""

import contextlib
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


def test_closures_partials_and_classes_count():
    def made(weight):
        return lambda x: weight * x

    class Loss:
        def __init__(self, factor):
            self.factor = factor

        def __call__(self, x):
            return self.factor * x

        def method(self, x):
            return x

    pairs = [(made(1), made(2)), (made(np.float32(1)), made(np.float32(2))), (made("a"), made("b")), (made(helper), made(original)),
             (functools.partial(original, power=2), functools.partial(original, power=3)), (Loss(1), original), (Loss(1).method, Loss(1)),
             (made((1, frozenset("ab"))), made((1, frozenset("ac")))), (made((helper, [])), made((original, [])))]
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


STATES = {
    "a default that is a dictionary": """
        def changed(x, cache={}):
            return cache.setdefault("first", x)
        def change():
            changed(1)
    """,
    "a default by keyword that is a list": """
        def changed(x, *, seen=[]):
            return len(seen)
        def change():
            changed.__kwdefaults__["seen"].append(1)
    """,
    "a global that another function sets": """
        BETA = 1.0
        def changed(x):
            return BETA * x
        def change():
            global BETA
            BETA = 0.5
    """,
    "a global that a method sets": """
        MODEL = None
        class Callback:
            @property
            def round(self):
                global MODEL
                MODEL = changed
        def changed(x):
            return MODEL
        def change():
            Callback().round
    """,
    "a global that a decorated function sets": """
        BETA = 1.0
        @plain_decorator
        def change():
            global BETA
            BETA = 0.5
        def changed(x):
            return BETA * x
    """,
    "a variable around it that its neighbour sets": """
        def make():
            beta = 1.0
            def loss(x):
                return beta * x
            def change():
                nonlocal beta
                beta = 0.5
            return loss, change
        changed, change = make()
    """,
    "an array around it": """
        def make():
            running = np.zeros(2)
            def loss(x):
                running[:] += 1
                return running
            return loss
        changed = make()
        def change():
            changed(1)
    """,
    "a global array": """
        WEIGHTS = np.zeros(2)
        def changed(x):
            return WEIGHTS * x
        def change():
            WEIGHTS[0] = 1
    """,
    "a counter of a class": """
        class changed:
            calls, made = 0, None
            def __call__(self, x):
                changed.calls += 1
            @classmethod
            def make(cls):
                cls.made = cls()
        def change():
            changed()(1)
            changed.make()
    """,
    "a dictionary of a class": """
        class changed:
            cache = {}
        def change():
            changed.cache[1] = 2
    """,
}


def plain_decorator(function):
    @functools.wraps(function)
    def wrapper(*arguments):
        return function(*arguments)

    return wrapper


@pytest.mark.parametrize("text", STATES.values(), ids=STATES)
def test_state_that_a_run_changes_does_not_count(text):
    space = {"__name__": "program", "np": np, "plain_decorator": plain_decorator}
    exec(textwrap.dedent(text), space)
    before = definition.digest_of(space["changed"])
    space["change"]()
    assert definition.digest_of(space["changed"]) == before


def test_a_local_variable_and_an_attribute_of_the_same_name_do_not_hide_a_global():
    text = """
        BETA = {}
        def changed(x):
            def inner():
                BETA = x.BETA = 1
                return BETA
            return BETA * inner()
    """
    assert digest_after(text.replace("{}", "1.0")) != digest_after(text.replace("{}", "2.0"))


def test_another_name_of_the_module_does_not_count():
    text = "class Config:\n    scale = 2\n    def use(self, x):\n        return x\ndef changed(x):\n    return Config().use(Config, x)"
    found = []
    for name in ("program", "train"):
        space = {"__name__": name}
        exec(text, space)
        found.append(definition.digest_of(space["changed"]))
        found.append(definition.digest_of(space["Config"]().use))
    assert found[:2] == found[2:]


def test_decorators_of_installed_packages_do_not_count(monkeypatch):
    def decorated(decorator_text, loss_text="return x"):
        installed = {"__name__": "installed_package", "functools": functools}
        exec(textwrap.dedent(decorator_text), installed)
        space = {"__name__": "program", "decorator": installed["decorator"]}
        exec(f"@decorator\ndef changed(x):\n    {loss_text}", space)
        return definition.digest_of(space["changed"])

    monkeypatch.setattr(definition, "is_users", lambda module: module != "installed_package")
    one = """
        def decorator(function):
            @functools.wraps(function)
            def wrapper(*arguments):
                return function(*arguments)
            return wrapper
    """
    other = one.replace("return function(", "print(1)\n                return function(")
    assert decorated(one) == decorated(other) != decorated(one, "return -x")
    assert decorated("decorator = functools.lru_cache(3)") != decorated("decorator = functools.lru_cache(3)", "return -x")


def test_arrays_of_other_packages_are_not_loaded():
    class Stored:
        def __array__(self, *arguments):
            loaded.append(self)
            return np.zeros(2)

    data, loaded = Stored(), []
    assert definition.digest_of(lambda x: data) and not loaded


def test_sets_and_recursive_functions_have_equal_digests_in_every_process():
    program = """
        from paretofl import definition
        def even(n):
            return n == 0 or odd(n - 1)
        def odd(n):
            return n in {"a", "b", "c", 3} or n != 0 and even(n - 1)
        class Own:
            names = frozenset(["x", "y", "z"])
            table = {name: 1 for name in {"x", "y", "z"}}
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
    with pytest.warns(UserWarning, match=r"began with, found others in: Targets\. The run continues with these\.$"):
        train(tmp_path / "run", 4, Targets(), resume=True)


class Watched(Targets):
    inside = False

    @contextlib.contextmanager
    def _running(self):
        with super()._running():
            self.inside = True
            yield
            self.inside = False

    def _sample_digests(self):
        return {"client 0": str(self.inside)}


def test_samples_are_looked_at_within_the_run(tmp_path):
    train(tmp_path / "run", 2, Watched())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        train(tmp_path / "run", 3, Watched(), resume=True)


class TwoOfOneName(Targets):
    def _parts(self):
        def made(text):
            space = {"__name__": __name__}
            exec(f"class Part:\n    def use(self):\n        return {text}", space)
            return space["Part"]

        return [("Part", made(text)) for text in self.texts]


def test_classes_of_one_name_are_all_compared(tmp_path):
    mine = TwoOfOneName()
    mine.texts = ["1", "2"]
    train(tmp_path / "run", 2, mine)
    mine.texts = ["2", "1"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        train(tmp_path / "run", 3, mine, resume=True)
    mine.texts = ["1", "3"]
    with pytest.warns(UserWarning, match="others in: Part"):
        train(tmp_path / "run", 4, mine, resume=True)


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
    with pytest.warns(UserWarning, match="others in: loss size\\."):
        train(tmp_path / "run", 4, torch_problem(scale=2.0), resume=True)
    with pytest.warns(UserWarning, match="others in: client 0\\."):
        train(tmp_path / "run", 5, torch_problem(seed=7), resume=True)


def test_a_resumed_sweep_notices_another_loss(tmp_path):
    arguments = dict(directory=tmp_path / "sweep", strategy="fedavg", rounds=2, threads=1)
    paretofl.sweep(torch_problem(), seeds=[1, 2], **arguments)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        paretofl.sweep(torch_problem(), directory=tmp_path / "sweep", seeds=[1, 2, 3], resume=True)
    with pytest.warns(UserWarning, match="others in: loss size\\."):
        paretofl.sweep(torch_problem(scale=2.0), directory=tmp_path / "sweep", seeds=[1, 2, 3, 4], resume=True)
    run = sorted((tmp_path / "sweep").glob("*/definition.json"))[0].parent
    with pytest.warns(UserWarning, match="others in: loss size\\."):
        paretofl.run(torch_problem(scale=2.0), resume=run, rounds=3, threads=1)


class Started(Targets):
    start = 0.0

    def initial_parameters(self):
        return np.full(2, self.start)


def test_other_initial_parameters_are_named(tmp_path, monkeypatch):
    train(tmp_path / "run", 2, Started())
    sweep = {"directory": tmp_path / "sweep", "seeds": [1], "progress": False}
    paretofl.sweep(Started(), strategy="fedcmoo", rounds=1, **sweep)
    monkeypatch.setattr(Started, "start", 1.0)
    with pytest.raises(paretofl.Error, match="^initial_parameters: expected those that the run in .*run began with, found others"):
        train(tmp_path / "run", 3, Started(), resume=True)
    with pytest.raises(paretofl.Error, match="^initial_parameters: expected those that the run in .*sweep.* began with, found others"):
        paretofl.sweep(Started(), resume=True, **sweep)
    monkeypatch.setattr(Started, "num_samples", lambda self, client: 2)
    with pytest.raises(paretofl.Error, match="fingerprint"):
        train(tmp_path / "run", 3, Started(), resume=True)
