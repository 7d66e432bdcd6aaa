"""Losses, metrics and data sets of PyTorch problems that people write."""

import collections

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (Debian: python3-torch)")
from torch import nn  # noqa: E402
from torch.nn import functional  # noqa: E402

import paretofl  # noqa: E402
import paretofl.torch  # noqa: E402
from paretofl.torch import losses as losses_module  # noqa: E402


def samples(seed, count=24):
    inputs = torch.randn(count, 4, generator=torch.Generator().manual_seed(seed))
    return inputs, (inputs[:, 0] > 0).long(), inputs[:, 1:2].clone()


LOSSES = {"sign": lambda outputs, batch: functional.cross_entropy(outputs[:, :2], batch[1]), "sum": lambda outputs, batch: functional.mse_loss(outputs[:, 2:], batch[2])}


def problem(losses=LOSSES, clients=None, **options):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 3))
    return paretofl.torch.Problem(model, losses, [samples(k) for k in range(3)] if clients is None else clients, batch_size=8, **options)


def train(problem, directory, **options):
    strategy = {"name": "fedcmoo", "client_lr": 0.05, "server_lr": 1.0}
    return paretofl.run(problem, strategy=strategy, rounds=3, directory=directory, progress=False, **options)


@pytest.mark.parametrize("loss, what", [(lambda outputs, batch: outputs.mul_(2).pow(2).mean(), "outputs"),
                                        (lambda outputs, batch: functional.mse_loss(outputs[:, :1], batch[2].mul_(2)), "batch")])
def test_a_loss_that_writes_into_what_the_others_get_is_an_error(loss, what):
    with pytest.raises(paretofl.Error, match=f"a loss of sign that leaves the {what} as they are"):
        problem({**LOSSES, "sign": loss})


def penalty(outputs, batch):
    """A loss with a gradient penalty."""
    (gradient,) = torch.autograd.grad(outputs[0].sum(), outputs[1], create_graph=True)
    return functional.cross_entropy(outputs[0][:, :2], batch[1]) + gradient.pow(2).mean()


def with_inputs(module, batch):
    inputs = batch[0].clone().requires_grad_()
    return module(inputs), inputs


def test_a_loss_with_derivatives_is_evaluated(tmp_path):
    mine = problem({"sign": penalty, "size": lambda outputs, batch: outputs[0].pow(2).mean()}, forward=with_inputs, test=samples(9))
    run = train(mine, tmp_path / "run")
    module, batch = run.model(), samples(9)
    expected = float(penalty(with_inputs(module, batch), batch))
    assert run.summary["test"]["loss"]["sign"] == pytest.approx(expected, rel=1e-5)


def correlation(outputs, batch):
    return [float(np.corrcoef(outputs[0].numpy()[:, 0], outputs[1].numpy()[:, 0])[0, 1]), float(batch[0].numpy().mean())]


def slope(outputs, batch):
    (gradient,) = torch.autograd.grad(outputs[0].sum(), outputs[1])
    return [float(gradient.pow(2).mean())] * 2


def test_metrics_make_arrays_of_outputs_beside_a_loss_with_derivatives(tmp_path):
    losses = {"sign": penalty, "size": lambda outputs, batch: outputs[0].pow(2).mean()}
    run = train(problem(losses, forward=with_inputs, test=samples(9), metrics={"mine": correlation}), tmp_path / "run")
    outputs = with_inputs(run.model(), samples(9))
    assert run.summary["test"]["mine"]["sign"] == pytest.approx(correlation([part.detach() for part in outputs], samples(9))[0], rel=1e-5)


def test_metrics_have_derivatives_too(tmp_path):
    run = train(problem({"sign": penalty, "size": penalty}, forward=with_inputs, test=samples(9), metrics={"slope": slope}), tmp_path / "run")
    expected = slope(with_inputs(run.model(), samples(9)), samples(9))[0]
    assert run.summary["test"]["slope"]["sign"] == pytest.approx(expected, rel=1e-5)


def test_outputs_of_every_kind_are_detached():
    number = torch.ones(2, requires_grad=True)
    pair = collections.namedtuple("Pair", "first second")(number, {"inner": [number, "text"]})
    found = losses_module.detached(pair)
    assert type(found) is type(pair) and pair.first.requires_grad and pair.second["inner"][0].requires_grad
    assert not found.first.requires_grad and not found.second["inner"][0].requires_grad and found.second["inner"][1] == "text"


def test_no_text_is_made_of_figures_that_are_right(monkeypatch):
    texts = []
    monkeypatch.setattr(losses_module, "short", lambda values: texts.append(values) or "text")
    assert losses_module.checked_figures("mine", [1, 2], 2) == [1.0, 2.0] and not texts


def test_training_gives_data_no_gradients(tmp_path):
    data = [tuple(part.requires_grad_() if part.is_floating_point() else part for part in samples(k)) for k in range(3)]
    found = train(problem(clients=data), tmp_path / "one").summary["parameters_sha256"]
    assert all(part.grad is None for client in data for part in client)
    assert train(problem(), tmp_path / "other").summary["parameters_sha256"] == found


@pytest.mark.parametrize("figures", ["12", {1.0, 2.0}, b"12"])
def test_figures_without_an_order_of_numbers_are_an_error(figures):
    with pytest.raises(paretofl.Error, match="expected 2 numbers of mine"):
        problem(metrics={"mine": lambda outputs, batch: figures}, test=samples(9))


class Table:
    """Like a DataFrame."""

    columns = ["a"]

    def __len__(self):
        return 2

    def __getitem__(self, name):
        return np.zeros(2)

    def to_numpy(self):
        return np.zeros((2, 1))


@pytest.mark.parametrize("clients, message", [
    ([torch.utils.data.DataLoader(torch.utils.data.TensorDataset(*samples(0)))], "found a DataLoader; its data set is its attribute `dataset`"),
    ([Table()], "found a table, Table; torch.from_numpy"),
    ((samples(k) for k in range(3)), r"list\(\) makes a list of a generator"),
])
def test_data_that_is_nearly_a_data_set_is_one_clear_error(clients, message):
    with pytest.raises(paretofl.Error, match=message):
        problem(clients=clients)


@pytest.mark.skipif(not hasattr(torch, "set_default_device"), reason="this PyTorch has no default device")
@pytest.mark.parametrize("buffers", ["refuse", "average"])
def test_another_default_device_does_not_matter(tmp_path, buffers):
    mine = problem(buffers=buffers, test=samples(9))
    expected = train(mine, tmp_path / "expected")
    torch.set_default_device("meta")
    try:
        found = train(mine, tmp_path / "found", threads=2)
    finally:
        torch.set_default_device(None)
    assert found.summary["parameters_sha256"] == expected.summary["parameters_sha256"] and found.summary["test"] == expected.summary["test"]
