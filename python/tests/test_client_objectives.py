"""Clients that have some of the objectives only."""

import numpy as np
import pytest

import paretofl

HAS = [["near"], ["near", "far"], ["far"], ["near"]]
TARGETS = np.array([[[1.0, 0.0], [np.nan, np.nan]], [[3.0, 1.0], [0.0, 4.0]], [[np.nan, np.nan], [2.0, 6.0]], [[2.0, -1.0], [np.nan, np.nan]]])
MEANS = np.array([[2.0, 0.0], [1.0, 5.0]])  # of the targets, over the clients that have the objective


class Quadratics(paretofl.Problem):
    """0.5 |theta - target|^2 for each client and objective: NaN where the client has not this objective."""

    has = HAS

    def num_clients(self):
        return len(self.has)

    def objectives(self):
        return ["near", "far"]

    def initial_parameters(self):
        return np.zeros(2)

    def client_objectives(self, client):
        return self.has[client]

    def gradients(self, client, theta, draw):
        distance = theta - TARGETS[client]
        return 0.5 * (distance**2).sum(axis=1), distance

    def evaluate(self, theta):
        return {"loss": 0.5 * ((theta - MEANS) ** 2).sum(axis=1)}


def train(problem, strategy, directory, rounds=80, **arguments):
    return paretofl.run(problem, strategy=strategy, rounds=rounds, directory=directory, **arguments)


@pytest.mark.parametrize("weights", [[0.5, 0.5], [0.9, 0.1]])
@pytest.mark.parametrize("name", ["fedavg", "fedprox"])
def test_an_objective_is_its_mean_over_the_clients_that_have_it(tmp_path, name, weights):
    strategy = {"name": name, "cohort_size": 4, "local_steps": 1, "client_lr": 0.3, "objective_weights": weights}
    run = train(Quadratics(), strategy, tmp_path / "run")
    np.testing.assert_allclose(run.parameters, weights @ MEANS, atol=1e-4)
    spread = [np.nanmean(0.5 * ((run.parameters - TARGETS[:, k]) ** 2).sum(axis=1)) for k in range(2)]
    np.testing.assert_allclose(list(run.metrics[-1]["train"]["loss"].values()), spread, rtol=1e-3)


@pytest.mark.parametrize("name", ["fedcmoo", "fsmgda", "fedcmoo_a", "fedcmoo_pref"])
def test_strategies_that_resolve_at_the_server_end_on_the_front(tmp_path, name):
    strategy = {"name": name, "cohort_size": 4, "local_steps": 1, "client_lr": 0.2}
    run = train(Quadratics(), strategy, tmp_path / "run")
    along = MEANS[1] - MEANS[0]
    share = (run.parameters - MEANS[0]) @ along / (along @ along)
    assert -1e-3 <= share <= 1 + 1e-3
    np.testing.assert_allclose(run.parameters, MEANS[0] + share * along, atol=0.02)  # the front is the line between the means


def test_clients_of_firm_weigh_the_objectives_that_they_have(tmp_path):
    strategy = {"name": "firm", "cohort_size": 4, "local_steps": 1, "client_lr": 0.2, "record_steps": True, "solver": {"name": "min_norm"}}
    run = train(Quadratics(), strategy, tmp_path / "run", 30)
    theta = np.zeros(2)
    for row in run.metrics:
        updates, weights = [], []
        for target in TARGETS:
            gradients = theta - target
            if np.isnan(target).any():
                weight = (~np.isnan(target[:, 0])).astype(float)
            else:  # the smallest norm of t a + (1 - t) b
                between = gradients[1] - gradients[0]
                share = np.clip(gradients[1] @ between / (between @ between), 0, 1)
                weight = np.array([share, 1 - share])
            weights.append(weight)
            updates.append(weight @ np.nan_to_num(gradients))
        np.testing.assert_allclose(np.reshape(row["metrics"]["client_lambda"], (4, 2)), weights, atol=1e-5)
        losses = 0.5 * ((theta - TARGETS) ** 2).sum(axis=2)
        np.testing.assert_allclose(list(row["train"]["loss"].values()), np.nanmean(losses, axis=0), rtol=1e-5)
        theta = theta - 0.2 * np.mean(updates, axis=0)
    np.testing.assert_allclose(run.parameters, theta, atol=1e-5)


