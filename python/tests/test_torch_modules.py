"""Modules, data and callers that are not those of the documents, beside a few lines of plain PyTorch."""

import collections
import copy
import os
import pickle

import numpy as np
import pytest

import paretofl

torch = pytest.importorskip("torch", reason="PyTorch is not installed (Debian: python3-torch)")

import paretofl.torch  # noqa: E402
import torch.utils.checkpoint  # noqa: E402
from torch import nn  # noqa: E402


def samples(seed, count=20):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(count, 3, generator=generator), torch.randn(count, 1, generator=generator)


def squared(outputs, batch):
    return (outputs - batch[1]).square().mean()


LOSSES = {"first": squared, "second": lambda outputs, batch: outputs.abs().mean()}


def make(model, objectives=LOSSES, **arguments):
    arguments = {"clients": [samples(client) for client in range(3)], **arguments}
    return paretofl.torch.Problem(model, objectives, **arguments)


def run(problem, folder, **arguments):
    arguments = {"strategy": {"name": "fedcmoo", "client_lr": 0.05, "local_steps": 2}, "rounds": 2, "progress": False, **arguments}
    return paretofl.run(problem, directory=folder, **arguments)


class FirstSamples:
    seed = 0

    @staticmethod
    def minibatch(num_samples, batch_size):
        return np.arange(min(num_samples, batch_size))


def jacobian_of(problem):
    """The engine's losses and jacobian of client 0 at the initial parameters."""
    theta = np.concatenate([parameter.detach().numpy().ravel() for parameter in problem.initial_parameters().values()])
    losses, jacobian = np.empty(len(problem.objectives())), np.empty((len(problem.objectives()), theta.size), np.float32)
    problem._jacobian(0, theta, FirstSamples(), losses, jacobian)
    return losses, jacobian


def autograds(model, objectives=LOSSES):
    outputs = model.train()(samples(0)[0])
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
    rows = []
    for loss in objectives.values():
        model.zero_grad(set_to_none=True)
        loss(outputs, samples(0)).backward(retain_graph=True)
        rows.append(torch.cat([parameter.grad.reshape(-1) for parameter in parameters]).numpy())
    return np.array(rows)


class ClipsLater(nn.Linear):
    """Writes into its weights in evaluations or in steps, once it may, by its data or by an operation that PyTorch counts."""

    clips, by_data, in_steps = False, True, False

    def forward(self, inputs):
        if ClipsLater.clips and self.training == ClipsLater.in_steps:
            with torch.no_grad():
                (self.weight.data if ClipsLater.by_data else self.weight).clamp_(-0.01, 0.01)
        return super().forward(inputs)


@pytest.mark.parametrize("by_data", [True, False])
def test_what_a_module_writes_into_its_weights_reaches_nobody(by_data):
    ClipsLater.clips, ClipsLater.by_data, ClipsLater.in_steps = False, by_data, False
    problem = make(ClipsLater(3, 1), test=samples(9))
    theta = np.full(4, 0.5, np.float32)
    figures = problem.evaluate(theta)
    ClipsLater.clips = True
    try:
        with pytest.raises(paretofl.Error, match="a module that leaves its parameters as they are, found that it writes into weight"):
            problem.evaluate(theta)
    finally:
        ClipsLater.clips = False
    assert (theta == 0.5).all()
    np.testing.assert_array_equal(problem.evaluate(theta)["loss"], figures["loss"])


def test_a_run_ends_where_a_module_begins_to_write_into_its_weights(tmp_path):
    ClipsLater.clips, ClipsLater.by_data, ClipsLater.in_steps = False, False, True

    def begin(row):
        ClipsLater.clips = True

    try:
        with pytest.raises(paretofl.Error, match="a module that leaves its parameters as they are, found that it writes into weight"):
            run(make(ClipsLater(3, 1)), tmp_path / "run", rounds=9, callbacks=begin)
    finally:
        ClipsLater.clips = False


