"""PyTorch modules as federated problems, and multi-objective backward passes for ordinary training loops."""

from paretofl.torch.backward import backward
from paretofl.torch.problem import Problem
from paretofl.torch.weighting_solver import weighting_solver

__all__ = ["Problem", "backward", "weighting_solver"]
