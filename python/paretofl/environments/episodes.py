"""One Gymnasium environment, as the engine steps it."""

import numpy as np
from gymnasium import spaces

from paretofl._engine import Error
from paretofl.arrays import short


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
        self._step, self._shape = environment.step, self.reward.shape
        self._legal_action = legal_action(environment.action_space)
        self._flatten = flattened(environment.observation_space, self.observation.size, self.name)

    def reset(self, seed):
        observation, _ = self.environment.reset(seed=seed)
        self.observation[:] = self._flatten(observation)

    def step(self):
        found = self._step(self._legal_action(self.action))
        if not isinstance(found, tuple) or len(found) != 5:
            raise Error(f"{self.name}: expected step() to return (observation, reward, terminated, truncated, info), found {_kind(found)}")
        observation, reward, terminated, truncated, _ = found
        for flag, ends in (("terminated", terminated), ("truncated", truncated)):
            if not isinstance(ends, (bool, np.bool_)):
                raise Error(f"{self.name}: expected True or False as {flag}, found {short(ends)}")
        self.observation[:] = self._flatten(observation)
        reward = np.asarray(reward)
        if reward.shape != self._shape:
            raise Error(f"{self.name}: expected a reward of shape {list(self._shape)}, one number per objective, found {list(reward.shape)}")
        self.reward[:] = reward
        return bool(terminated), bool(truncated)

    def close(self):
        self.environment.close()


def _kind(found):
    return f"{len(found)} values" if isinstance(found, tuple) else type(found).__name__


def flattened(space, size, name):
    """The function from an observation of this space to numbers [size]; it raises Error on another size."""
    plain = isinstance(space, spaces.Box)

    def flatten(observation):
        numbers = np.asarray(observation).reshape(-1) if plain else spaces.flatten(space, observation)
        if numbers.size != size:
            raise Error(f"{name}: expected observations of {size} numbers, found {numbers.size}")
        return numbers

    return flatten


def legal_action(space):
    """The function from the engine's action [A] to one of this space, a copy: an integer, or an array within the bounds."""
    if isinstance(space, spaces.Discrete):
        start = space.start
        return lambda action: np.int64(action[0]) + start
    low, high, dtype, shape = space.low, space.high, space.dtype, space.shape
    return lambda action: np.clip(action.astype(dtype).reshape(shape), low, high)
