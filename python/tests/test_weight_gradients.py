"""Gradients of large weights that are computed in the engine's memory, beside PyTorch's own."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (Debian: python3-torch)")
import torch.nn.utils.parametrize  # noqa: E402
import torch.utils.checkpoint  # noqa: E402
from torch import nn  # noqa: E402
from torch.nn import functional  # noqa: E402

import paretofl  # noqa: E402
import paretofl.torch  # noqa: E402
from paretofl.torch import replica, weight_gradients  # noqa: E402

WIDTH = 256


@pytest.fixture
def large(monkeypatch):
    """Weights of WIDTH x WIDTH count as large ones."""
    monkeypatch.setattr(weight_gradients, "FEWEST_ENTRIES", WIDTH * WIDTH)


def bits(tensor):
    return tensor.detach().contiguous().view(torch.int32)


@pytest.mark.parametrize("biased", [True, False])
@pytest.mark.parametrize("shape", [(8, 70), (2, 70), (3, 5, 70)])
def test_a_gradient_is_written_to_its_place_with_the_bits_of_pytorchs(shape, biased):
    torch.manual_seed(0)
    weight, bias, inputs = nn.Parameter(torch.randn(1000, 70)), nn.Parameter(torch.randn(1000)) if biased else None, torch.randn(shape, requires_grad=True)
    leaves = [leaf for leaf in (weight, bias, inputs) if leaf is not None]
    factor = torch.randn(*shape[:-1], 1000)
    outputs = functional.linear(inputs, weight, bias)
    expected = [outputs, *torch.autograd.grad((outputs * factor).sum(), leaves)]
    row = torch.full((weight.numel() + 3,), float("nan"))
    place = weight_gradients.GradientPlace(weight)
    with weight_gradients.WeightGradients({id(weight): place}):
        outputs = functional.linear(inputs, weight, bias)
        place.offer(row[3:].view_as(weight))
        (outputs * factor).sum().backward()
    assert place.used and weight.grad.data_ptr() == row[3:].data_ptr()
    place.finish(row[3:].view_as(weight))
    assert not place.missed and row[:3].isnan().all()
    for one, other in zip([outputs, *(leaf.grad for leaf in leaves)], expected):
        assert torch.equal(bits(one), bits(other))


def test_only_the_first_gradient_of_a_backward_pass_has_the_place():
    """And the others are added in PyTorch's order, with a weight that is used four times and with two backward passes."""
    torch.manual_seed(0)
    weight, inputs = nn.Parameter(torch.randn(WIDTH, WIDTH) / 16), torch.randn(8, WIDTH)

    def loss():
        hidden = inputs
        for _ in range(3):
            hidden = functional.linear(hidden, weight).tanh()
        return (hidden @ weight).pow(2).sum()

    loss().backward()
    expected, row = weight.grad, torch.empty(weight.numel())
    place = weight_gradients.GradientPlace(weight)
    with weight_gradients.WeightGradients({id(weight): place}):
        found = loss()
    for retain_graph in (True, False):
        row.fill_(9.0)
        place.offer(row.view_as(weight))
        found.backward(retain_graph=retain_graph)
        assert place.take() is None and weight.grad.data_ptr() != row.data_ptr()
        place.finish(row.view_as(weight))
        assert place.missed and torch.equal(bits(row.view_as(weight)), bits(expected))


class Network(nn.Module):
    def __init__(self, body=None):
        super().__init__()
        torch.manual_seed(0)
        self.one, self.two, self.out, self.body = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH, bias=False), nn.Linear(WIDTH, 4), body

    def forward(self, inputs):
        if self.body is None:
            return self.out(self.two(self.one(inputs).tanh()).relu())
        return self.out(self.body(self, inputs).tanh())


def changed(change):
    model = Network()
    change(model)
    return model


class Symmetric(nn.Module):
    def forward(self, matrix):
        return matrix.triu() + matrix.triu(1).t()


def checkpointed(reentrant):
    def body(module, inputs):
        hidden = module.one(inputs).tanh()
        return torch.utils.checkpoint.checkpoint(lambda inner: module.two(inner).relu(), hidden, use_reentrant=reentrant)

    return body


