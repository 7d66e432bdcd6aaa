"""Problems in Python whose losses overflow at steps that a strategy tries."""

import numpy as np

import paretofl


class Steep(paretofl.Problem):
    """cosh(theta - target) for each of two clients: overflows at the long steps that FedMDFG tries first."""

    def num_clients(self):
        return 2

    def objectives(self):
        return ["loss"]

    def initial_parameters(self):
        return np.zeros(1)

    def gradients(self, client, theta, draw):
        distance = theta.astype(np.float64) - (6.0, 8.0)[client]
        with np.errstate(over="ignore"):
            return np.cosh(distance), np.sinh(distance)[None]


def test_a_trial_that_overflows_meets_no_condition_and_costs_no_client(tmp_path):
    strategy = {"name": "fedmdfg", "cohort_size": 2, "local_steps": 1, "client_lr": 0.05}
    run = paretofl.run(Steep(), strategy=strategy, rounds=40, directory=tmp_path / "run")
    assert all("abandoned" not in row and not row.get("failures") for row in run.metrics)
    assert run.metrics[0]["metrics"]["trials"] > 1 and run.metrics[0]["metrics"]["sufficient"] == 1
    assert 6 <= run.parameters[0] <= 8
