import threading

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (Debian: python3-torch)")
from torch import nn  # noqa: E402

import paretofl  # noqa: E402
import paretofl.torch  # noqa: E402


def client_data(client, samples=40):
    generator = torch.Generator().manual_seed(client)
    inputs = torch.randn(samples, 6, generator=generator)
    return inputs, (inputs[:, 0] > 0).long(), inputs[:, 1:2] - inputs[:, 2:3]


def network(dropout=0.0):
    torch.manual_seed(0)
    return nn.ModuleDict({"body": nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Dropout(dropout)), "sign": nn.Linear(16, 2), "sum": nn.Linear(16, 1)})


def forward(module, batch):
    hidden = module["body"](batch[0])
    return module["sign"](hidden), module["sum"](hidden)


LOSSES = {"sign": lambda outputs, batch: nn.functional.cross_entropy(outputs[0], batch[1]),
          "sum": lambda outputs, batch: nn.functional.mse_loss(outputs[1], batch[2])}


def problem(model=None, **changes):
    model = model or network()
    arguments = dict(objectives=LOSSES, clients=[client_data(client) for client in range(4)], test=client_data(99, 300), forward=forward,
                     metrics={"accuracy": lambda outputs, batch: [(outputs[0].argmax(1) == batch[1]).float().mean(),
                                                                  (outputs[1] - batch[2]).abs().lt(0.5).float().mean()]},
                     heads={"sign": "sign", "sum": "sum"}, batch_size=8)
    return paretofl.torch.Problem(model, **{**arguments, **changes})


def theta_of(problem):
    return problem._initial().copy()


class Drawn:
    step, seed = 0, 1234

    @staticmethod
    def minibatch(num_samples, batch_size):
        return np.arange(batch_size)


def jacobian_of(problem, theta, client=0, draw=Drawn):
    losses, rows = np.empty(2), np.empty((2, theta.size), np.float32)
    problem._jacobian(client, theta, draw, losses, rows)
    return losses, rows


def test_gradients_are_autograds():
    mine = problem()
    theta = theta_of(mine)
    losses, rows = jacobian_of(mine, theta)
    model = mine.module(theta)
    batch = tuple(part[:8] for part in client_data(0))
    for k, loss in enumerate(LOSSES.values()):
        value = loss(forward(model, batch), batch)
        gradients = torch.autograd.grad(value, [dict(model.named_parameters())[name] for name in mine._names], allow_unused=True)
        flat = np.concatenate([np.zeros(p.numel()) if g is None else g.numpy().ravel()
                               for g, p in zip(gradients, (dict(model.named_parameters())[name] for name in mine._names))])
        np.testing.assert_allclose(rows[k], flat, rtol=1e-5, atol=1e-7)
        assert losses[k] == pytest.approx(value.item())
    gradient = np.empty_like(theta)
    mine._weighted_gradient(0, theta, np.array([0.25, 0.75]), Drawn, losses, gradient)
    np.testing.assert_allclose(gradient, 0.25 * rows[0] + 0.75 * rows[1], rtol=1e-4, atol=1e-6)
    assert mine._objective_gradient(0, theta, 1, Drawn, gradient) == pytest.approx(losses[1])
    np.testing.assert_allclose(gradient, rows[1], rtol=1e-5, atol=1e-7)


def test_gradients_agree_with_finite_differences():
    mine = problem()
    theta = theta_of(mine)
    _, rows = jacobian_of(mine, theta)
    for index in np.random.default_rng(0).choice(theta.size, 12, replace=False):
        step = np.zeros_like(theta)
        step[index] = 1e-2
        difference = (jacobian_of(mine, theta + step)[0] - jacobian_of(mine, theta - step)[0]) / 2e-2
        np.testing.assert_allclose(rows[:, index], difference, atol=2e-3)


