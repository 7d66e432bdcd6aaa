"""Preferences of clients, by every distribution of the engine.

    >>> import paretofl
    >>> paretofl.preferences.lattice(objectives=2, clients=3)
    array([[1. , 0. ],
           [0.5, 0.5],
           [0. , 1. ]])

Each distribution is a function of this module: `distribution(objectives, clients, seed=0, **options)`.
`help(paretofl.preferences.dirichlet)` names a distribution's options.

objectives, clients: the numbers M and n, at least 1.
seed: of the random choices. A workload with this seed and this distribution gives its clients the same preferences.

The result is one preference per client, float64 [n, M]: non-negative numbers, whose rows sum to 1. Error on numbers below 1, on more than
10^8 numbers in all, and on unknown options.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from paretofl import _engine
from paretofl.annotations import NDArray
from paretofl.arrays import integer
from paretofl.registered import check_name, function, names, plain

if TYPE_CHECKING:
    from paretofl._preferences import *

_MOST = 10**8


def draw(distribution: str, objectives: int, clients: int, seed: int = 0, **options: Any) -> NDArray[np.float64]:
    """Preferences [n, M], float64, from the distribution with this name. The other arguments and the errors are those of the module's
    functions."""
    check_name(distribution, "distribution")
    objectives = integer(objectives, "objectives", 1, _MOST)
    clients = integer(clients, "clients", 1, _MOST)
    if objectives * clients > _MOST:
        raise _engine.Error(f"preferences: expected at most {_MOST} numbers, found {clients} x {objectives}")
    return _engine.draw_preferences(distribution, plain(options), objectives, clients, integer(seed, "seed", 0))


def _distribution(name):
    def distribution(objectives, clients, seed=0, **options):
        return draw(name, objectives, clients, seed, **options)

    return distribution


def __getattr__(name: str) -> Callable[..., NDArray[np.float64]]:
    distribution = function("preference distribution", name, _distribution, "Arguments and result: see the module paretofl.preferences.")
    if distribution is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return distribution


def __dir__() -> list[str]:
    return ["draw", *names("preference distribution")]


if not TYPE_CHECKING:  # type checkers read the names in the stub file and in this one
    __all__ = __dir__()
