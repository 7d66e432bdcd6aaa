"""One of the engine's environments, for Gymnasium."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from paretofl import _engine
from paretofl.annotations import ArrayLike, NDArray
from paretofl.arrays import to_numpy
from paretofl.environments.seeds import checked_options, checked_seed, drawn_seed
from paretofl.environments.spaces import spaces_of


class Environment(gymnasium.Env[NDArray[Any], Any]):
    """One of the engine's environments under Gymnasium's rules, with one reward per objective, as in MO-Gymnasium.

    It has Gymnasium's attributes, and `reward_space` and `reward_dim` as in MO-Gymnasium. `objectives` has the names of the M objectives in
    the order of the rewards. `max_episode_steps` is the step that truncates an episode, or 0. `reset(seed=S)` and the same actions give the
    same bits as `paretofl rollout --seed S` prints. Copies by copy.deepcopy and pickle go on from the same state.

    id: one of `names()`. Error as of `make`.
    """

    metadata: dict[str, Any] = {"render_modes": []}
    render_mode = None

    def __init__(self, id: str) -> None:
        found = spaces_of(id)
        self.id = id
        self.observation_space, self.action_space, self.reward_space = found.observation, found.action, found.reward
        self.objectives, self.max_episode_steps = found.objectives, found.max_episode_steps
        self.reward_dim = len(found.objectives)
        self._engine = _engine.SteppedEnvironment(id)
        self._choices = int(found.action.n) if isinstance(found.action, gymnasium.spaces.Discrete) else 0
        self._seeded = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[NDArray[Any], dict[str, Any]]:
        """Starts the first episode of a seed, or without a seed the next episode of the last seed. If no seed was ever given, one is drawn.

        Returns the observation [D] and an empty dictionary. Error on a seed that is no integer from 0 to 2^64 - 1, and on options.
        """
        checked_options(options)
        if seed is not None:
            seed = checked_seed(seed)
            super().reset(seed=seed)
        elif not self._seeded:
            seed = drawn_seed(self.np_random)
        observation: Any = self._engine.reset(seed)
        self._seeded = True
        return observation, {}

    # Gymnasium's own type is a single number, and this is MO-Gymnasium's vector.
    def step(self, action: int | ArrayLike) -> tuple[NDArray[Any], NDArray[np.float64], bool, bool, dict[str, Any]]:  # type: ignore[override]
        """Takes an action: an integer, or an array [A] of numbers, which are clipped to the bounds.

        Returns the observation [D], the rewards [M] in float64, whether the episode was terminated, whether it was truncated, and an empty
        dictionary. Error on an illegal action and if no episode is running. Then nothing changes.
        """
        if self._choices:
            discrete: Any = action
            try:
                found = self._engine.step_discrete(discrete)
            except TypeError:
                raise _engine.Error(f"{self.id}: expected an integer action from 0 to {self._choices - 1}, found {action!r}") from None
        else:
            found = self._engine.step_continuous(to_numpy(action, f"{self.id}: action", np.float64, 1))
        observation, reward, terminated, truncated = found
        return observation, reward, terminated, truncated, {}

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_engine": self._engine.save() if self._seeded else None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _engine=_engine.SteppedEnvironment(state["id"]))
        if state["_engine"] is not None:
            self._engine.load(state["_engine"])

    def __str__(self) -> str:
        return f"<{type(self).__name__}<{self.id}>>"
