"""Weightings of PyTorch code, such as TorchJD's, as solvers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from paretofl._engine import Error
from paretofl.arrays import short
from paretofl.solver import Solver, register_solver


def weighting_solver(name: str, weighting: Callable[[torch.Tensor], Any], negative_weights: bool = False) -> type[Solver]:
    """Registers a weighting of PyTorch code, such as TorchJD's, as a solver, and returns the class of the solver:
    `paretofl.torch.weighting_solver("torchjd_upgrad", torchjd.aggregation.UPGradWeighting())`.

    name: under which it is registered, as by `paretofl.register_solver`.
    weighting: a function from a Gramian [M, M], a float64 tensor on the CPU, to weights [M]. Equal Gramians must give equal weights, so it
        may neither keep state nor draw random numbers.
    negative_weights: whether weights may be negative. Otherwise a negative weight is an Error.
    """

    if not callable(weighting):
        raise Error(f"weighting_solver: expected a function of a Gramian as {short(name)}, found {short(weighting)}")

    class WeightingSolver(Solver):
        def solve(self, gramian: Any) -> Any:
            with torch.no_grad():
                return weighting(torch.from_numpy(gramian))

    WeightingSolver.negative_weights = bool(negative_weights)
    kind: Any = weighting if hasattr(weighting, "__qualname__") else type(weighting)
    WeightingSolver.__doc__ = f"{kind.__module__}.{kind.__qualname__}"
    return register_solver(name, WeightingSolver)
