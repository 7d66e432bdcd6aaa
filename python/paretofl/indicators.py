"""How good a set of points in objective space is: hypervolume, IGD, sparsity, cardinality, utilities, and the Pareto front itself.

`points` are [n, M]: n points of M objectives. Higher is better unless `minimize` is True, or a list of M that says so for each objective.
Every function raises an Error on points that are not finite or whose shapes do not fit.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from paretofl import _engine
from paretofl.annotations import ArrayLike, NDArray
from paretofl.arrays import short, to_numpy

__all__ = ["cardinality", "expected_utility", "hypervolume", "igd", "maximum_utility_loss", "pareto_front", "sparsity"]


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


def hypervolume(points: ArrayLike, reference: ArrayLike, minimize: bool | Sequence[bool] = False) -> float:
    """The volume between the points [n, M] and the reference point that the points dominate (Zitzler and Thiele 1999).

    Its unit is the product of the objectives' units. It is exact, for up to 6 objectives. Higher is better in every objective, unless
    `minimize` says otherwise.

    reference: [M], a point that is no better than the others in any objective. Points that do not dominate it add nothing.
    """
    array = _points(points)
    return _engine.hypervolume(array, to_numpy(reference, "reference", np.float64, 1), _minimize(minimize, array.shape[1]))


def igd(points: ArrayLike, reference_front: ArrayLike, minimize: bool | Sequence[bool] = False) -> float:
    """Inverted generational distance: the mean Euclidean distance from each point of a reference front to the nearest point on the Pareto
    front of the points [n, M] (Coello Coello and Cruz Cortés 2005). Lower is better.

    reference_front: [r, M], taken as given.
    """
    array = _points(points)
    return _engine.igd(array, _points(reference_front, "reference_front"), _minimize(minimize, array.shape[1]))


def expected_utility(points: ArrayLike, preferences: ArrayLike, minimize: bool | Sequence[bool] = False) -> float:
    """The expected utility metric (Zintgraf et al. 2015): the mean over preferences of the largest weighted sum that one of the points [n, M]
    offers, so what users get who each pick the point that serves them best. Higher is better; a minimized objective counts negated.

    preferences: [w, M], a weight for each objective, not negative, divided by their sum, such as those of `paretofl.preferences.lattice`.
    """
    array = _points(points)
    return _engine.expected_utility(array, _points(preferences, "preferences"), _minimize(minimize, array.shape[1]))


def maximum_utility_loss(points: ArrayLike, reference_set: ArrayLike, preferences: ArrayLike,
                         minimize: bool | Sequence[bool] = False) -> float:
    """Maximum utility loss (Zintgraf et al. 2015): the most that any of the preferences loses where it can pick from the points [n, M] instead
    of from a reference set. Lower is better, and negative where the points serve every preference better.

    reference_set: [r, M]. preferences: [w, M], as in `expected_utility`.
    """
    array = _points(points)
    return _engine.maximum_utility_loss(array, _points(reference_set, "reference_set"), _points(preferences, "preferences"),
                                        _minimize(minimize, array.shape[1]))


def sparsity(points: ArrayLike, minimize: bool | Sequence[bool] = False) -> float:
    """The mean squared distance between neighbours on the Pareto front of the points [n, M], summed over the objectives (Xu et al. 2020).
    Lower is denser. Equal points count once."""
    array = _points(points)
    return _engine.sparsity(array, _minimize(minimize, array.shape[1]))


def cardinality(points: ArrayLike, minimize: bool | Sequence[bool] = False) -> int:
    """The number of different points on the Pareto front of the points [n, M]."""
    array = _points(points)
    return _engine.cardinality(array, _minimize(minimize, array.shape[1]))


def pareto_front(points: ArrayLike, minimize: bool | Sequence[bool] = False, distinct: bool = False) -> NDArray[np.int64]:
    """The indices [k], int64 and ascending, of those of the points [n, M] that no other point dominates.

    distinct: whether only the first of equal points is listed. Otherwise all of them are.
    """
    array = _points(points)
    if not isinstance(distinct, (bool, np.bool_)):
        raise _engine.Error(f"distinct: expected True or False, found {short(distinct)}")
    return np.array(_engine.pareto_front(array, _minimize(minimize, array.shape[1]), bool(distinct)), dtype=np.int64)
