"""Gymnasium environments with vector rewards as federated problems."""

from __future__ import annotations

import hashlib
import weakref
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, NoReturn

import gymnasium
import numpy as np

from paretofl import problem
from paretofl._engine import Draw, Error
from paretofl.annotations import ArrayLike, NDArray, Strategies
from paretofl.arrays import to_numpy
from paretofl.environments.episodes import Episodes
from paretofl.environments.policy import Policy


class Problem(problem.Problem):
    """Clients that each learn to act in a copy of one Gymnasium environment, under a private preference over its M rewards. Personalized
    strategies train it, and `fedavg` and `fedprox` with private_preferences. They need {"optimizer": "adam"}.

    make: an id for gymnasium.make, such as "mo_gymnasium:fishwood-v0" or "paretofl/minecart-v0", or a function that returns a new
        environment with every call. Its rewards are arrays [M], as in MO-Gymnasium.
    clients: the number n of clients. The default is 20, or the number of preferences.
    preferences: the name of a distribution or a dictionary with the name and its options, as in a config's workload.preferences, or an
        array [n, M], one preference per client, of any scale.
    agent: a name or a dictionary with the name and its options, as in a config's workload.agent: "dqn" for Discrete actions or "ddpg"
        for bounded Box actions, or "envelope_dqn" or "capql" for the same, with one model for every preference. Observations of any space of
        a fixed size are flattened by gymnasium.spaces.flatten, so a Discrete one is one-hot.
    evaluation_episodes: the number of episodes on which each model is evaluated.
    objectives: the names of the M rewards. The default is reward_0, reward_1 and so on. They are needed if the environment has no
        `reward_space`.
    max_episode_steps: the step that truncates an episode. It is needed if the environment's spec has none.
    evaluation_discount: below 1, discounted returns are recorded as well, with this factor per step.

    Every episode starts by reset(seed=...) with a seed from the engine's streams, so a run is reproducible if episodes are determined by
    seed and actions. A checkpoint has the actions of the unfinished episodes, which are taken again when the run is resumed. Error on an
    environment or an agent that the engine cannot train. An exception in a step is a failure of that client.
    """

    def __init__(self, make: str | Callable[[], gymnasium.Env[Any, Any]], *, clients: int | None = None,
                 preferences: str | dict[str, Any] | ArrayLike = "dirichlet", agent: Strategies = "dqn", evaluation_episodes: int = 1,
                 objectives: Sequence[str] | None = None, max_episode_steps: int | None = None, evaluation_discount: float = 1.0) -> None:
        if not isinstance(make, str) and not callable(make):
            raise Error(f"make: expected an id or a function that returns a new environment, found {type(make).__name__}")
        self._make = make
        self._agent = named_table("agent", agent)
        self._preferences, self._clients = preference_table(preferences, clients)
        self._evaluation_episodes, self._evaluation_discount = evaluation_episodes, evaluation_discount
        self._objective_names = objectives
        self._max_episode_steps = max_episode_steps
        self._made: weakref.WeakSet[Any] = weakref.WeakSet()

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_made": None}  # the environments of this process

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _made=weakref.WeakSet())

    def num_clients(self) -> int:
        return self._clients

    def objectives(self) -> Sequence[str]:
        return self._description().objectives

    def policy(self, theta: ArrayLike, preference: ArrayLike | None = None) -> Policy:
        """How a trained model acts, without exploration, as a function from an observation to an action of the environment's spaces.

        theta: [d], the parameters of the model, such as `run.parameters[client]`. Error on another number of parameters.
        preference: [M], of any scale, under which a model of the agents "envelope_dqn" and "capql" acts; the default is the uniform one. Models of other
            agents were trained for one preference and take none: Error.
        """
        return Policy(self, theta, preference)

    def initial_parameters(self) -> NoReturn:
        raise Error("initial_parameters: expected a problem with parameters of its own, found an environment, whose agent draws them")

    def gradients(self, client: int, theta: NDArray[np.float32], draw: Draw) -> NoReturn:
        raise Error("gradients: expected a problem with gradients of each objective, found an environment")

    def _environment(self):
        if isinstance(self._make, str):
            try:
                environment = gymnasium.make(self._make, disable_env_checker=True)
            except (gymnasium.error.Error, ImportError) as error:
                raise Error(f"make: expected the id of an environment of Gymnasium, found {self._make!r} ({error})") from None
        else:
            environment = self._make()
        if not isinstance(environment, gymnasium.Env):
            raise Error(f"make: expected a gymnasium.Env, found {type(environment).__name__}")
        if environment.unwrapped in self._made:
            raise Error("make: expected a new environment from every call, found the same one again")
        self._made.add(environment.unwrapped)
        return environment

    def _episodes(self):
        return Episodes(self._environment(), self._description())

    def _workload(self):
        description = self._description()
        return {"name": "python_environment", "environment": description.name, "clients": self._clients, "preferences": self._preferences,
                "agent": self._agent, "evaluation_episodes": self._evaluation_episodes, "evaluation_discount": self._evaluation_discount,
                "fingerprint": description.fingerprint}

    def _description(self, anew=False):
        if anew or getattr(self, "_kept_description", None) is None:
            environment = self._environment()
            try:
                self._kept_description = describe(environment, self._objective_names, self._max_episode_steps, self._clients)
            finally:
                environment.close()
        return self._kept_description


