"""Small pictures of a jacobian, by every compressor of the engine.

    >>> import numpy as np, paretofl
    >>> sketch = paretofl.compressors.top_k(np.arange(8.0).reshape(2, 4), budget=1)
    >>> sketch.reconstruct()
    array([[0., 0., 0., 0.],
           [0., 5., 6., 7.]])
    >>> sketch.num_bytes
    101

Each compressor is a function of this module: `compressor(jacobian, seed=0, **options)`. `jacobian` is [M, d], row k the gradient of
objective k, or one gradient [d]; it is compressed in float32. `seed` is that of the random choices: equal seeds give equal sketches. The
options stand in the docstring (`help(paretofl.compressors.top_k)`); most have a `budget`, the size of a sketch as a multiple of d numbers. The
result is a `Sketch`. Error on what is no such array, on numbers that are not finite, and on options that don't exist.
"""

import numpy as np

from paretofl import _engine
from paretofl.arrays import finite, integer, is_tensor, like, to_numpy
from paretofl.registered import function, names, plain


class Sketch:
    """What a compressor made of a jacobian."""

    def __init__(self, sketch, name, model, vector, dtype):
        self._sketch, self._name, self._model, self._vector, self._dtype = sketch, name, model, vector, dtype

    @property
    def num_bytes(self):
        """What the sketch takes in a message of the wire format, in bytes."""
        return self._sketch.num_bytes()

    @property
    def arrays(self):
        """What is sent, as NumPy arrays by name: of client_grams, for example, the `gramian` [M, M]."""
        return self._sketch.arrays()

    def reconstruct(self):
        """The jacobian that the sketch stands for, of the shape, and where that is a floating-point one the type, of the original; a tensor
        on the same device where that was a PyTorch tensor. Error for client_grams, from which nothing can be rebuilt."""
        rows = finite(self._sketch.reconstruct(), "reconstruct")
        rows = rows[0] if self._vector else rows
        if self._model is not None:
            return like(rows, self._model)
        with np.errstate(over="ignore"):
            return finite(rows.astype(self._dtype, copy=False), "reconstruct")

    def __repr__(self):
        return f"Sketch({self._name}, {self.num_bytes} bytes)"


def compress(compressor, jacobian, seed=0, **options):
    """The `Sketch` by the compressor with this name; see the module's description."""
    array = finite(to_numpy(jacobian, "jacobian", np.float32, (1, 2)), "jacobian")
    if array.size >= 2**32:
        raise _engine.Error(f"jacobian: expected fewer than 2^32 entries, found {array.size}")
    sketch = _engine.Sketch(compressor, plain(options), np.atleast_2d(array), integer(seed, "seed", 0))
    tensor = is_tensor(jacobian)
    dtype = jacobian.dtype if isinstance(jacobian, np.ndarray) and jacobian.dtype.kind == "f" else np.dtype(np.float32)
    # An empty tensor says the type and the device, and holds no memory.
    return Sketch(sketch, compressor, jacobian.detach().new_empty(0) if tensor else None, array.ndim == 1, dtype)


def _compressor(name):
    def compressor(jacobian, seed=0, **options):
        return compress(name, jacobian, seed, **options)

    return compressor


def __getattr__(name):
    compressor = function("compressor", name, _compressor, "Arguments and result: see the module paretofl.compressors.")
    if compressor is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return compressor


def __dir__():
    return ["Sketch", "compress", *names("compressor")]


__all__ = __dir__()
