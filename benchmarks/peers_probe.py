#!/usr/bin/env python3
"""One side of the comparisons of benchmarks/peers.py that run in Python: for each line of the standard input it measures once, on one
thread, and prints the figures by name as a line of JSON. What is prepared, such as imports and Gramians, is prepared once, untimed.
All times are processor time.

Usage: benchmarks/peers_probe.py PROBE [ENVIRONMENT]...      PROBE is one of the names at the end of this file
Needs: for `our_...` the Python package and gymnasium; for the others what benchmarks/peers_requirements.txt lists
"""

import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")  # read when NumPy and PyTorch are imported

import json
import sys
import time
import warnings

import numpy as np

SECONDS = 0.5
OBJECTIVES = (2, 8, 40)
GRAMIANS = 20
BATCH, CLIENTS, SAMPLES, LOCAL_STEPS = 128, 10, 300, 10
ENVIRONMENTS = sys.argv[2:]


def seconds_per_call(call, calls=1):
    """Processor seconds of one of the `calls` that call() makes, repeated for SECONDS."""
    repeats, start = 0, time.process_time()
    while repeats == 0 or time.process_time() - start < SECONDS:
        call()
        repeats += 1
    return (time.process_time() - start) / (repeats * calls)


def gramians():
    """The same on both sides: products of M random gradients with 50 entries."""
    rows = {m: [np.random.default_rng(seed).standard_normal((m, 50)) for seed in range(GRAMIANS)] for m in OBJECTIVES}
    return {m: [matrix @ matrix.T for matrix in matrices] for m, matrices in rows.items()}


def microseconds_per_solve(solvers, matrices):
    def solve_all(solver, of_size):
        for gramian in of_size:
            solver(gramian)

    for solver in solvers.values():  # the first calls prepare
        for of_size in matrices.values():
            solver(of_size[0])
    return lambda: {f"{name}/{m}": 1e6 * seconds_per_call(lambda solver=solver, of_size=of_size: solve_all(solver, of_size), GRAMIANS)
                    for name, solver in solvers.items() for m, of_size in matrices.items()}


def our_solvers():
    from paretofl import solvers

    return microseconds_per_solve({name: getattr(solvers, name) for name in ("min_norm", "upgrad", "dualproj", "aligned_mtl")}, gramians())


def solvers():
    import torch
    import torchjd.aggregation as peer

    torch.set_num_threads(1)
    theirs = {"min_norm": peer.MGDAWeighting(), "upgrad": peer.UPGradWeighting(), "dualproj": peer.DualProjWeighting(),
              "aligned_mtl": peer.AlignedMTLWeighting()}
    return microseconds_per_solve(theirs, {m: [torch.from_numpy(gramian) for gramian in of_size] for m, of_size in gramians().items()})


def steps_per_second(environments):
    def prepared(environment):
        environment.action_space.seed(1)
        environment.reset(seed=1)
        return environment, [environment.action_space.sample() for _ in range(1000)]

    def take_steps(environment, actions):
        for action in actions:
            _, _, terminated, truncated, _ = environment.step(action)
            if terminated or truncated:
                environment.reset()

    ready = {name: prepared(environment) for name, environment in environments.items()}
    return lambda: {name: len(pair[1]) / seconds_per_call(lambda pair=pair: take_steps(*pair)) for name, pair in ready.items()}


def our_steps():
    import paretofl.environments

    return steps_per_second({name: paretofl.environments.make(name) for name in ENVIRONMENTS})


def steps():
    import mo_gymnasium

    return steps_per_second({name: mo_gymnasium.make(name) for name in ENVIRONMENTS})


def agents():
    """Environment steps per second of the training by the agents of benchmarks/sb3_agents.py."""
    import mo_gymnasium
    import sb3_agents
    import torch

    torch.set_num_threads(1)

    def rate(problem, make_agent, steps):
        name, _, preferences, _ = sb3_agents.PROBLEMS[problem]
        model = make_agent(sb3_agents.Scalarized(mo_gymnasium.make(name), np.array(preferences[0])), seed=1)
        start = time.process_time()
        model.learn(steps)
        return steps / (time.process_time() - start)

    return lambda: {"deep_sea_treasure": rate("deep_sea_treasure", sb3_agents.dqn, 10000),
                    "lunar_lander_continuous": rate("lunar_lander_continuous", sb3_agents.ddpg(100), 1000),
                    "half_cheetah": rate("half_cheetah", sb3_agents.ddpg(100), 1000)}