def test_heads_come_last_and_get_gradients_of_their_objective_alone():
    mine = problem()
    slices = mine._description().slices
    assert [head for _, _, head in slices] == [-1, -1, 0, 0, 1, 1]
    _, rows = jacobian_of(mine, theta_of(mine))
    sign_head = slice(6 * 16 + 16, 6 * 16 + 16 + 34)
    assert np.any(rows[0, sign_head]) and not np.any(rows[1, sign_head])


def test_parameters_are_views_of_theta_and_let_go_of_it():
    seen = []

    def looks(module, batch):
        seen.append([parameter.data_ptr() for parameter in module.parameters()])
        return forward(module, batch)

    mine = problem(forward=looks)
    theta = theta_of(mine)
    seen.clear()
    jacobian_of(mine, theta)
    begin = theta.__array_interface__["data"][0]
    assert all(begin <= pointer < begin + theta.nbytes for pointer in seen[0])
    kept = [parameter.data_ptr() for parameter in mine._local.replica.module.parameters()]
    assert not any(begin <= pointer < begin + theta.nbytes for pointer in kept)


def test_training_learns_and_gives_the_module_back(tmp_path):
    mine = problem()
    run = paretofl.run(mine, strategy={"name": "fedcmoo", "client_lr": 0.1}, rounds=60, directory=tmp_path / "run")
    assert run.summary["test"]["accuracy"]["sign"] > 0.85
    assert run.summary["test"]["loss"]["sum"] < 0.5
    model = run.model()
    batch = client_data(99, 300)
    accuracy = (forward(model, batch)[0].argmax(1) == batch[1]).float().mean().item()
    assert accuracy == pytest.approx(run.summary["test"]["accuracy"]["sign"])
    assert type(model) is nn.ModuleDict


@pytest.mark.parametrize("dropout", [0.0, 0.3])
@pytest.mark.parametrize("strategy", ["fedcmoo", "firm", "fsmgda"])
def test_threads_and_resuming_change_no_bit(tmp_path, dropout, strategy):
    def train(name, **arguments):
        mine = problem(network(dropout))
        arguments = {"strategy": strategy, "directory": tmp_path / name, **arguments} if "resume" not in arguments else arguments
        return paretofl.run(mine, **arguments)

    whole = train("whole", rounds=6, threads=1).summary["parameters_sha256"]
    assert train("threads", rounds=6, threads=3).summary["parameters_sha256"] == whole
    train("part", rounds=3, threads=2)
    assert train("part", rounds=6, resume=tmp_path / "part").summary["parameters_sha256"] == whole


@pytest.mark.parametrize("changes", [
    {"clients": [client_data(client + 1) for client in range(4)]}, {"test": client_data(98, 300)}, {"validation": client_data(97)}, {"batch_size": 4},
    {"dtype": torch.bfloat16}, {"memory_format": torch.channels_last}, {"buffers": "average"}, {"held_out": {1: client_data(96)}},
], ids=lambda changes: next(iter(changes)))
def test_a_resumed_run_refuses_other_data_and_settings(tmp_path, changes):
    paretofl.run(problem(), strategy="fedcmoo", rounds=1, seed=1, directory=tmp_path / "run")
    with pytest.raises(paretofl.Error, match="workload: expected the problem of this run"):
        paretofl.run(problem(**changes), rounds=2, resume=tmp_path / "run")
    copied = [tuple(part.clone() for part in client_data(client)) for client in range(4)]
    assert paretofl.run(problem(clients=copied), rounds=2, resume=tmp_path / "run").summary["rounds"] == 2


def test_a_module_without_a_seed_is_named(tmp_path):
    paretofl.run(problem(), strategy="fedcmoo", rounds=1, directory=tmp_path / "run")
    other = network()
    torch.nn.init.normal_(other["sum"].weight)
    with pytest.raises(paretofl.Error, match="initial_parameters: expected those .* call torch.manual_seed before making the module$"):
        paretofl.run(problem(other), rounds=2, resume=tmp_path / "run")


