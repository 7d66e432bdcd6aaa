"""One of the engine's environments, for Gymnasium."""

import gymnasium
import numpy as np

from paretofl import _engine
from paretofl.arrays import to_numpy
from paretofl.environments.seeds import checked_options, checked_seed, drawn_seed
from paretofl.environments.spaces import spaces_of


class Environment(gymnasium.Env):
    """One of the engine's environments under Gymnasium's rules, with one reward per objective after MO-Gymnasium's: `reward_space` and
    `reward_dim`. `objectives` has the objectives' names, in the order of the rewards, and `max_episode_steps` the step that truncates an
    episode, 0 if none does. The bits are the engine's: `reset(seed=S)` and the same actions give what `paretofl rollout --seed S` prints.
    Copies by copy.deepcopy and pickle go on from the same state.
    """

    metadata = {"render_modes": []}
    render_mode = None

    def __init__(self, id):
        found = spaces_of(id)
        self.id = id
        self.observation_space, self.action_space, self.reward_space = found.observation, found.action, found.reward
        self.objectives, self.max_episode_steps = found.objectives, found.max_episode_steps
        self.reward_dim = len(found.objectives)
        self._engine = _engine.SteppedEnvironment(id)
        self._discrete = isinstance(self.action_space, gymnasium.spaces.Discrete)
        self._seeded = False

    def reset(self, *, seed=None, options=None):
        """Starts the seed's first episode; without one the next episode of the last seed, which is drawn where none was given before.

        Returns the observation [D] and an empty dictionary. Error on a seed that is no integer from 0 to 2^64 - 1, and on options.
        """
        checked_options(options)
        if seed is not None:
            seed = checked_seed(seed)
            super().reset(seed=seed)
        elif not self._seeded:
            seed = drawn_seed(self.np_random)
        observation = self._engine.reset(seed)
        self._seeded = True
        return observation, {}

    def step(self, action):
        """Takes an action: an integer, or an array [A] of numbers that are clipped to the bounds.

        Returns the observation [D], the rewards [M] in float64, terminated, truncated and an empty dictionary. Error, and nothing
        changes, on an illegal action and where no episode is running.
        """
        if self._discrete:
            try:
                found = self._engine.step_discrete(action)
            except TypeError:
                raise _engine.Error(f"{self.id}: expected an integer action from 0 to {self.action_space.n - 1}, found {action!r}") from None
        else:
            found = self._engine.step_continuous(to_numpy(action, f"{self.id}: action", np.float64, 1))
        observation, reward, terminated, truncated = found
        return observation, reward, terminated, truncated, {}

    def __getstate__(self):
        return {**self.__dict__, "_engine": self._engine.save() if self._seeded else None}

    def __setstate__(self, state):
        self.__dict__.update(state, _engine=_engine.SteppedEnvironment(state["id"]))
        if state["_engine"] is not None:
            self._engine.load(state["_engine"])

    def __str__(self):
        return f"<{type(self).__name__}<{self.id}>>"
