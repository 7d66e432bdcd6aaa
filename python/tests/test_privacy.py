import pytest

import paretofl

POISSON = {"sampling_rate": 0.01, "rounds": 10000, "delta": 1e-5}


def test_reference_values():
    assert paretofl.epsilon(1.1, **POISSON, accountant="rdp") == pytest.approx(5.6320, abs=1e-4)
    assert paretofl.epsilon(1.1, **POISSON) == pytest.approx(5.1926, abs=1e-4)
    assert paretofl.epsilon(1.1, 100, 1e-5, cohort=100, clients=1000, accountant="rdp") == pytest.approx(12.2648, abs=1e-4)


def test_the_noise_for_an_epsilon_keeps_within_it():
    noise = paretofl.privacy.noise_multiplier(3, **POISSON, releases=2)
    assert paretofl.epsilon(noise, **POISSON, releases=2) <= 3 < paretofl.epsilon(noise / 1.001, **POISSON, releases=2)


@pytest.mark.parametrize("call, message", [
    (lambda: paretofl.epsilon(1, 1, 1e-5), "expected sampling_rate, or cohort with clients"),
    (lambda: paretofl.epsilon(1, 1, 1e-5, sampling_rate=0.1, cohort=1), "expected sampling_rate, or cohort with clients"),
    (lambda: paretofl.epsilon(1, 1, 1e-5, sampling_rate=0.1, cohort=1, clients=2), "expected sampling_rate, or cohort with clients"),
    (lambda: paretofl.epsilon(1, 1, 1e-5, cohort=1, clients=2), "expected Poisson sampling"),
    (lambda: paretofl.epsilon("1", 1, 1e-5, sampling_rate=0.1), "noise_multiplier: expected a number"),
    (lambda: paretofl.epsilon(1, 1.5, 1e-5, sampling_rate=0.1), "rounds: expected a whole number"),
    (lambda: paretofl.epsilon(1, 1, 0, sampling_rate=0.1), "delta: expected"),
    (lambda: paretofl.epsilon(1, 1, 1e-5, sampling_rate=0.1, accountant="prv"), "expected rdp or pld"),
    (lambda: paretofl.privacy.noise_multiplier(float("nan"), 1, 1e-5, sampling_rate=0.1), "epsilon: expected a positive number"),
])
def test_wrong_arguments_are_one_error(call, message):
    with pytest.raises(paretofl.Error, match=message):
        call()
