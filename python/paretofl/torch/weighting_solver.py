"""Weightings of PyTorch code, such as TorchJD's, as solvers."""

import torch

from paretofl.solver import Solver, register_solver


def weighting_solver(name, weighting, negative_weights=False):
    """Registers a weighting, a function from a Gramian [M, M] to weights [M], both tensors (the Gramian float64 on the CPU), as a solver under
    a name: `paretofl.torch.weighting_solver("torchjd_upgrad", torchjd.aggregation.UPGradWeighting())`. Returns the class.

    It must answer equal Gramians equally, which weightings that keep state or draw random numbers don't. `negative_weights` says whether
    weights may be negative; otherwise negative ones are an Error.
    """

    class WeightingSolver(Solver):
        def solve(self, gramian):
            with torch.no_grad():
                return weighting(torch.from_numpy(gramian))

    WeightingSolver.negative_weights = bool(negative_weights)
    kind = weighting if hasattr(weighting, "__qualname__") else type(weighting)
    WeightingSolver.__doc__ = f"{kind.__module__}.{kind.__qualname__}"
    return register_solver(name, WeightingSolver)
