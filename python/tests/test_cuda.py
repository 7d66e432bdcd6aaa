"""Problems on a GPU. Without one these tests are skipped."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (Debian: python3-torch)")
if not torch.cuda.is_available():
    pytest.skip("no GPU: problems on CUDA are not tested", allow_module_level=True)

from torch import nn  # noqa: E402

import paretofl  # noqa: E402
import paretofl.torch  # noqa: E402


class Network(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(1, 16, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Dropout(dropout), nn.Linear(16 * 49, 64), nn.ReLU())
        self.parity, self.size = nn.Linear(64, 2), nn.Linear(64, 1)

    def forward(self, inputs):
        hidden = self.body(inputs)
        return self.parity(hidden), self.size(hidden)


def samples(client, count=200):
    inputs = torch.randn(count, 1, 16, 16, generator=torch.Generator().manual_seed(client))
    return inputs, (inputs.mean(dim=(1, 2, 3)) > 0).long(), inputs.amax(dim=(1, 2, 3))[:, None]


def make_problem(device="cuda", dropout=0.0, **options):
    torch.manual_seed(3)
    return paretofl.torch.Problem(
        Network(dropout), {"parity": lambda outputs, batch: nn.functional.cross_entropy(outputs[0], batch[1]),
                           "size": lambda outputs, batch: nn.functional.mse_loss(outputs[1], batch[2])},
        [samples(client) for client in range(4)], test=samples(9), heads={"parity": "parity", "size": "size"}, device=device, **options)


class Drawn:
    step, seed = 0, 1234

    @staticmethod
    def minibatch(num_samples, batch_size):
        return np.arange(batch_size)


def jacobian(problem):
    theta = problem._initial()
    losses, rows = np.empty(2), np.empty((2, theta.size), np.float32)
    problem._jacobian(0, theta, Drawn, losses, rows)
    return losses, rows


def test_gradients_are_the_cpus():
    allowed = torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32
    torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = False
    try:
        for here, there in zip(jacobian(make_problem("cpu")), jacobian(make_problem("cuda"))):
            np.testing.assert_allclose(there, here, rtol=1e-3, atol=1e-5)
    finally:
        torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32 = allowed


@pytest.mark.parametrize("strategy", ["fedcmoo", "fedavg", "fedpref"])
@pytest.mark.parametrize("dropout", [0.0, 0.5])
def test_bits_with_any_number_of_threads_and_after_resuming(tmp_path, strategy, dropout):
    shas = {paretofl.run(make_problem(dropout=dropout), strategy=strategy, rounds=6, threads=threads, directory=tmp_path / str(threads))
            .summary["parameters_sha256"] for threads in (1, 4)}
    paretofl.run(make_problem(dropout=dropout), strategy=strategy, rounds=3, directory=tmp_path / "part")
    shas.add(paretofl.run(make_problem(dropout=dropout), resume=tmp_path / "part", rounds=6).summary["parameters_sha256"])
    assert len(shas) == 1


@pytest.mark.parametrize("options", [{}, {"dtype": torch.bfloat16}])
def test_training_learns(tmp_path, options):
    problem = make_problem(**options)
    before = problem.evaluate(problem._initial())["loss"]
    run = paretofl.run(problem, strategy={"name": "fedcmoo", "client_lr": 0.1}, rounds=40, directory=tmp_path / "run")
    after = list(run.summary["test"]["loss"].values())
    assert after[1] < 0.5 * before[1] and not any(row["failures"] for row in run.metrics)
    assert next(run.model().parameters()).device.type == "cpu"


def test_buffers_are_measured_on_the_gpu(tmp_path):
    torch.manual_seed(1)
    model = nn.Sequential(nn.Flatten(), nn.BatchNorm1d(256), nn.Linear(256, 1))
    problem = paretofl.torch.Problem(model, {"size": lambda outputs, batch: nn.functional.mse_loss(outputs, batch[2])},
                                     [samples(client) for client in range(2)], test=samples(9), buffers="average", device="cuda")
    run = paretofl.run(problem, strategy="fedavg", rounds=3, directory=tmp_path / "run")
    inputs, _, size = samples(9)
    with torch.no_grad():
        loss = float(nn.functional.mse_loss(run.model().eval()(inputs), size))
    assert loss == pytest.approx(run.summary["test"]["loss"]["size"], rel=2e-3)
