"""Networks of convolutions in PyTorch's other memory format."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (Debian: python3-torch)")
from torch import nn  # noqa: E402

import paretofl  # noqa: E402
import paretofl.torch  # noqa: E402


class Images(nn.Module):
    def __init__(self, frozen):
        super().__init__()
        torch.manual_seed(0)
        self.first, self.second = nn.Conv2d(3, 8, 3), nn.Conv2d(8, 4, 3)
        self.out = nn.Linear(4, 3)
        self.first.requires_grad_(not frozen)

    def forward(self, images):
        hidden = nn.functional.max_pool2d(self.first(images), 2).relu()
        self.seen = hidden.is_contiguous(memory_format=torch.channels_last)
        return self.out(self.second(hidden).relu().mean((2, 3)))


def images(client, samples=32):
    generator = torch.Generator().manual_seed(client)
    labels = torch.randint(3, (samples,), generator=generator)
    pictures = torch.randn(samples, 3, 12, 12, generator=generator)
    pictures[torch.arange(samples), labels] += 1
    return pictures, labels


def problem(memory_format, frozen=False):
    losses = {"cross_entropy": lambda outputs, batch: nn.functional.cross_entropy(outputs, batch[1]), "size": lambda outputs, batch: outputs.pow(2).mean()}
    return paretofl.torch.Problem(Images(frozen), losses, [images(client) for client in range(3)], test=images(99), batch_size=8, memory_format=memory_format)


class Drawn:
    step, seed = 0, 1234

    @staticmethod
    def minibatch(num_samples, batch_size):
        return np.arange(batch_size)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("frozen", [False, True])
def test_gradients_are_those_of_the_usual_format_but_for_rounding(frozen):
    found = []
    for memory_format in (torch.contiguous_format, torch.channels_last):
        mine = problem(memory_format, frozen)
        theta = mine._initial() + 0.01
        losses, rows = np.empty(2), np.empty((2, theta.size), np.float32)
        with mine._running():
            mine._jacobian(0, theta, Drawn, losses, rows)
            assert mine._local.replica.module.seen == (memory_format == torch.channels_last)
        found.append((losses, rows))
    np.testing.assert_allclose(found[1][0], found[0][0], rtol=1e-5)
    np.testing.assert_allclose(found[1][1], found[0][1], atol=1e-6)
    assert np.any(found[0][1])


def test_threads_and_resuming_change_no_bit(tmp_path):
    def train(name, **arguments):
        arguments = {"strategy": "fedcmoo", "directory": tmp_path / name, **arguments} if "resume" not in arguments else arguments
        return paretofl.run(problem(torch.channels_last), **arguments)

    whole = train("whole", rounds=6, threads=1)
    assert train("threads", rounds=6, threads=3).summary["parameters_sha256"] == whole.summary["parameters_sha256"]
    train("part", rounds=3, threads=2)
    assert train("part", rounds=6, resume=tmp_path / "part").summary["parameters_sha256"] == whole.summary["parameters_sha256"]
    assert whole.model()(images(99)[0]).shape == (32, 3)
    untrained = problem(torch.channels_last)
    with untrained._running():
        assert whole.summary["test"]["loss"]["cross_entropy"] < untrained.evaluate(untrained._initial())["loss"][0]


def test_the_users_module_keeps_its_format(tmp_path):
    mine = problem(torch.channels_last, frozen=True)
    run = paretofl.run(mine, strategy="fedavg", rounds=1, directory=tmp_path / "run")
    for model in (mine._model, run.model()):
        assert all(parameter.is_contiguous() for parameter in model.parameters())
    assert torch.equal(run.model().first.weight, mine._model.first.weight)
