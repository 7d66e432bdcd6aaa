"""Objective weights from a Gramian, by every solver of the engine.

    >>> import paretofl
    >>> paretofl.solvers.min_norm([[1.0, 0.0], [0.0, 4.0]])
    array([0.8, 0.2])

Each solver is a function of this module: `solver(gramian, losses=None, preference=None, previous=None, step=1, **options)`; those that
`paretofl.register_solver` has registered are too. `gramian` [M, M] holds the inner products of the objectives' gradients, `losses` [M]
their current values, `preference` [M] positive numbers of any scale, `previous` [M] the weights of the step before. Which of them a solver
needs, and its options, its docstring says (`help(paretofl.solvers.upgrad)`). The result is lambda [M], float64: NumPy, or a tensor where the
Gramian is a PyTorch tensor. The absolute values sum to 1. Error on what is no Gramian, on options that don't exist, and where an argument
that the solver needs is missing.
"""

import numpy as np

from paretofl import _engine
from paretofl.arrays import integer, like, optional_vector, to_numpy
from paretofl.registered import function, names, plain


def _symmetric(matrix):
    """Takes the mean with the transpose where they differ by no more than the rounding of float32 products: 1e-5 of the two norms."""
    with np.errstate(all="ignore"):
        norms = np.sqrt(np.diagonal(matrix))
        close = np.abs(matrix - matrix.T) <= 1e-5 * np.outer(norms, norms)
    return (matrix + matrix.T) / 2 if np.all(close) and not np.array_equal(matrix, matrix.T) else matrix


def solve(solver, gramian, losses=None, preference=None, previous=None, step=1, **options):
    """lambda [M] of the solver with this name; see the module's description."""
    matrix = to_numpy(gramian, "gramian", np.float64, 2)
    if matrix.shape[0] != matrix.shape[1] or matrix.shape[0] == 0:
        raise _engine.Error(f"gramian: expected shape [M, M], found {list(matrix.shape)}")
    matrix = _symmetric(matrix)
    weights, _, _ = _engine.solve(
        solver, plain(options), matrix, optional_vector(losses, "losses"), optional_vector(preference, "preference"),
        optional_vector(previous, "previous"), integer(step, "step", 1))
    return like(weights, gramian)


def _solver(name):
    def solver(gramian, losses=None, preference=None, previous=None, step=1, **options):
        return solve(name, gramian, losses, preference, previous, step, **options)

    return solver


def __getattr__(name):
    solver = function("solver", name, _solver, "Arguments and result: see the module paretofl.solvers.")
    if solver is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return solver


def __dir__():
    return ["solve", *names("solver")]


__all__ = __dir__()
