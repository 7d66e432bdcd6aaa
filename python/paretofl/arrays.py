"""How arguments become the arrays that the engine takes, and results what the caller works with."""

import sys

import numpy as np

from paretofl._engine import Error


def is_tensor(value):
    """Whether a value is a PyTorch tensor, without importing PyTorch."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def to_numpy(value, name, dtype, ndim):
    """A C-contiguous array of this type with `ndim` dimensions, or a number of them out of a tuple, without a copy where `value` is one;
    Error where it can't be one.

    `value` is an array, a tensor of any library on the CPU (DLPack or the array protocol), or nested lists of numbers.
    """
    try:
        if np.ma.is_masked(value):
            raise ValueError("some of its elements are masked")
        array = np.asarray(_on_the_cpu(value))
    except Exception as problem:  # whatever the conversion of a foreign object raises
        raise Error(f"{name}: expected an array of numbers, found {type(value).__name__} ({problem})") from None
    if array.dtype.kind not in "fiu":
        raise Error(f"{name}: expected an array of numbers, found elements of type {array.dtype}")
    if array.ndim not in (ndim if isinstance(ndim, tuple) else (ndim,)):
        wanted = " or ".join(map(str, ndim)) if isinstance(ndim, tuple) else ndim
        raise Error(f"{name}: expected {wanted} dimension{'' if ndim == 1 else 's'}, found {array.ndim} (shape {array.shape})")
    with np.errstate(over="ignore"):  # what is too large becomes infinite, and those who need finite numbers say so
        return np.ascontiguousarray(array, dtype=dtype).reshape(array.shape)  # which makes one dimension of none


def _on_the_cpu(value):
    """A PyTorch tensor without its part in gradients, in a type that NumPy has; anything else as it is."""
    if not is_tensor(value):
        return value
    value = value.detach().cpu().resolve_conj().resolve_neg()
    return value.float() if str(value.dtype) == "torch.bfloat16" else value


def finite(array, name):
    """The array itself; Error unless it has entries and all of them are finite."""
    if array.size == 0:
        raise Error(f"{name}: expected an array with entries, found shape {list(array.shape)}")
    if not np.all(np.isfinite(array)):
        raise Error(f"{name}: expected finite numbers, found {array[~np.isfinite(array)][0]}")
    return array


def like(result, model):
    """`result`, a NumPy array, as a tensor where `model` is a PyTorch tensor, on its device and of its type where that is a
    floating-point one; otherwise as it is. Error where the type cannot hold the numbers."""
    if not is_tensor(model):
        return result
    dtype = model.dtype if model.is_floating_point() else None
    tensor = sys.modules["torch"].as_tensor(result, dtype=dtype, device=model.device)
    if not bool(tensor.isfinite().all()):
        raise Error(f"result: expected numbers that {model.dtype} can hold, found larger ones; convert the argument to float32")
    return tensor


def optional_vector(value, name):
    """A float64 vector, empty for None."""
    return np.empty(0) if value is None else to_numpy(value, name, np.float64, 1)


def integer(value, name, low, high=2**63 - 1):
    """A Python integer from `low` to `high`; Error on anything else, True and False too."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)) or not low <= value <= high:
        span = f"of at least {low}" if high == 2**63 - 1 else f"from {low} to {high}"
        raise Error(f"{name}: expected an integer {span}, found {short(value)}")
    return int(value)


def real(value, name):
    """A finite Python float; Error on anything else, True and False too."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)) or not abs(value) < 1e308:
        raise Error(f"{name}: expected a finite number, found {short(value)}")
    return float(value)


def check_text(text, name):
    """Error on a str that UTF-8 cannot hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Error(f"{name}: expected texts of valid Unicode, found lone surrogates") from None


def short(value):
    """How a value looks in a message, cut where it is long."""
    try:
        text = repr(value)
    except Exception:  # an object whose repr raises
        text = type(value).__name__
    return text if len(text) <= 60 else f"{text[:57]}..."
