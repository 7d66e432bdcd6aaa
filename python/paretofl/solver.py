"""Solvers of one's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from paretofl.annotations import ArrayLike, PartT
from paretofl.arrays import to_numpy
from paretofl.parts import call_method, check_method, register


class Solver:
    """A method that turns a Gramian into objective weights. Subclasses define `solve`, and register by `paretofl.register_solver`.

        @paretofl.register_solver("inverse_norm")
        class InverseNorm(paretofl.Solver):
            def __init__(self, power=1.0):
                self.power = power

            def solve(self, gramian):
                return np.diag(gramian) ** (-self.power / 2)

    The constructor's keyword parameters are the solver's options in configs. Their defaults say their types: bool, int, float, str or a list
    of numbers. A solver may be called from any thread, and must return equal weights for equal arguments.
    """

    METHOD = "solve"
    INPUTS = ("gramian", "losses", "preference", "previous", "step")
    reference: str = ""  #: paper and equation, for `paretofl list`
    negative_weights: bool = False  #: whether weights may be negative

    if TYPE_CHECKING:  # a subclass names those of the parameters that it needs
        def solve(self, *args: Any, **kwargs: Any) -> ArrayLike: ...
    else:
        def solve(self, gramian, losses, preference, previous, step):
            """The weights [M] of the M objectives: finite, not all 0, of any scale. The engine divides them by the sum of their absolute
            values. Name those of the parameters that you need. Arrays are float64, and you may change them.

            gramian: [M, M], the inner products of the objectives' gradients.
            losses: [M], the current values of the objectives, or None if they are unknown.
            preference: [M], positive, of any scale, or None.
            previous: [M], the weights of the step before, or None.
            step: the number of the round, or of the client's step, from 1.
            """
            raise NotImplementedError(f"{type(self).__name__}.solve")

    @classmethod
    def check_class(cls, name: str) -> None:
        """Raises an Error if the class cannot be registered."""
        check_method(cls, Solver, name)

    def _weights(self, name, *inputs):
        return to_numpy(call_method(self, name, *inputs), f"solver {name}", np.float64, 1)


@overload
def register_solver(name: str, solver: None = None) -> Callable[[PartT], PartT]: ...
@overload
def register_solver(name: str, solver: PartT) -> PartT: ...
def register_solver(name: str, solver: Callable[..., Any] | None = None) -> Any:
    """Registers a class derived from `Solver` under a name and returns it. `@paretofl.register_solver("NAME")` before a class does the same.

    The name works in configs (`strategy.solver = "NAME"`), as `paretofl.solvers.NAME` and in `paretofl list`. A function, or another callable,
    of the parameters of `Solver.solve` is a solver too. Its other parameters, which have defaults, are its options. Registering again from
    the same file replaces the solver. Error on a name that another solver has, on a constructor whose parameters cannot be options, and while
    a run is under way in this process.
    """
    return register("solver", Solver, name, solver)
