"""Modules whose buffers training changes."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch import nn

import paretofl
import paretofl.torch


def samples(client, count=70):
    generator = torch.Generator().manual_seed(client)
    inputs = torch.randn(count, 5, generator=generator) * (1 + client) + client
    return inputs, (inputs[:, 0] > client).long(), inputs[:, 1:2]


def make_problem(buffers="average", dropout=0.0, **options):
    torch.manual_seed(3)
    model = nn.Sequential(nn.BatchNorm1d(5), nn.Linear(5, 8), nn.ReLU(), nn.Dropout(dropout), nn.BatchNorm1d(8), nn.Linear(8, 3))
    return paretofl.torch.Problem(
        model, {"sign": lambda outputs, batch: nn.functional.cross_entropy(outputs[:, :2], batch[1]),
                "value": lambda outputs, batch: nn.functional.mse_loss(outputs[:, 2:], batch[2])},
        [samples(client) for client in range(3)], test=samples(7), buffers=buffers, batch_size=16, **options)


def test_batch_normalization_is_refused_unless_somebody_chooses():
    with pytest.raises(paretofl.Error, match="0.running_mean.*and 2 more"):
        make_problem("refuse")
    with pytest.raises(paretofl.Error, match="buffers: expected one of"):
        make_problem("global")


def test_averages_are_those_of_the_clients_statistics():
    problem = make_problem()
    theta = problem._initial()
    averaged = problem.module(theta).state_dict()["0.running_mean"].double().numpy()
    means = []
    for client in range(3):
        order = torch.randperm(70, generator=torch.Generator().manual_seed(client))[:64]  # four whole minibatches of 16
        means.append(samples(client)[0][order].double().mean(dim=0).numpy())
    np.testing.assert_allclose(averaged, np.mean(means, axis=0), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("dropout", [0.0, 0.3])
def test_bits_with_any_number_of_threads_and_after_resuming(tmp_path, dropout):
    shas = []
    for threads in (1, 2):
        run = paretofl.run(make_problem(dropout=dropout), strategy="fedcmoo", rounds=4, threads=threads, directory=tmp_path / str(threads))
        shas.append((run.summary["parameters_sha256"], run.summary["test"]))
    paretofl.run(make_problem(dropout=dropout), strategy="fedcmoo", rounds=2, directory=tmp_path / "part")
    resumed = paretofl.run(make_problem(dropout=dropout), resume=tmp_path / "part", rounds=4)
    assert shas[0] == shas[1] == (resumed.summary["parameters_sha256"], resumed.summary["test"])


def test_the_model_that_comes_back_has_the_figures_of_the_run(tmp_path):
    problem = make_problem()
    run = paretofl.run(problem, strategy={"name": "fedavg", "client_lr": 0.05}, rounds=30, directory=tmp_path / "run")
    model = run.model().eval()
    inputs, sign, value = samples(7)
    with torch.no_grad():
        outputs = model(inputs)
    assert float(nn.functional.cross_entropy(outputs[:, :2], sign)) == pytest.approx(run.summary["test"]["loss"]["sign"], rel=1e-5)
    assert float(nn.functional.mse_loss(outputs[:, 2:], value)) == pytest.approx(run.summary["test"]["loss"]["value"], rel=1e-5)
    assert run.summary["test"]["loss"]["value"] < 0.5 * problem.evaluate(problem._initial())["loss"][1]


def test_local_buffers_belong_to_their_clients(tmp_path):
    problem = make_problem("local")
    run = paretofl.run(problem, strategy="fedavg", rounds=3, directory=tmp_path / "run")
    with pytest.raises(paretofl.Error, match="client=NUMBER"):
        run.model()
    inputs, _, value = samples(7)
    with torch.no_grad():
        losses = [float(nn.functional.mse_loss(run.model(client).eval()(inputs)[:, 2:], value)) for client in range(3)]
    assert len(set(losses)) == 3 and np.mean(losses) == pytest.approx(run.summary["test"]["loss"]["value"], rel=1e-5)


def test_a_personalized_model_is_evaluated_with_its_clients_buffers(tmp_path):
    run = paretofl.run(make_problem("local"), strategy="no_communication", rounds=3, directory=tmp_path / "run")
    inputs, _, value = samples(7)
    for client in range(3):
        with torch.no_grad():
            loss = float(nn.functional.mse_loss(run.model(client).eval()(inputs)[:, 2:], value))
        assert loss == pytest.approx(run.summary["clients"]["loss"][client][1], rel=1e-5)


def test_a_module_with_frozen_statistics_needs_no_choice(tmp_path):
    class Frozen(nn.Sequential):
        def train(self, mode=True):
            super().train(mode)
            self[0].eval()
            return self

    problem = paretofl.torch.Problem(Frozen(nn.BatchNorm1d(5), nn.Linear(5, 1)), {"value": lambda outputs, batch: nn.functional.mse_loss(outputs, batch[2])},
                                     [samples(client) for client in range(2)])
    assert paretofl.run(problem, strategy="fedavg", rounds=1, directory=tmp_path / "run").parameters.shape == (16,)


@pytest.mark.parametrize("policy", ["average", "local"])
def test_a_client_whose_samples_are_too_few_for_statistics_is_named(tmp_path, policy):
    few = [(torch.randn(20, 3), torch.randn(20, 1)), (torch.randn(1, 3), torch.randn(1, 1))]
    model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))
    problem = paretofl.torch.Problem(model, {"loss": lambda outputs, batch: (outputs - batch[1]).square().mean()}, few, test=few[0], buffers=policy)
    with pytest.raises(paretofl.Error, match="client 1: expected samples on which the model's buffers can be measured, found ValueError: Expected more than 1"):
        paretofl.run(problem, strategy="fedavg", rounds=1, directory=tmp_path / "run", options={"min_reply_fraction": 0.5})


def test_buffers_that_are_no_numbers_are_no_change():
    model = nn.Linear(3, 1)
    model.register_buffer("unknown", torch.tensor([float("nan"), float("inf"), 1.0]))
    paretofl.torch.Problem(model, {"loss": lambda outputs, batch: outputs.square().mean()}, [(torch.randn(20, 3),)])


class Pretrained(nn.Module):
    """Normalizes by a layer that has seen other data, twice where it says so."""

    def __init__(self, norm, begun, calls=1):
        super().__init__()
        torch.manual_seed(3)
        self.norm, self.unused, self.linear, self.calls = norm, nn.BatchNorm1d(5), nn.Linear(5, 1), calls
        for layer in (self.norm, self.unused):
            layer.running_mean.fill_(40.0)
            layer.running_var.fill_(begun)
            layer.num_batches_tracked.fill_(1000)

    def forward(self, inputs):
        for _ in range(self.calls):
            outputs = self.norm(inputs.T[None])[0].T if isinstance(self.norm, nn.InstanceNorm1d) else self.norm(inputs)
        return self.linear(outputs)


def statistics(norm, begun, policy, calls=1):
    problem = paretofl.torch.Problem(Pretrained(norm, begun, calls), {"value": lambda outputs, batch: nn.functional.mse_loss(outputs, batch[2])},
                                     [samples(client) for client in range(2)], buffers=policy, batch_size=16)
    return problem.module(problem._initial(), client=0 if policy == "local" else None)


@pytest.mark.parametrize("begun", [7.0, float("nan")])
@pytest.mark.parametrize("policy", ["average", "local"])
@pytest.mark.parametrize("norm", [nn.BatchNorm1d, lambda size: nn.BatchNorm1d(size, momentum=None),
                                  lambda size: nn.InstanceNorm1d(size, track_running_stats=True)])
def test_statistics_from_before_the_run_have_no_weight(norm, policy, begun):
    model = statistics(norm(5), begun, policy)
    means, variances = [], []
    for client in range(2 if policy == "average" else 1):
        order = torch.randperm(70, generator=torch.Generator().manual_seed(client))[:64].reshape(4, 16)
        batches = samples(client)[0].double()[order]
        means.append(batches.mean(dim=(0, 1)))
        variances.append(batches.var(dim=1).mean(dim=0))
    torch.testing.assert_close(model.norm.running_mean.double(), torch.stack(means).mean(dim=0), rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(model.norm.running_var.double(), torch.stack(variances).mean(dim=0), rtol=1e-5, atol=1e-5)
    assert model.norm.momentum in (0.1, None) and not model.norm._forward_pre_hooks
    assert torch.equal(model.unused.running_mean, torch.full((5,), 40.0)), "a layer that no pass reaches keeps its statistics"
    assert int(model.unused.num_batches_tracked) == 1000


def test_statistics_of_a_layer_that_a_pass_calls_twice_are_means_over_its_calls():
    torch.testing.assert_close(statistics(nn.InstanceNorm1d(5, track_running_stats=True), 1.0, "local", calls=2).norm.running_mean,
                               statistics(nn.InstanceNorm1d(5, track_running_stats=True), 1.0, "local").norm.running_mean)
