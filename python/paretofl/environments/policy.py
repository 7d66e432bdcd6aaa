"""A trained agent that acts."""

import numpy as np

from paretofl import _engine
from paretofl.arrays import to_numpy
from paretofl.environments.episodes import flat_observation, legal_action


class Policy:
    """The actions of a trained model, without exploration: `policy(observation)` is an action of the environment's space."""

    def __init__(self, problem, theta):
        description = problem._description()
        self._name, self._size = description.name, len(description.observation_low)
        self._observation_space, self._action_space = description.observation_space, description.action_space
        self._engine = _engine.TrainedPolicy(problem, {"agent": problem._workload()["agent"]}, to_numpy(theta, "policy", np.float32, 1))

    def __call__(self, observation):
        numbers = flat_observation(self._observation_space, observation, self._size, self._name)
        return legal_action(self._action_space, self._engine.act(np.ascontiguousarray(numbers, np.float64)))
