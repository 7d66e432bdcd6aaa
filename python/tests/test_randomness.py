"""Random numbers of a step: the draw's, from a generator of its own where that is possible."""

import random
import threading

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (Debian: python3-torch)")
from torch import nn  # noqa: E402
from torch.nn import functional  # noqa: E402
from torch.utils.checkpoint import checkpoint  # noqa: E402

import paretofl  # noqa: E402
import paretofl.torch  # noqa: E402

DRAWS = {
    "dropout": lambda hidden: functional.dropout(hidden, 0.3),
    "inplace": lambda hidden: functional.dropout(hidden * 1, 0.3, inplace=True),
    "torch.dropout": lambda hidden: torch.dropout(hidden, 0.3, True),
    "dropout2d": lambda hidden: functional.dropout2d(hidden.view(-1, 4, 2, 2), 0.3).view(-1, 16),
    "dropout3d": lambda hidden: functional.dropout3d(hidden.view(-1, 4, 1, 2, 2), 0.3).view(-1, 16),
    "rand": lambda hidden: hidden + torch.rand(16),
    "randn": lambda hidden: hidden + torch.randn(16),
    "randint": lambda hidden: hidden + torch.randint(0, 5, (16,)),
    "randperm": lambda hidden: hidden[:, torch.randperm(16)],
    "normal": lambda hidden: hidden + torch.normal(0.0, 1.0, (16,)),
    "bernoulli": lambda hidden: hidden * torch.bernoulli(torch.full((16,), 0.5)),
    "multinomial": lambda hidden: hidden[:, torch.multinomial(torch.ones(16), 16)],
    "rand_like": lambda hidden: hidden + torch.rand_like(hidden),
    "randn_like": lambda hidden: hidden + torch.randn_like(hidden, dtype=torch.float64).float(),
    "randint_like": lambda hidden: hidden + torch.randint_like(hidden, 5) + torch.randint_like(hidden, 2, 4),
    "randint_like by name": lambda hidden: hidden + torch.randint_like(hidden, high=5) + torch.randint_like(hidden, low=2, high=4),
    "uniform_": lambda hidden: hidden + torch.empty(16).uniform_(-1, 1),
    "normal_": lambda hidden: hidden + hidden.detach().new_zeros(16).normal_(),
    "bernoulli_": lambda hidden: hidden * torch.empty(16).bernoulli_(0.5),
    "exponential_": lambda hidden: hidden + torch.empty(16).exponential_(),
    "random_": lambda hidden: hidden + torch.empty(16).random_(3),
}
SHARED = {
    "alpha_dropout": lambda hidden: functional.alpha_dropout(hidden, 0.3, True),
    "checkpoint": lambda hidden: checkpoint(lambda inputs: functional.dropout(inputs, 0.5).tanh(), hidden),
    "a fixed mask": lambda hidden: hidden * fixed_mask(),
    "forked": lambda hidden: forked(lambda: functional.alpha_dropout(hidden, 0.3, True)),
    "gumbel_softmax": lambda hidden: functional.gumbel_softmax(hidden),
    "numpy": lambda hidden: hidden + float(np.random.random()),
    "python": lambda hidden: hidden + random.random(),
}


def fixed_mask():
    with torch.random.fork_rng():
        torch.manual_seed(5)
        return torch.rand(16)


def forked(draw):
    with torch.random.fork_rng():
        return draw()


class Network(nn.Module):
    def __init__(self, draw):
        super().__init__()
        self.body, self.head, self.draw = nn.Linear(6, 16), nn.Linear(16, 2), draw

    def forward(self, inputs):
        hidden = self.body(inputs)
        return self.head(self.draw(hidden) if self.training else hidden)


def problem(draw, clients=2, **changes):
    torch.manual_seed(0)
    data = [(torch.randn(24, 6), torch.randn(24, 2)) for _ in range(clients)]
    losses = {f"output{k}": lambda outputs, batch, k=k: functional.mse_loss(outputs[:, k], batch[1][:, k]) for k in range(2)}
    return paretofl.torch.Problem(Network(draw), losses, data, batch_size=8, **changes)


