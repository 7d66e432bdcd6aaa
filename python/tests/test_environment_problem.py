import os
import pickle
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import paretofl

gymnasium = pytest.importorskip("gymnasium", minversion="1.1", reason="Gymnasium is not installed (pip install gymnasium)")

import paretofl.environments  # noqa: E402

DQN = {"name": "dqn", "batch_size": 32, "buffer_size": 5000, "learning_starts": 50, "train_freq": 4, "hidden": [16], "total_steps": 1000,
       "target_update_interval": 100}
DDPG = {"name": "ddpg", "batch_size": 16, "buffer_size": 1000, "learning_starts": 20, "hidden": [16], "noise": 0.1}


CAPQL = {"name": "capql", "batch_size": 32, "buffer_size": 2000, "learning_starts": 100, "hidden": [32], "gamma": 0.5, "alpha": 0.01}
ENVELOPE = {**DQN, "name": "envelope_dqn", "preferences_per_update": 4, "homotopy_final": 0.5}


def strategy(name="fedpref", local_steps=70):
    return {"name": name, "optimizer": "adam", "client_lr": 0.004, "local_steps": local_steps}


class Lights(gymnasium.Env):
    """A lamp of n colours: the action that names the colour that is shown gives one kind of reward, and the one after it the other.
    Episodes have 15 steps or end early by chance; one colour of them truncates. The random numbers are the seed's."""

    action_space = gymnasium.spaces.Discrete(3, start=5)
    observation_space = gymnasium.spaces.Discrete(3, start=1)
    reward_space = gymnasium.spaces.Box(0, 1, (2,), np.float32)

    def __init__(self, step=None):
        self.broken_step = step

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.colour, self.steps = 1 + int(self.np_random.integers(3)), 0
        return self.colour, {}

    def step(self, action):
        assert action in self.action_space
        self.steps += 1
        if self.broken_step is not None:
            return self.broken_step(self)
        reward = np.array([action - 5 == self.colour - 1, action - 5 == self.colour % 3], np.float32)
        self.colour = 1 + int(self.np_random.integers(3))
        early = self.np_random.random() < 0.05
        return self.colour, reward, self.steps == 15 or (early and self.colour > 1), early and self.colour == 1, {}


class Target(gymnasium.Env):
    """Two numbers to be hit by an action of shape [1, 2], and an effort."""

    action_space = gymnasium.spaces.Box(np.array([[-2, 0]], np.float32), np.array([[2, 1]], np.float32))
    observation_space = gymnasium.spaces.Dict({"where": gymnasium.spaces.Box(-1, 1, (1, 2)), "kind": gymnasium.spaces.MultiBinary(2)})

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return self.observed(), {}

    def step(self, action):
        assert action in self.action_space
        self.last = action  # an environment may keep its action
        return self.observed(), [-float(((action - self.where) ** 2).sum()), -float((action**2).sum())], False, False, {}

    def observed(self):
        self.where = self.np_random.uniform(-1, 1, (1, 2)).astype(np.float32)
        return {"where": self.where, "kind": np.array([1, 0], np.int8)}


def lights(**options):
    return paretofl.environments.Problem(Lights, **{"clients": 4, "agent": DQN, "max_episode_steps": 15, **options})


def targets(**options):
    return paretofl.environments.Problem(Target, **{"clients": 3, "agent": DDPG, "max_episode_steps": 9, "objectives": ["miss", "effort"], **options})


def digest(run):
    return run.summary["parameters_sha256"]


def failures(tmp_path, problem):
    """The reasons recorded for failed clients in the one round that fails."""
    with pytest.raises(paretofl.Error, match="abandoned"):
        paretofl.run(problem, strategy=strategy(), rounds=1, directory=tmp_path / "run", options={"max_abandoned_rounds": 1})
    return [failure["reason"] for failure in paretofl.Run(tmp_path / "run").metrics[0]["failures"]]


