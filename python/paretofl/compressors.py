"""Jacobians compressed into small sketches, by every compressor of the engine.

    >>> import numpy as np, paretofl
    >>> sketch = paretofl.compressors.top_k(np.arange(8.0).reshape(2, 4), budget=1)
    >>> sketch.reconstruct()
    array([[0., 0., 0., 0.],
           [0., 5., 6., 7.]])
    >>> sketch.num_bytes
    101

Each compressor is a function of this module: `compressor(jacobian, seed=0, **options)`. `help(paretofl.compressors.top_k)` names a
compressor's options and its paper. Most have a `budget`, the size of a sketch as a multiple of d numbers.

jacobian: [M, d], row k the gradient of objective k, or one gradient [d]. It is compressed in float32.
seed: of the random choices. Equal seeds give equal sketches.

The result is a `Sketch`. Error on arrays of other shapes, on numbers that are not finite, and on unknown options.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from paretofl import _engine
from paretofl.annotations import ArrayLike, Tensor
from paretofl.arrays import finite, integer, is_tensor, like, to_numpy
from paretofl.registered import check_name, function, names, plain

if TYPE_CHECKING:
    from paretofl._compressors import *


class Sketch:
    """The compressed form of a jacobian, which `paretofl.compressors` makes."""

    def __init__(self, sketch: Any, name: str, model: Any, vector: bool, dtype: Any) -> None:
        self._sketch, self._name, self._model, self._vector, self._dtype = sketch, name, model, vector, dtype

    @property
    def num_bytes(self) -> int:
        """The size of the sketch in a message of the wire format, in bytes."""
        return self._sketch.num_bytes()

    @property
    def arrays(self) -> dict[str, Any]:
        """What is sent, as NumPy arrays and numbers by name. For client_grams, for example, it is the `gramian` [M, M]."""
        return self._sketch.arrays()

    def reconstruct(self) -> Any:
        """The jacobian [M, d] or gradient [d] that the sketch stands for. It has the original's shape, and its type if that is a
        floating-point one. If the original was a PyTorch tensor, it is a tensor on the same device. Error for client_grams, from which no
        jacobian can be rebuilt."""
        rows = finite(self._sketch.reconstruct(), "reconstruct")
        rows = rows[0] if self._vector else rows
        if self._model is not None:
            return like(rows, self._model)
        with np.errstate(over="ignore"):
            return finite(rows.astype(self._dtype, copy=False), "reconstruct")

    def __repr__(self) -> str:
        return f"Sketch({self._name}, {self.num_bytes} bytes)"


def compress(compressor: str, jacobian: ArrayLike | Tensor, seed: int = 0, **options: Any) -> Sketch:
    """The `Sketch` by the compressor with this name. The other arguments and the errors are those of the module's functions."""
    check_name(compressor, "compressor")
    array = finite(to_numpy(jacobian, "jacobian", np.float32, (1, 2)), "jacobian")
    if array.size >= 2**32:
        raise _engine.Error(f"jacobian: expected fewer than 2^32 entries, found {array.size}")
    sketch = _engine.Sketch(compressor, plain(options), np.atleast_2d(array), integer(seed, "seed", 0))
    given: Any = jacobian
    dtype = given.dtype if isinstance(given, np.ndarray) and given.dtype.kind == "f" else np.dtype(np.float32)
    # An empty tensor says the type and the device, and holds no memory.
    return Sketch(sketch, compressor, given.detach().new_empty(0) if is_tensor(given) else None, array.ndim == 1, dtype)


def _compressor(name):
    def compressor(jacobian, seed=0, **options):
        return compress(name, jacobian, seed, **options)

    return compressor


def __getattr__(name: str) -> Callable[..., Sketch]:
    compressor = function("compressor", name, _compressor, "Arguments and result: see the module paretofl.compressors.")
    if compressor is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return compressor


def __dir__() -> list[str]:
    return ["Sketch", "compress", *names("compressor")]


if not TYPE_CHECKING:  # type checkers read the names in the stub file and in this one
    __all__ = __dir__()
