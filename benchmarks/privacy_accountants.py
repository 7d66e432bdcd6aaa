#!/usr/bin/env python3
"""`paretofl epsilon` beside Google's dp-accounting on a grid of noise multipliers, sampling rates, rounds and deltas: Poisson sampling with both
accountants, and sampling of a fixed size with rdp. Prints the largest relative difference of each and where it is; differences of
epsilons below 1e-6 count as none. Exits with 1 where one is above the tolerance.

At fractional orders dp-accounting sums a series, which at larger rates converges slowly or not at all: it then leaves out the order, says so
in a warning, and its epsilon is the larger for it. Where its rdp differs by more than the tolerance, epsilon at the same orders with the
integral instead of the series, by SciPy's adaptive quadrature, takes its place. Without sampling, the peer of pld is dp-accounting's analytic
Gaussian, since its composition of 10,000 steps with little noise takes more than 24 GB.

Usage: benchmarks/privacy_accountants.py [--command build/paretofl] [--tolerance 0.01] [--all]
Needs: pip install dp-accounting==0.6.0, for example
  python3 -m venv build/dp && build/dp/bin/pip install dp-accounting==0.6.0
  build/dp/bin/python benchmarks/privacy_accountants.py
"""

import argparse
import itertools
import json
import math
import subprocess
import sys
import time

import numpy as np
from scipy.integrate import quad

from dp_accounting import (GaussianDpEvent, NeighboringRelation, PoissonSampledDpEvent, SampledWithoutReplacementDpEvent,
                           get_epsilon_gaussian)
from dp_accounting.pld import PLDAccountant
from dp_accounting.rdp import RdpAccountant
from dp_accounting.rdp.rdp_privacy_accountant import DEFAULT_RDP_ORDERS, compute_epsilon

NOISE = (0.5, 0.7, 1.1, 2, 5)
RATES = (0.001, 0.01, 0.1, 1)
ROUNDS = (1, 100, 10000)
DELTAS = (1e-5, 1e-8)
CLIENTS = 1000  # of sampling of a fixed size


def ours(command, accountant, noise, sampling, rounds, delta):
    arguments = ["epsilon", "--noise-multiplier", noise, *sampling, "--rounds", rounds, "--delta", delta, "--accountant", accountant, "--json"]
    return json.loads(subprocess.run([command, *map(str, arguments)], check=True, capture_output=True, text=True).stdout)["epsilon"]


def poisson(make_accountant):
    """Of a noise multiplier, a rate and rounds: epsilon as a function of delta."""
    def theirs(noise, rate, rounds):
        if rate == 1 and make_accountant is PLDAccountant:
            return lambda delta: get_epsilon_gaussian(noise / math.sqrt(rounds), delta)
        gaussian = GaussianDpEvent(noise)
        return make_accountant().compose(gaussian if rate == 1 else PoissonSampledDpEvent(rate, gaussian), rounds).get_epsilon
    return theirs


def fixed_size(noise, rate, rounds):
    event = SampledWithoutReplacementDpEvent(CLIENTS, round(rate * CLIENTS), GaussianDpEvent(noise))
    return RdpAccountant(neighboring_relation=NeighboringRelation.REPLACE_ONE).compose(event, rounds).get_epsilon


CASES = {
    "poisson, rdp": ("rdp", lambda rate: ["--sampling-rate", rate], poisson(RdpAccountant)),
    "poisson, pld": ("pld", lambda rate: ["--sampling-rate", rate], poisson(PLDAccountant)),
    "fixed size, rdp": ("rdp", lambda rate: ["--cohort", round(rate * CLIENTS), "--clients", CLIENTS], fixed_size),
}


def by_quadrature(noise, rate, rounds, delta):
    """Epsilon from E[(1 - q + q e^((2 x - 1) / 2 z^2))^alpha], x ~ N(0, z^2), at dp-accounting's orders up to 64 and with its conversion."""
    orders, rdp = [order for order in DEFAULT_RDP_ORDERS if order < 64], []
    for order in orders:
        def log_integrand(x):
            return order * np.logaddexp(math.log1p(-rate), math.log(rate) + x / noise - 0.5 / noise**2) - 0.5 * x * x
        low, high = -14, order / noise + 14
        largest = log_integrand(np.linspace(low, high, 20001)).max()
        integral, _ = quad(lambda x: math.exp(log_integrand(x) - largest), low, high, points=[0, order / noise], limit=1000, epsrel=1e-12)
        rdp.append(rounds * (largest + math.log(integral) - 0.5 * math.log(2 * math.pi)) / (order - 1))
    return compute_epsilon(orders, rdp, delta)[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--command", default="build/paretofl")
    parser.add_argument("--tolerance", type=float, default=0.01)
    parser.add_argument("--all", action="store_true", help="print every value")
    arguments = parser.parse_args()
    failed = False
    for name, (accountant, sampling, reference) in CASES.items():
        worst, compared, replaced, seconds = (0.0, ""), 0, 0, {"ours": 0.0, "theirs": 0.0}
        for noise, rate, rounds in itertools.product(NOISE, RATES, ROUNDS):
            start = time.perf_counter()
            peer = reference(noise, rate, rounds)
            seconds["theirs"] += time.perf_counter() - start
            for delta in DELTAS:
                start = time.perf_counter()
                found = ours(arguments.command, accountant, noise, sampling(rate), rounds, delta)
                middle = time.perf_counter()
                expected = peer(delta)
                seconds["ours"] += middle - start
                seconds["theirs"] += time.perf_counter() - middle
                if name == "poisson, rdp" and abs(found - expected) > arguments.tolerance * expected:
                    print(f"{name}: noise {noise}, rate {rate}, rounds {rounds}, delta {delta:g}: ours {found:.6g}, theirs {expected:.6g}, "
                          f"replaced by quadrature", flush=True)
                    expected = by_quadrature(noise, rate, rounds, delta)
                    replaced += 1
                difference = abs(found - expected)
                relative = difference / expected if difference >= 1e-6 else 0.0
                compared += 1
                place = f"noise {noise}, rate {rate}, rounds {rounds}, delta {delta:g}: ours {found:.6g}, theirs {expected:.6g}"
                worst = max(worst, (relative, place))
                if arguments.all:
                    print(f"{name}: {place}: {relative:.2e}", flush=True)
        failed |= worst[0] > arguments.tolerance
        print(f"{name}: {compared} values, {replaced} by quadrature, largest difference {100 * worst[0]:.3f} % ({worst[1]}); "
              f"seconds: ours {seconds['ours']:.1f}, theirs {seconds['theirs']:.1f}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
