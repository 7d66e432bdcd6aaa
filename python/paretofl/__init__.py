"""ParetoFL: federated multi-objective learning, bit-reproducible.

    import paretofl
    run = paretofl.run("fedcmoo-quadratics", rounds=50, seed=1)
    print(run.summary["test"])

`run` takes a config, a preset's name, a dictionary or a `Problem` of your own; `paretofl.torch.Problem` makes one of a PyTorch module.
`sweep` runs a grid of them and `plot` draws them. `solvers`, `compressors`, `aggregators`, `preferences` and `indicators` have the parts
as functions of arrays. `environments`, `torch` and `flower` are imported when they are first used, since they need Gymnasium, PyTorch and Flower.
"""

import importlib as _importlib
from typing import TYPE_CHECKING as _TYPE_CHECKING

from paretofl import aggregators, callbacks, compressors, indicators, preferences, privacy, question_sets, rewards, solvers
from paretofl._engine import Draw, Error, version as _version
from paretofl.federate import federate
from paretofl.figures import plot
from paretofl.host import host
from paretofl.parts import Part
from paretofl.plugins import load_plugin
from paretofl.privacy import epsilon
from paretofl.problem import Problem
from paretofl.question_set import QuestionSet, register_question_set
from paretofl.reward import Reward, register_reward
from paretofl.round import Replies, Round
from paretofl.run import run
from paretofl.run_result import Rows, Run
from paretofl.solver import Solver, register_solver
from paretofl.strategy import Strategy, register_strategy
from paretofl.sweep import Sweep, sweep

__all__ = ["Draw", "Error", "Part", "Problem", "QuestionSet", "Replies", "Reward", "Round", "Rows", "Run", "Solver", "Strategy", "Sweep", "aggregators", "callbacks",
           "compressors", "epsilon", "federate", "host", "indicators", "load_plugin", "plot", "preferences", "privacy", "question_sets", "register_question_set", "register_reward",
           "register_solver", "register_strategy", "rewards", "run", "solvers", "sweep"]
__version__ = _version().split()[0]

if not _TYPE_CHECKING:  # where it would stand for every name
    def __getattr__(name):
        if name in ("environments", "flower", "torch"):
            return _importlib.import_module(f"paretofl.{name}")
        raise AttributeError(f"module 'paretofl' has no attribute {name!r}")
