"""Many copies of one of the engine's environments, for Gymnasium."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from paretofl import _engine
from paretofl.annotations import ArrayLike, NDArray
from paretofl.arrays import to_numpy
from paretofl.environments.seeds import checked_options, checked_seed, drawn_seed
from paretofl.environments.spaces import spaces_of


class VectorEnvironment(gymnasium.vector.VectorEnv[NDArray[Any], Any, Any]):
    """N copies of `Environment(id)`, whose steps the engine takes in one call.

    Autoreset is Gymnasium's SAME_STEP: if the episode of a copy has ended, the observation is the first one of the next episode, and
    infos["final_obs"] holds the last one of the old episode. Copy i gives the same bits as one `Environment` that is reset with the copy's
    seed at first and without a seed after each episode. `reward_space` is that of one copy, as in MO-Gymnasium.
    Copies of the whole by copy.deepcopy and pickle go on from the same state.

    id: one of `names()`.
    num_envs: N, at least 1. Error as of `make_vec`.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}
    render_mode = None

    def __init__(self, id: str, num_envs: int) -> None:
        if isinstance(num_envs, bool) or not isinstance(num_envs, (int, np.integer)) or num_envs < 1:
            raise _engine.Error(f"make_vec: expected num_envs of at least 1, found {num_envs!r}")
        found = spaces_of(id)
        self.id, self.num_envs = id, int(num_envs)
        self.single_observation_space, self.single_action_space, self.reward_space = found.observation, found.action, found.reward
        self.observation_space = batch_space(found.observation, self.num_envs)
        self.action_space = batch_space(found.action, self.num_envs)
        self.objectives, self.max_episode_steps = found.objectives, found.max_episode_steps
        self.reward_dim = len(found.objectives)
        self._engine: Any = None

    def reset(self, *, seed: int | Sequence[int] | None = None,
              options: dict[str, Any] | None = None) -> tuple[NDArray[Any], dict[str, Any]]:
        """Starts an episode in every copy: in copy i the first one of seed + i, or of seed[i]; without a seed the next episode of the copies'
        last seeds. If no seeds were ever given, they are drawn.

        Returns the observations [N, D] and an empty dictionary. Error on seeds that are no integers from 0 to 2^64 - 1, and on options.
        """
        checked_options(options)
        seeds: Any = None
        if seed is not None:
            given: Any = seed
            single = np.ndim(given) == 0
            if not single and len(given) != self.num_envs:
                raise _engine.Error(f"reset: expected one seed for each of {self.num_envs} copies, found {len(given)}")
            seeds = [checked_seed(checked_seed(given) + i) for i in range(self.num_envs)] if single else [checked_seed(each) for each in given]
            self._np_random, self._np_random_seed = gymnasium.utils.seeding.np_random(seeds[0])
        elif self._engine is None:
            seeds = [drawn_seed(self.np_random) for _ in range(self.num_envs)]
        if self._engine is None:
            self._engine = _engine.SteppedBatch(self.id, seeds)
        return self._engine.reset(seeds), {}

    def step(self, actions: ArrayLike) -> tuple[NDArray[Any], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Takes one action per copy: integers [N], or numbers [N, A], which are clipped to the bounds.

        Returns observations [N, D], rewards [N, M] in float64, terminated [N], truncated [N] and infos. Error on an illegal action. Then no
        copy takes a step.
        """
        if self._engine is None:
            raise _engine.Error(f"{self.id}: expected a reset before the first step, found none")
        shape: Any = self.action_space.shape
        array = to_numpy(actions, f"{self.id}: actions", np.float64, len(shape))
        if array.shape != shape:
            raise _engine.Error(f"{self.id}: expected actions of shape {list(shape)}, found {list(array.shape)}")
        observations, last, rewards, terminated, truncated = self._engine.step(array.reshape(-1))
        infos: dict[str, Any] = {}
        if last is not None:
            ended = terminated | truncated
            final = np.full(self.num_envs, None, dtype=object)
            for i in np.flatnonzero(ended):
                final[i] = last[i]
            infos = {"final_obs": final, "_final_obs": ended, "final_info": {}, "_final_info": ended.copy()}
        return observations, rewards, terminated, truncated, infos

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_engine": None if self._engine is None else self._engine.save()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _engine=None)
        if state["_engine"] is not None:
            self._engine = _engine.SteppedBatch(self.id, [0] * self.num_envs)
            self._engine.load(state["_engine"])

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.id}, num_envs={self.num_envs})"