def test_a_run_begins_with_the_modules_parameters_of_now(tmp_path):
    mine = problem()
    first = paretofl.run(mine, strategy="fedavg", rounds=1, directory=tmp_path / "first").summary["parameters_sha256"]
    with torch.no_grad():
        mine._model["sign"].bias.fill_(3.0)
    assert paretofl.run(mine, strategy="fedavg", rounds=1, directory=tmp_path / "second").summary["parameters_sha256"] != first


def test_validation_data_choose_the_model(tmp_path):
    mine = problem(validation=client_data(98, 100))
    run = paretofl.run(mine, strategy={"name": "fedcmoo", "client_lr": 0.4}, rounds=12, directory=tmp_path / "run",
                       options={"evaluation.choose_by": "loss/sum", "evaluation.every": 1})
    best = min(run.metrics, key=lambda row: row["validation"]["loss"]["sum"])
    assert run.summary["chosen"]["round"] == best["round"]
    chosen = mine.validate(np.concatenate([parameter.detach().numpy().ravel() for parameter in
                                           (dict(run.model().named_parameters())[name] for name in mine._names)]))
    assert chosen["loss"][1] == pytest.approx(best["validation"]["loss"]["sum"])


def test_the_server_gathers_what_clients_find_on_held_out_data(tmp_path):
    mine = problem(held_out={0: client_data(50, 10), 2: client_data(52, 30)})
    run = paretofl.run(mine, strategy="fedcmoo", rounds=2, directory=tmp_path / "run", options={"evaluation.federated": True})
    theta = np.concatenate([dict(run.model().named_parameters())[name].detach().numpy().ravel() for name in mine._names])
    first, last = mine.evaluate_held_out(0, theta)[0], mine.evaluate_held_out(2, theta)[0]
    found = run.summary["federated"]
    assert found["clients"] == 2 and found["samples"] == {"sign": 40, "sum": 40}
    for metric in ("loss", "accuracy"):
        for k, name in enumerate(LOSSES):
            assert found["test"][metric][name] == pytest.approx((10 * float(first[metric][k]) + 30 * float(last[metric][k])) / 40)
    assert mine.evaluate_held_out(1, theta) is None
    for bad in ({4: client_data(1)}, [client_data(1)]):
        with pytest.raises(paretofl.Error, match=r"held_out: expected a dictionary .* with clients among \[0, 1, 2, 3\]"):
            problem(held_out=bad)


def test_preferences_are_the_clients_own():
    mine = problem(preferences=[[1, 2]] * 4)
    assert mine._description().preferences == [[1.0, 2.0]] * 4
    with pytest.raises(paretofl.Error, match="one per client"):
        problem(preferences=[[1, 2]])


def test_mixed_precision_comes_near_the_full_one():
    full, mixed = problem(), problem(dtype=torch.bfloat16)
    theta = theta_of(full)
    losses, rows = jacobian_of(full, theta)
    near, near_rows = jacobian_of(mixed, theta)
    np.testing.assert_allclose(near, losses, rtol=0.05)
    np.testing.assert_allclose(near_rows, rows, atol=0.05)
    assert np.any(near != losses)


def test_frozen_parameters_stay_out_of_theta(tmp_path):
    model = network()
    model["body"][0].weight.requires_grad_(False)
    mine = problem(model)
    assert theta_of(mine).size == 16 + 34 + 17
    run = paretofl.run(mine, strategy="fedavg", rounds=2, directory=tmp_path / "run")
    assert torch.equal(run.model()["body"][0].weight, model["body"][0].weight)


def test_the_users_module_and_threads_stay_as_they_were(tmp_path):
    model = network()
    before = {name: value.clone() for name, value in model.state_dict().items()}
    threads = torch.get_num_threads()
    paretofl.run(problem(model), strategy="fedcmoo", rounds=2, directory=tmp_path / "run")
    assert all(torch.equal(before[name], value) for name, value in model.state_dict().items())
    assert torch.get_num_threads() == threads and model.training