def with_autocast(module, inputs):
    with torch.autocast("cpu", torch.bfloat16):
        hidden = module.one(inputs).tanh()
    return module.two(hidden.float())


def sizes(outputs, batch):
    return (outputs[0] - 1).pow(2).mean() + 1e-3 * sum(parameter.pow(2).sum() for parameter in outputs[1].parameters())


def gradient_penalty(outputs, batch):
    value = (outputs[0] - 1).pow(2).mean()
    return value + torch.autograd.grad(value, outputs[1].one.weight, create_graph=True)[0].pow(2).sum()


def gradient_factor(outputs, batch):
    value = (outputs[0] - 1).pow(2).mean()
    return value * (1 + torch.autograd.grad(value, outputs[1].one.weight, retain_graph=True)[0].abs().mean())


BOTH = {"one.weight", "two.weight"}
# By kind: a function that makes the module, the first loss or None, options, and the names of the weights whose gradients are computed in place.
KINDS = {
    "plain": (Network, None, {}, BOTH),
    "three dimensions": (lambda: Network(lambda module, inputs: module.two(module.one(inputs.view(-1, 2, WIDTH)).tanh()).mean(1)), None, {"wide": 2}, BOTH),
    "one sample": (Network, None, {"batch_size": 1}, set()),
    "tied": (lambda: changed(lambda model: setattr(model.two, "weight", model.one.weight)), None, {}, set()),
    "used twice": (lambda: Network(lambda module, inputs: module.two(module.one(module.one(inputs).tanh()))), None, {}, {"two.weight"}),
    "used in other ways": (lambda: Network(lambda module, inputs: module.two(inputs) @ module.two.weight + module.one(inputs) @ module.two.weight.t()), None,
                           {}, {"one.weight"}),
    "frozen": (lambda: changed(lambda model: model.one.weight.requires_grad_(False)), None, {}, {"two.weight"}),
    "parametrized": (lambda: changed(lambda model: nn.utils.parametrize.register_parametrization(model.one, "weight", Symmetric())), None, {}, {"two.weight"}),
    "hook": (lambda: changed(lambda model: model.one.weight.register_hook(lambda gradient: gradient.mul_(2))), None, {}, {"two.weight"}),
    "inputs of another layout": (lambda: Network(lambda module, inputs: module.two(module.one(inputs.t().contiguous().t()))), None, {}, {"two.weight"}),
    "checkpoint": (lambda: Network(checkpointed(False)), None, {}, {"one.weight"}),
    "reentrant checkpoint": (lambda: Network(checkpointed(True)), None, {"random": True}, {"one.weight"}),
    "autocast": (lambda: Network(with_autocast), None, {}, {"two.weight"}),
    "bfloat16": (Network, None, {"dtype": torch.bfloat16}, set()),
    "sizes of the parameters": (Network, sizes, {}, set()),
    "gradient penalty": (Network, gradient_penalty, {}, set()),
    "gradient in a loss": (Network, gradient_factor, {}, BOTH),
}
if hasattr(torch, "func"):  # since PyTorch 2.0
    KINDS["torch.func"] = (lambda: Network(lambda module, inputs: torch.func.vmap(module.one)(inputs) + torch.func.grad(lambda x: module.one(x).sum())(inputs)
                                           + module.two(inputs)), None, {}, {"two.weight"})
    KINDS["compiled"] = (lambda: torch.compile(Network(), backend="aot_eager"), None, {}, set())


def problem(kind):
    make, first, options, _ = KINDS[kind]
    options = dict(options)
    width = WIDTH * options.pop("wide", 1)
    data = [(torch.randn(24, width, generator=torch.Generator().manual_seed(k)),) for k in range(3)]
    losses = {"first": first or (lambda outputs, batch: (outputs[0] - 1).pow(2).mean()), "second": lambda outputs, batch: (outputs[0][:, 0] + 2).pow(2).mean()}
    return paretofl.torch.Problem(make(), losses, data, forward=lambda module, batch: (module(batch[0]), module), **{"batch_size": 8, **options})


