"""How good a set of points in objective space is: hypervolume, IGD, sparsity, cardinality, and the Pareto front itself.

`points` are [n, M]: n points of M objectives. Higher is better, unless `minimize` is True, or a list that says so for each objective.
Error on points that are not finite or whose shapes don't fit.
"""

import numpy as np

from paretofl import _engine
from paretofl.arrays import short, to_numpy

__all__ = ["cardinality", "hypervolume", "igd", "pareto_front", "sparsity"]


def _points(points, name="points"):
    array = to_numpy(points, name, np.float64, 2)
    if array.shape[1] == 0:
        raise _engine.Error(f"{name}: expected shape [n, M] with M of at least 1, found {list(array.shape)}")
    return array


def _minimize(minimize, objectives):
    try:
        flags = [minimize] * objectives if isinstance(minimize, (bool, np.bool_)) else list(minimize)
    except TypeError:  # nothing to iterate over
        flags = []
    if len(flags) != objectives or not all(isinstance(flag, (bool, np.bool_)) for flag in flags):
        raise _engine.Error(f"minimize: expected True, False or {objectives} of them, found {short(minimize)}")
    return [bool(flag) for flag in flags]


def hypervolume(points, reference, minimize=False):
    """The volume that the points dominate up to the reference point [M], which is the worst one, in the product of the objectives' units.

    Exact, for up to 6 objectives (Zitzler and Thiele 1999).
    """
    array = _points(points)
    return _engine.hypervolume(array, to_numpy(reference, "reference", np.float64, 1), _minimize(minimize, array.shape[1]))


def igd(points, reference_front):
    """The mean distance from the points of a reference front [r, M] to the nearest of `points` (Coello Coello and Cruz Cortes 2005)."""
    return _engine.igd(_points(points), _points(reference_front, "reference_front"))


def sparsity(points, minimize=False):
    """The mean squared gap between neighbours on the distinct Pareto front of the points (Xu et al. 2020); lower is denser."""
    array = _points(points)
    return _engine.sparsity(array, _minimize(minimize, array.shape[1]))


def cardinality(points, minimize=False):
    """The number of distinct points on the Pareto front."""
    array = _points(points)
    return _engine.cardinality(array, _minimize(minimize, array.shape[1]))


def pareto_front(points, minimize=False, distinct=False):
    """The indices [k] of the points that no other one dominates, ascending, int64. Equal points are all in, or with `distinct` the first."""
    array = _points(points)
    if not isinstance(distinct, (bool, np.bool_)):
        raise _engine.Error(f"distinct: expected True or False, found {short(distinct)}")
    return np.array(_engine.pareto_front(array, _minimize(minimize, array.shape[1]), bool(distinct)), dtype=np.int64)