def describe(environment, objectives, max_episode_steps, clients):
    """Everything about an environment that is the same in every round. Error on what the engine cannot train."""
    name = environment.spec.id if environment.spec is not None else type(environment.unwrapped).__qualname__
    observation_space, action_space = environment.observation_space, environment.action_space
    if not observation_space.is_np_flattenable:
        raise Error(f"{name}: expected observations of a fixed size, found the space {observation_space}")
    flat = gymnasium.spaces.flatten_space(observation_space)
    choices, low, high = 0, [], []
    if isinstance(action_space, gymnasium.spaces.Discrete):
        choices = int(action_space.n)
    elif isinstance(action_space, gymnasium.spaces.Box) and action_space.dtype.kind == "f":
        low, high = action_space.low.ravel().tolist(), action_space.high.ravel().tolist()
    else:
        raise Error(f"{name}: expected actions of a Discrete space or a Box of floating-point numbers, found the space {action_space}")
    names = objective_names(environment, name, objectives)
    limit = max_episode_steps
    if limit is None:
        limit = getattr(environment.spec, "max_episode_steps", None) or getattr(environment.unwrapped, "max_episode_steps", None)
    if isinstance(limit, bool) or not isinstance(limit, (int, np.integer)) or limit < 1:
        raise Error(f"{name}: expected max_episode_steps of at least 1, from the environment's spec or the problem's argument, found {limit!r}")
    digest = hashlib.sha256(repr((name, observation_space, action_space, names, int(limit))).encode()).hexdigest()[:32]
    return SimpleNamespace(
        name=name, num_clients=clients, objectives=names, observation_space=observation_space, action_space=action_space,
        observation_low=flat.low.tolist(), observation_high=flat.high.tolist(), choices=choices, action_low=low, action_high=high,
        max_episode_steps=int(limit), fingerprint=digest)


def objective_names(environment, name, objectives):
    """The names of the M rewards, as given or as the environment has them."""
    space = getattr(environment.unwrapped, "reward_space", None)
    shape = getattr(space, "shape", None)
    if objectives is None:
        if shape is None or len(shape) != 1:
            raise Error(f"{name}: expected a reward_space of shape [M], as MO-Gymnasium's environments have it, or objectives=NAMES, found "
                        + ("none" if space is None else str(space)))
        objectives = getattr(environment.unwrapped, "objectives", None) or [f"reward_{k}" for k in range(shape[0])]
    names = list(objectives)
    if not names or not all(isinstance(each, str) and each for each in names) or len(set(names)) != len(names):
        raise Error(f"objectives: expected different names, one per objective, found {objectives!r}")
    if shape is not None and shape != (len(names),):
        raise Error(f"objectives: expected {shape[0] if len(shape) == 1 else 'one'} names, one per reward of {name}, found {len(names)}")
    return names


def named_table(key, value):
    """A part of a config: a name, or a dictionary with the name and its options."""
    if isinstance(value, str):
        return {"name": value}
    if isinstance(value, dict) and isinstance(value.get("name"), str):
        return dict(value)
    raise Error(f"{key}: expected a name or a dictionary with a name, found {value!r}")


def preference_table(preferences, clients):
    """Where the preferences come from, as a config has it, and the number of clients."""
    if clients is not None and (isinstance(clients, bool) or not isinstance(clients, (int, np.integer)) or clients < 1):
        raise Error(f"clients: expected an integer of at least 1, found {clients!r}")
    if isinstance(preferences, (str, dict)):
        return named_table("preferences", preferences), 20 if clients is None else int(clients)
    rows = to_numpy(preferences, "preferences", np.float64, 2)
    if clients is not None and clients != len(rows):
        raise Error(f"preferences: expected {clients}, one per client, found {len(rows)}")
    return {"name": "groups", "sizes": [1] * len(rows), "preferences": rows.ravel().tolist()}, len(rows)
