"""Where a problem computes."""

import torch

from paretofl._engine import Error


def device_of(device):
    """A device of PyTorch's that this machine has; Error on others."""
    try:
        found = torch.device(device)
        torch.empty(1, device=found)
    except Exception as problem:  # of several types, by the backend
        raise Error(f"device: expected one that PyTorch has here, such as \"cpu\", found {device!r} ({str(problem).splitlines()[0]})") from None
    return found
