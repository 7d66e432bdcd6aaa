#!/usr/bin/env python3
"""A PyTorch module in a federation: each client is a process that makes the problem of what is in its own folder (docs/deployment.md).

    python examples/federated_module.py runs/federated_module
"""

import argparse
from pathlib import Path

import numpy as np
import torch

import paretofl
import paretofl.torch

CLIENTS = 4
STRATEGY = {"name": "fedcmoo", "cohort_size": CLIENTS, "local_steps": 4, "client_lr": 0.1}


def write_folders(root):
    """Stands for data that the parties have: for each client points around a center of its own, with two numbers to predict."""
    for name in ["server", *(f"client-{client}" for client in range(CLIENTS))]:
        random = np.random.default_rng(list(name.encode()))
        points = random.normal(size=(60, 3)) + random.normal(size=3)
        (root / name).mkdir(parents=True, exist_ok=True)
        np.savez(root / name / "samples.npz", points=points, total=points.sum(1, keepdims=True), length=np.linalg.norm(points, axis=1, keepdims=True))


def samples_in(folder):
    samples = np.load(folder / "samples.npz")
    return tuple(torch.from_numpy(samples[name].astype(np.float32)) for name in ("points", "total", "length"))


def problem_of(clients, test):
    """`clients` are the samples of those clients that this process has, by their numbers."""
    torch.manual_seed(1)
    model = torch.nn.Sequential(torch.nn.Linear(3, 16), torch.nn.Tanh(), torch.nn.Linear(16, 2))
    losses = {"total": lambda out, batch: (out[:, :1] - batch[1]).square().mean(), "length": lambda out, batch: (out[:, 1:] - batch[2]).square().mean()}
    return paretofl.torch.Problem(model, losses, clients=clients, num_clients=CLIENTS if isinstance(clients, dict) else None, test=test, batch_size=20)


def make_problem(folder, client):
    """The problem of the client with this number, or for None of the server, which has samples to test the model on."""
    return problem_of({}, samples_in(folder)) if client is None else problem_of({client: samples_in(folder)}, None)


def simulation(folders):
    """The same problem with all clients in one process."""
    return problem_of([samples_in(folders / f"client-{client}") for client in range(CLIENTS)], samples_in(folders / "server"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--carrier", choices=["sockets", "flower", "none"], default="sockets", help="none: all clients in this process")
    parser.add_argument("--threads", type=int, default=1, help="of a process with all clients")
    arguments = parser.parse_args()
    folders = arguments.directory / "folders"
    write_folders(folders)
    how = {"strategy": STRATEGY, "rounds": 2, "seed": 1, "directory": arguments.directory / "run", "overwrite": True}
    if arguments.carrier == "none":
        run = paretofl.run(simulation(folders), threads=arguments.threads, progress=False, **how)
    else:
        run = paretofl.federate(make_problem, folders, carrier=arguments.carrier, **how)
    print(run.summary["test"], run.summary["parameters_sha256"])


if __name__ == "__main__":
    main()
