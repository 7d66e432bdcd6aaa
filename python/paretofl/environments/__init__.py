"""The engine's multi-objective environments for Gymnasium, and Gymnasium's environments as federated problems.

    import paretofl.environments
    environment = paretofl.environments.make("minecart-v0")
    problem = paretofl.environments.Problem("mo_gymnasium:fishwood-v0", max_episode_steps=200)

Importing this package registers the engine's environments with Gymnasium as paretofl/ID, for gymnasium.make and gymnasium.make_vec.
"""

try:
    import gymnasium
    from gymnasium.vector import AutoresetMode as _  # since 1.1
except ImportError as error:
    raise ImportError("paretofl.environments: expected gymnasium 1.1 or newer, found none or an older one; pip install 'paretofl[environments]'") from error

from paretofl._engine import environment_names as names
from paretofl.environments.environment import Environment
from paretofl.environments.problem import Problem
from paretofl.environments.vector_environment import VectorEnvironment

__all__ = ["Environment", "Problem", "VectorEnvironment", "make", "make_vec", "names"]


def make(id):
    """The engine's environment with this id, one of `names()`, as a Gymnasium environment with a vector reward: an `Environment`.

    Error on an unknown id, and on one whose simulator (MuJoCo, Box2D) this build of the engine lacks.
    """
    return Environment(id)


def make_vec(id, num_envs):
    """`num_envs` copies of `make(id)` whose steps the engine takes in one call: a `VectorEnvironment`. Error as of `make`."""
    return VectorEnvironment(id, num_envs)


for _id in names():
    gymnasium.register(
        f"paretofl/{_id}", "paretofl.environments:make", vector_entry_point="paretofl.environments:make_vec", disable_env_checker=True,
        kwargs={"id": _id})
