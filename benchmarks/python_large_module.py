#!/usr/bin/env python3
"""Peak memory of a run of a PyTorch module with 100 million parameters in ten layers and 10 clients, beyond what Python and the libraries
took after a run of a small one, as multiples of its d floats; and at how many places in memory its parameters were (few: they are views of
the engine's buffers, and no step copies theta). With --made the problem is given a function that makes the module.

Usage: benchmarks/python_large_module.py [--made] [--strategy fedavg] [--threads 1] [--parameters 100000000] [--directory runs/python_large_module]
Needs: pip install . torch
"""

import argparse
import resource
from pathlib import Path

import torch
from torch import nn

import paretofl.torch

CLIENTS = 10


LAYERS = 10


def peak_bytes():
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def train(width, arguments):
    """Trains ten layers of this width; returns the addresses at which the first layer's weights were, one per step."""
    views = []

    def forward(module, batch):
        views.append(module[0].weight.data_ptr())
        return module(batch[0])

    def make():
        return nn.Sequential(*(nn.Linear(width, width, bias=False) for _ in range(LAYERS)))

    generator = torch.Generator().manual_seed(1)
    clients = [(torch.randn(8, width, generator=generator),) for _ in range(CLIENTS)]
    losses = {"small": lambda outputs, batch: outputs.pow(2).mean(), "near": lambda outputs, batch: (outputs - 1).abs().mean()}
    problem = paretofl.torch.Problem(make if arguments.made else make(), losses, clients, forward=forward, batch_size=4)
    views.clear()
    run = paretofl.run(problem, strategy={"name": arguments.strategy, "local_steps": 2}, rounds=2, threads=arguments.threads, overwrite=True,
                       directory=arguments.directory, options={"checkpoint.keep": 1})
    assert run.summary["status"] == "completed"
    return views


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--made", action="store_true")
    parser.add_argument("--strategy", default="fedavg")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--parameters", type=int, default=100_000_000)
    parser.add_argument("--directory", type=Path, default=Path("runs/python_large_module"))
    arguments = parser.parse_args()
    train(8, arguments)  # what the libraries set up at their first use
    before = peak_bytes()
    width = int((arguments.parameters / LAYERS) ** 0.5)
    parameters = LAYERS * width * width
    views = train(width, arguments)
    beyond = peak_bytes() - before
    print(f"{arguments.strategy}, {arguments.threads} threads, d = {parameters:,}: peak {beyond / 1e6:.1f} MB, {beyond / parameters / 4:.2f} x d floats, "
          f"more than the {before / 1e6:.1f} MB of the libraries; {len(views)} steps at {len(set(views))} places in memory")


if __name__ == "__main__":
    main()
