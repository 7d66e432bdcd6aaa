"""Random calls of every function of arrays: each returns finite numbers, or raises Error or TypeError."""

import warnings

import numpy as np
import pytest

import paretofl
from paretofl.arrays import is_tensor
from paretofl import aggregators, compressors, indicators, preferences, solvers

CALLS = 10000
NUMBERS = [0.0, 1.0, -1.0, 0.5, 1e-300, 1e300, -1e300, 1e38, 3.4e38, 65504.0, np.nan, np.inf, -np.inf, 2.0**63]
DTYPES = [np.float64, np.float32, np.float16, np.int64, np.uint8, bool, complex, object, "U3", "M8[s]", np.longdouble, ">f8"]


class Raises:
    """An object whose conversions all raise."""

    def __array__(self, *_, **__):
        raise RuntimeError("no array")

    def __repr__(self):
        raise RuntimeError("no text")

    detach = property(lambda self: (_ for _ in ()).throw(ZeroDivisionError()))


def holds_itself():
    dictionary = {}
    dictionary["inner"] = dictionary
    return dictionary


def junk(random):
    return [None, True, -1, 0, 2**70, -(2**70), 1.5, np.nan, np.inf, "x", "", "\ud800", b"x", [], {}, (), [[]], [None], [[1], [1, 2]], {"a": 1}, set(),
            object(), Raises(), holds_itself(), [1, "a"], [2**2000], 2**20000, 1 + 2j, np.float32(0.5), np.int64(3), np.array(4), np.array([0.2, 0.8]),
            [0.5, 0.5], lambda: 0, range(3), np.ma.masked_array([1.0, 2.0], [True, False])][random.integers(36)]


def shape(random):
    sizes = [0, 1, 2, 3, 4, 7, 40]
    return tuple(int(random.choice(sizes)) for _ in range(random.choice([0, 1, 1, 2, 2, 2, 3])))


def array(random):
    """An array of any shape, type, layout and content."""
    values = np.asarray(random.normal(size=shape(random)))
    if random.random() < 0.3 and values.ndim == 2:
        values = values @ values.T  # a Gramian
    if random.random() < 0.3 and values.size:
        values.flat[random.integers(values.size)] = random.choice(NUMBERS)
    if random.random() < 0.2 and np.abs(values).max(initial=0) < 1e150:
        values = values * random.choice([1e-30, 1e-160, 1e30, 1e154])
    values = np.asarray(values)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if random.random() < 0.3:
            dtype = DTYPES[random.integers(len(DTYPES))]
            values = np.nan_to_num(values).astype(np.int64).astype(dtype) if dtype == "M8[s]" else values.astype(dtype)
    layout = random.integers(6)
    if layout == 0:
        values = np.asfortranarray(values)
    if layout == 1 and values.ndim:
        values = np.repeat(values, 2, axis=0)[::2]
    if layout == 2 and values.ndim:
        values = values[::-1]
    if layout == 3 and values.ndim:
        values = np.broadcast_to(values[:1], values.shape)
    if layout == 4:
        values = values.tolist()
    return values


def square(random, objectives):
    rows = random.normal(size=(objectives, random.choice([1, 3, 9])))
    return rows @ rows.T * random.choice([1e-200, 1e-12, 1.0, 1.0, 1e150])


def tensor(random):
    torch = pytest.importorskip("torch")
    dtypes = [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.bool, torch.complex64]
    made = torch.as_tensor(random.normal(size=shape(random))).to(dtypes[random.integers(len(dtypes))])
    return made.requires_grad_() if made.is_floating_point() and random.random() < 0.5 else made


def argument(random):
    kind = random.random()
    return array(random) if kind < 0.7 else junk(random) if kind < 0.85 else tensor(random)


def options(random, known):
    chosen = {}
    if known and random.random() < 0.5:
        chosen[random.choice(known)] = junk(random) if random.random() < 0.6 else float(random.choice(NUMBERS))
    if random.random() < 0.05:
        chosen["colour"] = junk(random)
    return chosen


def option_names(kind, name):
    return [option[0] for entry in paretofl._engine.entries(kind) if entry[0] == name for option in entry[4]]


def fuzzed_solver(random):
    name = random.choice(solvers.__all__[1:])
    objectives = int(random.choice([1, 2, 2, 3, 5, 30] if random.random() < 0.99 else [200]))
    vectors = {key: random.choice([0.1, 1.0]) * random.random(objectives) + 0.01 if random.random() < 0.7 else argument(random)
               for key in ("losses", "preference", "previous") if random.random() < 0.6}
    if isinstance(vectors.get("previous"), np.ndarray) and vectors["previous"].shape == (objectives,) and vectors["previous"].dtype == float:
        vectors["previous"] = vectors["previous"] / (np.abs(vectors["previous"]).sum() or 1)
    gramian = square(random, objectives) if random.random() < 0.6 else argument(random)
    return getattr(solvers, name)(gramian, **vectors, **options(random, option_names("solver", name)))


