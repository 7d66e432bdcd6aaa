"""Problems whose module a function makes."""

import itertools

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (Debian: python3-torch)")
from torch import nn  # noqa: E402

import paretofl  # noqa: E402
import paretofl.torch  # noqa: E402


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.frozen = nn.Linear(6, 8).requires_grad_(False)
        self.body = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU())
        self.sign, self.sum = nn.Linear(16, 2), nn.Linear(16, 1)

    def forward(self, inputs):
        hidden = self.body(self.frozen(inputs))
        return self.sign(hidden), self.sum(hidden)


def client_data(client, samples=40):
    generator = torch.Generator().manual_seed(client)
    inputs = torch.randn(samples, 6, generator=generator)
    return inputs, (inputs[:, 0] > 0).long(), inputs[:, 1:2] - inputs[:, 2:3]


LOSSES = {"sign": lambda outputs, batch: nn.functional.cross_entropy(outputs[0], batch[1]),
          "sum": lambda outputs, batch: nn.functional.mse_loss(outputs[1], batch[2])}


def problem(model):
    return paretofl.torch.Problem(model, LOSSES, [client_data(client) for client in range(3)], test=client_data(99), batch_size=8, buffers="average",
                                  heads={"sign": "sign", "sum": "sum"})


def made_with_seed(seed):
    torch.manual_seed(seed)
    return Network()


@pytest.mark.parametrize("threads", [1, 2])
def test_a_run_has_the_bits_of_the_same_module(tmp_path, threads):
    given, made = [paretofl.run(problem(model), strategy="fedcmoo", rounds=3, seed=4, threads=threads, directory=tmp_path / name)
                   for name, model in [("given", made_with_seed(3)), ("made", lambda: made_with_seed(3))]]
    assert given.summary["parameters_sha256"] == made.summary["parameters_sha256"]
    for (name, tensor), other in zip(given.model().state_dict().items(), made.model().state_dict().values()):
        assert torch.equal(tensor, other), name
    again = paretofl.run(problem(lambda: made_with_seed(3)), rounds=4, resume=tmp_path / "made")
    whole = paretofl.run(problem(made_with_seed(3)), strategy="fedcmoo", rounds=4, seed=4, directory=tmp_path / "whole")
    assert again.summary["parameters_sha256"] == whole.summary["parameters_sha256"]


def test_no_trainable_parameters_are_kept():
    mine = problem(Network)
    kept = {name: parameter.stride() for name, parameter in mine._model.named_parameters()}
    assert all(set(stride) == {0} for name, stride in kept.items() if not name.startswith("frozen")), kept
    assert kept["frozen.weight"] == (6, 1)
    assert np.abs(mine._initial()).min() == 0 and np.abs(mine._initial()).max() > 0.1  # biases of batch normalization are 0, its weights 1


def test_the_function_is_called_with_a_seed_and_leaves_the_callers_generator_alone():
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    one, other = problem(Network), problem(Network)
    assert torch.equal(torch.rand(3), expected)
    np.testing.assert_array_equal(one._initial(), other._initial())


def with_a_state():
    seeds = itertools.count()
    return lambda: made_with_seed(next(seeds))


def test_a_function_that_makes_other_numbers_is_one_error(tmp_path):
    with pytest.raises(paretofl.Error, match="model: expected a function that makes the same module whenever it is called, found other parameters"):
        paretofl.run(problem(with_a_state()), strategy="fedavg", rounds=1, directory=tmp_path / "run")


@pytest.mark.parametrize("make, message", [
    (lambda: 3, "model: expected a function that returns a torch.nn.Module, found that it returns int"),
    (lambda size: nn.Linear(size, 1), "model: expected a function that makes a torch.nn.Module, found TypeError"),
    (lambda: nn.Linear(6, 1).double(), "model: expected float32 parameters, found torch.float64 for weight"),
    (lambda: nn.Linear(6, 1).requires_grad_(False), "model: expected parameters that need gradients, found none"),
])
def test_wrong_functions_are_one_error(make, message):
    with pytest.raises(paretofl.Error, match=message):
        paretofl.torch.Problem(make, LOSSES, [client_data(0)])