def test_training_has_the_bits_of_the_engines_own_environment(tmp_path):
    for id, workload in (("deep-sea-treasure-v0", "deep_sea_treasure"), ("minecart-deterministic-v0", "minecart")):
        native = paretofl.run({"workload": {"name": workload, "clients": 4, "agent": DQN}}, strategy=strategy(), rounds=3, directory=tmp_path / workload)
        problem = paretofl.environments.Problem(f"paretofl/{id}", clients=4, agent=DQN)
        run = paretofl.run(problem, strategy=strategy(), rounds=3, directory=tmp_path / id)
        assert digest(run) == digest(native)
        assert run.summary["test"] == native.summary["test"]


@pytest.mark.parametrize("make", [lights, targets])
def test_threads_change_no_bit_of_an_environments_run(tmp_path, make):
    assert len({digest(paretofl.run(make(), strategy=strategy(), rounds=3, threads=threads, directory=tmp_path / str(threads))) for threads in (1, 2, 3)}) == 1


@pytest.mark.parametrize("make", [lights, targets])
def test_a_resumed_run_has_the_bits_of_an_uninterrupted_one(tmp_path, make):
    whole = paretofl.run(make(), strategy=strategy(), rounds=5, directory=tmp_path / "whole")
    paretofl.run(make(), strategy=strategy(), rounds=2, directory=tmp_path / "parts")
    assert digest(paretofl.run(make(), resume=tmp_path / "parts", rounds=5)) == digest(whole)