def test_clients_of_fedgrpo_train_on_the_rewards_that_they_have(tmp_path):
    strategy = {"name": "fedgrpo", "cohort_size": 4, "local_steps": 1, "client_lr": 0.3, "optimizer": "sgd"}
    run = train(Quadratics(), strategy, tmp_path / "run")
    np.testing.assert_allclose(run.parameters, np.nanmean(TARGETS, axis=1).mean(axis=0), atol=1e-4)


def test_a_client_s_preference_is_over_the_objectives_that_it_has(tmp_path):
    problem = Quadratics()
    problem.preference = lambda client: [3, 1]
    own = np.where(np.isnan(TARGETS).any(axis=(1, 2), keepdims=True), np.nanmean(TARGETS, axis=1, keepdims=True), [[[0.75], [0.25]]] * TARGETS)
    models = np.where(np.isnan(TARGETS).any(axis=(1, 2))[:, np.newaxis], own.mean(axis=1), own.sum(axis=1))
    alone = train(problem, {"name": "no_communication", "local_steps": 5, "client_lr": 0.3}, tmp_path / "alone", 20)
    np.testing.assert_allclose(alone.parameters, models, atol=1e-4)
    shared = train(problem, {"name": "fedavg", "private_preferences": True, "cohort_size": 4, "local_steps": 1, "client_lr": 0.3}, tmp_path / "shared")
    np.testing.assert_allclose(shared.parameters[0], models.mean(axis=0), atol=1e-4)
    problem.preference = lambda client: [0, 1]
    with pytest.raises(paretofl.Error, match="preference: expected a positive number for an objective that the client has, found only zeros"):
        train(problem, "no_communication", tmp_path / "nothing")


@pytest.mark.parametrize("name", ["tfirm", "fedmoa", "fedpref", "cfl", "matfl"])
def test_other_strategies_whose_clients_choose_train(tmp_path, name):
    strategy = {"name": name, "local_steps": 2, "client_lr": 0.1}
    runs = [train(Quadratics(), strategy, tmp_path / str(threads), 20, threads=threads) for threads in (1, 2)]
    assert runs[0].summary["parameters_sha256"] == runs[1].summary["parameters_sha256"]
    assert all(not row["failures"] and "abandoned" not in row for row in runs[0].metrics), runs[0].metrics[0]
    assert np.isfinite(runs[0].parameters).all() and np.abs(runs[0].parameters).max() > 0.1


@pytest.mark.parametrize("name", ["fedcmoo", "fsmgda", "fedcmoo_a", "fedcmoo_pref"])
def test_a_cohort_weighs_the_objectives_that_its_clients_have(tmp_path, name):
    run = train(Quadratics(), {"name": name, "cohort_size": 1, "local_steps": 1, "client_lr": 0.02}, tmp_path / "run", 60)
    found = {tuple(weight > 0 for weight in row["lambda"]) for row in run.metrics}
    assert {(True, False), (False, True)} <= found  # cohorts of clients 0 and 3, and of client 2
    assert all("abandoned" not in row and sum(row["lambda"]) == pytest.approx(1) for row in run.metrics)
    assert np.isfinite(run.parameters).all() and np.abs(run.parameters).max() > 0.1


@pytest.mark.parametrize("name", ["fedmgda_plus", "afl", "qffl", "fedfv", "fedmdfg", "scaffold", "feddyn", "fedexp", "ditto"])
def test_strategies_that_compare_the_clients_losses_or_updates_need_all_objectives(tmp_path, name):
    with pytest.raises(paretofl.Error, match=f"{name}: expected that every client has every objective, found clients with some of them"):
        train(Quadratics(), name, tmp_path / "run")


def test_a_solver_for_another_number_of_objectives_is_refused(tmp_path):
    solver = {"name": "fixed", "objective_weights": [1, 2]}
    with pytest.raises(paretofl.Error, match="strategy.solver: expected one for any number of objectives, .* found fixed, which has for 1 of 2: "):
        train(Quadratics(), {"name": "fedcmoo", "solver": solver}, tmp_path / "run")


def test_a_round_of_fedcmoo_theory_without_a_client_that_has_an_objective_is_abandoned(tmp_path):
    strategy = {"name": "fedcmoo_theory", "sketch_cohort_size": 2, "cohort_size": 2, "local_steps": 1, "client_lr": 0.2}
    run = train(Quadratics(), strategy, tmp_path / "run", 40, options={"max_abandoned_rounds": 40})
    reasons = [row["abandoned"] for row in run.metrics if "abandoned" in row]
    assert reasons and len(reasons) < 40 and all("a client with the objective far among those who answered, found none" in reason for reason in reasons)


