"""How arguments become the arrays that the engine takes."""

import numpy as np

from paretofl._engine import Error


def to_numpy(value, name, dtype, ndim):
    """A C-contiguous array of this type with `ndim` dimensions, without a copy where `value` is one; Error where it can't be one.

    `value` is an array, a tensor of any library on the CPU (DLPack or the array protocol), or nested lists of numbers.
    """
    if hasattr(value, "detach"):  # a PyTorch tensor, whose gradients have no part in this
        value = value.detach().cpu()
    try:
        array = np.asarray(value)
    except (ValueError, TypeError, RuntimeError) as problem:
        raise Error(f"{name}: expected an array of numbers, found {type(value).__name__} ({problem})") from None
    if array.size == 0 and array.ndim == 1 == ndim:
        array = array.astype(dtype)
    if array.dtype.kind not in "fiu":
        raise Error(f"{name}: expected an array of numbers, found elements of type {array.dtype}")
    if array.ndim != ndim:
        raise Error(f"{name}: expected {ndim} dimension{'s' if ndim > 1 else ''}, found {array.ndim} (shape {array.shape})")
    return np.ascontiguousarray(array, dtype=dtype)


def like(result, model):
    """`result`, a NumPy array, as a tensor where `model` is a PyTorch tensor, on its device; otherwise as it is."""
    if hasattr(model, "detach"):
        return model.new_tensor(result, dtype=model.dtype, requires_grad=False) if model.is_floating_point() else result
    return result


def optional_vector(value, name):
    """A float64 vector, empty for None."""
    return np.empty(0) if value is None else to_numpy(value, name, np.float64, 1)
