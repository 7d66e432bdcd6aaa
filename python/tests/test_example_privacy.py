"""Noise that hides single examples, in problems of PyTorch's and of Python's."""

import numpy as np
import pytest

import paretofl

HIDDEN = {"privacy.example_clip": 0.5, "privacy.example_noise_multiplier": 1.1, "privacy.example_rate": 0.2}


class Rows(paretofl.Problem):
    """Least squares on rows of each client: the mean over a minibatch of squared distances to them, and half of it as a second objective."""

    single_samples = True

    def __init__(self, rows=20):
        self.rows = np.random.default_rng(3).normal(size=(3, rows, 4)) * 3
        self.asked = []

    def num_clients(self):
        return 3

    def num_samples(self, client):
        return len(self.rows[client])

    def objectives(self):
        return ["whole", "half"]

    def initial_parameters(self):
        return np.zeros(4, np.float32)

    def gradients(self, client, theta, draw):
        chosen = draw.minibatch(len(self.rows[client]), 5)
        self.asked.append((client, len(chosen), draw.seed))
        distance = theta - self.rows[client][chosen]
        loss, gradient = 0.5 * (distance**2).sum(axis=1).mean(), distance.mean(axis=0)
        return [loss, loss / 2], np.stack([gradient, gradient / 2])


def clipped(vector, bound):
    return vector * min(1, bound / np.linalg.norm(vector))


def test_a_step_is_the_mean_of_clipped_gradients(tmp_path):
    problem = Rows()
    run = paretofl.run(problem, strategy={"name": "fedavg", "cohort_size": 3, "local_steps": 1, "client_lr": 0.1, "objective_weights": [1, 0]},
                       rounds=1, options={"privacy.example_clip": 0.5, "privacy.example_rate": 1}, directory=tmp_path / "run")
    expected = [0.1 * np.mean([clipped(row, 0.5) for row in rows], axis=0) for rows in problem.rows]
    np.testing.assert_allclose(run.parameters, np.mean(expected, axis=0), atol=1e-7)
    assert {count for _, count, _ in problem.asked} == {1} and len({seed for _, _, seed in problem.asked}) == 60


def test_epsilon_is_that_of_all_gradients(tmp_path):
    run = paretofl.run(Rows(), strategy={"name": "fedcmoo", "cohort_size": 3, "local_steps": 4, "compressor": "exact"}, rounds=3, options=HIDDEN,
                       directory=tmp_path / "run")
    assert run.summary["privacy_unit"] == "example"
    stated = paretofl.epsilon(noise_multiplier=1.1, sampling_rate=0.2, rounds=3 * (2 + 3), delta=1e-5, accountant="rdp")
    assert run.summary["epsilon"] == pytest.approx(stated, rel=1e-9)


@pytest.mark.parametrize("single", [False, True])
def test_only_problems_that_say_so_train(tmp_path, single):
    problem = Rows()
    problem.single_samples = single
    if single:
        problem.num_samples = lambda client: 20.5
    expected = "num_samples: expected whole numbers" if single else "expected a workload whose gradients are means over the samples"
    with pytest.raises(paretofl.Error, match=expected):
        paretofl.run(problem, strategy="fedavg", rounds=1, options=HIDDEN, directory=tmp_path / "run")
    assert not (tmp_path / "run").exists()


torch = pytest.importorskip("torch")
import paretofl.torch  # noqa: E402


def module_data():
    return [tuple(torch.randn(12, width, generator=torch.Generator().manual_seed(9 * width + client)) for width in (4, 2)) for client in range(2)]


def make_module_problem(buffers="refuse", dropout=0.0, batch_norm=False):
    torch.manual_seed(1)
    layers = [torch.nn.Linear(4, 6), torch.nn.Tanh(), torch.nn.Dropout(dropout), torch.nn.Linear(6, 2)]
    if batch_norm:
        layers.insert(1, torch.nn.BatchNorm1d(6))
    losses = {name: lambda outputs, batch, k=k: torch.nn.functional.mse_loss(outputs[:, k], batch[1][:, k]) for k, name in enumerate("ab")}
    return paretofl.torch.Problem(torch.nn.Sequential(*layers), losses, module_data(), buffers=buffers, batch_size=4)


def test_a_module_steps_along_its_samples_clipped_gradients(tmp_path):
    problem = make_module_problem()
    theta = problem._initial().copy()
    run = paretofl.run(problem, strategy={"name": "fsmgda", "cohort_size": 2, "local_steps": 1, "client_lr": 1.0, "server_lr": 1.0,
                                          "solver": {"name": "fixed", "objective_weights": [0.25, 0.75]}},
                       rounds=1, options={"privacy.example_clip": 0.1, "privacy.example_rate": 1}, directory=tmp_path / "run")
    expected = np.zeros_like(theta, dtype=np.float64)
    for inputs, targets in module_data():
        for i in range(12):
            for k, weight in enumerate([0.25, 0.75]):
                module = problem.module(theta)
                parameters = list(module.parameters())
                gradients = torch.autograd.grad((module(inputs[i : i + 1])[0, k] - targets[i, k]) ** 2, parameters)
                flat = torch.cat([gradient.ravel() for gradient in gradients]).double().numpy()
                expected += weight * clipped(flat, 0.1) / 12 / 2
    np.testing.assert_allclose(theta - run.parameters, expected, atol=2e-6)


def test_a_module_has_the_same_bits_with_any_number_of_threads(tmp_path):
    shas = {paretofl.run(make_module_problem(dropout=0.3), strategy="firm", rounds=2, options=HIDDEN, threads=threads,
                         directory=tmp_path / str(threads)).summary["parameters_sha256"] for threads in (1, 2)}
    assert len(shas) == 1


def test_statistics_of_batches_are_refused(tmp_path):
    with pytest.raises(paretofl.Error, match="expected a workload whose gradients are means over the samples"):
        paretofl.run(make_module_problem("average", batch_norm=True), strategy="fedavg", rounds=1, options=HIDDEN, directory=tmp_path / "run")
