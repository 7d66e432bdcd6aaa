import subprocess
import sys

import numpy as np
import pytest

import paretofl


def gramian(seed=3, objectives=3):
    rows = np.random.default_rng(seed).normal(size=(objectives, 7))
    return rows @ rows.T


def test_min_norm_of_two_orthogonal_gradients():
    np.testing.assert_allclose(paretofl.solvers.min_norm([[1, 0], [0, 4]]), [0.8, 0.2])


@pytest.mark.parametrize("name", [name for name in paretofl.solvers.__all__ if name != "solve"])
def test_every_solver_takes_arrays_and_has_documentation(name):
    solver = getattr(paretofl.solvers, name)
    options = {"objective_weights": [0.2, 0.3, 0.5]} if name == "fixed" else {}
    weights = solver(gramian(), losses=[1.0, 2.0, 3.0], preference=[1, 2, 3], previous=[0.2, 0.3, 0.5], **options)
    assert isinstance(weights, np.ndarray) and weights.dtype == np.float64 and weights.shape == (3,)
    assert np.abs(weights).sum() == pytest.approx(1)
    assert solver.__name__ == name and len(solver.__doc__) > 40


@pytest.mark.parametrize("arguments, message", [
    (dict(gramian=[[1, 0]]), r"shape \[M, M\]"),
    (dict(gramian=[1.0, 2.0]), "2 dimensions"),
    (dict(gramian=[["a"]]), "array of numbers"),
    (dict(gramian=[[np.nan]]), "finite"),
    (dict(gramian=[[1, 0], [0, 1]], losses=[1, 2, 3]), "expected 2"),
    (dict(gramian=[[1, 0], [0, 1]], previous=[5, 5]), "sum"),
    (dict(gramian=[[1, 0], [0, 1]], step="x"), "step"),
    (dict(gramian=[[1, 0], [0, 1]], colour=1), "colour"),
    (dict(gramian=[[1j, 0], [0, 1]]), "complex"),
])
def test_wrong_arguments_are_one_error(arguments, message):
    with pytest.raises(paretofl.Error, match=message):
        paretofl.solvers.min_norm(**arguments)


def test_an_unknown_solver_is_an_error_that_names_the_known_ones():
    with pytest.raises(paretofl.Error, match="min_norm"):
        paretofl.solvers.solve("min_nrm", [[1.0]])


def test_products_in_float32_may_be_off_by_their_rounding():
    exact = np.array([[1.0, -0.5], [-0.5, 4.0]])
    rounded = exact + np.array([[0, 2e-7], [0, 0]])
    np.testing.assert_allclose(paretofl.solvers.upgrad(rounded), paretofl.solvers.upgrad(exact), atol=1e-6)
    with pytest.raises(paretofl.Error, match="symmetric"):
        paretofl.solvers.upgrad(exact + np.array([[0, 1e-3], [0, 0]]))


def test_famo_reads_the_losses_before_and_modo_the_products_of_two_samples():
    identity = np.eye(2)
    np.testing.assert_allclose(paretofl.solvers.famo(identity, losses=[1, 4]), [0.8, 0.2])
    moved = paretofl.solvers.famo(identity, losses=[1, 1], previous=[0.5, 0.5], previous_losses=[2, 1], beta=1.0, gamma=0.0)
    np.testing.assert_allclose(moved[0], 1 / (1 + 0.5 * 2 ** (4 / 9)))
    first, second = np.random.default_rng(3).normal(size=(2, 3, 7))
    previous = np.array([0.2, 0.3, 0.5])
    step = paretofl.solvers.modo(first @ first.T, previous=previous, two_sample_products=first @ second.T, gamma=1e-3)
    inside = previous - 1e-3 * first @ second.T @ previous
    np.testing.assert_allclose(step, inside - inside.mean() + 1 / 3)
    with pytest.raises(paretofl.Error, match=r"two_sample_products: expected shape \[3, 3\], found \[2, 2\]"):
        paretofl.solvers.modo(np.eye(3), two_sample_products=np.eye(2))


def test_tensors_of_any_type_and_view_give_the_weights_of_the_array():
    torch = pytest.importorskip("torch")
    matrix = torch.tensor([[1, 0], [0, 4]])
    for other in (matrix, matrix.to(torch.uint8), matrix.double(), torch._neg_view(-matrix.double()), torch.nn.Parameter(matrix.float())):
        weights = paretofl.solvers.min_norm(other)
        assert torch.is_tensor(weights) and weights.dtype == (other.dtype if other.is_floating_point() else torch.float64)
        np.testing.assert_allclose(weights.detach().numpy(), [0.8, 0.2], rtol=1e-6)
    sketch = paretofl.compressors.exact(torch.tensor([[1, 300, 2], [4, 5, 6]]))
    assert torch.equal(sketch.reconstruct(), torch.tensor([[1.0, 300, 2], [4, 5, 6]]))
    mean = paretofl.aggregators.mean(torch.tensor([[1, 2], [2, 2]]))
    assert torch.equal(mean, torch.tensor([1.5, 2.0]))


def test_masked_entries_are_an_error():
    points = np.ma.masked_array([[1.0, 1.0], [100.0, 100.0]], mask=[[0, 0], [1, 1]])
    with pytest.raises(paretofl.Error, match="points: expected an array of numbers, found MaskedArray .some of its elements are masked."):
        paretofl.indicators.hypervolume(points, reference=[0, 0])
    assert paretofl.indicators.hypervolume(np.ma.masked_array([[1.0, 2.0]]), reference=[0, 0]) == 2


def test_two_sample_products_are_a_matrix_like_the_gramian():
    with pytest.raises(paretofl.Error, match=r"two_sample_products: expected shape \[2, 2\], found \[4, 1\]"):
        paretofl.solvers.modo(np.eye(2), previous=[0.5, 0.5], two_sample_products=np.zeros((4, 1)))


def test_a_program_with_parts_of_its_own_ends_without_a_word(tmp_path):
    pytest.importorskip("torch")
    program = tmp_path / "program.py"
    program.write_text("""
import torch
import paretofl.torch

@paretofl.register_solver("even")
def even(gramian):
    return [1.0] * len(gramian)

sketch = paretofl.compressors.exact([[1.0, 2.0]])  # which PyTorch keeps until the end of the process
""")
    ended = subprocess.run([sys.executable, program], capture_output=True, text=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


def test_the_name_of_a_part_is_a_text():
    with pytest.raises(paretofl.Error, match="Part: expected the name of a solver, found 3"):
        paretofl.Part("solver", 3)


def test_an_option_may_be_called_solver():
    gramian = [[1.0, 0.2], [0.2, 4.0]]
    own = paretofl.solvers.upgrad(gramian)
    smoothed = paretofl.solvers.cr_mogm(gramian, previous=[0.5, 0.5], step=2, solver="upgrad", alpha=0.25)
    np.testing.assert_allclose(smoothed, 0.25 * 0.5 + 0.75 * own, rtol=1e-12)
