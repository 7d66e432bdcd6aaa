"""How clients' updates and models are compared and averaged.

Updates and models are arrays [n, d] with one row of d parameters per client. They are computed in float32, as in a run. Similarities are
[n, n], float64. Results are NumPy arrays. If the first argument is a PyTorch tensor, they are tensors of its type on its device. Every
function raises an Error on arrays of other shapes, without entries, or with numbers that are not finite.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

import numpy as np

from paretofl import _engine
from paretofl.annotations import ArrayLike, NDArray, Tensor, TensorT
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


@overload
def mean(updates: TensorT, weights: ArrayLike | None = None) -> TensorT: ...
@overload
def mean(updates: ArrayLike, weights: ArrayLike | None = None) -> NDArray[np.float32]: ...
def mean(updates: ArrayLike | Tensor, weights: ArrayLike | None = None) -> NDArray[np.float32] | Tensor:
    """The weighted mean [d], float32, of the clients' updates [n, d], summed in the order of the clients (McMahan et al. 2017, Algorithm 1).

    weights: [n], positive numbers of any scale, such as the clients' numbers of samples. None: all clients count the same.
    """
    array = _updates(updates)
    counts = np.ones(array.shape[0]) if weights is None else finite(to_numpy(weights, "weights", np.float64, 1), "weights")
    if counts.shape != (array.shape[0],) or counts.min() <= 0:
        raise _engine.Error(f"weights: expected {array.shape[0]} positive numbers, one per client, found {short(counts)}")
    with np.errstate(over="ignore"):
        counts = counts if np.isfinite(counts.sum()) else counts / counts.max()
    return like(finite(_engine.mean_update(array, counts / counts.sum()), "mean"), updates)


@overload
def layerwise_similarity(updates: TensorT, layers: Sequence[int] | None = None, top_r: float = 1.0) -> TensorT: ...
@overload
def layerwise_similarity(updates: ArrayLike, layers: Sequence[int] | None = None, top_r: float = 1.0) -> NDArray[np.float64]: ...
def layerwise_similarity(updates: ArrayLike | Tensor, layers: Sequence[int] | None = None, top_r: float = 1.0) -> NDArray[np.float64] | Tensor:
    """How similarly the clients' models develop: the mean over layers of the cosines of their updates [n, d] (FedPref, equation 3).

    layers: the sizes of the layers, which sum to d. None: one layer.
    top_r: in (0, 1], the share of the largest entries of each layer that count.

    Returns similarities [n, n], float64, symmetric, in [-1, 1], with 1 on the diagonal.
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


@overload
def top_entries(updates: TensorT, fraction: float) -> TensorT: ...
@overload
def top_entries(updates: ArrayLike, fraction: float) -> NDArray[np.float32]: ...
def top_entries(updates: ArrayLike | Tensor, fraction: float) -> NDArray[np.float32] | Tensor:
    """The updates [n, d], float32, with all but the largest entries of each row set to 0 (FedPref, equation 4).

    fraction: in (0, 1], the share of the d entries that stay: those of the largest absolute values.
    """
    return like(_engine.keep_top_entries(_updates(updates), real(fraction, "fraction")), updates)


@overload
def similarity_weights(similarity: TensorT, s_min: float = -1.0) -> TensorT: ...
@overload
def similarity_weights(similarity: ArrayLike, s_min: float = -1.0) -> NDArray[np.float64]: ...
def similarity_weights(similarity: ArrayLike | Tensor, s_min: float = -1.0) -> NDArray[np.float64] | Tensor:
    """Weights [n, n], float64: row i says how much each client counts in client i's next model, and sums to 1 (FedPref, Algorithm 1).

    similarity: [n, n], symmetric, in [-1, 1], with 1 on the diagonal.
    s_min: in [-1, 1). Clients whose similarity is not above it do not count.
    """
    matrix = _similarity(similarity)
    if not np.allclose(np.diag(matrix), 1, rtol=0, atol=1e-6):
        raise _engine.Error("similarity: expected 1 on the diagonal, found other numbers")
    return like(_engine.similarity_weights(matrix, real(s_min, "s_min")), similarity)


@overload
def weighted_average(models: TensorT, weights: ArrayLike) -> TensorT: ...
@overload
def weighted_average(models: ArrayLike, weights: ArrayLike) -> NDArray[np.float32]: ...
def weighted_average(models: ArrayLike | Tensor, weights: ArrayLike) -> NDArray[np.float32] | Tensor:
    """The next model of each client, [n, d], float32: row i is sum_j weights[i, j] models[j], summed in the order of the clients (FedPref,
    Algorithm 1).

    models: [n, d], one row per client.
    weights: [n, n], non-negative, with rows that sum to 1, such as `similarity_weights` returns.
    """
    array = _updates(models, "models")
    matrix = _square(weights, "weights", 0, 1 + 1e-6)
    if matrix.shape[0] != array.shape[0]:
        raise _engine.Error(f"weights: expected shape [{array.shape[0]}, {array.shape[0]}], found {list(matrix.shape)}")
    if not np.allclose(matrix.sum(axis=1), 1, rtol=0, atol=1e-3):
        raise _engine.Error("weights: expected rows that sum to 1, found others")
    return like(finite(_engine.average_models(array, matrix), "weighted_average"), models)


def spectral_bipartition(similarity: ArrayLike | Tensor) -> NDArray[np.int64]:
    """The part of each client, 0 or 1, as an array [n], int64, by spectral clustering (FedPref, Algorithm 2).

    similarity: [n, n], symmetric, in [-1, 1], of at least two clients.
    """
    return _engine.spectral_bipartition(_similarity(similarity))


def optimal_bipartition(similarity: ArrayLike | Tensor) -> NDArray[np.int64]:
    """The part of each client, 0 or 1, as an array [n], int64, such that the largest similarity between two clients of different parts is as
    small as possible (the optimal bipartition, Sattler et al. 2019).

    similarity: [n, n], symmetric, in [-1, 1], of at least two clients.
    """
    return _engine.optimal_bipartition(_similarity(similarity))


@overload
def accuracy_shares(accuracy_weights: TensorT, epsilon: float = 1e-6) -> TensorT: ...
@overload
def accuracy_shares(accuracy_weights: ArrayLike, epsilon: float = 1e-6) -> NDArray[np.float64]: ...
def accuracy_shares(accuracy_weights: ArrayLike | Tensor, epsilon: float = 1e-6) -> NDArray[np.float64] | Tensor:
    """How much each client counts among the clients of its task, [n], float64: the softmax of 1 / (w + epsilon) (FedMOA, equation 11).

    accuracy_weights: [n], at least 0, the weight w that each client gives its accuracy reward.
    epsilon: a positive number.
    """
    weights = finite(to_numpy(accuracy_weights, "accuracy_weights", np.float64, 1), "accuracy_weights")
    return like(finite(_engine.accuracy_shares(weights, real(epsilon, "epsilon")), "accuracy_shares"), accuracy_weights)
