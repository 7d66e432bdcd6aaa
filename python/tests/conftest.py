import numpy as np
import pytest

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