def test_weights_by_samples_need_equal_samples(tmp_path):
    problem = Quadratics()
    problem.num_samples = lambda client: 10 + client
    with pytest.raises(paretofl.Error, match="strategy.client_weighting: expected uniform where .* found samples, with 10 of client 0 and 11 of client 1"):
        train(problem, "fedavg", tmp_path / "run")
    run = train(problem, {"name": "fedavg", "client_weighting": "uniform", "local_steps": 1, "client_lr": 0.3}, tmp_path / "uniform")
    np.testing.assert_allclose(run.parameters, MEANS.mean(axis=0), atol=1e-4)


@pytest.mark.parametrize("has, message", [
    ([["near"], 3, ["far"], None], "names of .* for client 1, found 3"),
    ([["near"], ("near",), None, ["other"]], r"names of \['near', 'far'\] for client 3, found \['other'\]"),
    ([["near"], [], ["far"], None], "for client 1, found none"),
    ([["near"], "near", ["near"], ["near"]], "a client that has far, found none")])
def test_wrong_objectives_of_clients_are_errors(tmp_path, has, message):
    problem = Quadratics()
    problem.has = has
    with pytest.raises(paretofl.Error, match="client_objectives: expected .*" + message):
        train(problem, "fedavg", tmp_path / "run")


def test_a_module_computes_the_losses_that_a_client_has_and_no_others(tmp_path):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed (Debian: python3-torch)")
    import paretofl.torch

    torch.manual_seed(0)
    model = torch.nn.Linear(3, 2)
    # Clients without an objective have no column for it.
    columns = [{"inputs": torch.randn(20, 3), **{name: torch.randn(20) for name in names}} for names in HAS]

    class Rows(torch.utils.data.Dataset):
        def __init__(self, columns):
            self.columns = columns

        def __len__(self):
            return 20

        def __getitem__(self, index):
            return {name: column[index] for name, column in self.columns.items()}

    losses = {name: lambda outputs, batch, k=k, name=name: (outputs[:, k] - batch[name]).pow(2).mean() for k, name in enumerate(["near", "far"])}
    problem = paretofl.torch.Problem(model, losses, [Rows(part) for part in columns], batch_size=8, client_objectives=HAS,
                                     forward=lambda module, batch: module(batch["inputs"]))
    strategy = {"name": "fedcmoo", "cohort_size": 4, "client_lr": 0.1}
    one = train(problem, strategy, tmp_path / "one", 20, threads=1)
    two = train(problem, strategy, tmp_path / "two", 20, threads=2)
    assert one.summary["parameters_sha256"] == two.summary["parameters_sha256"]
    assert all(np.isfinite(list(row["train"]["loss"].values())).all() and not row["failures"] for row in one.metrics), one.metrics[0]
    assert one.metrics[-1]["train"]["loss"]["near"] < one.metrics[0]["train"]["loss"]["near"]
    with pytest.raises(paretofl.Error, match="a function of the client's number or 4 lists of names, one per client, found"):
        paretofl.torch.Problem(model, losses, [Rows(part) for part in columns], client_objectives=HAS[:2])


def test_a_strategy_in_python_sees_the_factors_of_the_losses(tmp_path):
    seen = []

    @paretofl.register_strategy("sees_factors")
    class SeesFactors(paretofl.Strategy):
        def run_round(self, round, theta):
            replies = round.jacobians(clients=[0, 1, 2, 3])
            seen.append((round.objective_factors, replies.losses, replies.jacobians))
            return theta

    train(Quadratics(), "sees_factors", tmp_path / "run", rounds=1)
    factors, losses, jacobians = seen.pop()
    np.testing.assert_array_equal(factors, [[4 / 3, 0], [4 / 3, 2], [0, 2], [4 / 3, 0]])
    own = np.nan_to_num(0.5 * (TARGETS**2).sum(axis=2))  # at theta 0
    np.testing.assert_allclose(losses, factors * own)
    np.testing.assert_allclose(jacobians, factors[..., np.newaxis] * np.nan_to_num(-TARGETS), rtol=1e-6)
    paretofl.run({"workload": {"name": "quadratics", "clients": 4}, "strategy": {"name": "sees_factors", "cohort_size": 4}}, rounds=1,
                 directory=tmp_path / "config")
    assert np.all(seen.pop()[0] == 1)
