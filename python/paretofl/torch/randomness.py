"""Where the steps of a problem get their random numbers from."""

import contextlib
import random

import numpy as np
import torch

from paretofl import shared_generators
from paretofl._engine import Error
from paretofl.torch.own_generator import OwnGenerator


class Randomness:
    """Gives each step the random numbers of its seed, in one of three ways, which a first step shows (`choose`):

    - "none": steps draw no random numbers.
    - "own": they draw from PyTorch, by functions that can be given a generator of the step's own. Such steps need not wait for each other.
    - "shared": they draw from the generators that the whole process shares, PyTorch's, NumPy's or Python's, or seed or restore these, as
      activation checkpointing does. These are seeded for one step at a time.

    `chosen` is the argument `random` of a problem: True means "shared", False means "none".
    """

    def __init__(self, chosen, device):
        if chosen not in (True, False, None):
            raise Error(f"random: expected True, False or None, found {chosen!r}")
        self.way = "shared" if chosen or device.type != "cpu" else "none" if chosen is False else None
        self.checked = self.way is None  # whether equal seeds are known to give equal steps
        self._devices = [device] if device.type == "cuda" else []

    def choose(self, step):
        """Calls `step`, which returns a digest of all that a step computes, and chooses the way, if the user has not.

        "own" or "none" it is if the step has the same bits with a generator of its own, whatever the shared ones are seeded with, and leaves
        these alone. Error if equal seeds do not give equal bits.
        """
        if self.way is not None:
            step()
            return
        with self._shared_seeded(1):
            expected = step()
        with self._shared_seeded(2), _own_seeded(1) as own:
            shared, unused = _shared_states(), own.get_state()
            found = step()
            untouched, drawn = _shared_states() == shared, not torch.equal(own.get_state(), unused)
        if found != expected:
            with self._shared_seeded(1):
                if step() != expected:
                    raise Error("random: expected steps whose results depend on theta, the samples and the seeded generators alone, found others from equal "
                                "ones: the model, a loss or a data set keeps a state or has a generator of its own; random=True leaves this unchecked")
        self.way = "shared" if not untouched or found != expected else "own" if drawn else "none"

    @contextlib.contextmanager
    def seeded(self, seed):
        """For one step: its random numbers are the seed's."""
        if self.way is None:
            yield
        elif self.way == "shared":
            with self._shared_seeded(seed):
                yield
        else:
            begun, before = shared_generators.moment(), _shared_states()
            with _own_seeded(seed) if self.way == "own" else contextlib.nullcontext():
                yield
            if _shared_states() != before and shared_generators.quiet_since(begun):
                raise Error("random: expected steps that leave PyTorch's, NumPy's and Python's global generators alone, as in the first "
                            "minibatch, found one that draws from them; random=True seeds them at every step")

    @contextlib.contextmanager
    def evaluating(self):
        """For an evaluation, whose metrics may draw random numbers: they are the same every time, as far as the way of the steps reaches."""
        if self.way == "shared":
            with self._shared_seeded(0):
                yield
        else:
            with shared_generators.may_draw(), _own_seeded(0):
                yield

    def repeatable(self):
        """For what must be the same every time, whichever of the generators it draws from."""
        return self._shared_seeded(0)

    @contextlib.contextmanager
    def _shared_seeded(self, seed):
        with shared_generators.alone(), torch.random.fork_rng(self._devices):
            kept = random.getstate(), np.random.get_state()
            torch.manual_seed(_bits63(seed))
            random.seed(seed)
            np.random.seed(seed & (2**32 - 1))
            try:
                yield
            finally:
                random.setstate(kept[0])
                np.random.set_state(kept[1])


@contextlib.contextmanager
def _own_seeded(seed):
    generator = torch.Generator().manual_seed(_bits63(seed))
    with OwnGenerator(generator):
        yield generator


def _bits63(seed):
    return seed & (2**63 - 1)


def _shared_states():
    kind, keys, position, *_ = np.random.get_state()
    return hash(torch.get_rng_state().numpy().tobytes()), hash(random.getstate()), kind, position, hash(keys.tobytes())
