import json
import re
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import paretofl

gymnasium = pytest.importorskip("gymnasium", minversion="1.1", reason="Gymnasium is not installed (pip install gymnasium)")

import paretofl.environments  # noqa: E402
from gymnasium.utils.env_checker import check_env, data_equivalence  # noqa: E402

WITHOUT_SIMULATOR = ["deep-sea-treasure-v0", "deep-sea-treasure-concave-v0", "deep-sea-treasure-mirrored-v0", "minecart-v0",
                     "minecart-deterministic-v0", "mo-mountaincar-v0", "mo-mountaincar-3d-v0", "mo-mountaincar-timemove-v0",
                     "mo-mountaincar-timespeed-v0", "mo-mountaincarcontinuous-v0", "four-room-v0", "resource-gathering-v0", "fruit-tree-v0",
                     "breakable-bottles-v0", "fishwood-v0", "water-reservoir-v0"]


def lacking(id):
    """Why this build lacks the environment; None if it does not."""
    try:
        paretofl.environments.make(id)
    except paretofl.Error as error:
        return str(error)


AVAILABLE = [id for id in paretofl.environments.names() if not lacking(id)]


def trajectory(environment, seed, steps):
    """Everything that so many steps of random actions give, with a reset after every episode."""
    environment.action_space.seed(seed)
    found = [environment.reset(seed=seed)[0]]
    for _ in range(steps):
        step = environment.step(environment.action_space.sample())
        found += step[:4]
        if step[2] or step[3]:
            found.append(environment.reset()[0])
    return found


def test_names_are_the_engines():
    assert len(set(paretofl.environments.names())) == 38
    assert set(WITHOUT_SIMULATOR) <= set(AVAILABLE)


@pytest.mark.parametrize("id, simulator", [("mo-hopper-v4", "MuJoCo"), ("mo-lunar-lander-v2", "Box2D")])
def test_a_missing_simulator_is_a_clear_error(tmp_path, id, simulator):
    """In a copy of the package without the libraries that hold what needs simulators, as wheels are."""
    shutil.copytree(Path(paretofl.__file__).parent, tmp_path / "paretofl", ignore=shutil.ignore_patterns("libparetofl_*", "__pycache__"))
    script = "import sys, paretofl.environments; print(paretofl.__file__); paretofl.environments.make(sys.argv[1])"
    ended = subprocess.run([sys.executable, "-c", script, id], capture_output=True, text=True, cwd=tmp_path)
    assert str(tmp_path) in ended.stdout and re.search(f"Error: expected .*{simulator}, found", ended.stderr)


@pytest.mark.parametrize("id", AVAILABLE)
def test_gymnasiums_checker_passes(id):
    environment = paretofl.environments.make(id)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check_env(environment, skip_render_check=True)
    # Gymnasium has no vector rewards, and it would like bounded and symmetric boxes; it has no other complaint.
    accepted = ("The reward returned by `step()` must be a float", "For Box action spaces", "A Box observation space m")
    assert [str(warning.message) for warning in caught if not any(text in str(warning.message) for text in accepted)] == []


@pytest.mark.parametrize("id", AVAILABLE)
def test_rewards_follow_mo_gymnasium(id):
    environment = paretofl.environments.make(id)
    environment.reset(seed=1)
    observation, reward, terminated, truncated, info = environment.step(environment.action_space.sample())
    assert reward in environment.reward_space and observation in environment.observation_space
    assert environment.unwrapped.reward_dim == environment.reward_space.shape[0] == len(environment.objectives) == len(reward)
    assert type(terminated) is bool and type(truncated) is bool and info == {}


@pytest.mark.parametrize("id", AVAILABLE)
def test_equal_seeds_give_equal_trajectories(id):
    first, second = (trajectory(paretofl.environments.make(id), 5, 400) for _ in range(2))
    assert data_equivalence(first, second, exact=True)


def test_another_seed_gives_another_trajectory():
    first, second = (paretofl.environments.make("mo-mountaincar-v0").reset(seed=seed)[0] for seed in (1, 2))
    assert not np.array_equal(first, second)


def test_a_reset_without_a_seed_starts_the_next_episode():
    environment = paretofl.environments.make("mo-mountaincar-v0")
    starts = [environment.reset(seed=seed)[0] for seed in (3, None, None, 3, None)]
    np.testing.assert_array_equal(starts[0], starts[3])
    np.testing.assert_array_equal(starts[1], starts[4])
    assert len({start.tobytes() for start in starts[:3]}) == 3