def test_an_evaluation_leaves_pytorch_its_threads():
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(2)
        make(nn.Linear(3, 1), test=samples(9)).evaluate(np.zeros(4, np.float32))
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


def test_inputs_with_gradients_are_no_parameters():
    def penalty(outputs, batch):
        points = batch[0].clone().requires_grad_()
        (slopes,) = torch.autograd.grad(outputs.mean() + (points * points).sum(), points, create_graph=True)
        return squared(outputs, batch) + (slopes - points).square().mean()

    make(nn.Linear(3, 1), {"first": squared, "penalized": penalty})


@pytest.mark.parametrize("place", ["forward", "loss"])
def test_a_loss_of_the_users_own_module_is_an_error(place):
    model = nn.Linear(3, 1)
    size = {"first": squared, "size": lambda outputs, batch: model.weight.square().sum()}
    with pytest.raises(paretofl.Error, match="expected a loss of .* a copy, found one that depends on weight of the model itself"):
        make(model, forward=lambda module, batch: model(batch[0])) if place == "forward" else make(model, size)


@pytest.mark.filterwarnings("ignore")  # PyTorch advises against reentrant checkpoints
def test_nor_does_a_checkpoint_hide_the_users_own_module():
    model = nn.ModuleDict({"body": nn.Linear(3, 3), "head": nn.Linear(3, 1), "first": nn.Linear(3, 3)})

    def forward(module, batch):
        return module["head"](torch.utils.checkpoint.checkpoint(model["body"], module["first"](batch[0]), use_reentrant=True))

    with pytest.raises(paretofl.Error, match="which is a copy, found a gradient of body.weight of the model itself"):
        make(model, forward=forward)
    assert all(parameter.grad is None for parameter in model.parameters())


@pytest.mark.skipif(not hasattr(torch, "compile"), reason="PyTorch 2 or newer has torch.compile")
@pytest.mark.filterwarnings("ignore")
def test_compiled_modules_train_like_others_by_whole_jacobians(tmp_path):
    found = []
    for name, compiled in (("plain", lambda module: module), ("compiled", torch.compile)):
        torch.manual_seed(0)
        model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
        done = run(make(compiled(model)), tmp_path / name, strategy={"name": "fedcmoo_a", "client_lr": 0.05}, threads=2)
        assert not any(row["failures"] for row in done.metrics)
        found.append(done.parameters)
    np.testing.assert_allclose(found[0], found[1], rtol=1e-4, atol=1e-5)


def test_a_loss_of_the_parameters_that_forward_returns_has_their_gradient():
    model = nn.Linear(3, 1, bias=False)
    losses = {"size": lambda outputs, batch: outputs[1].square().sum()}
    problem = make(model, losses, forward=lambda module, batch: (module(batch[0]), module.weight))
    np.testing.assert_allclose(jacobian_of(problem)[1], 2 * model.weight.detach().numpy(), rtol=1e-6)


@pytest.mark.parametrize("tensor", [nn.Parameter(torch.zeros(2)), torch.zeros(2, requires_grad=True)])
def test_trainable_tensors_outside_of_the_module_are_told_of(tensor):
    losses = {"first": squared, "weighted": lambda outputs, batch: squared(outputs, batch) * torch.exp(-tensor[1]) + tensor[1]}
    with pytest.warns(UserWarning, match=r"the loss of weighted depends on a trainable tensor of shape \[2\] that is no parameter of the model"):
        make(nn.Linear(3, 1), losses)
    tensor.requires_grad_(False)
    make(nn.Linear(3, 1), losses)


@pytest.mark.filterwarnings("ignore:objectives")
def test_another_network_that_a_loss_uses_stays_as_it_is(tmp_path):
    teacher = nn.Linear(3, 1)  # its parameters need gradients, as by default
    before = copy.deepcopy(teacher.state_dict())
    run(make(nn.Linear(3, 1), {"first": squared, "second": lambda outputs, batch: (outputs - teacher(batch[0])).square().mean()}), tmp_path / "run")
    assert all(torch.equal(value, before[name]) for name, value in teacher.state_dict().items())


