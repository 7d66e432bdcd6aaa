"""examples/jax_problem.py, whose losses and gradients JAX computes."""

import ast
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason='JAX is not installed (pip install "jax[cpu]")')

EXAMPLE = Path(__file__).parents[2] / "examples" / "jax_problem.py"


@pytest.fixture(scope="module")
def example():
    names = {"__name__": "jax_problem"}
    exec(compile(EXAMPLE.read_text(encoding="utf-8"), str(EXAMPLE), "exec"), names)
    return names


class Drawn:
    def __init__(self, seed):
        self.seed = seed

    @staticmethod
    def minibatch(num_samples, batch_size):
        return np.arange(batch_size)


def test_the_program_learns_with_the_same_bits_for_any_number_of_threads(tmp_path):
    def trained(threads):
        ended = subprocess.run([sys.executable, EXAMPLE, "--dir", tmp_path / str(threads), "--threads", str(threads)], capture_output=True, text=True)
        assert ended.returncode == 0, ended.stderr
        figures, digest = ended.stdout.rsplit(maxsplit=1)
        return ast.literal_eval(figures), digest

    figures, digest = trained(1)
    assert min(figures["accuracy"].values()) > 0.85
    assert trained(2) == (figures, digest)


def test_the_jacobian_is_that_of_finite_differences(example, monkeypatch):
    monkeypatch.setitem(example, "DROPOUT", 0.0)
    mine = example["JaxProblem"]()
    theta = mine._initial().copy()
    _, jacobian = mine.gradients(0, theta, Drawn(1))
    for index in np.random.default_rng(0).choice(theta.size, 12, replace=False):
        step = np.zeros_like(theta)
        step[index] = 1e-2
        difference = (mine.gradients(0, theta + step, Drawn(1))[0] - mine.gradients(0, theta - step, Drawn(1))[0]) / 2e-2
        np.testing.assert_allclose(jacobian[:, index], difference, atol=3e-3)


def test_dropout_takes_all_bits_of_the_draws_seed(example):
    mine = example["JaxProblem"]()
    theta = mine._initial().copy()
    losses = [mine.gradients(0, theta, Drawn(seed))[0].tolist() for seed in (5, 5, 6, 5 + 2**32)]
    assert losses[0] == losses[1] and len({tuple(found) for found in losses}) == 3
