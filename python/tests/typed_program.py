"""A program that uses the package as a user does. test_types.py checks its types and runs it."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

import paretofl
import paretofl.environments
import paretofl.torch


class Target(paretofl.Problem):
    def num_clients(self) -> int:
        return 2

    def objectives(self) -> list[str]:
        return ["first", "second"]

    def initial_parameters(self) -> NDArray[np.float64]:
        return np.zeros(3)

    def gradients(self, client: int, theta: NDArray[np.float32], draw: paretofl.Draw) -> tuple[list[float], NDArray[np.float32]]:
        chosen: NDArray[np.int64] = draw.minibatch(4, 2)
        distance = np.stack([theta - client, theta + chosen.size])
        return [float(np.sum(row**2)) / 2 for row in distance], distance

    def evaluate(self, theta: NDArray[np.float32]) -> dict[str, list[float]]:
        return {"loss": [float(np.sum(theta**2)), float(theta.size)]}


@paretofl.register_solver("typed_norms")
class Norms(paretofl.Solver):
    def __init__(self, power: float = 1.0) -> None:
        self.power = power

    def solve(self, gramian: NDArray[np.float64]) -> NDArray[Any]:
        return np.diagonal(gramian) ** self.power


@paretofl.register_reward("typed_words")
def words(completions: list[str], word: str = "yes") -> list[float]:
    """How often a word occurs."""
    return [float(completion.count(word)) for completion in completions]


@paretofl.register_question_set("typed_doubles")
def doubles(seed: int, count: int = 4) -> dict[str, list[tuple[str, str]]]:
    """Doubles of numbers."""
    return {"training": [(f"What is {n} + {n}?", str(2 * n)) for n in range(count)]}


@paretofl.register_strategy("typed_steps")
class Steps(paretofl.Strategy):
    """Federated averaging with a solver's weights."""

    def __init__(self, server_lr: float = 0.5, solver: paretofl.Part = paretofl.Part("solver", "min_norm")) -> None:
        self.server_lr, self.solver = server_lr, solver

    def run_round(self, round: "paretofl.Round", theta: NDArray[np.float32]) -> tuple[NDArray[np.float32], dict[str, Any]]:
        weights = self.solver(np.eye(len(round.objectives)))
        replies = round.train(weights)
        return theta - np.float32(self.server_lr) * replies.mean(replies.num_samples), {"lambda": weights}


class Rounds(paretofl.callbacks.Callback):
    def __init__(self) -> None:
        self.seen: list[int] = []

    def on_round(self, row: dict[str, Any]) -> None:
        self.seen.append(row["round"])


def runs(folder: Path) -> None:
    rounds = Rounds()
    run: paretofl.Run = paretofl.run(Target(), strategy={"name": "typed_steps", "local_steps": 2}, rounds=3, seed=1, directory=folder / "run",
                                     callbacks=[rounds, lambda row: None], progress=False)
    assert rounds.seen == [1, 2, 3]
    assert run.parameters.shape == (3,) and run.summary["objectives"] == run.objectives
    rows: list[dict[str, Any]] = run.metrics
    print(len(rows), run.front()[0]["round"], run.report().name)
    sweep = paretofl.sweep("fedcmoo/fedavg-quadratics", preferences=2, seeds=[1], rounds=2, directory=folder / "sweep")
    sweep.plot("front", folder / "front.svg")
    paretofl.plot([run, sweep.runs[0]][:1], "metrics", folder / "metrics.pdf").set_size_inches(4.0, 3.0)


def parts() -> None:
    weights: NDArray[np.float64] = paretofl.solvers.upgrad([[1.0, -0.5], [-0.5, 4.0]])
    tensor: torch.Tensor = paretofl.solvers.regularized_min_norm(torch.eye(2), smoothing="constant", beta=0.1)
    sketch: paretofl.compressors.Sketch = paretofl.compressors.top_k(np.ones((2, 8)), seed=3, budget=1.0)
    drawn: NDArray[np.float64] = paretofl.preferences.dirichlet(objectives=2, clients=3, concentration=2.0)
    scores: NDArray[np.float64] = paretofl.rewards.length(["A cat."], target=6)
    questions: dict[str, list[tuple[str, str, str]]] = paretofl.question_sets.sums(training_questions=4, validation_questions=0, test_questions=1)
    mean: torch.Tensor = paretofl.aggregators.mean(torch.ones(2, 3))
    similarity: NDArray[np.float64] = paretofl.aggregators.layerwise_similarity([[1.0, 2.0], [2.0, 1.0]], layers=[1, 1])
    volume: float = paretofl.indicators.hypervolume([[1, 2], [2, 1]], reference=[0, 0], minimize=[False, False])
    print(weights, tensor, sketch.num_bytes, drawn.shape, scores, len(questions["training"]), mean, similarity, volume)
    print(paretofl.solvers.typed_norms(np.eye(2)), paretofl.rewards.typed_words(["yes"]), paretofl.question_sets.typed_doubles())


def modules(folder: Path) -> None:
    model = nn.Linear(3, 2)
    data = (torch.ones(8, 3), torch.zeros(8, 2))
    problem = paretofl.torch.Problem(
        model, objectives={"first": lambda outputs, batch: outputs[:, 0].square().mean(), "second": lambda outputs, batch: outputs[:, 1].mean()},
        clients=[data, data], test=data, batch_size=4)
    trained = paretofl.run(problem, strategy="fedavg", rounds=1, directory=folder / "module", progress=False).model()
    outputs: torch.Tensor = trained(data[0])
    losses = [outputs[:, 0].square().mean(), outputs[:, 1].square().mean()]
    print(paretofl.torch.backward(losses, trained.parameters(), solver="min_norm").shape)


def environments() -> None:
    environment = paretofl.environments.make("deep-sea-treasure-v0")
    observation, _ = environment.reset(seed=1)
    observation, rewards, terminated, truncated, _ = environment.step(1)
    problem = paretofl.environments.Problem("paretofl/deep-sea-treasure-v0", clients=2, preferences=np.ones((2, 2)), max_episode_steps=20)
    print(observation.shape, rewards.sum(), terminated or truncated, problem.objectives(), paretofl.environments.names()[0])


if __name__ == "__main__":
    runs(Path(sys.argv[1]))
    parts()
    modules(Path(sys.argv[1]))
    environments()
