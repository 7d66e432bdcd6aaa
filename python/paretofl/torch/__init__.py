"""PyTorch modules as federated problems, and multi-objective backward passes for ordinary training loops."""

from paretofl.torch.backward import backward
from paretofl.torch.problem import Problem

__all__ = ["Problem", "backward"]