class TwoHeads(nn.Module):
    def __init__(self, tied):
        super().__init__()
        self.body, self.one, self.two = nn.Linear(3, 3), nn.Linear(3, 1), nn.Linear(3, 1)
        if tied:
            self.two.weight = self.one.weight

    def forward(self, inputs):
        hidden = self.body(inputs).tanh()
        return self.one(hidden), self.two(hidden)


OF_HEADS = {"first": lambda outputs, batch: squared(outputs[0], batch), "second": lambda outputs, batch: squared(outputs[1], batch)}


@pytest.mark.parametrize("tied, heads, name", [
    (True, {"first": "one"}, "one.weight"), (True, {"first": "one", "second": "two"}, "one.weight"), (False, {"first": "body"}, "body.weight"),
    (False, {"first": "two"}, "two.weight"),
])
def test_a_head_that_another_loss_depends_on_is_an_error(tied, heads, name):
    with pytest.raises(paretofl.Error, match=f"heads: expected parameters that .* alone depends on, found that .* depends on {name} too"):
        make(TwoHeads(tied), OF_HEADS, heads=heads)
    make(TwoHeads(False), OF_HEADS, heads={"first": "one", "second": "two"})


def test_hooks_and_attributes_of_parameters_stay():
    class Scaled(nn.Linear):
        def forward(self, inputs):
            return super().forward(inputs) * self.weight.factor

    model = Scaled(3, 1)
    model.weight.factor = 2.0
    model.weight.register_hook(lambda gradient: gradient * torch.tensor([[1.0, 0.0, 1.0]]))
    jacobian = jacobian_of(make(model))[1]
    np.testing.assert_allclose(jacobian, autograds(model), rtol=1e-5, atol=1e-6)
    assert not jacobian[:, 1].any() and jacobian[:, 0].all()


class Remembering(nn.Linear):
    last = None

    def forward(self, inputs):
        self.last = super().forward(inputs)
        return self.last


@pytest.mark.filterwarnings("ignore")  # PyTorch's newer weight normalization has another name
@pytest.mark.parametrize("kind", ["weight_norm", "remembered output"])
def test_tensors_that_a_module_keeps_from_a_computation_are_no_obstacle(tmp_path, kind):
    torch.manual_seed(3)
    model = nn.Sequential(nn.utils.weight_norm(nn.Linear(3, 4)), nn.ReLU(), nn.Linear(4, 1)) if kind == "weight_norm" else Remembering(3, 1)
    model(samples(0)[0])
    problem = make(model, test=samples(9))
    np.testing.assert_allclose(jacobian_of(problem)[1], autograds(model), rtol=1e-5, atol=1e-6)
    trained = run(problem, tmp_path / "run", threads=2)
    loss = squared(trained.model()(samples(9)[0]), samples(9))
    assert float(loss) == pytest.approx(trained.summary["test"]["loss"]["first"], rel=1e-5)


class Sizes(nn.Module):
    """Parameters without entries and without dimensions, one that is not contiguous, one of another type, and a tied one."""

    def __init__(self):
        super().__init__()
        self.one, self.two = nn.Linear(3, 3), nn.Linear(3, 3)
        self.two.weight = self.one.weight
        self.none, self.scale = nn.Parameter(torch.zeros(0, 3)), nn.Parameter(torch.tensor(2.0))
        self.turned = nn.Parameter(torch.randn(1, 3, generator=torch.Generator().manual_seed(1)).t())
        self.frozen = nn.Parameter(torch.full((3,), 0.5, dtype=torch.float64), requires_grad=False)

    def forward(self, inputs):
        return (self.two(self.one(inputs).tanh()) * self.frozen).float() @ self.turned * self.scale + self.none.sum()


