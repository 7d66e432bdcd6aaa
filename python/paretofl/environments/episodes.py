"""One Gymnasium environment, as the engine steps it."""

import gymnasium
import numpy as np

from paretofl._engine import Error


class Episodes:
    """What the engine calls for the steps of one environment. It writes `action` [A] before a step and reads `observation` [D] and `reward`
    [M] after it, all float64: an observation as gymnasium.spaces.flatten has it, a discrete action as an integer from 0.
    """

    def __init__(self, environment, description):
        self.environment = environment
        self.name = description.name
        self.action = np.zeros(1 if description.choices else len(description.action_low))
        self.observation = np.zeros(len(description.observation_low))
        self.reward = np.zeros(len(description.objectives))

    def reset(self, seed):
        observation, _ = self.environment.reset(seed=seed)
        self._observe(observation)

    def step(self):
        observation, reward, terminated, truncated, _ = self.environment.step(legal_action(self.environment.action_space, self.action))
        self._observe(observation)
        reward = np.asarray(reward)
        if reward.shape != self.reward.shape:
            raise Error(f"{self.name}: expected a reward of shape {list(self.reward.shape)}, one number per objective, found {list(reward.shape)}")
        self.reward[:] = reward
        return bool(terminated), bool(truncated)

    def close(self):
        self.environment.close()

    def _observe(self, observation):
        self.observation[:] = flat_observation(self.environment.observation_space, observation, self.observation.size, self.name)


def flat_observation(space, observation, size, name):
    """An observation of this space as numbers [size]. Error on another size."""
    if isinstance(space, gymnasium.spaces.Box):
        numbers = np.asarray(observation).reshape(-1)
    else:
        numbers = gymnasium.spaces.flatten(space, observation)
    if numbers.size != size:
        raise Error(f"{name}: expected observations of {size} numbers, found {numbers.size}")
    return numbers


def legal_action(space, action):
    """The engine's action [A] as an action of this space, a copy: an integer, or an array within the bounds."""
    if isinstance(space, gymnasium.spaces.Discrete):
        return np.int64(action[0]) + space.start
    return np.clip(action.astype(space.dtype).reshape(space.shape), space.low, space.high)
