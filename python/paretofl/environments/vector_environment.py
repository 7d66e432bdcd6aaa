"""Many copies of one of the engine's environments, for Gymnasium."""

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from paretofl import _engine
from paretofl.arrays import to_numpy
from paretofl.environments.seeds import checked_options, checked_seed, drawn_seed
from paretofl.environments.spaces import spaces_of


class VectorEnvironment(gymnasium.vector.VectorEnv):
    """N copies of `Environment(id)` whose steps the engine takes in one call.

    Autoreset is Gymnasium's SAME_STEP: where a copy's episode has ended, the observation is the next episode's first one and
    infos["final_obs"] holds the last one of the old. Copy i does to the bit what one `Environment` does that is reset with the copy's seed
    first and without one after each episode. `reward_space` is that of one copy, as in MO-Gymnasium. Copies of the whole by copy.deepcopy and pickle go on from
    the same state.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}
    render_mode = None

    def __init__(self, id, num_envs):
        if isinstance(num_envs, bool) or not isinstance(num_envs, (int, np.integer)) or num_envs < 1:
            raise _engine.Error(f"make_vec: expected num_envs of at least 1, found {num_envs!r}")
        found = spaces_of(id)
        self.id, self.num_envs = id, int(num_envs)
        self.single_observation_space, self.single_action_space, self.reward_space = found.observation, found.action, found.reward
        self.observation_space = batch_space(found.observation, self.num_envs)
        self.action_space = batch_space(found.action, self.num_envs)
        self.objectives, self.max_episode_steps = found.objectives, found.max_episode_steps
        self.reward_dim = len(found.objectives)
        self._engine = None

    def reset(self, *, seed=None, options=None):
        """Starts an episode in every copy: of seed + i, or seed[i], in copy i; without a seed the next episode of the copies' last seeds,
        which are drawn where none were given before.

        Returns the observations [N, D] and an empty dictionary. Error on seeds that are no integers from 0 to 2^64 - 1, and on options.
        """
        checked_options(options)
        seeds = None
        if seed is not None:
            single = np.ndim(seed) == 0
            if not single and len(seed) != self.num_envs:
                raise _engine.Error(f"reset: expected one seed for each of {self.num_envs} copies, found {len(seed)}")
            seeds = [checked_seed(checked_seed(seed) + i) for i in range(self.num_envs)] if single else [checked_seed(each) for each in seed]
            self._np_random, self._np_random_seed = gymnasium.utils.seeding.np_random(seeds[0])
        elif self._engine is None:
            seeds = [drawn_seed(self.np_random) for _ in range(self.num_envs)]
        if self._engine is None:
            self._engine = _engine.SteppedBatch(self.id, seeds)
        return self._engine.reset(seeds), {}

    def step(self, actions):
        """One action per copy: integers [N], or numbers [N, A] that are clipped to the bounds.

        Returns observations [N, D], rewards [N, M] in float64, terminated [N], truncated [N] and infos. Error, and no copy moves, on an
        illegal action.
        """
        if self._engine is None:
            raise _engine.Error(f"{self.id}: expected a reset before the first step, found none")
        shape = self.action_space.shape
        array = to_numpy(actions, f"{self.id}: actions", np.float64, len(shape))
        if array.shape != shape:
            raise _engine.Error(f"{self.id}: expected actions of shape {list(shape)}, found {list(array.shape)}")
        observations, last, rewards, terminated, truncated = self._engine.step(array.reshape(-1))
        infos = {}
        if last is not None:
            ended = terminated | truncated
            final = np.full(self.num_envs, None, dtype=object)
            for i in np.flatnonzero(ended):
                final[i] = last[i]
            infos = {"final_obs": final, "_final_obs": ended, "final_info": {}, "_final_info": ended.copy()}
        return observations, rewards, terminated, truncated, infos

    def __getstate__(self):
        return {**self.__dict__, "_engine": None if self._engine is None else self._engine.save()}

    def __setstate__(self, state):
        self.__dict__.update(state, _engine=None)
        if state["_engine"] is not None:
            self._engine = _engine.SteppedBatch(self.id, [0] * self.num_envs)
            self._engine.load(state["_engine"])

    def __repr__(self):
        return f"{type(self).__name__}({self.id}, num_envs={self.num_envs})"