def test_without_any_seed_environments_differ():
    starts = [paretofl.environments.make("mo-mountaincar-v0").reset()[0].tobytes() for _ in range(2)]
    assert starts[0] != starts[1]


def test_the_seed_is_the_commands(tmp_path):
    actions = [0, 2, 2, 1, 2]
    (tmp_path / "actions.json").write_text(json.dumps(actions), encoding="utf-8")
    found = json.loads(subprocess.run(
        [sys.executable, "-c", "import sys; from paretofl.command import main; sys.exit(main())", "rollout", "--env", "mo-mountaincar-v0", "--seed",
         "7", "--actions", str(tmp_path / "actions.json")], capture_output=True, check=True, text=True).stdout)
    environment = paretofl.environments.make("mo-mountaincar-v0")
    assert environment.reset(seed=7)[0].tolist() == found["reset_obs"]
    steps = [environment.step(action) for action in actions]
    assert [step[0].tolist() for step in steps] == found["obs"]
    assert [step[1].tolist() for step in steps] == found["reward"]


@pytest.mark.parametrize("id", AVAILABLE)
def test_copies_equal_single_environments(id):
    copies, seed = 5, 11
    batch = paretofl.environments.make_vec(id, copies)
    singles = [paretofl.environments.make(id) for _ in range(copies)]
    observations, infos = batch.reset(seed=seed)
    assert infos == {} and observations in batch.observation_space
    for i, single in enumerate(singles):
        np.testing.assert_array_equal(observations[i], single.reset(seed=seed + i)[0])
    batch.action_space.seed(2)
    ends = 0
    for _ in range(1500):
        actions = batch.action_space.sample()
        observations, rewards, terminated, truncated, infos = batch.step(actions)
        assert rewards.shape == (copies, batch.reward_dim) and terminated.dtype == truncated.dtype == np.bool_
        for i, single in enumerate(singles):
            observation, reward, *ended, _ = single.step(actions[i])
            assert ended == [terminated[i], truncated[i]]
            assert reward.tobytes() == rewards[i].tobytes()
            if any(ended):
                ends += 1
                assert infos["_final_obs"][i] and infos["final_obs"][i].tobytes() == observation.tobytes()
                observation, _ = single.reset()
            elif infos:
                assert not infos["_final_obs"][i] and infos["final_obs"][i] is None
            assert observation.dtype == observations.dtype and observation.tobytes() == observations[i].tobytes()
    assert ends > 0


def test_copies_equal_gymnasiums_vector_environment():
    ours = paretofl.environments.make_vec("minecart-v0", 3)
    theirs = gymnasium.vector.SyncVectorEnv([lambda: Scalar(paretofl.environments.make("minecart-v0"))] * 3,
                                            autoreset_mode=gymnasium.vector.AutoresetMode.SAME_STEP)
    assert ours.observation_space == theirs.observation_space and ours.action_space == theirs.action_space
    assert ours.metadata["autoreset_mode"] == theirs.metadata["autoreset_mode"]
    assert data_equivalence(ours.reset(seed=4), theirs.reset(seed=4), exact=True)
    ours.action_space.seed(1)
    for _ in range(2500):
        actions = ours.action_space.sample()
        observations, rewards, terminated, truncated, infos = ours.step(actions)
        expected = theirs.step(actions)
        assert data_equivalence((observations, rewards.sum(axis=1), terminated, truncated), expected[:4], exact=True)
        assert infos.keys() == expected[4].keys()
        for key in infos:
            assert data_equivalence(infos[key], expected[4][key], exact=True) or (key == "final_obs" and all(
                np.array_equal(a, b) for a, b in zip(infos[key], expected[4][key])))


class Scalar(gymnasium.RewardWrapper):
    def reward(self, reward):
        return float(reward.sum())


def test_reset_of_copies_takes_seeds():
    batch = paretofl.environments.make_vec("mo-mountaincar-v0", 3)
    first = batch.reset(seed=[5, 9, 5])[0]
    np.testing.assert_array_equal(first[0], first[2])
    np.testing.assert_array_equal(first[1], paretofl.environments.make("mo-mountaincar-v0").reset(seed=9)[0])
    following = batch.reset()[0]
    np.testing.assert_array_equal(batch.reset(seed=[5, 9, 5])[0], first)
    np.testing.assert_array_equal(batch.reset()[0], following)
    assert not np.array_equal(first, following)
    drawn = paretofl.environments.make_vec("mo-mountaincar-v0", 3).reset()[0]
    assert len(np.unique(drawn[:, 0])) == 3


