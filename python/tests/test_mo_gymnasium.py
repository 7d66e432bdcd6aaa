import re
from pathlib import Path

import numpy as np
import pytest

import paretofl

gymnasium = pytest.importorskip("gymnasium", minversion="1.1", reason="Gymnasium is not installed (pip install gymnasium)")
mo_gymnasium = pytest.importorskip("mo_gymnasium", reason="MO-Gymnasium is not installed (pip install mo-gymnasium)")

import paretofl.environments  # noqa: E402
from mo_gymnasium.wrappers import LinearReward, MORecordEpisodeStatistics  # noqa: E402
from mo_gymnasium.wrappers.vector import MORecordEpisodeStatistics as MOVectorStatistics  # noqa: E402

# Those without random numbers, of which there would be others.
DETERMINISTIC = ["deep-sea-treasure-v0", "deep-sea-treasure-concave-v0", "deep-sea-treasure-mirrored-v0", "minecart-deterministic-v0", "four-room-v0",
                 "fruit-tree-v0"]
DQN = {"name": "dqn", "batch_size": 32, "buffer_size": 5000, "learning_starts": 100, "train_freq": 4, "hidden": [16], "total_steps": 3000,
       "target_update_interval": 200}

PAGE = Path(__file__).parents[2] / "docs" / "my_environment.md"

pytestmark = pytest.mark.filterwarnings("ignore:.*precision lowered by casting")


@pytest.mark.parametrize("id", DETERMINISTIC)
def test_the_engines_environments_are_mo_gymnasiums(id):
    ours, theirs = paretofl.environments.make(id), mo_gymnasium.make(id)
    assert ours.action_space == theirs.action_space and ours.reward_dim == theirs.unwrapped.reward_dim
    random = np.random.default_rng(1)
    for episode in range(20):
        found, expected = ours.reset(seed=episode)[0], theirs.reset(seed=episode)[0]
        ended = False
        while not ended:
            assert found.dtype == expected.dtype
            np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-12)  # minecart's sines and cosines are NumPy's or the C library's
            action = int(random.integers(ours.action_space.n))
            found, reward, *ends, _ = ours.step(action)
            expected, expected_reward, *expected_ends, _ = theirs.step(action)
            np.testing.assert_allclose(reward, expected_reward, rtol=1e-6, atol=1e-12)
            assert ends == [bool(end) for end in expected_ends]
            ended = any(ends)


@pytest.mark.parametrize("id", DETERMINISTIC + ["minecart-v0", "mo-mountaincar-v0", "mo-mountaincar-3d-v0", "resource-gathering-v0", "fishwood-v0"])
def test_mo_gymnasium_scalarizes_the_engines_rewards(id):
    environment = mo_gymnasium.make(f"paretofl/{id}")
    weights = np.arange(1.0, 1.0 + environment.unwrapped.reward_dim)
    scalar = LinearReward(environment, weight=weights)
    scalar.reset(seed=3)
    _, reward, _, _, info = scalar.step(0)
    assert reward == pytest.approx(weights @ info["vector_reward"])


def test_mo_gymnasium_records_the_engines_returns():
    environment = MORecordEpisodeStatistics(paretofl.environments.make("deep-sea-treasure-v0"))
    environment.reset(seed=1)
    info = [environment.step(action) for action in (3, 1, 1)][-1][4]
    np.testing.assert_allclose(info["episode"]["r"], [8.2, -3], rtol=1e-6)
    batch = MOVectorStatistics(paretofl.environments.make_vec("deep-sea-treasure-v0", 2))
    batch.reset(seed=1)
    infos = [batch.step(actions) for actions in ([3, 3], [1, 3], [1, 3])][-1][4]
    np.testing.assert_allclose(infos["episode"]["r"][0], [8.2, -3], rtol=1e-6)


def mean_returns(problem, act, episodes=20):
    """Mean returns [M] of a function from an observation to an action."""
    environment, total = problem._environment(), 0
    for episode in range(episodes):
        observation, _ = environment.reset(seed=1000 + episode)
        ended = False
        while not ended:
            observation, reward, terminated, truncated, _ = environment.step(act(observation))
            total, ended = total + reward / episodes, terminated or truncated
    return total


def test_fedpref_learns_in_an_environment_of_mo_gymnasium(tmp_path):
    preferences = np.array([[1.0, 0], [0.95, 0.05], [0, 1], [0.2, 0.8]])  # of fish and wood
    problem = paretofl.environments.Problem("mo_gymnasium:fishwood-v0", preferences=preferences, max_episode_steps=200,
                                            agent={**DQN, "batch_size": 64, "train_freq": 1, "gamma": 0.9})
    run = paretofl.run(problem, strategy={"name": "fedpref", "optimizer": "adam", "client_lr": 0.001, "local_steps": 1000}, rounds=6, directory=tmp_path / "run",
                       options={"evaluation.every": 1})
    random = np.random.default_rng(1)
    aimless = mean_returns(problem, lambda observation: random.integers(2))
    for client, preference in enumerate(preferences):
        learned = mean_returns(problem, problem.policy(run.parameters[client]))
        # Random actions catch 10 fish and cut 90 logs in 200 steps; fishing or cutting alone twice as many.
        assert preference @ learned > 1.3 * preference @ aimless
    figures = [row["overall"]["scalarized_return"] for row in run.metrics]
    assert figures[-1] > figures[0]


@pytest.mark.parametrize("id, agent, options", [
    ("mo_gymnasium:breakable-bottles-v0", DQN, {}),  # a dictionary of observations
    ("mo_gymnasium:mo-mountaincarcontinuous-v0", {"name": "ddpg", "batch_size": 16, "learning_starts": 50, "hidden": [16]}, {"max_episode_steps": 100}),
])
def test_other_spaces_of_mo_gymnasium_train(tmp_path, id, agent, options):
    run = paretofl.run(paretofl.environments.Problem(id, clients=3, agent=agent, **options), threads=2, rounds=2, directory=tmp_path / "run",
                       strategy={"name": "cfl", "optimizer": "adam", "client_lr": 0.001, "local_steps": 120})
    assert all(row["failures"] == [] for row in run.metrics)
    assert np.all(np.isfinite(run.summary["clients"]["scalarized_return"]))


def test_every_example_of_the_environments_page_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    names = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)
    assert len(blocks) == 5
    assert names["run"].parameters.shape[0] == 6 and names["policy"](4) in (0, 1)
