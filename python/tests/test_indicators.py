import numpy as np
import pytest

import paretofl

RETURNS = np.array([[1.0, -1.0], [8.0, -3.0], [7.0, -5.0]])


def test_known_values():
    assert paretofl.indicators.hypervolume(RETURNS, [0, -25]) == 178
    assert paretofl.indicators.sparsity(RETURNS) == 53
    assert paretofl.indicators.cardinality(RETURNS) == 2
    np.testing.assert_array_equal(paretofl.indicators.pareto_front(RETURNS), [0, 1])
    assert paretofl.indicators.igd(RETURNS, RETURNS[:2]) == 0
    assert paretofl.indicators.igd(RETURNS, [[7.0, -5.0]]) == pytest.approx(np.sqrt(5))  # the point itself is dominated
    assert paretofl.indicators.expected_utility(RETURNS, [[1, 0], [0, 2], [1, 1]]) == pytest.approx((8 - 1 + 2.5) / 3)
    assert paretofl.indicators.maximum_utility_loss(RETURNS[2:], RETURNS, [[1, 0], [0, 2], [1, 1]]) == 4


def test_minimizing_is_maximizing_the_negative():
    assert paretofl.indicators.hypervolume(-RETURNS, [0, 25], minimize=True) == 178
    assert paretofl.indicators.hypervolume(RETURNS * [1, -1], [0, 25], minimize=[False, True]) == 178
    np.testing.assert_array_equal(paretofl.indicators.pareto_front(-RETURNS, minimize=True), [0, 1])
    assert paretofl.indicators.igd(-RETURNS, [[-7.0, 5.0]], minimize=True) == pytest.approx(np.sqrt(5))
    assert paretofl.indicators.expected_utility(-RETURNS, [[1, 1]], minimize=True) == 2.5
    assert paretofl.indicators.maximum_utility_loss(-RETURNS[2:], -RETURNS, [[0, 1]], minimize=True) == 4


@pytest.mark.parametrize("call, message", [
    (lambda: paretofl.indicators.hypervolume(RETURNS, [0]), "reference"),
    (lambda: paretofl.indicators.hypervolume([[np.inf, 0]], [0, 0]), "finite"),
    (lambda: paretofl.indicators.hypervolume(RETURNS, [0, 0], minimize=[True]), "minimize"),
    (lambda: paretofl.indicators.igd(RETURNS, [[1.0]]), "objectives"),
    (lambda: paretofl.indicators.expected_utility(RETURNS, [[1, -1]]), "preference: expected a finite number >= 0"),
    (lambda: paretofl.indicators.expected_utility(RETURNS, [[1, 1, 1]]), "expected preferences of 2 weights, found 3"),
    (lambda: paretofl.indicators.maximum_utility_loss(RETURNS, [[1.0]], [[1, 1]]), "reference set of 2 objectives, found 1"),
    (lambda: paretofl.indicators.cardinality(np.zeros((3, 0))), "M of at least 1"),
])
def test_wrong_arguments_are_one_error(call, message):
    with pytest.raises(paretofl.Error, match=message):
        call()


def test_higher_is_better_unless_minimize_says_otherwise():
    better = RETURNS + 1
    assert paretofl.indicators.hypervolume(better, [0, -25]) > paretofl.indicators.hypervolume(RETURNS, [0, -25])
    assert paretofl.indicators.hypervolume(-better, [0, 25], minimize=True) > paretofl.indicators.hypervolume(-RETURNS, [0, 25], minimize=True)
    assert "Higher is better" in paretofl.indicators.hypervolume.__doc__
