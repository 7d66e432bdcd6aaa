"""A round's figures under the names that TensorBoard shows."""

from __future__ import annotations

import json
from collections.abc import Sequence

from paretofl import _engine
from paretofl.annotations import Row


def scalars(row: Row, objectives: Sequence[str]) -> dict[str, float]:
    """{"test/accuracy/digit": 0.93, ...}: every number of a round's row, by the tags of the run's TensorBoard file. Numbers that are not
    finite are left out.

    row: a dictionary as in metrics.jsonl.
    objectives: the names of the M objectives, `run.objectives`.
    """
    return dict(_engine.scalars(json.dumps(row), list(objectives)))


def flat(config, prefix=""):
    """{"strategy.name": "fedcmoo", ...}: a config's values by full key."""
    values = {}
    for key, value in config.items():
        if isinstance(value, dict):
            values.update(flat(value, f"{prefix}{key}."))
        else:
            values[prefix + key] = value
    return values