def test_returned_arrays_stay_as_they_are():
    environment = paretofl.environments.make("deep-sea-treasure-v0")
    batch = paretofl.environments.make_vec("deep-sea-treasure-v0", 2)
    for start, step in ((environment.reset(seed=1)[0], lambda: environment.step(3)), (batch.reset(seed=1)[0], lambda: batch.step([3, 3]))):
        kept = step()[0]
        copy = kept.copy()
        start[...] = 7
        step()
        np.testing.assert_array_equal(kept, copy)


def test_gymnasium_makes_the_engines_environments():
    environment = gymnasium.make("paretofl/minecart-v0")
    assert environment.unwrapped.id == "minecart-v0" and environment.spec.id == "paretofl/minecart-v0"
    batch = gymnasium.make_vec("paretofl/minecart-v0", num_envs=2, vectorization_mode="vector_entry_point")
    assert isinstance(batch, paretofl.environments.VectorEnvironment) and batch.num_envs == 2
    assert data_equivalence(environment.reset(seed=3)[0], batch.reset(seed=3)[0][0], exact=True)
    copies = gymnasium.make_vec("paretofl/minecart-v0", num_envs=2, vectorization_mode="sync")
    assert data_equivalence(copies.reset(seed=3)[0], batch.reset(seed=3)[0], exact=True)


@pytest.mark.parametrize("wrong, message", [
    (lambda: paretofl.environments.make("minecart-v9"), "minecart-v0"),
    (lambda: paretofl.environments.make("python"), "environment"),
    (lambda: paretofl.environments.make(3), "expected an id"),
    (lambda: paretofl.environments.make_vec("minecart-v0", 0), "num_envs"),
    (lambda: paretofl.environments.make_vec("minecart-v0", 2.0), "num_envs"),
    (lambda: paretofl.environments.make("fruit-tree-v0").step(0), "expected a reset"),
    (lambda: paretofl.environments.make_vec("fruit-tree-v0", 2).step([0, 0]), "expected a reset"),
    (lambda: started().step(4), "from 0 to 3"),
    (lambda: started().step(0.5), "from 0 to 3"),
    (lambda: started().step("up"), "from 0 to 3"),
    (lambda: started().step(None), "from 0 to 3"),
    (lambda: started().reset(seed=-1), "expected a seed"),
    (lambda: started().reset(seed=2**64), "expected a seed"),
    (lambda: started().reset(seed=1.5), "expected a seed"),
    (lambda: started().reset(options={"start": 1}), "expected no options"),
    (lambda: started(2).step([0]), "shape"),
    (lambda: started(2).step([0, 4]), "from 0 to 3"),
    (lambda: started(2).step([[0], [1]]), "1 dimension"),
    (lambda: started(2).step(["a", "b"]), "array of numbers"),
    (lambda: started(2).reset(seed=[1]), "one seed for each of 2"),
    (lambda: started(2).reset(seed=2**64 - 1), "expected a seed"),
    (lambda: started(2).reset(seed="ab"), "expected a seed"),
])
def test_wrong_use_of_an_environment_is_one_error(wrong, message):
    with pytest.raises(paretofl.Error, match=message):
        wrong()


def started(copies=None):
    environment = paretofl.environments.make("deep-sea-treasure-v0") if copies is None else paretofl.environments.make_vec("deep-sea-treasure-v0", copies)
    environment.reset(seed=1)
    return environment


def test_an_illegal_action_changes_nothing():
    environment = started()
    with pytest.raises(paretofl.Error):
        environment.step(9)
    other = started()
    assert data_equivalence(environment.step(1), other.step(1), exact=True)


def test_a_step_after_the_end_is_an_error():
    environment = started()
    environment.step(1)
    with pytest.raises(paretofl.Error, match="expected a reset after the episode's end"):
        environment.step(1)


def test_the_package_alone_imports_no_gymnasium():
    subprocess.run([sys.executable, "-c", "import sys, paretofl; assert 'gymnasium' not in sys.modules"], check=True)


def test_the_package_imports_its_environments_when_they_are_used():
    made = "import paretofl; environment = paretofl.environments.make('deep-sea-treasure-v0'); print(environment.reward_space.shape)"
    assert subprocess.run([sys.executable, "-c", made], check=True, capture_output=True, text=True).stdout == "(2,)\n"
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        paretofl.nothing
