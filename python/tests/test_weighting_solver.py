import numpy as np
import pytest

import paretofl

torch = pytest.importorskip("torch", reason="PyTorch is not installed (Debian: python3-torch)")
import paretofl.torch  # noqa: E402

GRAMIAN = np.array([[1.0, -0.5], [-0.5, 4.0]])


class InverseNormWeighting(torch.nn.Module):
    """Called like TorchJD's weightings: a Gramian in, weights of any scale out."""

    def forward(self, gramian):
        return gramian.diagonal().pow(-0.5)


def test_a_weighting_is_a_solver(tmp_path, two_targets):
    paretofl.torch.weighting_solver("inverse_norm_weighting", InverseNormWeighting())
    np.testing.assert_allclose(paretofl.solvers.inverse_norm_weighting(GRAMIAN), [2 / 3, 1 / 3])
    assert "InverseNormWeighting" in paretofl.solvers.inverse_norm_weighting.__doc__
    hashes = {paretofl.run(two_targets(), strategy={"name": "firm", "solver": "inverse_norm_weighting"}, rounds=3, threads=threads,
                           directory=tmp_path / str(threads)).summary["parameters_sha256"] for threads in (1, 2)}
    assert len(hashes) == 1


def test_weights_that_need_a_gradient_or_are_negative():
    parameter = torch.nn.Parameter(torch.ones(2, dtype=torch.float64))
    paretofl.torch.weighting_solver("learned", lambda gramian: parameter * gramian.diagonal())
    np.testing.assert_allclose(paretofl.solvers.learned(GRAMIAN), [0.2, 0.8])
    paretofl.torch.weighting_solver("negative", lambda gramian: gramian[0])
    with pytest.raises(paretofl.Error, match="at least 0"):
        paretofl.solvers.negative(GRAMIAN)
    paretofl.torch.weighting_solver("negative", lambda gramian: gramian[0], negative_weights=True)
    np.testing.assert_allclose(paretofl.solvers.negative(GRAMIAN), [2 / 3, -1 / 3])


def test_a_weighting_is_a_function():
    with pytest.raises(paretofl.Error, match="weighting_solver: expected a function of a Gramian as 'three', found 3"):
        paretofl.torch.weighting_solver("three", 3)


def test_torchjds_upgrad_is_the_engines():
    aggregation = pytest.importorskip("torchjd.aggregation", reason="TorchJD is not installed; it needs a newer PyTorch than Debian's")
    paretofl.torch.weighting_solver("torchjd_upgrad", aggregation.UPGradWeighting())
    np.testing.assert_allclose(paretofl.solvers.torchjd_upgrad(GRAMIAN), paretofl.solvers.upgrad(GRAMIAN), atol=1e-4)
