import numpy as np
import pytest

import paretofl
from paretofl import aggregators

UPDATES = np.random.default_rng(8).normal(size=(5, 30)).astype(np.float32)


def test_the_mean_counts_clients_by_their_weights():
    np.testing.assert_allclose(aggregators.mean(UPDATES), UPDATES.mean(axis=0), rtol=1e-5, atol=1e-7)
    weights = [1, 2, 3, 4, 10]
    np.testing.assert_allclose(aggregators.mean(UPDATES, weights), np.average(UPDATES, axis=0, weights=weights), rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(aggregators.mean(UPDATES, weights), aggregators.mean(UPDATES, np.multiply(weights, 0.5)))


def test_similarity_is_the_mean_of_the_layers_cosines():
    def cosines(block):
        unit = block / np.linalg.norm(block, axis=1, keepdims=True)
        return unit @ unit.T

    np.testing.assert_allclose(aggregators.layerwise_similarity(UPDATES), cosines(UPDATES), atol=1e-6)
    expected = (cosines(UPDATES[:, :10]) + cosines(UPDATES[:, 10:])) / 2
    np.testing.assert_allclose(aggregators.layerwise_similarity(UPDATES, layers=[10, 20]), expected, atol=1e-6)


def test_top_entries_are_the_largest():
    kept = aggregators.top_entries(UPDATES, 0.2)
    assert np.count_nonzero(kept, axis=1).tolist() == [6] * 5
    for row, original in zip(kept, UPDATES):
        assert np.abs(row[row != 0]).min() >= np.abs(original[row == 0]).max()


def test_similar_clients_are_averaged():
    similarity = [[1, 1, -1], [1, 1, -1], [-1, -1, 1]]
    weights = aggregators.similarity_weights(similarity)
    np.testing.assert_allclose(weights, [[0.5, 0.5, 0], [0.5, 0.5, 0], [0, 0, 1]])
    models = aggregators.weighted_average([[0.0, 2.0], [4.0, 2.0], [9.0, 9.0]], weights)
    np.testing.assert_allclose(models, [[2, 2], [2, 2], [9, 9]])


@pytest.mark.parametrize("bipartition", [aggregators.spectral_bipartition, aggregators.optimal_bipartition])
def test_two_groups_are_found(bipartition):
    groups = np.array([0, 1, 0, 1, 1])
    similarity = np.where(groups[:, None] == groups, 0.9, -0.5)
    np.fill_diagonal(similarity, 1)
    assert bipartition(similarity).tolist() == groups.tolist()


def test_clients_that_need_less_weight_count_more():
    shares = aggregators.accuracy_shares([0.2, 0.4, 0.4])
    assert shares.sum() == pytest.approx(1) and shares[0] > shares[1] == shares[2]


def test_tensors_come_back_as_tensors():
    torch = pytest.importorskip("torch")
    mean = aggregators.mean(torch.from_numpy(UPDATES).double())
    assert mean.dtype == torch.float64 and mean.shape == (30,)
    assert torch.is_tensor(aggregators.layerwise_similarity(torch.from_numpy(UPDATES)))


def test_preferences_are_points_of_the_simplex():
    for name in paretofl.preferences.__all__:
        if name == "draw":
            continue
        distribution = getattr(paretofl.preferences, name)
        drawn = distribution(objectives=3, clients=20, seed=5)
        assert drawn.shape == (20, 3) and drawn.min() >= 0
        np.testing.assert_allclose(drawn.sum(axis=1), 1)
        np.testing.assert_array_equal(drawn, distribution(objectives=3, clients=20, seed=5))
    assert not np.array_equal(paretofl.preferences.dirichlet(3, 20, seed=5), paretofl.preferences.dirichlet(3, 20, seed=6))
    assert paretofl.preferences.dirichlet(3, 200, concentration=100).std() < 0.1 < paretofl.preferences.dirichlet(3, 200).std()


@pytest.mark.parametrize("call, message", [
    (lambda: aggregators.mean(np.zeros((0, 3))), "entries"),
    (lambda: aggregators.mean([[np.nan]]), "finite"),
    (lambda: aggregators.mean(UPDATES, [1, 2]), "weights"),
    (lambda: aggregators.mean(UPDATES, [1, 1, 1, 1, 0]), "positive"),
    (lambda: aggregators.layerwise_similarity(UPDATES, layers=[10]), "sum to 30"),
    (lambda: aggregators.layerwise_similarity(UPDATES, top_r=0), "top_r"),
    (lambda: aggregators.spectral_bipartition([[1]]), "2 clients"),
    (lambda: aggregators.optimal_bipartition([[1, 0.5], [0.2, 1]]), "symmetric"),
    (lambda: aggregators.similarity_weights([[0, 0], [0, 0]]), "diagonal"),
    (lambda: aggregators.weighted_average(UPDATES, np.eye(4)), "weights"),
    (lambda: aggregators.weighted_average(UPDATES, np.zeros((5, 5))), "sum to 1"),
    (lambda: aggregators.accuracy_shares([-1.0]), "at least 0"),
    (lambda: paretofl.preferences.lattice(0, 3), "objectives"),
    (lambda: paretofl.preferences.uniform(10**5, 10**5), "at most"),
    (lambda: paretofl.preferences.groups(2, 3, sizes=[1, 1]), "sizes"),
])
def test_wrong_arguments_are_one_error(call, message):
    with pytest.raises(paretofl.Error, match=message):
        call()
