"""PyTorch's modes of a thread."""

import contextlib
import threading

import torch


@contextlib.contextmanager
def ordinary_modes(device):
    """For a run that starts where the caller computes without gradients, in inference mode or with autocast: steps on this thread are like
    those on the engine's own, which these modes do not reach."""
    autocast = torch.autocast(device.type, enabled=False) if device.type in ("cpu", "cuda") else contextlib.nullcontext()
    with torch.inference_mode(False), torch.enable_grad(), autocast:
        yield


_here = threading.local()  # .steps: how many of the contexts below this thread is in
_lock = threading.Lock()
_run_count = 0
_set_cache_enabled = torch.set_autocast_cache_enabled


def _keep_cache_off(enabled):
    _set_cache_enabled(enabled and not getattr(_here, "steps", 0))


@contextlib.contextmanager
def no_autocast_cache_in_steps():
    """For a run, with `without_autocast_cache` around each of its steps: keeps a decorator of the user's, and an object of torch.autocast that was made
    before, from turning the cache on again within a step. All threads have one cache: one that lets go of it would change what another
    computes."""
    global _run_count
    with _lock:
        _run_count += 1
        torch.set_autocast_cache_enabled = _keep_cache_off
    try:
        yield
    finally:
        with _lock:
            _run_count -= 1
            if _run_count == 0:
                torch.set_autocast_cache_enabled = _set_cache_enabled


@contextlib.contextmanager
def without_autocast_cache():
    """Mixed precision rounds a parameter whenever it is used. PyTorch would keep what it has rounded, by the parameter's object, which is at another theta
    in the next step, until the outermost context of the thread ends."""
    kept = torch.is_autocast_cache_enabled()
    _set_cache_enabled(False)
    _here.steps = getattr(_here, "steps", 0) + 1
    try:
        yield
    finally:
        _here.steps -= 1
        _set_cache_enabled(kept)