def test_parameters_of_all_sizes_and_tied_ones(tmp_path):
    model = Sizes()
    problem = make(model, test=samples(9))
    np.testing.assert_allclose(jacobian_of(problem)[1], autograds(model), rtol=1e-4, atol=1e-5)
    done = run(problem, tmp_path / "run")
    trained = done.model()
    assert trained.two.weight is trained.one.weight and trained.frozen.dtype == torch.float64
    assert float(squared(trained(samples(9)[0]), samples(9))) == pytest.approx(done.summary["test"]["loss"]["first"], rel=1e-5)
    exported = np.load(done.export(tmp_path / "model.npz", format="numpy"))
    assert {name: exported[name].shape for name in exported} == {name: tuple(value.shape) for name, value in model.named_parameters() if value.requires_grad}


# Data.

class Items(torch.utils.data.Dataset):
    def __init__(self, seed, item):
        self.inputs, self.targets = samples(seed)
        self.item = item

    def __len__(self):
        return len(self.inputs)

    def __getitem__(self, index):
        return self.item(index, self.inputs[index], self.targets[index])


Pair = collections.namedtuple("Pair", "inputs targets")
ITEMS = {
    "a text first": (lambda index, inputs, targets: {"text": "some", "inputs": inputs, "targets": targets}, "inputs", "targets"),
    "an empty list first": (lambda index, inputs, targets: ([], inputs, targets), 1, 2),
    "nothing first": (lambda index, inputs, targets: {"more": {}, "inputs": inputs, "targets": targets}, "inputs", "targets"),
    "a named tuple": (lambda index, inputs, targets: Pair(inputs, targets), 0, 1),
}


@pytest.mark.parametrize("kind", ITEMS)
def test_evaluation_counts_the_samples_of_any_batch(tmp_path, kind):
    item, inputs, targets = ITEMS[kind]
    losses = {"first": lambda outputs, batch: (outputs - batch[targets]).square().mean()}
    torch.manual_seed(0)
    model = nn.Linear(3, 1)
    found = run(make(model, losses, clients=[Items(client, item) for client in range(3)], test=Items(9, item),
                     forward=lambda module, batch: module(batch[inputs])), tmp_path / "items", strategy="fedavg")
    expected = run(make(model, {"first": squared}, test=samples(9)), tmp_path / "tensors", strategy="fedavg")
    assert found.summary["parameters_sha256"] == expected.summary["parameters_sha256"]
    assert found.summary["test"] == expected.summary["test"]


# Callers.

def test_the_modes_of_the_calling_thread_do_not_reach_a_run(tmp_path):
    torch.manual_seed(0)
    model = nn.Linear(3, 1)
    expected = run(make(model), tmp_path / "plain").summary["parameters_sha256"]
    modes = {"no_grad": torch.no_grad(), "inference": torch.inference_mode(), "autocast": torch.autocast("cpu", torch.bfloat16)}
    for name, mode in modes.items():
        with mode:
            assert run(make(model), tmp_path / name).summary["parameters_sha256"] == expected


def test_problems_and_runs_can_be_copied_and_pickled(tmp_path):
    problem = paretofl.torch.Problem(nn.Linear(3, 1), {"first": squared}, clients=[samples(client) for client in range(3)])
    done = run(problem, tmp_path / "run", strategy="fedavg")
    for name, other in (("copy", copy.copy), ("deep", copy.deepcopy), ("pickled", lambda whole: pickle.loads(pickle.dumps(whole)))):
        assert torch.equal(other(done).model().weight, done.model().weight)
        again = run(other(problem), tmp_path / name, strategy="fedavg")
        assert again.summary["parameters_sha256"] == done.summary["parameters_sha256"]


