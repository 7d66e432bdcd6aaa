"""Equal bits from a GPU."""

import contextlib
import os

import torch


@contextlib.contextmanager
def deterministic(device):
    """On CUDA, PyTorch takes deterministic algorithms for the length of a run, and warns where an operation has none."""
    if device.type != "cuda":
        yield
        return
    # cuBLAS reads this when its first handle is made, and PyTorch asks for it.
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    kept = (torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled(), torch.backends.cudnn.benchmark)
    torch.use_deterministic_algorithms(True, warn_only=True)
    torch.backends.cudnn.benchmark = False
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(kept[0], warn_only=kept[1])
        torch.backends.cudnn.benchmark = kept[2]
