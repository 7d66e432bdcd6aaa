import numpy as np
import pytest

import paretofl

NAMES = [name for name in paretofl.compressors.__all__ if name not in ("Sketch", "compress")]


def jacobian(objectives=3, dimension=200):
    return np.random.default_rng(4).normal(size=(objectives, dimension)).astype(np.float32)


def test_exact_gives_back_every_bit():
    sketch = paretofl.compressors.exact(jacobian())
    np.testing.assert_array_equal(sketch.reconstruct(), jacobian())
    assert jacobian().nbytes <= sketch.num_bytes <= jacobian().nbytes + 100


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("exact", "client_grams")])
def test_a_larger_budget_takes_more_bytes_and_loses_less(name):
    compressor = getattr(paretofl.compressors, name)
    small, large = compressor(jacobian(), budget=0.3), compressor(jacobian(), budget=2.4)
    assert small.num_bytes < large.num_bytes < jacobian().nbytes
    errors = [np.linalg.norm(sketch.reconstruct() - jacobian()) for sketch in (small, large)]
    assert errors[1] < errors[0]


def test_top_k_keeps_the_largest_entries():
    rows = jacobian()
    kept = paretofl.compressors.top_k(rows, budget=0.5).reconstruct()
    assert np.abs(rows[kept == 0]).max() <= np.abs(kept[kept != 0]).min()
    np.testing.assert_array_equal(kept[kept != 0], rows[kept != 0])


@pytest.mark.parametrize("name", ["random_mask", "quantizer"])
def test_unbiased_ones_average_to_the_jacobian(name):
    rows = jacobian(dimension=40)
    mean = np.mean([getattr(paretofl.compressors, name)(rows, seed=seed, budget=0.6).reconstruct() for seed in range(3000)], axis=0)
    np.testing.assert_allclose(mean, rows, atol=0.3)


def test_client_grams_hold_the_gramian_alone():
    sketch = paretofl.compressors.client_grams(jacobian())
    np.testing.assert_allclose(sketch.arrays["gramian"], jacobian() @ jacobian().T, rtol=1e-4)
    with pytest.raises(paretofl.Error, match="client_grams"):
        sketch.reconstruct()


@pytest.mark.parametrize("name", NAMES)
def test_equal_seeds_give_equal_sketches(name):
    compressor = getattr(paretofl.compressors, name)
    first, second = compressor(jacobian(), seed=7), compressor(jacobian(), seed=7)
    for key, array in first.arrays.items():
        np.testing.assert_array_equal(array, second.arrays[key])
    assert first.num_bytes == second.num_bytes
    assert compressor.__name__ == name and len(compressor.__doc__) > 40


def test_the_result_has_the_arguments_type_and_shape():
    for dtype in (np.float16, np.float32, np.float64):
        rebuilt = paretofl.compressors.exact(jacobian().astype(dtype)).reconstruct()
        assert rebuilt.dtype == dtype and rebuilt.shape == (3, 200)
    assert paretofl.compressors.exact([1, 2, 3]).reconstruct().tolist() == [1, 2, 3]
    assert paretofl.compressors.exact(jacobian()[0]).reconstruct().shape == (200,)


def test_tensors_come_back_as_tensors():
    torch = pytest.importorskip("torch")
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        tensor = torch.arange(6.0).reshape(2, 3).to(dtype)
        rebuilt = paretofl.compressors.exact(tensor.requires_grad_()).reconstruct()
        assert rebuilt.dtype == dtype and not rebuilt.requires_grad and torch.equal(rebuilt, tensor)
    assert paretofl.compressors.exact(torch.arange(4.0)).reconstruct().shape == (4,)


@pytest.mark.parametrize("call, message", [
    (lambda: paretofl.compressors.top_k(jacobian(), colour=1), "colour"),
    (lambda: paretofl.compressors.top_k(jacobian(), budget="x"), "budget"),
    (lambda: paretofl.compressors.exact(np.zeros((2, 0))), "with entries"),
    (lambda: paretofl.compressors.exact([[1.0, np.nan]]), "finite"),
    (lambda: paretofl.compressors.exact([[1e300, 0.0]]), "finite"),
    (lambda: paretofl.compressors.exact(np.zeros((2, 2, 2))), "2 dimensions"),
    (lambda: paretofl.compressors.exact(jacobian(), seed=-1), "seed"),
    (lambda: paretofl.compressors.compress("top_kk", jacobian()), "top_k"),
])
def test_wrong_arguments_are_one_error(call, message):
    with pytest.raises(paretofl.Error, match=message):
        call()


def test_an_unknown_name_is_no_attribute():
    with pytest.raises(AttributeError, match="zip"):
        paretofl.compressors.zip
