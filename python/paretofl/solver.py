"""Solvers of one's own."""

import numpy as np

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

    The constructor's keyword parameters are the solver's options in configs, with their defaults and the types of these: bool, int, float,
    str or a list of numbers. An object may be asked from any thread, and must answer equal questions equally.
    """

    METHOD = "solve"
    INPUTS = ("gramian", "losses", "preference", "previous", "step")
    reference = ""  #: paper and equation, for `paretofl list`
    negative_weights = False  #: whether weights may be negative

    def solve(self, gramian, losses, preference, previous, step):
        """The weights [M] of M objectives: finite, not all 0, of any scale. The engine divides them by the sum of their absolute values.

        Name those of the parameters that you need: `gramian` [M, M], inner products of the gradients; `losses` [M], their current values;
        `preference` [M], positive, of any scale; `previous` [M], the weights before; each of these three is None where it is unknown. `step`:
        the number of the round, or of the client's step, from 1. Arrays are float64 and yours to change.
        """
        raise NotImplementedError(f"{type(self).__name__}.solve")

    @classmethod
    def check_class(cls, name):
        """Error unless the class can be registered."""
        check_method(cls, Solver, name)

    def _weights(self, name, *inputs):
        return to_numpy(call_method(self, name, *inputs), f"solver {name}", np.float64, 1)


def register_solver(name, solver=None):
    """Registers a class derived from `Solver` under a name, for configs (`strategy.solver = "NAME"`), for `paretofl.solvers.NAME` and for
    `paretofl list`; returns the class. `@paretofl.register_solver("NAME")` before a class does the same. A function of what `Solver.solve`
    takes is a solver too; its other parameters, which have defaults, are its options.

    Registering again from the same file replaces the solver. Error on a name that another part has, and on a constructor whose parameters are
    no options.
    """
    return register("solver", Solver, name, solver)