def test_a_run_of_a_relative_directory_outlives_another_working_directory(tmp_path, monkeypatch):
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path)
    problem = make(nn.Linear(3, 1))
    done = run(problem, "run", callbacks=lambda row: os.chdir(tmp_path / "other"))
    assert done.summary["rounds"] == 2 and done.directory == tmp_path / "run"
    monkeypatch.chdir(tmp_path)
    swept = paretofl.sweep(problem, directory="sweep", strategy="fedavg", seeds=[1], rounds=1, progress=False)
    monkeypatch.chdir(tmp_path / "other")
    monkeypatch.chdir(tmp_path)
    default = paretofl.run(problem, strategy="fedavg", rounds=2, callbacks=lambda row: os.chdir(tmp_path / "other"), progress=False)
    assert default.summary["rounds"] == 2 and default.directory.parent == tmp_path / "runs"
    assert len(swept.rows) == 1 and not list((tmp_path / "other").iterdir())


def test_clients_are_numbers_of_numpy_too(tmp_path):
    done = run(make(nn.Linear(3, 1), clients=samples, num_clients=np.int64(3), batch_size=np.int64(8)), tmp_path / "run", strategy="fedpref")
    assert torch.equal(done.model(np.int64(1)).weight, done.model(1).weight)
    with pytest.raises(paretofl.Error, match="client: expected an integer from 0 to 2, found True"):
        done.model(True)


class Tapped(nn.Module):
    """Takes what a hook keeps in the module itself, and a function that refers to it, as many programs do."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.body, self.out = nn.Linear(2, 3), nn.Linear(3, 2)
        self.kept = None
        self.body.register_forward_hook(lambda module, inputs, output: setattr(self, "kept", output))
        self.functions = {"last": lambda hidden: self.out(hidden)}

    def forward(self, inputs):
        self.body(inputs)
        return self.functions["last"](self.kept.tanh())


class TappedByDefaults(Tapped):
    """The same by default arguments."""

    def __init__(self):
        super().__init__()
        self.body._forward_hooks.clear()

        def keep(module, inputs, output, model=self):
            model.kept = output

        def last(hidden, *, module=self.out):
            return module(hidden)

        self.body.register_forward_hook(keep)
        self.functions = {"last": last}


class Straight(Tapped):
    def forward(self, inputs):
        return self.out(self.body(inputs).tanh())


@pytest.mark.parametrize("kind", [Tapped, TappedByDefaults])
@pytest.mark.parametrize("used", [False, True])
def test_hooks_and_functions_that_refer_to_their_module_reach_the_copy(tmp_path, used, kind):
    def train(model, name, threads):
        inputs = torch.randn(8, 2, generator=torch.Generator().manual_seed(1))
        if used:  # so that the model has something of an earlier pass
            model(inputs)
        losses = {"one": lambda outputs, batch: outputs[:, 0].pow(2).mean(), "two": lambda outputs, batch: (outputs[:, 1] - 1).pow(2).mean()}
        problem = paretofl.torch.Problem(model, losses, [(inputs,), (2 * inputs,)], test=(inputs,), batch_size=8)
        return paretofl.run(problem, strategy="fedcmoo", rounds=3, threads=threads, directory=tmp_path / name, progress=False)

    expected, tapped = train(Straight(), "straight", 1), kind()
    found = [train(tapped, f"tapped{threads}", threads) for threads in (1, 2)]
    assert {run.summary["parameters_sha256"] for run in found} == {expected.summary["parameters_sha256"]}
    before = tapped.kept
    model = found[0].model()
    model(torch.ones(1, 2))
    assert model.kept.shape == (1, 3) and tapped.kept is before


class Copying(nn.Module):
    """Computes with copies of its parameters, which get no gradients."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def forward(self, inputs):
        return inputs @ self.layer.weight.detach().clone().requires_grad_()


def test_a_module_that_computes_with_copies_of_its_parameters_is_an_error():
    losses = {"one": lambda outputs, batch: outputs.pow(2).mean()}
    with pytest.raises(paretofl.Error, match="found that they depend on other tensors alone"):
        paretofl.torch.Problem(Copying(), losses, [(torch.ones(4, 2),)])
