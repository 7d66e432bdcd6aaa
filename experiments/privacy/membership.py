#!/usr/bin/env python3
"""A membership test against epsilon: how well does the final model tell whether a client took part?

Each client of a federation is a canary: member i pushes the model along coordinate i as hard as clipping lets it, and a client that is no
member sends nothing. The attacker knows all directions, and guesses from the model alone: the larger coordinate i, the more likely client
i was a member. No data of a client could be easier to find, so that this is a test of the guarantee, not of what models usually remember
(Andrew et al. 2024, "One-shot empirical privacy estimation for federated learning"; Steinke et al. 2023, "Privacy auditing with one (1)
training run"). Prints, for each epsilon, the area under the ROC curve, the share of members that are found at 1 % false alarms, and the
largest epsilon that the guesses contradict with 95 % confidence (Clopper and Pearson 1934, at the threshold that the run with the seed
before chose, for both kinds of errors). A guarantee that holds is contradicted in no more than 5 % of runs.

Usage: membership.py [--clients 2000] [--rounds 100] [--seeds 3]
"""

import argparse
import math
import tempfile
from pathlib import Path
from statistics import mean, stdev

import numpy as np
from scipy.stats import beta, rankdata

import paretofl

EPSILONS = (1, 2, 4, 8, math.inf)
DELTA = 1e-5
CLIP = 1.0


class Canaries(paretofl.Problem):
    """Clients 0, 2, 4, ... are members."""

    def __init__(self, clients):
        self.clients = clients

    def num_clients(self):
        return self.clients

    def objectives(self):
        return ["canary"]

    def initial_parameters(self):
        return np.zeros(self.clients, dtype=np.float32)

    def gradients(self, client, theta, draw):
        gradient = np.zeros((1, self.clients), dtype=np.float32)
        if client % 2 == 0:
            gradient[0, client] = -1000 * CLIP  # so that the model moves upwards; clipped
        return [0.0], gradient


def scores(arguments, epsilon, seed):
    """One number per client of the final model: those of members, and those of others."""
    settings = {
        "strategy.cohort_size": arguments.clients // 10, "strategy.local_steps": 1, "strategy.client_lr": 1.0,
        "strategy.client_weighting": "uniform", "privacy.clip": CLIP, "privacy.delta": DELTA
    }
    if math.isfinite(epsilon):
        settings["privacy.sampling"] = "poisson"
        settings["privacy.noise_multiplier"] = paretofl.privacy.noise_multiplier(epsilon, arguments.rounds, DELTA, sampling_rate=0.1, accountant="rdp")
    with tempfile.TemporaryDirectory() as folder:
        run = paretofl.run(Canaries(arguments.clients), strategy="fedavg", rounds=arguments.rounds, seed=seed, options=settings,
                           directory=Path(folder) / "run", progress=False)
        theta = np.array(run.parameters)
        if math.isfinite(epsilon):
            assert abs(run.summary["epsilon"] - epsilon) < 1e-3 * epsilon, run.summary["epsilon"]
    return theta[::2], theta[1::2]


def area(members, others):
    """The probability that a member's number is larger than another's."""
    ranks = rankdata(np.concatenate([members, others]))
    return (ranks[:members.size].sum() - members.size * (members.size + 1) / 2) / (members.size * others.size)


def rates(members, others, threshold):
    return (members >= threshold).sum(), (others >= threshold).sum()


def contradicted(found, alarms, members, others):
    """The largest epsilon that this many found members and false alarms contradict."""
    largest = 0.0
    for one, of_one, other, of_other in ((found, members, alarms, others), (others - alarms, others, members - found, members)):
        low = beta.ppf(0.025, one, of_one - one + 1) if one > 0 else 0.0
        high = beta.ppf(0.975, other + 1, of_other - other) if other < of_other else 1.0
        if low > DELTA:
            largest = max(largest, math.log((low - DELTA) / high))
    return largest


def best_threshold(members, others):
    numbers = np.concatenate([members, others])
    return max(np.unique(np.quantile(numbers, np.linspace(0.3, 0.999, 100))), key=lambda t: contradicted(*rates(members, others, t), members.size, others.size))


def spread(values, form):
    return f"{mean(values):{form}} ± {stdev(values):{form}}" if len(values) > 1 else f"{values[0]:{form}}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--seeds", type=int, default=3)
    arguments = parser.parse_args()
    print("| epsilon | area under the ROC curve | members found at 1 % false alarms, % | largest epsilon that is contradicted |\n|---|---|---|---|")
    for epsilon in EPSILONS:
        areas, shares, contradictions = [], [], []
        members, others = scores(arguments, epsilon, 1000)
        threshold = best_threshold(members, others)
        for seed in range(1, arguments.seeds + 1):
            members, others = scores(arguments, epsilon, seed)
            areas.append(area(members, others))
            shares.append(100 * (members > np.quantile(others, 0.99)).mean())
            contradictions.append(contradicted(*rates(members, others, threshold), members.size, others.size))
        name = f"{epsilon:g}" if math.isfinite(epsilon) else "no noise"
        print(f"| {name} | {spread(areas, '.3f')} | {spread(shares, '.1f')} | {spread(contradictions, '.2f')} |", flush=True)


if __name__ == "__main__":
    main()