def fuzzed_compressor(random):
    name = random.choice([name for name in compressors.__all__ if name not in ("Sketch", "compress")])
    sketch = getattr(compressors, name)(argument(random), **options(random, ["seed", *option_names("compressor", name)]))
    arrays = list(sketch.arrays.values())
    assert sketch.num_bytes >= sum(part.nbytes for part in arrays)
    return [*arrays, np.asarray(sketch.arrays["gramian"]) if name == "client_grams" else sketch.reconstruct()]


def fuzzed_preferences(random):
    name = random.choice([name for name in preferences.__all__ if name != "draw"])
    counts = [int(random.choice([0, 1, 2, 5, 40])) if random.random() < 0.8 else junk(random) for _ in range(2)]
    drawn = getattr(preferences, name)(*counts, **options(random, ["seed", *option_names("preference distribution", name)]))
    np.testing.assert_allclose(drawn.sum(axis=1), 1)
    return drawn


def fuzzed_aggregator(random):
    name = random.choice(aggregators.__all__)
    call = getattr(aggregators, name)
    chosen = argument(random)
    if name in ("spectral_bipartition", "optimal_bipartition", "similarity_weights") and random.random() < 0.6:
        rows = random.normal(size=(random.integers(1, 9), 4))
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        chosen = np.clip(rows @ rows.T, -1, 1)
    if name == "weighted_average":
        return call(chosen, argument(random) if random.random() < 0.5 else np.eye(len(chosen) if isinstance(chosen, np.ndarray) and chosen.ndim == 2 else 2))
    extra = {"mean": ["weights"], "layerwise_similarity": ["layers", "top_r"], "top_entries": ["fraction"], "similarity_weights": ["s_min"],
             "accuracy_shares": ["epsilon"]}.get(name, [])
    chosen_options = options(random, extra)
    if name == "top_entries":
        chosen_options.setdefault("fraction", 0.3)
    return call(chosen, **chosen_options)


def fuzzed_indicator(random):
    name = random.choice(indicators.__all__)
    if name in ("igd", "expected_utility"):
        return getattr(indicators, name)(argument(random), argument(random))
    if name == "maximum_utility_loss":
        return indicators.maximum_utility_loss(argument(random), argument(random), argument(random))
    chosen = {} if random.random() < 0.6 else {"minimize": [True, False, [True, False], np.True_, junk(random)][random.integers(5)]}
    points = argument(random)
    if name == "hypervolume":
        chosen["reference"] = argument(random) if random.random() < 0.5 else -5 * np.ones(points.shape[-1] if isinstance(points, np.ndarray) and points.ndim else 1)
    return getattr(indicators, name)(points, **chosen)


@pytest.mark.parametrize("call", [fuzzed_solver, fuzzed_compressor, fuzzed_preferences, fuzzed_aggregator, fuzzed_indicator])
def test_every_call_returns_finite_numbers_or_raises_error(call):
    answered = 0
    for seed in range(CALLS // 5):
        try:
            result = call(np.random.default_rng(seed))
        except (paretofl.Error, TypeError):
            continue
        except Exception as problem:
            raise AssertionError(f"seed {seed}: expected Error or TypeError, found {type(problem).__name__}") from problem
        answered += 1
        for part in result if isinstance(result, list) else [result]:
            part = np.asarray(part.float() if is_tensor(part) else part)
            assert np.all(np.isfinite(part)), f"seed {seed}"
    assert answered > CALLS // 5 // 20  # not everything is refused


def test_results_depend_on_the_values_alone():
    """Views, other layouts and other memory around the values give the same bits."""
    random = np.random.default_rng(1)
    for _ in range(100):
        rows = random.normal(size=(3, 17)).astype(np.float32)
        padded = np.full((7, 41), np.nan, np.float32)
        padded[1:4, 3:37:2] = rows
        for view in (padded[1:4, 3:37:2], np.asfortranarray(rows), rows.astype(">f4"), rows.astype(np.float64)):
            for compressor in ("top_k", "quantizer", "random_mask", "randomized_svd"):
                compress = getattr(compressors, compressor)
                np.testing.assert_array_equal(compress(view, budget=0.7).reconstruct(), compress(rows, budget=0.7).reconstruct())
            np.testing.assert_array_equal(aggregators.layerwise_similarity(view), aggregators.layerwise_similarity(rows))
            np.testing.assert_array_equal(aggregators.mean(view), aggregators.mean(rows))
        gramian = (rows @ rows.T).astype(np.float64)
        big = np.full((5, 6), np.inf)
        big[1:4, 2:5] = gramian
        for solver in ("min_norm", "upgrad", "pcgrad"):
            np.testing.assert_array_equal(getattr(solvers, solver)(big[1:4, 2:5]), getattr(solvers, solver)(gramian))