def gramian():
    """GB/s of the rows in single precision, whose products both sides form in double precision: converted in each call, or before."""
    import torch

    torch.set_num_threads(1)
    rows = torch.randn(10, 1000000)
    doubles = rows.double()
    gigabytes = 4e-9 * rows.numel()

    def converted():
        converted = rows.double()
        return converted @ converted.T

    return lambda: {"converted": gigabytes / seconds_per_call(converted), "kept": gigabytes / seconds_per_call(lambda: doubles @ doubles.T)}


def training():
    """The LeNet of the digit sets: milliseconds for the gradient of a batch, and for a round of FedAvg, in PyTorch's default memory format
    and with channels last, which its kernels for small images prefer."""
    import torch
    from torch import nn

    torch.set_num_threads(1)
    torch.manual_seed(0)

    class LeNet(nn.Module):
        def __init__(self):
            super().__init__()
            self.body = nn.Sequential(nn.Conv2d(1, 10, 3, padding=1), nn.MaxPool2d(2), nn.ReLU(), nn.Conv2d(10, 15, 3), nn.MaxPool2d(2), nn.ReLU(),
                                      nn.Flatten(), nn.Linear(540, 50), nn.ReLU(), nn.Dropout(0.5))
            self.heads = nn.ModuleList(nn.Sequential(nn.Linear(50, 50), nn.ReLU(), nn.Dropout(0.5), nn.Linear(50, 10)) for _ in range(2))

        def loss(self, images, labels):
            hidden = self.body(images)
            return sum(nn.functional.cross_entropy(head(hidden), label) for head, label in zip(self.heads, labels)) / 2

    images, labels = torch.randn(CLIENTS, SAMPLES, 1, 28, 28), torch.randint(10, (CLIENTS, 2, SAMPLES))

    def calls(memory_format):
        model, local = LeNet().to(memory_format=memory_format), LeNet().to(memory_format=memory_format)
        optimizer = torch.optim.SGD(local.parameters(), lr=0.5)
        batch, answers = images[0, :BATCH].to(memory_format=memory_format), labels[0, :, :BATCH]

        def gradient():
            model.zero_grad()
            model.loss(batch, answers).backward()

        def one_round():
            mean = [torch.zeros_like(parameter) for parameter in model.parameters()]
            for client in range(CLIENTS):
                local.load_state_dict(model.state_dict())
                for _ in range(LOCAL_STEPS):
                    chosen = torch.randperm(SAMPLES)[:BATCH]
                    optimizer.zero_grad()
                    local.loss(images[client, chosen].to(memory_format=memory_format), labels[client][:, chosen]).backward()
                    optimizer.step()
                with torch.no_grad():
                    for total, parameter in zip(mean, local.parameters()):
                        total += parameter / CLIENTS
            with torch.no_grad():
                for parameter, trained in zip(model.parameters(), mean):
                    parameter += 1.2 * (trained - parameter)

        gradient()  # the first one prepares
        return {"gradient": gradient, "round": one_round}

    default = calls(torch.contiguous_format)
    last = {f"{name}/channels_last": call for name, call in calls(torch.channels_last).items()}
    return lambda: {name: 1e3 * seconds_per_call(call) for name, call in {**default, **last}.items()}


PROBES = {probe.__name__: probe for probe in (our_solvers, solvers, our_steps, steps, agents, gramian, training)}


def main():
    if len(sys.argv) < 2 or sys.argv[1] not in PROBES:
        sys.exit(f"peers_probe: expected one of {', '.join(PROBES)}, found '{' '.join(sys.argv[1:])}'")
    warnings.simplefilter("ignore")
    answers, sys.stdout = sys.stdout, sys.stderr  # what libraries print goes elsewhere
    measure = PROBES[sys.argv[1]]()
    for _ in sys.stdin:
        print(json.dumps(measure()), file=answers, flush=True)


if __name__ == "__main__":
    main()