def test_data_sets_of_every_kind_give_equal_batches():
    class Items(torch.utils.data.Dataset):
        def __init__(self, parts):
            self.parts = parts

        def __len__(self):
            return len(self.parts[0])

        def __getitem__(self, index):
            return tuple(part[index] for part in self.parts)

    losses = []
    for kind in (tuple, list, lambda parts: torch.utils.data.TensorDataset(*parts), Items):
        mine = problem(clients=lambda client: kind(client_data(client)), num_clients=3)
        losses.append(jacobian_of(mine, theta_of(mine), client=2)[0])
    for other in losses[1:]:
        np.testing.assert_array_equal(losses[0], other)


def test_a_loss_that_raises_is_the_clients_failure(tmp_path):
    calls = threading.local()

    def loss(outputs, batch):
        calls.count = getattr(calls, "count", 0) + 1
        if calls.count > 4:  # after the trials of three steps and of an evaluation
            raise RuntimeError("no luck")
        return nn.functional.cross_entropy(outputs[0], batch[1])

    mine = problem(objectives={"sign": loss, "sum": LOSSES["sum"]})
    with pytest.raises(paretofl.Error, match="no luck"):
        paretofl.run(mine, strategy="fedavg", rounds=1, directory=tmp_path / "run", options={"max_abandoned_rounds": 1})


