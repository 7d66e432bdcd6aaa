"""Gymnasium's spaces of the engine's environments."""

from types import SimpleNamespace

import numpy as np
from gymnasium import spaces

from paretofl import _engine


def spaces_of(id):
    """`observation`, `action` and `reward`, the spaces of the engine's environment with this id, its `objectives` by name and its
    `max_episode_steps`, 0 where it has no limit. Error as of `paretofl.environments.make`."""
    if not isinstance(id, str):
        raise _engine.Error(f"environment: expected an id, such as 'minecart-v0', found {type(id).__name__}")
    facts = _engine.environment_description(id)
    if facts["choices"] > 0:
        action = spaces.Discrete(facts["choices"])
    else:
        action = box(facts["action_low"], facts["action_high"], np.float32)
    objectives = facts["objectives"]
    return SimpleNamespace(
        observation=box(facts["observation_low"], facts["observation_high"], np.dtype(facts["observation_type"])), action=action,
        reward=spaces.Box(-np.inf, np.inf, (len(objectives),), np.float64), objectives=objectives, max_episode_steps=facts["max_episode_steps"])


def box(low, high, dtype):
    if dtype == np.int32:
        limits = np.iinfo(np.int32)
        low, high = np.clip(low, limits.min, limits.max), np.clip(high, limits.min, limits.max)
    return spaces.Box(low.astype(dtype), high.astype(dtype), dtype=dtype)
