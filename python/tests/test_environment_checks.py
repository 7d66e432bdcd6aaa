"""The checks that MO-Gymnasium's own tests make of every environment, on every environment of the engine: alone, and as a vector environment.

They are the environment checker of Gymnasium below LinearReward, the reward space, pickling, equal trajectories of equal seeds, and the
wrappers for rewards. MORL-Baselines has no checks of its own: what its algorithms read of an environment is test_what_algorithms_read.
"""

import copy
import pickle
import warnings

import numpy as np
import pytest

import paretofl

gymnasium = pytest.importorskip("gymnasium", minversion="1.1", reason="Gymnasium is not installed (pip install gymnasium)")
mo_gymnasium = pytest.importorskip("mo_gymnasium", reason="MO-Gymnasium is not installed (pip install mo-gymnasium)")

import paretofl.environments  # noqa: E402
from gymnasium.utils.env_checker import check_env, data_equivalence  # noqa: E402
from gymnasium.wrappers import PassiveEnvChecker  # noqa: E402
from mo_gymnasium.wrappers import LinearReward, MOClipReward, MONormalizeReward, MORecordEpisodeStatistics  # noqa: E402
from mo_gymnasium.wrappers.vector import MORecordEpisodeStatistics as MOVectorStatistics  # noqa: E402
from mo_gymnasium.wrappers.vector import MOSyncVectorEnv  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore:.*precision lowered by casting")


def lacking(id):
    """Why this build lacks the environment; None if it does not."""
    try:
        paretofl.environments.make(id)
    except paretofl.Error as error:
        return str(error)


# Those whose simulator this build of the engine lacks are skipped with the reason.
EVERY = [pytest.param(id, marks=pytest.mark.skip(reason=lacking(id)) if lacking(id) else ()) for id in paretofl.environments.names()]
every = pytest.mark.parametrize("id", EVERY)


