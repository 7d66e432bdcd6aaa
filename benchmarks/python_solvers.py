#!/usr/bin/env python3
"""Solvers on arrays beside TorchJD's weightings on the same Gramians: the largest difference of the weights, both scaled to a sum of 1 of
their absolute values, and microseconds per call, on one thread; then paretofl.torch.backward beside TorchJD's autojac on one network.
Gramians are of M random gradients with 50 entries, float64. The measurements take turns; each time is the median over the repeats.

Usage: benchmarks/python_solvers.py [--repeats 7] [--gramians 20]
Needs: pip install . torch "torchjd[cagrad]==0.18.0" cvxpy ecos (PyTorch 2)
"""

import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")

import argparse
import statistics
import time

import numpy as np
import torch
import torchjd.aggregation as peer
from torch import nn
from torchjd.autojac import backward as peer_backward
from torchjd.autojac import jac_to_grad

import paretofl.torch

SIZES = (2, 8, 40)


class OfMatrix:
    """An aggregator of TorchJD's that takes gradients and has no weighting of a Gramian: its weights by least squares."""

    def __init__(self, aggregator):
        self.aggregator = aggregator

    def __call__(self, gradients):
        return np.linalg.lstsq(gradients.T.numpy(), self.aggregator(gradients).numpy(), rcond=None)[0]


class Fresh:
    """A weighting of TorchJD's that keeps its weights for the next call: made anew for each."""

    def __init__(self, make):
        self.make = make

    def __call__(self, product):
        return self.make(len(product))(product)


def uniform(objectives):
    return torch.full((objectives,), 1 / objectives, dtype=torch.float64)


def from_uniform(array, **options):
    """Options of a solver that starts from the weights of the step before."""
    return {"previous": uniform(len(array)).numpy(), **options}


# Ours with its options, or a function of the Gramian that says them; theirs; and whether the definitions agree. Where not, the last column
# says why.
METHODS = [
    ("linear", {}, peer.SumWeighting(), "theirs sums to M"),
    ("linear", {}, peer.MeanWeighting(), ""),
    ("fixed", {}, lambda objectives: peer.ConstantWeighting(uniform(objectives)), ""),
    ("min_norm", {}, peer.MGDAWeighting(epsilon=1e-12, max_iters=20000), "theirs by Frank-Wolfe, stopped after 20,000 steps"),
    ("upgrad", {}, peer.UPGradWeighting(), ""),
    ("dualproj", {}, peer.DualProjWeighting(), ""),
    ("cagrad", {"c": 0.4}, peer.CAGradWeighting(c=0.4), "theirs scales the Gramian by its norm + 1e-4"),
    ("pcgrad", {}, peer.PCGradWeighting(), "orders are drawn at random, by other generators"),
    ("imtl_g", {}, peer.IMTLGWeighting(), ""),
    ("aligned_mtl", {}, peer.AlignedMTLWeighting(), ""),
    ("fairgrad", {"alpha": 1.0}, peer.FairGradWeighting(alpha=1.0), ""),
    ("config", {}, OfMatrix(peer.ConFIG()), "theirs takes gradients"),
    ("nash_mtl", {}, lambda objectives: OfMatrix(peer.NashMTL(n_tasks=objectives, max_norm=0)), "theirs takes gradients"),
    ("modo", lambda array: from_uniform(array, two_sample_products=array, gamma=0.1, rho=0.1), Fresh(lambda _: peer.MoDoWeighting(gamma=0.1, rho=0.1)), ""),
    ("cr_mogm", lambda array: from_uniform(array, step=2), Fresh(lambda objectives: peer.CRMOGMWeighting(
        peer.MGDAWeighting(epsilon=1e-12, max_iters=20000), 0.9, uniform(objectives))), "of min_norm, theirs by Frank-Wolfe"),
    ("sdmgrad", {"steps": 20, "rho": 0.3}, Fresh(lambda _: peer.SDMGradWeighting(n_iter=20, lambda_=0.3)), "theirs has momentum and another step size"),
]


def normalized(weights):
    weights = np.asarray(weights, dtype=np.float64)
    return weights / np.abs(weights).sum()


def microseconds(call, arguments):
    start = time.perf_counter()
    for argument in arguments:
        call(argument)
    return 1e6 * (time.perf_counter() - start) / len(arguments)


def compare(name, options, theirs, note, gramians, repeats):
    ours = getattr(paretofl.solvers, name)
    cells = []
    for objectives in SIZES:
        rows = [torch.randn(objectives, 50, dtype=torch.float64, generator=torch.Generator().manual_seed(seed)) for seed in range(gramians)]
        products = [matrix @ matrix.T for matrix in rows]
        arrays = [product.numpy() for product in products]
        weighting = theirs if isinstance(theirs, (nn.Module, OfMatrix, Fresh)) else theirs(objectives)

        def solve(array):
            return ours(array, **(options(array) if callable(options) else options))

        inputs = rows if isinstance(weighting, OfMatrix) else products
        try:
            difference = max(np.abs(normalized(solve(array)) - normalized(weighting(argument))).max()
                             for array, argument in zip(arrays, inputs))
            found = f"{difference:.1e}"
        except Exception as error:  # the peer's own limits, such as a solver that gives up
            found = type(error).__name__
            cells.append(f"{found} | - | -")
            continue
        pairs = [(microseconds(solve, arrays), microseconds(weighting, inputs)) for _ in range(repeats)]
        cells.append(f"{found} | {statistics.median(pair[0] for pair in pairs):,.0f} | {statistics.median(pair[1] for pair in pairs):,.0f}")
    print(f"| {name} | {' | '.join(cells)} | {note} |", flush=True)


def compare_backward(repeats):
    torch.manual_seed(0)
    body, heads = nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU()), [nn.Linear(256, 10) for _ in range(4)]
    inputs, labels = torch.randn(128, 784), torch.randint(10, (4, 128))
    aggregator = peer.UPGrad()

    def losses():
        hidden = body(inputs)
        return [nn.functional.cross_entropy(head(hidden), label) for head, label in zip(heads, labels)]

    def ours():
        paretofl.torch.backward(losses(), body.parameters(), solver="upgrad")

    def theirs():
        peer_backward(losses())
        jac_to_grad(body.parameters(), aggregator)

    def milliseconds(step):
        for parameter in [*body.parameters(), *[p for head in heads for p in head.parameters()]]:
            parameter.grad = None
        start = time.perf_counter()
        step()
        return 1e3 * (time.perf_counter() - start)

    pairs = [(milliseconds(ours), milliseconds(theirs)) for _ in range(10 * repeats)][repeats:]
    mine, other = (statistics.median(pair[side] for pair in pairs) for side in (0, 1))
    print(f"\nbackward of 4 losses over {sum(p.numel() for p in body.parameters()):,} shared parameters, UPGrad: "
          f"ours {mine:.2f} ms, TorchJD {other:.2f} ms, {other / mine:.2f} times")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--gramians", type=int, default=20)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    print("| solver | " + " | ".join(f"M = {size}: difference | ours, us | TorchJD, us" for size in SIZES) + " | |")
    for name, options, theirs, note in METHODS:
        compare(name, options, theirs, note, arguments.gramians, arguments.repeats)
    compare_backward(arguments.repeats)


if __name__ == "__main__":
    main()
