"""The registered parts of a kind as functions of a module."""

import numpy as np

from paretofl import _engine
from paretofl.arrays import is_tensor, short
from paretofl.part_documentation import documentation


def names(kind):
    """The names of all parts of a kind, such as "solver": the engine's, and those that plugins and Python code have registered."""
    return [entry[0] for entry in _engine.entries(kind)]


def check_name(name, kind):
    """Error on what cannot be the name of a part."""
    if not isinstance(name, str):
        raise _engine.Error(f"{kind}: expected the name of a {kind}, a text, found {short(name)}")


def function(kind, name, call, arguments):
    """The function `call(name)` of a part, with its name and documentation, or None where there is no such part."""
    for entry, summary, reference, _, options in _engine.entries(kind):
        if entry == name:
            part = call(name)
            part.__name__ = part.__qualname__ = name
            part.__doc__ = documentation(summary, reference, arguments, options)
            return part
    return None


def plain(options):
    """Options with Python's own numbers and lists in the place of NumPy's and PyTorch's."""
    return {key: value.tolist() if isinstance(value, (np.generic, np.ndarray)) or is_tensor(value) else value
            for key, value in options.items()}
