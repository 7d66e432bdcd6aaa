"""PyTorch's modes of a thread."""

import contextlib

import torch


@contextlib.contextmanager
def ordinary_modes(device):
    """For a run that starts where the caller computes without gradients, in inference mode or with autocast: steps on this thread are like
    those on the engine's own, which these modes do not reach."""
    autocast = torch.autocast(device.type, enabled=False) if device.type in ("cpu", "cuda") else contextlib.nullcontext()
    with torch.inference_mode(False), torch.enable_grad(), autocast:
        yield


@contextlib.contextmanager
def without_autocast_cache():
    """Mixed precision rounds a parameter whenever it is used. PyTorch would keep what it has rounded, by the parameter's object, which is at another theta
    in the next step, and for all threads until one of them ends a context."""
    kept = torch.is_autocast_cache_enabled()
    torch.set_autocast_cache_enabled(False)
    try:
        yield
    finally:
        torch.set_autocast_cache_enabled(kept)
