"""ParetoFL: federated multi-objective learning, bit-reproducible.

    import paretofl
    run = paretofl.run("fedcmoo-quadratics", rounds=50, seed=1)
    print(run.summary["test"])

`run` takes a config, a preset's name, a dictionary or a `Problem` of your own; `paretofl.torch.Problem` makes one of a PyTorch module.
`solvers`, `compressors`, `aggregators`, `preferences` and `indicators` have the parts as functions of arrays.
"""

from paretofl import aggregators, compressors, indicators, preferences, solvers
from paretofl._engine import Draw, Error, version as _version
from paretofl.parts import Part
from paretofl.plugins import load_plugin
from paretofl.problem import Problem
from paretofl.run import run
from paretofl.run_result import Run
from paretofl.solver import Solver, register_solver
from paretofl.strategy import Strategy, register_strategy

__all__ = ["Draw", "Error", "Part", "Problem", "Run", "Solver", "Strategy", "aggregators", "compressors", "indicators",
           "load_plugin", "preferences", "register_solver", "register_strategy", "run", "solvers"]
__version__ = _version().split()[0]