@pytest.mark.filterwarnings("ignore")  # PyTorch advises against reentrant checkpoints
@pytest.mark.parametrize("kind", KINDS)
def test_a_run_has_the_bits_that_it_has_without(tmp_path, monkeypatch, large, kind):
    taken, take = [], weight_gradients.GradientPlace.take
    monkeypatch.setattr(weight_gradients.GradientPlace, "take", lambda place: (taken.append(1), take(place))[1])

    def train(strategy, threads, name):
        run = paretofl.run(made, strategy={"name": strategy, "client_lr": 0.01, "local_steps": 2}, rounds=2, threads=threads, directory=tmp_path / name, progress=False)
        assert not any(row["failures"] for row in run.metrics)
        return run.summary["parameters_sha256"]

    made, strategies = problem(kind), ("fedavg", "fedcmoo", "firm")
    assert made._in_place == KINDS[kind][3]
    taken.clear()
    found = {(strategy, threads): train(strategy, threads, f"{strategy}{threads}") for strategy in strategies for threads in (1, 2)}
    assert bool(taken) == bool(made._in_place)
    monkeypatch.setattr(replica, "can_have_place", lambda parameter: False)
    taken.clear()
    for strategy in strategies:
        expected = train(strategy, 1, f"{strategy} without")
        assert found[strategy, 1] == found[strategy, 2] == expected
    assert not taken


def test_small_weights_are_left_to_pytorch():
    for shape, can in (((1024, 1024), True), ((64, 1 << 14), True), ((63, 1 << 15), False), ((1024, 1023), False), ((1, 1 << 20), False), ((1 << 20,), False)):
        assert weight_gradients.can_have_place(torch.empty(shape)) == can


def test_errors_are_pytorchs():
    weight = nn.Parameter(torch.zeros(WIDTH, WIDTH))
    for wrong in (lambda: functional.linear(torch.zeros(4, 3), weight), lambda: functional.linear(torch.zeros(4, WIDTH)),
                  lambda: functional.linear("inputs", weight), lambda: functional.linear(torch.zeros(4, WIDTH), weight, torch.zeros(3)),
                  lambda: functional.linear(torch.zeros(4, WIDTH), weight, weights=3), lambda: functional.linear(torch.zeros(4, WIDTH).double(), weight)):
        with pytest.raises(Exception) as expected:
            wrong()
        with weight_gradients.WeightGradients({id(weight): weight_gradients.GradientPlace(weight)}), pytest.raises(type(expected.value)) as found:
            wrong()
        assert str(found.value) == str(expected.value)


def test_objectives_that_do_not_reach_a_weight_have_zeros_for_it(large):
    data = [(torch.randn(24, WIDTH, generator=torch.Generator().manual_seed(k)),) for k in range(2)]
    losses = {"one": lambda outputs, batch: outputs[0].pow(2).mean(), "two": lambda outputs, batch: outputs[1].pow(2).mean()}
    made = paretofl.torch.Problem(Network(), losses, data, forward=lambda module, batch: (module.out(module.one(batch[0])), module.out(module.two(batch[0]))))

    class Draw:
        seed = 0

        @staticmethod
        def minibatch(num_samples, batch_size):
            return np.arange(8)

    theta = made._initial()
    rows = np.full((2, theta.size), np.nan, np.float32)
    with made._running():
        made._jacobian(0, theta, Draw, np.empty(2), rows)
    assert made._in_place == BOTH
    one, two = (made.unflatten(row) for row in rows)
    assert not one["two.weight"].any() and not two["one.weight"].any() and one["one.weight"].all() and two["two.weight"].all()


def test_a_gradient_that_a_hook_keeps_stays_what_it_was(tmp_path, large):
    kept, model = [], Network()
    model.one.weight.register_hook(lambda gradient: kept.append((gradient, gradient.clone())))
    data = [(torch.randn(24, WIDTH, generator=torch.Generator().manual_seed(k)),) for k in range(2)]
    made = paretofl.torch.Problem(model, {"one": lambda outputs, batch: outputs.pow(2).mean()}, data)
    paretofl.run(made, strategy="fedavg", rounds=2, directory=tmp_path / "run", progress=False)
    assert len(kept) > 4 and all(torch.equal(gradient, copied) for gradient, copied in kept)
