"""Mixed precision, by the problem or by the module itself."""

import contextlib

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (Debian: python3-torch)")
from torch import nn  # noqa: E402

import paretofl  # noqa: E402
import paretofl.torch  # noqa: E402


class Network(nn.Module):
    """With a layer that is used four times. Mixed precision is by the problem, or by the module itself in one of three ways."""

    def __init__(self, by):
        super().__init__()
        torch.manual_seed(0)
        self.layer, self.out, self.by = nn.Linear(4, 4), nn.Linear(4, 2), by
        self.made_before = torch.autocast("cpu", torch.bfloat16)

    def forward(self, inputs):
        if self.by == "decorator":
            return self.decorated(inputs)
        with self.mixed():
            first = self.layer(self.layer(inputs)).tanh()
        with self.mixed():
            return self.ending(first)

    def mixed(self):
        return {"problem": contextlib.nullcontext(), "context": torch.autocast("cpu", torch.bfloat16), "object": self.made_before}[self.by]

    @torch.autocast("cpu", dtype=torch.bfloat16)
    def decorated(self, inputs):
        return self.ending(self.layer(self.layer(inputs)).tanh())

    def ending(self, first):
        return self.out(self.layer(self.layer(first)).tanh()).float()


BY = ["problem", "context", "decorator", "object"]


def problem(by):
    data = [(torch.randn(24, 4, generator=torch.Generator().manual_seed(k)),) for k in range(3)]
    losses = {"one": lambda outputs, batch: (outputs - 1).pow(2).mean(), "two": lambda outputs, batch: (outputs[:, 0] + 2).pow(2).mean()}
    return paretofl.torch.Problem(Network(by), losses, data, test=data[0], batch_size=8, dtype=torch.bfloat16 if by == "problem" else None)


class Drawn:
    step, seed = 0, 1234

    @staticmethod
    def minibatch(num_samples, batch_size):
        return np.arange(batch_size)


@pytest.mark.parametrize("by", BY)
def test_every_step_is_at_its_theta(by):
    mine = problem(by)
    theta, found = mine._initial(), []
    with mine._running():
        for shift in (0, 1):
            losses, rows = np.empty(2), np.empty((2, theta.size), np.float32)
            mine._jacobian(0, theta + np.float32(shift), Drawn, losses, rows)
            found.append(losses)
    alone = np.empty(2)
    with mine._running():
        mine._jacobian(0, theta + np.float32(1), Drawn, alone, rows)
    assert np.array_equal(found[1], alone) and not np.array_equal(found[0], alone)


@pytest.mark.parametrize("by", BY)
def test_threads_and_resuming_change_no_bit(tmp_path, by):
    def train(rounds, threads, **where):
        return paretofl.run(problem(by), rounds=rounds, threads=threads, progress=False, **where)

    strategy = {"name": "fedcmoo", "client_lr": 0.05}
    runs = [train(4, threads, strategy=strategy, directory=tmp_path / str(threads)) for threads in (1, 2)]
    train(2, 1, strategy=strategy, directory=tmp_path / "resumed")
    runs.append(train(4, 1, resume=tmp_path / "resumed"))
    assert len({run.summary["parameters_sha256"] for run in runs}) == 1
    assert runs[0].summary["test"] == runs[1].summary["test"] == runs[2].summary["test"]
