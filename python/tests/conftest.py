import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

try:  # before anything else: in a process that has run many other tests, its library finds no memory for its schemas
    import onnx.reference  # noqa: F401
except ImportError:
    pass

import paretofl


class TwoTargets(paretofl.Problem):
    """Client i draws theta to two targets of its own with some noise; what theta should be is known."""

    def __init__(self, clients=4, dimension=3, noise=0.1):
        self.targets = np.random.default_rng(5).normal(size=(clients, 2, dimension))
        self.noise = noise

    def num_clients(self):
        return len(self.targets)

    def objectives(self):
        return ["first", "second"]

    def initial_parameters(self):
        return np.zeros(self.targets.shape[2], np.float32)

    def gradients(self, client, theta, draw):
        noise = np.random.Generator(np.random.Philox(draw.seed)).normal(size=self.targets[client].shape)
        distance = theta.astype(np.float64) - self.targets[client]
        return 0.5 * (distance**2).sum(axis=1), distance + self.noise * noise

    def evaluate(self, theta):
        distance = theta - self.targets
        return {"loss": 0.5 * (distance**2).sum(axis=2).mean(axis=0), "norm": float(np.linalg.norm(theta))}


@pytest.fixture
def two_targets():
    return TwoTargets


@pytest.fixture
def notebook(monkeypatch):
    """A stand-in for the kernel of a notebook: `shown` has the newest text of each display."""
    shown = []

    def display(text, display_id):
        shown.append(text)
        place = len(shown) - 1
        return SimpleNamespace(update=lambda newer: shown.__setitem__(place, newer))

    ipython, displays = ModuleType("IPython"), ModuleType("IPython.display")
    ipython.get_ipython = lambda: SimpleNamespace(kernel=None)
    displays.HTML, displays.display = str, display
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", displays)
    return SimpleNamespace(shown=shown)
