"""A trained agent that acts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from paretofl import _engine
from paretofl.annotations import ArrayLike
from paretofl.arrays import finite, to_numpy
from paretofl.environments.episodes import flattened, legal_action

if TYPE_CHECKING:
    from paretofl.environments.problem import Problem


class Policy:
    """The actions of a trained model, without exploration: `policy(observation)` is an action of the environment's space.
    Error on observations and parameters that are not finite."""

    def __init__(self, problem: Problem, theta: ArrayLike, preference: ArrayLike | None = None) -> None:
        description = problem._description()
        self._flatten = flattened(description.observation_space, len(description.observation_low), description.name)
        self._legal_action = legal_action(description.action_space)
        weights = None if preference is None else to_numpy(preference, "preference", np.float64, 1).tolist()
        parameters = finite(to_numpy(theta, "policy", np.float32, 1), "policy")
        self._engine = _engine.TrainedPolicy(problem, {"agent": problem._workload()["agent"]}, parameters, weights)

    def __call__(self, observation: Any) -> Any:
        numbers = to_numpy(self._flatten(observation), "observation", np.float64, 1)
        return self._legal_action(self._engine.act(finite(numbers, "observation")))
