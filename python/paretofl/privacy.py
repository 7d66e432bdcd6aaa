"""The differential privacy of rounds whose sums get Gaussian noise: epsilon for a noise multiplier, and the noise multiplier for an epsilon.

A noise multiplier is the standard deviation of the noise divided by the L2 sensitivity, the largest change of the released sum between
neighbouring data sets. With every client's vector clipped to the norm C, this is C under Poisson sampling (`sampling_rate`: each client takes
part on its own; neighbours differ by one client more or less) and 2 C for a cohort of fixed size (`cohort` and `clients`: drawn without
replacement; neighbours differ in one client's data).
"""

from __future__ import annotations

import numbers

import numpy as np

from paretofl import _engine
from paretofl.arrays import short

__all__ = ["epsilon", "noise_multiplier"]


def _real(value, name):
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        raise _engine.Error(f"{name}: expected a number, found {short(value)}")
    return float(value)


def _count(value, name):
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Integral) or not 1 <= value < 2**31:
        raise _engine.Error(f"{name}: expected a whole number from 1 to {2**31 - 1}, found {short(value)}")
    return int(value)


def _plan(sampling_rate, cohort, clients, rounds, releases, delta):
    fixed = cohort is not None and clients is not None
    if (sampling_rate is not None) == fixed or (cohort is None) != (clients is None):
        raise _engine.Error("sampling: expected sampling_rate, or cohort with clients, found both, neither or one half")
    return {"sampling_rate": None if fixed else _real(sampling_rate, "sampling_rate"), "cohort": _count(cohort, "cohort") if fixed else 0,
            "clients": _count(clients, "clients") if fixed else 0, "rounds": _count(rounds, "rounds"),
            "releases": _count(releases, "releases"), "delta": _real(delta, "delta")}


def _name(accountant):
    if not isinstance(accountant, str):
        raise _engine.Error(f"accountant: expected rdp or pld, found {short(accountant)}")
    return accountant


def epsilon(noise_multiplier: float, rounds: int, delta: float, *, sampling_rate: float | None = None, cohort: int | None = None,
            clients: int | None = None, releases: int = 1, accountant: str = "pld") -> float:
    """The epsilon of (epsilon, delta)-differential privacy after some rounds; an upper bound.

    delta: from 1e-12 to below 1.
    releases: how many sums each round releases over the same cohort, such as a sketch and an update.
    accountant: "pld", privacy loss distributions, which are tighter; or "rdp", Renyi differential privacy, the only one for a cohort of fixed
    size.

    Raises an Error on numbers out of range.
    """
    plan = _plan(sampling_rate, cohort, clients, rounds, releases, delta)
    return _engine.epsilon(_name(accountant), _real(noise_multiplier, "noise_multiplier"), **plan)


def noise_multiplier(epsilon: float, rounds: int, delta: float, *, sampling_rate: float | None = None, cohort: int | None = None,
                     clients: int | None = None, releases: int = 1, accountant: str = "pld") -> float:
    """The smallest noise multiplier, to 0.01 %, with which `epsilon` of the same arguments is at most the given one.

    Raises an Error on numbers out of range.
    """
    plan = _plan(sampling_rate, cohort, clients, rounds, releases, delta)
    return _engine.noise_multiplier(_name(accountant), _real(epsilon, "epsilon"), **plan)
