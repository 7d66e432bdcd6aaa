"""How clients' updates and models are compared and averaged.

Arrays are [n, d], one row of d parameters per client, and computed in float32 as in a run; similarities are [n, n], float64. Results are NumPy
arrays, or tensors of the argument's type and device where the first argument is a PyTorch tensor. Error on arrays of other shapes, without
entries, or with numbers that are not finite.
"""

import numpy as np

from paretofl import _engine
from paretofl.arrays import finite, integer, like, real, short, to_numpy

__all__ = ["accuracy_shares", "layerwise_similarity", "mean", "optimal_bipartition", "similarity_weights", "spectral_bipartition",
           "top_entries", "weighted_average"]


def _updates(updates, name="updates"):
    array = finite(to_numpy(updates, name, np.float32, 2), name)
    if array.shape[0] >= 2**31:
        raise _engine.Error(f"{name}: expected fewer than 2^31 clients, found {array.shape[0]}")
    return array


def _square(values, name, low=None, high=None):
    matrix = finite(to_numpy(values, name, np.float64, 2), name)
    if matrix.shape[0] != matrix.shape[1]:
        raise _engine.Error(f"{name}: expected shape [n, n], found {list(matrix.shape)}")
    if low is not None and (matrix.min() < low or matrix.max() > high):
        raise _engine.Error(f"{name}: expected numbers from {low} to {high}, found {matrix.min()} to {matrix.max()}")
    return matrix


def _similarity(values):
    matrix = _square(values, "similarity", -1, 1)
    if not np.allclose(matrix, matrix.T, rtol=0, atol=1e-6):
        raise _engine.Error("similarity: expected a symmetric matrix, found one that is not")
    return matrix


def mean(updates, weights=None):
    """The weighted mean [d] of the clients' updates [n, d], summed in their order.

    `weights` [n], positive numbers of any scale such as numbers of samples; None: all alike.
    """
    array = _updates(updates)
    counts = np.ones(array.shape[0]) if weights is None else finite(to_numpy(weights, "weights", np.float64, 1), "weights")
    if counts.shape != (array.shape[0],) or counts.min() <= 0:
        raise _engine.Error(f"weights: expected {array.shape[0]} positive numbers, one per client, found {short(counts)}")
    with np.errstate(over="ignore"):
        counts = counts if np.isfinite(counts.sum()) else counts / counts.max()
    return like(finite(_engine.mean_update(array, counts / counts.sum()), "mean"), updates)


def layerwise_similarity(updates, layers=None, top_r=1.0):
    """How similarly the clients' models develop: the mean over layers of the cosines of their updates [n, d] (FedPref, equation 3).

    `layers`: the sizes of the layers, which sum to d; None: one layer. `top_r` in (0, 1]: the share of the largest entries of each
    layer that count. Returns [n, n], symmetric, with 1 on the diagonal.
    """
    array = _updates(updates)
    if layers is None:
        sizes = [array.shape[1]]
    else:
        try:
            sizes = [integer(size, "layers", 0, 2**40) for size in layers]
        except TypeError:
            raise _engine.Error(f"layers: expected a list of sizes, found {short(layers)}") from None
    if sum(sizes) != array.shape[1]:
        raise _engine.Error(f"layers: expected sizes that sum to {array.shape[1]}, found {sum(sizes)}")
    return like(_engine.layerwise_similarity(array, sizes, real(top_r, "top_r")), updates)


def top_entries(updates, fraction):
    """The updates [n, d] with all but the largest entries of each row set to 0; `fraction` in (0, 1] of the d stay (FedPref, equation 4)."""
    return like(_engine.keep_top_entries(_updates(updates), real(fraction, "fraction")), updates)


def similarity_weights(similarity, s_min=-1.0):
    """How much each client counts in each one's next model [n, n]; rows sum to 1 (FedPref, Algorithm 1).

    `similarity` [n, n] is in [-1, 1] with 1 on the diagonal; clients no more similar than `s_min` in [-1, 1) don't count.
    """
    matrix = _similarity(similarity)
    if not np.allclose(np.diag(matrix), 1, rtol=0, atol=1e-6):
        raise _engine.Error("similarity: expected 1 on the diagonal, found other numbers")
    return like(_engine.similarity_weights(matrix, real(s_min, "s_min")), similarity)


def weighted_average(models, weights):
    """The next model of each client [n, d]: row i is sum_j weights[i, j] models[j], summed in the clients' order.

    `models` [n, d]; `weights` [n, n], non-negative, with rows that sum to 1, such as `similarity_weights` returns.
    """
    array = _updates(models, "models")
    matrix = _square(weights, "weights", 0, 1 + 1e-6)
    if matrix.shape[0] != array.shape[0]:
        raise _engine.Error(f"weights: expected shape [{array.shape[0]}, {array.shape[0]}], found {list(matrix.shape)}")
    if not np.allclose(matrix.sum(axis=1), 1, rtol=0, atol=1e-3):
        raise _engine.Error("weights: expected rows that sum to 1, found others")
    return like(finite(_engine.average_models(array, matrix), "weighted_average"), models)


def spectral_bipartition(similarity):
    """Each client's part [n], 0 or 1, by spectral clustering of similarities [n, n] in [-1, 1] (FedPref, Algorithm 2). n is at least 2. int64."""
    return _engine.spectral_bipartition(_similarity(similarity))


def optimal_bipartition(similarity):
    """Each client's part [n], 0 or 1, such that the largest similarity across the parts is least (Sattler et al. 2019). n is at least 2. int64."""
    return _engine.optimal_bipartition(_similarity(similarity))


def accuracy_shares(accuracy_weights, epsilon=1e-6):
    """How much each client counts among those of its task [n]: the softmax of 1 / (w + epsilon) (FedMOA, equation 11).

    `accuracy_weights` [n], at least 0: the weight w that each client gives its accuracy reward; `epsilon` is positive.
    """
    weights = finite(to_numpy(accuracy_weights, "accuracy_weights", np.float64, 1), "accuracy_weights")
    return like(finite(_engine.accuracy_shares(weights, real(epsilon, "epsilon")), "accuracy_shares"), accuracy_weights)
