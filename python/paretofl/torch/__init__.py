"""PyTorch modules as federated problems, and multi-objective backward passes for ordinary training loops."""

from paretofl.torch.one_libtorch import expect_one_libtorch

expect_one_libtorch()

from paretofl.torch.backward import backward  # noqa: E402
from paretofl.torch.problem import Problem  # noqa: E402
from paretofl.torch.weighting_solver import weighting_solver  # noqa: E402

__all__ = ["Problem", "backward", "weighting_solver"]
