"""Objective weights from a Gramian, by every solver of the engine.

    >>> import paretofl
    >>> paretofl.solvers.min_norm([[1.0, 0.0], [0.0, 4.0]])
    array([0.8, 0.2])

Each solver is a function of this module, also those that `paretofl.register_solver` has registered: `solver(gramian, losses=None,
preference=None, previous=None, step=1, previous_losses=None, two_sample_products=None, **options)`. `help(paretofl.solvers.upgrad)` names a solver's options and its paper.

gramian: [M, M], the inner products of the objectives' gradients.
losses: [M], the current values of the objectives.
preference: [M], positive numbers of any scale.
previous: [M], the weights of the step before.
step: the number of the round, or of the client's step, from 1.
previous_losses: [M], the losses that `previous` was set from, for `famo`.
two_sample_products: [M, M], J_1 @ J_2.T of the gradients [M, d] on two independent samples, for `modo`. It need not be symmetric.

The result is lambda [M], float64, whose absolute values sum to 1. It is a NumPy array, or a tensor if the Gramian is a PyTorch tensor. Error
on a matrix that is not symmetric, is not finite or has a negative diagonal (as an estimate it may have negative eigenvalues), on unknown
options, and if an argument that the solver needs is missing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from paretofl import _engine
from paretofl.annotations import ArrayLike, NDArray, Tensor, TensorT
from paretofl.arrays import integer, like, optional_vector, to_numpy
from paretofl.registered import check_name, function, names, plain

if TYPE_CHECKING:
    from paretofl._solvers import *


def _symmetric(matrix):
    """Takes the mean with the transpose where they differ by no more than the rounding of float32 products: 1e-5 of the two norms."""
    with np.errstate(all="ignore"):
        norms = np.sqrt(np.diagonal(matrix))
        close = np.abs(matrix - matrix.T) <= 1e-5 * np.outer(norms, norms)
    return (matrix + matrix.T) / 2 if np.all(close) and not np.array_equal(matrix, matrix.T) else matrix


@overload
def solve(solver: str, gramian: TensorT, losses: ArrayLike | None = None, preference: ArrayLike | None = None,
          previous: ArrayLike | None = None, step: int = 1, previous_losses: ArrayLike | None = None,
          two_sample_products: ArrayLike | None = None, **options: Any) -> TensorT: ...
@overload
def solve(solver: str, gramian: ArrayLike, losses: ArrayLike | None = None, preference: ArrayLike | None = None,
          previous: ArrayLike | None = None, step: int = 1, previous_losses: ArrayLike | None = None,
          two_sample_products: ArrayLike | None = None, **options: Any) -> NDArray[np.float64]: ...
def solve(solver: str, gramian: ArrayLike | Tensor, losses: ArrayLike | None = None, preference: ArrayLike | None = None,
          previous: ArrayLike | None = None, step: int = 1, previous_losses: ArrayLike | None = None,
          two_sample_products: ArrayLike | None = None, **options: Any) -> NDArray[np.float64] | Tensor:
    """lambda [M], float64, by the solver with this name. The other arguments and the errors are those of the module's functions."""
    return _weights(solver, options, gramian, losses, preference, previous, step, previous_losses, two_sample_products)


def _weights(solver, options, gramian, losses, preference, previous, step, previous_losses, two_sample_products):
    check_name(solver, "solver")
    matrix = to_numpy(gramian, "gramian", np.float64, 2)
    if matrix.shape[0] != matrix.shape[1] or matrix.shape[0] == 0:
        raise _engine.Error(f"gramian: expected shape [M, M], found {list(matrix.shape)}")
    matrix = _symmetric(matrix)
    products = np.empty((0, 0)) if two_sample_products is None else to_numpy(two_sample_products, "two_sample_products", np.float64, 2)
    if products.size > 0 and products.shape != matrix.shape:
        raise _engine.Error(f"two_sample_products: expected shape {list(matrix.shape)}, found {list(products.shape)}")
    weights, _, _ = _engine.solve(
        solver, plain(options), matrix, optional_vector(losses, "losses"), optional_vector(preference, "preference"),
        optional_vector(previous, "previous"), integer(step, "step", 1), optional_vector(previous_losses, "previous_losses"), products.reshape(-1))
    return like(weights, gramian)


def _solver(name):
    def solver(gramian, losses=None, preference=None, previous=None, step=1, previous_losses=None, two_sample_products=None, **options):
        return _weights(name, options, gramian, losses, preference, previous, step, previous_losses, two_sample_products)

    return solver


def __getattr__(name: str) -> Callable[..., Any]:
    solver = function("solver", name, _solver, "Arguments and result: see the module paretofl.solvers.")
    if solver is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return solver


def __dir__() -> list[str]:
    return ["solve", *names("solver")]


if not TYPE_CHECKING:  # type checkers read the names in the stub file and in this one
    __all__ = __dir__()
