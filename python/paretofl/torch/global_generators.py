"""The random generators that every module and data set shares: PyTorch's, NumPy's and Python's."""

import contextlib
import random
import threading

import numpy as np
import torch

from paretofl._engine import Error


class GlobalGenerators:
    """Seeds them for one step at a time, where the steps of a problem use them at all.

    `used` is whether they do: True, False, or None as long as nobody knows.
    """

    def __init__(self, used, device):
        if used not in (True, False, None):
            raise Error(f"random: expected True, False or None, found {used!r}")
        self.used = True if device.type != "cpu" else used
        self._devices = [device] if device.type == "cuda" else []
        self._one_step = threading.Lock()

    @contextlib.contextmanager
    def seeded(self, seed):
        """For one step: the generators are in the seed's state. Steps that don't use them need not wait for each other."""
        if self.used is False:
            before = _states()
            yield
            if _states() != before:
                raise Error("random: expected steps without PyTorch's, NumPy's or Python's global generators, as in the first minibatch, found "
                            "one that draws from them; random=True seeds them at every step")
            return
        with self._one_step, torch.random.fork_rng(self._devices):
            kept = random.getstate(), np.random.get_state()
            torch.manual_seed(seed & (2**63 - 1))
            random.seed(seed)
            np.random.seed(seed & (2**32 - 1))
            before = _states()
            try:
                yield
                if self.used is None:
                    self.used = _states() != before
            finally:
                random.setstate(kept[0])
                np.random.set_state(kept[1])


def _states():
    kind, keys, position, *_ = np.random.get_state()
    return hash(torch.get_rng_state().numpy().tobytes()), hash(random.getstate()), kind, position, hash(keys.tobytes())
