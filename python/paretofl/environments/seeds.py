"""Seeds as Gymnasium takes them, for the engine."""

import operator

import numpy as np

from paretofl._engine import Error


def checked_seed(seed):
    """The seed as an int; Error unless it is an integer of 64 bits."""
    try:
        number = operator.index(seed)
    except TypeError:
        number = -1
    if isinstance(seed, (bool, np.bool_)) or not 0 <= number < 2**64:
        raise Error(f"reset: expected a seed from 0 to 2^64 - 1, found {seed!r}")
    return number


def drawn_seed(random):
    """A seed drawn from a generator of NumPy's."""
    return int(random.integers(2**63))


def checked_options(options):
    """Error unless there are none: the engine's environments take no options."""
    if options:
        raise Error(f"reset: expected no options, found {', '.join(map(str, options))}")
