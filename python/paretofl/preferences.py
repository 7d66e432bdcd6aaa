"""Preferences of clients, by every distribution of the engine.

    >>> import paretofl
    >>> paretofl.preferences.lattice(objectives=2, clients=3)
    array([[1. , 0. ],
           [0.5, 0.5],
           [0. , 1. ]])

Each distribution is a function of this module: `distribution(objectives, clients, seed=0, **options)`. The result is one preference per
client, float64 [clients, objectives]: non-negative, with rows that sum to 1. A workload with that seed and that distribution gives its clients
the same ones. Error on numbers below 1, on more than 10^8 numbers in all, and on options that don't exist.
"""

from paretofl import _engine
from paretofl.arrays import integer
from paretofl.registered import function, names, plain

_MOST = 10**8


def draw(distribution, objectives, clients, seed=0, **options):
    """Preferences [clients, objectives] from the distribution with this name; see the module's description."""
    objectives = integer(objectives, "objectives", 1, _MOST)
    clients = integer(clients, "clients", 1, _MOST)
    if objectives * clients > _MOST:
        raise _engine.Error(f"preferences: expected at most {_MOST} numbers, found {clients} x {objectives}")
    return _engine.draw_preferences(distribution, plain(options), objectives, clients, integer(seed, "seed", 0))


def _distribution(name):
    def distribution(objectives, clients, seed=0, **options):
        return draw(name, objectives, clients, seed, **options)

    return distribution


def __getattr__(name):
    distribution = function("preference distribution", name, _distribution, "Arguments and result: see the module paretofl.preferences.")
    if distribution is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return distribution


def __dir__():
    return ["draw", *names("preference distribution")]


__all__ = __dir__()