def complaints(check):
    """Gymnasium's warnings without those of boxes that it would like bounded and symmetric."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check()
    accepted = ("For Box action spaces", "A Box observation space m", "precision lowered by casting")
    return [str(warning.message) for warning in caught if not any(text in str(warning.message) for text in accepted)]


def steps(environment, count, seed=None):
    """What a reset, unless `seed` is None, and so many steps of random actions give, with a reset after every episode."""
    found = []
    if seed is not None:
        environment.action_space.seed(seed)
        found.append(environment.reset(seed=seed))
    for _ in range(count):
        found.append(environment.step(environment.action_space.sample()))
        if isinstance(environment, gymnasium.Env) and (found[-1][2] or found[-1][3]):
            found.append(environment.reset())
    return found


class Linear(LinearReward):
    """With weights of its own in every info: since 1.4, Gymnasium's checker refuses infos that share an object, which LinearReward's do."""

    def step(self, action):
        *found, info = super().step(action)
        return *found, {**info, "reward_weights": self.w.copy()}


@every
def test_the_environment_checker_passes_below_linear_reward(id):
    environment = Linear(mo_gymnasium.make(f"paretofl/{id}"))
    found = complaints(lambda: check_env(environment, skip_render_check=True))
    assert len(found) == 1 and "is different from the unwrapped version" in found[0]  # which is what a wrapper is for


@every
def test_the_passive_checker_has_no_complaint(id):
    environment = PassiveEnvChecker(Linear(mo_gymnasium.make(f"paretofl/{id}")))
    assert complaints(lambda: steps(environment, 300, seed=1)) == []


@every
def test_rewards_lie_in_the_reward_space(id):
    environment = mo_gymnasium.make(f"paretofl/{id}")
    space = environment.unwrapped.reward_space
    assert isinstance(space, gymnasium.spaces.Box) and space.shape == (environment.unwrapped.reward_dim,)
    for found in steps(environment, 300, seed=2):
        if len(found) == 5:
            assert found[1] in space and found[1].shape == space.shape
            assert np.all(found[1] >= space.low) and np.all(found[1] <= space.high)


@every
@pytest.mark.parametrize("copied", [lambda value: pickle.loads(pickle.dumps(value)), copy.deepcopy], ids=["pickle", "deepcopy"])
def test_copies_go_on_from_the_same_state(id, copied):
    for environment in (paretofl.environments.make(id), paretofl.environments.make_vec(id, 3)):
        assert data_equivalence(steps(copied(environment), 5, seed=3), steps(environment, 5, seed=3), exact=True)
        steps(environment, 50)
        twin = copied(environment)
        assert data_equivalence(steps(twin, 200), steps(environment, 200), exact=True)


@every
def test_equal_seeds_give_equal_steps_below_wrappers(id):
    def wrapped():
        environment = MONormalizeReward(mo_gymnasium.make(f"paretofl/{id}"), idx=0)
        return MORecordEpisodeStatistics(MOClipReward(environment, idx=1, min_r=-0.5, max_r=0.5))

    first, second = (steps(wrapped(), 300, seed=4) for _ in range(2))
    for one, other in zip(first, second):
        assert len(one) == len(other) and data_equivalence(one[:4] if len(one) == 5 else one, other[:4] if len(other) == 5 else other, exact=True)
    rewards = np.array([found[1] for found in first if len(found) == 5])
    assert np.all(np.isfinite(rewards)) and np.all(np.abs(rewards[:, 1]) <= 0.5)


@every
def test_what_algorithms_read(id):
    """The fields of MORL-Baselines' MOAgent.extract_env_info, and the spec by which it makes a second environment to evaluate in."""
    environment = mo_gymnasium.make(f"paretofl/{id}")
    assert environment.unwrapped.reward_space.shape[0] == environment.unwrapped.reward_dim
    assert len(environment.observation_space.shape) == 1 and environment.observation_space.shape[0] > 0
    if isinstance(environment.action_space, gymnasium.spaces.Discrete):
        assert environment.action_space.n > 1 and environment.action_space.start == 0
    else:
        assert environment.action_space.shape[0] > 0
    assert environment.spec.id == f"paretofl/{id}"
    again = mo_gymnasium.make(environment.spec.id)
    assert data_equivalence(steps(again, 20, seed=5), steps(environment, 20, seed=5), exact=True)


@every
def test_mo_gymnasiums_vector_environment_takes_it(id):
    envs = MOSyncVectorEnv([lambda: mo_gymnasium.make(f"paretofl/{id}")] * 3)
    envs.reset(seed=6)
    observations, rewards, terminated, truncated, _ = envs.step(envs.action_space.sample())
    assert len(observations) == len(rewards) == len(terminated) == len(truncated) == 3
    assert rewards.shape == (3, envs.envs[0].unwrapped.reward_dim)


@every
def test_the_vector_environment_keeps_gymnasiums_contract(id):
    envs = gymnasium.make_vec(f"paretofl/{id}", num_envs=3)
    assert envs.unwrapped.num_envs == 3 and envs.unwrapped.single_observation_space == paretofl.environments.make(id).observation_space
    statistics = MOVectorStatistics(envs)
    observations, infos = statistics.reset(seed=7)
    assert observations in envs.observation_space and isinstance(infos, dict)
    statistics.action_space.seed(7)
    ended = 0
    for _ in range(1200):
        observations, rewards, terminated, truncated, infos = statistics.step(statistics.action_space.sample())
        assert observations in envs.observation_space and rewards.shape == (3, envs.unwrapped.reward_dim)
        assert all(reward in envs.unwrapped.reward_space for reward in rewards)
        assert terminated.shape == truncated.shape == (3,) and terminated.dtype == truncated.dtype == np.bool_
        assert ("final_obs" in infos) == bool(np.any(terminated | truncated))
        ended += int(np.sum(terminated | truncated))
    assert ended > 0
    first, second = (steps(gymnasium.make_vec(f"paretofl/{id}", num_envs=3), 50, seed=8) for _ in range(2))
    assert data_equivalence(first, second, exact=True)
