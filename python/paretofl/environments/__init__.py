"""The engine's multi-objective environments for Gymnasium, and Gymnasium's environments as federated problems.

    import paretofl.environments
    environment = paretofl.environments.make("minecart-v0")
    problem = paretofl.environments.Problem("mo_gymnasium:fishwood-v0", max_episode_steps=200)

Importing this package registers the engine's environments with Gymnasium as paretofl/ID, for gymnasium.make and gymnasium.make_vec.
"""

from __future__ import annotations

try:
    import gymnasium
    from gymnasium.vector import AutoresetMode as _  # since 1.1
except ImportError as error:
    raise ImportError("paretofl.environments: expected gymnasium 1.1 or newer, found none or an older one; pip install 'paretofl[environments]'") from error

from paretofl import _engine
from paretofl.environments.environment import Environment
from paretofl.environments.policy import Policy
from paretofl.environments.problem import Problem
from paretofl.environments.vector_environment import VectorEnvironment

__all__ = ["Environment", "Policy", "Problem", "VectorEnvironment", "make", "make_vec", "names"]


def names() -> list[str]:
    """The ids of the engine's environments."""
    return _engine.environment_names()


def make(id: str) -> Environment:
    """The engine's environment with this id, one of `names()`, as a Gymnasium environment with a vector reward.

    Error on an unknown id, and on the id of an environment whose simulator (MuJoCo, Box2D) this build of the engine lacks.
    """
    return Environment(id)


def make_vec(id: str, num_envs: int) -> VectorEnvironment:
    """`num_envs` copies of `make(id)`, whose steps the engine takes in one call. Error as of `make`, and on `num_envs` below 1."""
    return VectorEnvironment(id, num_envs)


# What Gymnasium calls; its own functions have a parameter `id` already.


def _made(environment: str) -> Environment:
    return Environment(environment)


def _made_vec(environment: str, num_envs: int) -> VectorEnvironment:
    return VectorEnvironment(environment, num_envs)


for _id in names():
    gymnasium.register(
        f"paretofl/{_id}", "paretofl.environments:_made", vector_entry_point="paretofl.environments:_made_vec", disable_env_checker=True,
        kwargs={"environment": _id})