class Normalized(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.norm = nn.Linear(6, 3), nn.BatchNorm1d(3)

    def forward(self, inputs):
        output = self.norm(self.layer(inputs))
        return output[:, :2], output[:, 2:]


@pytest.mark.parametrize("changes, message", [
    (dict(model=3), "torch.nn.Module"),
    (dict(model=Normalized(), forward=None, heads=None), "norm.running_mean"),
    (dict(model=network().double()), "float32"),
    (dict(model=network().requires_grad_(False)), "need gradients"),
    (dict(objectives={}), "objectives"),
    (dict(objectives={"a": 3}), "objectives"),
    (dict(objectives={"a": lambda outputs, batch: outputs[0]}, heads=None, metrics=None), "scalar"),
    (dict(objectives={"a": lambda outputs, batch: 1.0}, heads=None, metrics=None), "found float"),
    (dict(objectives={"a": lambda outputs, batch: torch.tensor(1.0)}, heads=None, metrics=None), "without a gradient"),
    (dict(objectives={"a": lambda outputs, batch: outputs[0].sum() * float("nan")}, heads=None, metrics=None), "finite"),
    (dict(clients=[]), "at least one data set"),
    (dict(clients=[()]), "client 0"),
    (dict(clients=[client_data(0, 0)]), "found none"),
    (dict(clients=[(torch.zeros(3), torch.zeros(4))]), "one length"),
    (dict(clients=[3]), "found int"),
    (dict(clients=client_data), "num_clients"),
    (dict(num_clients=7), "num_clients"),
    (dict(batch_size=0), "batch_size"),
    (dict(heads={"third": "sign"}), "heads"),
    (dict(heads={"sign": "nothing"}), "heads"),
    (dict(heads={"sign": nn.Linear(2, 2)}), "not the model's"),
    (dict(random="yes"), "random"),
    (dict(dtype=torch.float16), "dtype"),
    (dict(memory_format=torch.preserve_format), "memory_format"),
])
def test_wrong_problems_are_one_error(changes, message):
    with pytest.raises(paretofl.Error, match=message):
        problem(**changes)


def test_a_shape_mismatch_is_found_when_the_problem_is_made():
    with pytest.raises(paretofl.Error, match="client 0: expected samples that the model .*found RuntimeError: .*shapes"):
        problem(clients=[(torch.zeros(4, 5), torch.zeros(4).long(), torch.zeros(4, 1))])


def test_backward_counts_a_parameter_once_and_takes_sparse_gradients():
    table = nn.Embedding(5, 2, sparse=True)
    dense = nn.Embedding(5, 2, _weight=table.weight.detach().clone())
    indices = torch.tensor([1, 2, 2])
    for embedding in (table, dense):
        entries = embedding(indices)
        paretofl.torch.backward([entries.sum(), entries.square().sum()], [embedding.weight, embedding.weight], solver="min_norm")
        paretofl.torch.backward([embedding(indices).sum()], [embedding.weight], solver="min_norm")
    torch.testing.assert_close(table.weight.grad, dense.weight.grad)
    once = nn.Parameter(torch.ones(3))
    weights = paretofl.torch.backward([once.sum(), (2 * once).sum()], [once, once], solver="upgrad")
    torch.testing.assert_close(once.grad, torch.full((3,), float(weights[0] + 2 * weights[1])))


def test_backward_is_the_solvers_combination():
    torch.manual_seed(1)
    body, heads = nn.Linear(4, 5), [nn.Linear(5, 1), nn.Linear(5, 1)]
    inputs = torch.randn(10, 4)

    def losses():
        hidden = body(inputs).tanh()
        return [heads[0](hidden).pow(2).mean(), (heads[1](hidden) - 1).abs().mean()]

    rows = [torch.cat([gradient.reshape(-1) for gradient in torch.autograd.grad(loss, list(body.parameters()), retain_graph=True)]) for loss in losses()]
    expected = paretofl.solvers.upgrad((torch.stack(rows) @ torch.stack(rows).T).double())
    weights = paretofl.torch.backward(losses(), body.parameters(), solver="upgrad")
    torch.testing.assert_close(weights, expected, rtol=1e-4, atol=1e-6)
    combined = sum(weight * row for weight, row in zip(weights.tolist(), rows))
    torch.testing.assert_close(torch.cat([parameter.grad.reshape(-1) for parameter in body.parameters()]), combined, rtol=1e-4, atol=1e-6)
    own = torch.autograd.grad(losses()[1], heads[1].weight)[0]
    torch.testing.assert_close(heads[1].weight.grad, own)
    paretofl.torch.backward(losses(), body.parameters(), solver="upgrad")
    torch.testing.assert_close(torch.cat([parameter.grad.reshape(-1) for parameter in body.parameters()]), 2 * combined, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("losses, message", [
    ([], "found 0"), ([1.0], "float"), ([torch.tensor(1.0)], "without a graph"), ([torch.zeros(2, requires_grad=True)], "shape"),
    ([torch.zeros((), requires_grad=True) * float("nan")], "finite"),
])
def test_wrong_losses_are_one_error(losses, message):
    with pytest.raises(paretofl.Error, match=message):
        paretofl.torch.backward(losses, [nn.Parameter(torch.zeros(2))])


@pytest.mark.parametrize("shared, message", [
    (nn.Linear(2, 1), "found Linear; its method `parameters` lists them"), (torch.zeros(2), "found a tensor"), (3, "found int"),
    ([nn.Parameter(torch.zeros(2, dtype=torch.complex64))], "expected real parameters, found torch.complex64"),
])
def test_wrong_parameters_are_one_error(shared, message):
    with pytest.raises(paretofl.Error, match=message):
        paretofl.torch.backward([torch.zeros((), requires_grad=True)], shared)


def test_solvers_take_and_give_tensors():
    weights = paretofl.solvers.min_norm(torch.tensor([[1.0, 0.0], [0.0, 4.0]], dtype=torch.float64))
    torch.testing.assert_close(weights, torch.tensor([0.8, 0.2], dtype=torch.float64))


def test_each_thread_makes_one_replica(tmp_path, monkeypatch):
    from paretofl.torch import problem as module

    made = []

    class Counted(module.Replica):
        def __init__(self, *arguments):
            made.append(threading.get_ident())
            super().__init__(*arguments)

    made_problem = problem()
    monkeypatch.setattr(module, "Replica", Counted)
    paretofl.run(made_problem, strategy="fedcmoo", rounds=5, threads=2, directory=tmp_path / "run")
    assert len(made) == len(set(made)) <= 3  # the engine's threads, and the one that called
