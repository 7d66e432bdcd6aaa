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
    in the next step, until the outermost context of the thread ends.

    A decorator of the user's, and an object of torch.autocast that was made before, turn the cache on again inside. So what was kept before is let
    go of, and there is an outer context on every thread, so that each keeps what it has rounded for equally long.
    """
    kept = torch.is_autocast_cache_enabled()
    torch.clear_autocast_cache()
    torch.set_autocast_cache_enabled(False)
    torch.autocast_increment_nesting()
    try:
        yield
    finally:
        if torch.autocast_decrement_nesting() == 0:
            torch.clear_autocast_cache()
        torch.set_autocast_cache_enabled(kept)