def test_a_killed_run_of_an_environment_goes_on(tmp_path):
    script = (f"import sys, os, signal; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
              "import paretofl, test_environment_problem as here\n"
              "def kill(row):\n    if row['round'] == 3: os.kill(os.getpid(), signal.SIGKILL)\n"
              "paretofl.run(here.lights(), strategy=here.strategy(), rounds=5, directory=sys.argv[1], callbacks=kill, options={'checkpoint.every': 1})\n")
    killed = subprocess.run([sys.executable, "-c", script, str(tmp_path / "killed")], capture_output=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    whole = paretofl.run(lights(), strategy=strategy(), rounds=5, directory=tmp_path / "whole")
    assert digest(paretofl.run(lights(), resume=tmp_path / "killed", threads=2)) == digest(whole)


def test_an_environment_that_is_not_determined_by_its_seed_cannot_be_resumed(tmp_path):
    class Adrift(Lights):
        def reset(self, *, seed=None, options=None):
            return super().reset(seed=int.from_bytes(os.urandom(4), "little"), options=options)

    problem = lambda: paretofl.environments.Problem(Adrift, clients=4, agent=DQN, max_episode_steps=15)
    paretofl.run(problem(), strategy=strategy(), rounds=1, directory=tmp_path / "run")
    with pytest.raises(paretofl.Error, match="determined by their seed and actions"):
        paretofl.run(problem(), resume=tmp_path / "run", rounds=2)


@pytest.mark.parametrize("name", ["fedpref", "cfl", "matfl", "no_communication", "fedavg", "fedprox"])
def test_every_personalized_strategy_trains_in_an_environment(tmp_path, name):
    more = {"private_preferences": True} if name in ("fedavg", "fedprox") else {}
    run = paretofl.run(lights(), strategy={**strategy(name), **more}, rounds=2, directory=tmp_path / "run")
    assert all(row["failures"] == [] for row in run.metrics)
    assert len(run.summary["clients"]["scalarized_return"]) == 4


def test_agents_learn_their_own_preferences(tmp_path):
    problem = lights(preferences=[[1, 0], [1, 0], [0, 3], [0, 3]])
    run = paretofl.run(problem, strategy=strategy("no_communication", local_steps=250), rounds=8, directory=tmp_path / "run")
    for client, shift in enumerate([0, 0, 1, 1]):
        policy = problem.policy(run.parameters[client])
        assert [policy(colour) for colour in (1, 2, 3)] == [5 + (colour - 1 + shift) % 3 for colour in (1, 2, 3)]


def test_one_model_of_envelope_acts_under_every_preference(tmp_path):
    problem = lights(agent=ENVELOPE)
    run = paretofl.run(problem, strategy={**strategy("fedavg", local_steps=250), "private_preferences": True}, rounds=8, directory=tmp_path / "run")
    for preference, shift in ([1, 0], 0), ([0.9, 0.3], 0), ([0, 3], 1):
        policy = problem.policy(run.parameters[0], preference=preference)
        assert [policy(colour) for colour in (1, 2, 3)] == [5 + (colour - 1 + shift) % 3 for colour in (1, 2, 3)]
    assert len(run.front()) >= 2


class Tug(gymnasium.Env):
    """A number that one reward wants to be 1 and the other -1."""

    action_space = gymnasium.spaces.Box(-2, 2, (1,), np.float32)
    observation_space = gymnasium.spaces.Box(-1, 1, (1,), np.float32)
    reward_space = gymnasium.spaces.Box(-9, 0, (2,), np.float32)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return np.zeros(1, np.float32), {}

    def step(self, action):
        return np.zeros(1, np.float32), [-float((action[0] - 1) ** 2), -float((action[0] + 1) ** 2)], False, False, {}


def test_one_model_of_capql_acts_under_every_preference(tmp_path):
    problem = paretofl.environments.Problem(Tug, clients=2, agent=CAPQL, max_episode_steps=10)
    run = paretofl.run(problem, strategy={**strategy("fedavg", local_steps=500), "private_preferences": True}, rounds=4, directory=tmp_path / "run")
    for preference in [1, 0], [3, 1], [0.5, 0.5], [0, 2]:
        action = problem.policy(run.parameters[0], preference=preference)(np.zeros(1, np.float32))
        assert action == pytest.approx((preference[0] - preference[1]) / sum(preference), abs=0.3)
    assert len(run.front()) >= 3


def test_a_wrong_preference_is_one_error():
    with pytest.raises(paretofl.Error, match="preference: expected none with the agent dqn, found one of 2 numbers"):
        lights().policy(np.zeros(115), preference=[1, 2])
    for wrong, message in ([1], "expected 2"), ([0, 0], "expected"), ([-1, 2], "expected"), ("a", "array of numbers"):
        with pytest.raises(paretofl.Error, match=message):
            lights(agent=ENVELOPE).policy(np.zeros(198), preference=wrong)


def test_a_policy_takes_finite_numbers_alone(tmp_path):
    policy_of = paretofl.environments.Problem("paretofl/deep-sea-treasure-v0", clients=1, agent={"name": "dqn", "hidden": [4]}).policy
    assert policy_of(np.zeros(32))([0, 0]) in range(4)
    with pytest.raises(paretofl.Error, match="observation: expected finite numbers, found nan"):
        policy_of(np.zeros(32))([np.nan, 0])
    with pytest.raises(paretofl.Error, match="policy: expected finite numbers, found inf"):
        policy_of(np.full(32, np.inf))


def test_a_problem_can_be_pickled(tmp_path):
    problem = paretofl.environments.Problem("paretofl/deep-sea-treasure-v0", clients=2, agent={"name": "dqn", "hidden": [4]})
    hashes = {paretofl.run(one, strategy=strategy(local_steps=10), rounds=1, directory=tmp_path / name).summary["parameters_sha256"]
              for name, one in (("problem", problem), ("pickled", pickle.loads(pickle.dumps(problem))))}
    assert len(hashes) == 1


def test_a_continuous_policy_stays_within_bounds(tmp_path):
    problem = targets()
    run = paretofl.run(problem, strategy=strategy(), rounds=1, directory=tmp_path / "run")
    policy = problem.policy(run.parameters[0] * 100)
    for seed in range(20):
        assert policy(Target().reset(seed=seed)[0]) in Target.action_space


def test_the_environments_own_truncation_is_no_end(tmp_path):
    """Each step of both environments begins an episode; where it has only truncated the last one, values go on beyond it."""
    class Truncating(Lights):
        terminates = False
        resets = 0

        def reset(self, **arguments):
            type(self).resets += 1
            return super().reset(**arguments)

        def step(self, action):
            self.steps += 1
            return 1, np.ones(2, np.float32), self.terminates, not self.terminates, {}

    class Terminating(Truncating):
        terminates = True
        resets = 0

    digests = {digest(paretofl.run(paretofl.environments.Problem(make, clients=2, agent=DQN, max_episode_steps=15), strategy=strategy(), rounds=1,
                                   directory=tmp_path / make.__name__)) for make in (Truncating, Terminating)}
    assert len(digests) == 2
    assert Truncating.resets == Terminating.resets > 2 * 70


def test_an_exception_in_a_step_is_the_clients_failure_with_its_traceback(tmp_path):
    def broken(environment):
        raise KeyError("missing")

    reasons = failures(tmp_path, lights_with(broken))
    assert len(reasons) == 4
    assert all("KeyError: 'missing'" in reason and "test_environment_problem.py" in reason for reason in reasons)


def lights_with(step, **options):
    return paretofl.environments.Problem(lambda: Lights(step), **{"clients": 4, "agent": DQN, "max_episode_steps": 15, **options})


@pytest.mark.parametrize("result, message", [
    ((1, [1.0], False, False, {}), r"reward of shape \[2\]"),
    ((1, 1.0, False, False, {}), r"reward of shape \[2\]"),
    ((1, [np.nan, 1.0], False, False, {}), "finite rewards"),
    ((1, [0.0, 1.0], "no", False, {}), "True or False as terminated, found 'no'"),
    ((1, [0.0, 1.0], False, None, {}), "True or False as truncated, found None"),
    ((1, [0.0, 1.0], False, {}), r"\(observation, reward, terminated, truncated, info\), found 4 values"),
    (None, r"\(observation, reward, terminated, truncated, info\), found NoneType"),
])
def test_a_wrong_step_is_one_error(tmp_path, result, message):
    for reason in failures(tmp_path, lights_with(lambda environment: result)):
        assert re.search(message, reason) and "Traceback" not in reason


def test_wrong_observations_are_one_error(tmp_path):
    class Growing(Target):
        observation_space = gymnasium.spaces.Box(-1, 1, (2,))

        def reset(self, *, seed=None, options=None):
            super().reset(seed=seed)
            return self.first, {}

        def step(self, action):
            return self.shown, [0.0, 0.0], False, False, {}

    right = np.zeros(2, np.float32)
    for case, (first, shown, message) in enumerate([(right, np.zeros(1), "2 numbers"), (right, np.zeros(3), "2 numbers"), (np.zeros(1), right, "2 numbers"),
                                                    (right, np.array([0, np.inf]), "finite observations"), (right * np.nan, right, "finite observations")]):
        Growing.first, Growing.shown = first, shown
        for reason in failures(tmp_path / str(case), paretofl.environments.Problem(
                Growing, clients=2, agent=DDPG, max_episode_steps=9, objectives=["a", "b"])):
            assert message in reason and "Traceback" not in reason


def of(**attributes):
    """Lights with other attributes."""
    return type("Changed", (Lights,), attributes)


ONE = Lights()


@pytest.mark.parametrize("make, options, message", [
    (3, {}, "expected an id or a function"),
    ("no-such-environment-v0", {}, "expected the id"),
    ("no_such_module:environment-v0", {}, "expected the id"),
    (lambda: 3, {}, "expected a gymnasium.Env"),
    (lambda: ONE, {}, "expected a new environment"),
    (of(observation_space=gymnasium.spaces.Sequence(gymnasium.spaces.Discrete(2))), {}, "fixed size"),
    (of(action_space=gymnasium.spaces.MultiDiscrete([2, 2])), {}, "expected actions of a Discrete"),
    (of(action_space=gymnasium.spaces.Box(0, 3, (1,), np.int32)), {}, "expected actions of a Discrete"),
    (of(action_space=gymnasium.spaces.Box(-1, 1, (1,))), {}, "dqn: expected an environment of discrete actions, found Changed"),
    (Lights, {"agent": "ddpg"}, "ddpg: expected an environment of continuous actions, found Lights"),
    (of(action_space=gymnasium.spaces.Box(0, np.inf, (1,))), {"agent": "ddpg"}, "ddpg: expected bounded actions"),
    (of(reward_space=None), {}, "expected a reward_space"),
    (of(reward_space=gymnasium.spaces.Box(0, 1, ())), {}, "expected a reward_space"),
    (Lights, {"objectives": ["a"]}, "expected 2 names"),
    (Lights, {"objectives": ["a", "a"]}, "different names"),
    (Lights, {"max_episode_steps": None}, "max_episode_steps"),
    (Lights, {"max_episode_steps": 0}, "max_episode_steps"),
    (Lights, {"max_episode_steps": "ten"}, "max_episode_steps"),
    (Lights, {"clients": 0}, "clients"),
    (Lights, {"clients": 2.0}, "clients"),
    (Lights, {"preferences": [[1, 0]]}, "expected 4, one per client, found 1"),
    (Lights, {"preferences": [[1, 0, 1]] * 4}, "expected 8 numbers"),
    (Lights, {"preferences": [[0, 0]] * 4}, "preference"),
    (Lights, {"preferences": 3}, "preferences: expected 2 dimensions"),
    (Lights, {"preferences": "nowhere"}, "dirichlet"),
    (Lights, {"agent": "sarsa"}, "dqn"),
    (Lights, {"agent": {"name": "dqn", "hiden": [3]}}, "hidden"),
    (Lights, {"agent": {"hidden": [3]}}, "agent: expected a name"),
    (Lights, {"evaluation_episodes": 0}, "evaluation_episodes"),
    (Lights, {"evaluation_discount": 1.5}, "evaluation_discount"),
])
def test_a_wrong_problem_is_one_error(tmp_path, make, options, message):
    with pytest.raises(paretofl.Error, match=message):
        problem = paretofl.environments.Problem(make, **{"clients": 4, "agent": DQN, "max_episode_steps": 15, **options})
        paretofl.run(problem, strategy=strategy(), rounds=1, directory=tmp_path / "run")
    assert not (tmp_path / "run" / "summary.json").exists()


def test_discounted_returns_are_recorded_where_asked_for(tmp_path):
    run = paretofl.run(lights(evaluation_discount=0.9), strategy=strategy(), rounds=1, directory=tmp_path / "run")
    assert len(run.summary["clients"]["scalarized_discounted_return"]) == len(run.summary["clients"]["scalarized_return"]) == 4


def test_strategies_with_gradients_are_refused(tmp_path):
    with pytest.raises(paretofl.Error, match="expected a workload with gradients of each objective"):
        paretofl.run(lights(), strategy="fedcmoo", rounds=1, directory=tmp_path / "run")


def test_a_run_goes_on_with_its_own_environment_alone(tmp_path):
    paretofl.run(lights(), strategy=strategy(), rounds=1, directory=tmp_path / "run")
    with pytest.raises(paretofl.Error, match="fingerprint"):
        paretofl.run(lights(max_episode_steps=14), resume=tmp_path / "run", rounds=2)
    with pytest.raises(paretofl.Error, match="found none"):
        paretofl.run(resume=tmp_path / "run", rounds=2)


@pytest.mark.parametrize("theta, message", [(np.zeros(3), "expected the [0-9]+ parameters of dqn, found 3"), (np.zeros((2, 3)), "1 dimension"), ("a", "array of numbers")])
def test_a_wrong_model_is_one_error(theta, message):
    with pytest.raises(paretofl.Error, match=message):
        lights().policy(theta)


def test_environments_are_closed(tmp_path):
    open_now = set()

    class Counted(Lights):
        def __init__(self):
            super().__init__()
            open_now.add(id(self))
            self.mine = id(self)

        def close(self):
            open_now.discard(self.mine)

    paretofl.run(paretofl.environments.Problem(Counted, clients=3, agent=DQN, max_episode_steps=15), strategy=strategy(), rounds=1, directory=tmp_path / "run")
    assert open_now == set()


def test_a_finished_sweep_does_not_go_on_with_other_clients(tmp_path):
    paretofl.sweep(lights(), directory=tmp_path / "sweep", strategy=strategy(), seeds=[1], rounds=1)
    with pytest.raises(paretofl.Error, match="expected the problem that its runs began with, clients 4, found .* with clients 3"):
        paretofl.sweep(lights(clients=3), directory=tmp_path / "sweep", resume=True)
