"""Objective weights from a Gramian, by every solver of the engine.

    >>> import paretofl
    >>> paretofl.solvers.min_norm([[1.0, 0.0], [0.0, 4.0]])
    array([0.8, 0.2])

Each solver is a function of this module: `solver(gramian, losses=None, preference=None, previous=None, step=1, **options)`.
`gramian` [M, M] holds the inner products of the objectives' gradients, `losses` [M] their current values, `preference` [M] positive
numbers of any scale, `previous` [M] the weights of the step before. Which of them a solver needs, and its options, its docstring says
(`help(paretofl.solvers.upgrad)`). The result is lambda [M], float64: NumPy, or a tensor where the Gramian is a PyTorch tensor. The absolute
values sum to 1. Error on what is no Gramian, on options that don't exist, and where an argument that the solver needs is missing.
"""

import numpy as np

from paretofl import _engine
from paretofl.arrays import like, optional_vector, to_numpy

_ENTRIES = {entry[0]: entry for entry in _engine.solver_entries()}


def solve(solver, gramian, losses=None, preference=None, previous=None, step=1, **options):
    """lambda [M] of the solver with this name; see the module's description."""
    return _weights(solver, gramian, losses, preference, previous, step, options)


def _weights(name, gramian, losses, preference, previous, step, options):
    matrix = to_numpy(gramian, "gramian", np.float64, 2)
    if matrix.shape[0] != matrix.shape[1] or matrix.shape[0] == 0:
        raise _engine.Error(f"gramian: expected shape [M, M], found {list(matrix.shape)}")
    if not isinstance(step, int) or isinstance(step, bool):
        raise _engine.Error(f"step: expected an integer of at least 1, found {step!r}")
    weights, _, _ = _engine.solve(
        name, options, matrix, optional_vector(losses, "losses"), optional_vector(preference, "preference"), optional_vector(previous, "previous"), step)
    return like(weights, gramian)


def _function(name, summary, reference, options):
    def solver(gramian, losses=None, preference=None, previous=None, step=1, **options):
        return _weights(name, gramian, losses, preference, previous, step, options)

    lines = [f"{summary[0].upper()}{summary[1:]} ({reference}).", "", "Arguments and result: see the module paretofl.solvers."]
    if options:
        lines += ["", "Options:"]
        lines += [f"    {key} ({kind}, default {default}{', ' + span if span else ''}): {meaning}" for key, kind, default, span, meaning in options]
    solver.__name__ = solver.__qualname__ = name
    solver.__doc__ = "\n".join(lines)
    return solver


for _entry in _ENTRIES.values():
    globals()[_entry[0]] = _function(*_entry)

__all__ = ["solve", *_ENTRIES]