class Drawn:
    step, seed = 0, 1234

    @staticmethod
    def minibatch(num_samples, batch_size):
        return np.arange(batch_size)


def jacobian_of(problem, draw=Drawn):
    theta = problem._initial().copy()
    losses, rows = np.empty(2), np.empty((2, theta.size), np.float32)
    problem._jacobian(0, theta, draw, losses, rows)
    return rows


def train(problem, directory, **arguments):
    return paretofl.run(problem, strategy={"name": "fedavg", "local_steps": 3}, rounds=2, directory=directory, **arguments).summary["parameters_sha256"]


@pytest.mark.parametrize("name", DRAWS)
def test_a_generator_of_ones_own_gives_the_bits_that_the_shared_one_would(name):
    own, shared = problem(DRAWS[name]), problem(DRAWS[name], random=True)
    assert own._randomness.way == "own" and shared._randomness.way == "shared"
    state = torch.get_rng_state()
    rows = jacobian_of(own)
    np.testing.assert_array_equal(rows, jacobian_of(shared))
    np.testing.assert_array_equal(rows, jacobian_of(own))
    assert np.any(rows != jacobian_of(own, type("Other", (Drawn,), {"seed": 99})))
    assert torch.equal(state, torch.get_rng_state())


@pytest.mark.parametrize("name", SHARED)
def test_functions_that_take_no_generator_have_the_shared_ones_seeded(name, tmp_path):
    mine = problem(SHARED[name])
    assert mine._randomness.way == "shared"
    np.testing.assert_array_equal(jacobian_of(mine), jacobian_of(problem(SHARED[name], random=True)))
    np.testing.assert_array_equal(jacobian_of(mine), jacobian_of(mine))
    assert train(mine, tmp_path / "two", threads=2) == train(mine, tmp_path / "one", threads=1)


def test_a_generator_that_the_module_brings_is_left_alone():
    mine = problem(lambda hidden: hidden + torch.rand(16, generator=torch.Generator().manual_seed(5)))
    assert mine._randomness.way == "none"


@pytest.mark.parametrize("draw", [DRAWS["dropout"], lambda hidden: hidden], ids=["dropout", "none"])
def test_steps_with_dropout_run_at_the_same_time(draw, tmp_path):
    both, trained = threading.Barrier(2), False

    def met(hidden):
        if trained:
            both.wait(timeout=60)  # broken, and the clients failed, if one step waited for the other
        return draw(hidden)

    mine = problem(met)
    trained = True
    assert train(mine, tmp_path / "met", threads=2) == train(problem(draw), tmp_path / "alone", threads=1)
    assert both.broken is False


def test_a_step_that_draws_though_the_first_did_not_is_an_error():
    steps = []

    def sometimes(hidden):
        steps.append(1)
        return hidden + torch.rand(16) if len(steps) > 2 else hidden

    mine = problem(sometimes)
    with pytest.raises(paretofl.Error, match="random=True"):
        jacobian_of(mine)
    with pytest.raises(paretofl.Error, match="random=True"):
        problem(DRAWS["dropout"], random=False)


@pytest.mark.parametrize("name", ["dropout", "none", "numpy"])
def test_what_callbacks_and_metrics_draw_is_not_the_steps(tmp_path, name):
    def drawing(*_):
        return [float(torch.rand(1)), random.random() + float(np.random.random())]

    def run_all(directory, jobs, callbacks):
        mine = problem({**DRAWS, **SHARED, "none": lambda hidden: hidden}[name], clients=4, test=(torch.randn(9, 6), torch.randn(9, 2)), metrics={"drawn": drawing})
        sweep = paretofl.sweep(mine, strategy={"name": "fedavg", "local_steps": 3}, rounds=6, seeds=[1, 2, 3, 4], jobs=jobs, threads=1,
                               directory=directory, callbacks=callbacks)
        assert not any(row["failures"] for run in sweep.runs for row in run.metrics)
        return [run.summary["parameters_sha256"] for run in sweep.runs]

    assert run_all(tmp_path / "together", 2, drawing) == run_all(tmp_path / "alone", 1, None)
