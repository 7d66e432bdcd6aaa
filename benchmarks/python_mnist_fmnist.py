#!/usr/bin/env python3
"""FedCMOO on MNIST+FMNIST with the paper's network as a PyTorch module, beside the workload mnist_fmnist: mean test accuracy over the two
objectives at rounds 20, 40 and 80, seconds and CPU seconds a round without evaluation, and the engine's share of the latter. Images are
composed, split over 100 clients and rotated as the workload does it (FedCMOO, section 7 and appendix D), by random numbers of NumPy's and
PyTorch's. Both sides have the same settings.

Usage: benchmarks/python_mnist_fmnist.py DATA [--seeds 1 2] [--rounds 80] [--threads 1] [--batch-size 128] [--channels-last] [--directory runs/python_mnist_fmnist]
DATA holds the folders mnist and fashion_mnist. Needs: pip install . torch
"""

import argparse
import functools
import gzip
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

import paretofl.callbacks
import paretofl.torch

CLIENTS, SAMPLES, BATCH, DEGREES = 100, 600, 128, 25.0
CENTERS = (torch.arange(28) + 0.5) / 14 - 1  # of a row's pixels, in grid_sample's coordinates


class LeNet(nn.Module):
    """The paper's network (appendix D.3): 28,515 + 3,060 M parameters for ten classes."""

    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Conv2d(1, 10, 3, padding=1), nn.MaxPool2d(2), nn.ReLU(), nn.Conv2d(10, 15, 3), nn.MaxPool2d(2), nn.ReLU(),
                                     nn.Flatten(), nn.Linear(540, 50), nn.ReLU(), nn.Dropout(0.5))
        self.digit, self.garment = (nn.Sequential(nn.Linear(50, 50), nn.ReLU(), nn.Dropout(0.5), nn.Linear(50, 10)) for _ in range(2))

    def forward(self, images):
        hidden = self.encoder(rotated(images) if self.training else images)
        return self.digit(hidden), self.garment(hidden)


def rotated(images):
    """Each image turned by an angle of its own."""
    angles = torch.deg2rad((2 * torch.rand(len(images), 1, 1) - 1) * DEGREES)
    cosines, sines = angles.cos(), angles.sin()
    x, y = CENTERS, CENTERS[:, None]
    grid = torch.stack([cosines * x - sines * y, sines * x + cosines * y], -1)
    return functional.grid_sample(images, grid, mode="nearest", align_corners=False)


def read_idx(folder, part, kind, offset):
    for name in (f"{part}-{kind}-ubyte.gz", f"{part}-{kind}-ubyte"):
        if (folder / name).is_file():
            data = (gzip.open if name.endswith("gz") else open)(folder / name, "rb").read()
            return np.frombuffer(data, np.uint8, offset=offset)
    raise SystemExit(f"python_mnist_fmnist: expected {part}-{kind}-ubyte in {folder}, found none")


def composed(root, part, random):
    """Images [N, 1, 28, 28] and both labels [N]: a digit in the corner of a 42 x 42 canvas, and a garment at (14, 14)."""
    digits, garments = (read_idx(root / name, part, "images-idx3", 16).reshape(-1, 28, 28) for name in ("mnist", "fashion_mnist"))
    digit_labels, garment_labels = (read_idx(root / name, part, "labels-idx1", 8).astype(np.int64) for name in ("mnist", "fashion_mnist"))
    partner = random.permutation(len(garments))
    canvas = np.zeros((len(digits), 42, 42), np.uint8)
    canvas[:, :28, :28] = digits
    canvas[:, 14:, 14:] = np.maximum(canvas[:, 14:, 14:], garments[partner])
    shown = np.arange(28) * 42 // 28
    images = (canvas[:, shown][:, :, shown].astype(np.float32) / 255 - 0.1307) / 0.3081
    return torch.from_numpy(images[:, None]), torch.from_numpy(digit_labels), torch.from_numpy(garment_labels[partner])


def split(labels, random):
    """Indices of each client's samples, by Dirichlet(0.3) over the joint labels."""
    decks = {label: list(random.permutation(np.flatnonzero(labels == label))) for label in np.unique(labels)}
    parts = []
    for _ in range(CLIENTS):
        taken = []
        for (label, deck), share in zip(decks.items(), random.dirichlet([0.3] * len(decks))):
            count = int(share * SAMPLES)
            if count > len(deck):
                deck[:] = list(random.permutation(np.flatnonzero(labels == label)))
            taken += [deck.pop() for _ in range(min(count, len(deck)))]
        rest = np.setdiff1d(np.arange(len(labels)), taken)
        parts.append(np.array(taken + list(random.choice(rest, SAMPLES - len(taken), replace=False))))
    return parts


@functools.cache
def read_clients(root, seed):
    """Each client's images and labels, and the test images and labels."""
    random = np.random.default_rng(seed)
    images, digits, garments = composed(root, "train", random)
    parts = split((10 * digits + garments).numpy(), random)
    return [(images[part], digits[part], garments[part]) for part in parts], composed(root, "t10k", random)


def make_problem(root, seed, memory_format=torch.contiguous_format, batch_size=BATCH):
    clients, test = read_clients(root, seed)
    torch.manual_seed(seed)
    return paretofl.torch.Problem(
        LeNet(), {"mnist": lambda outputs, batch: functional.cross_entropy(outputs[0], batch[1]),
                  "fashion": lambda outputs, batch: functional.cross_entropy(outputs[1], batch[2])},
        clients, test=test, batch_size=batch_size, memory_format=memory_format,
        heads={"mnist": "digit", "fashion": "garment"},
        metrics={"accuracy": lambda outputs, batch: [(output.argmax(1) == label).float().mean() for output, label in zip(outputs, batch[1:])]})


def watched(problem):
    """The problem, and a list of the CPU seconds that each of its steps takes in PyTorch."""
    spent = []
    for name in ("_jacobian", "_weighted_gradient", "_objective_gradient"):
        def timed(*arguments, step=getattr(problem, name)):
            start = time.thread_time()
            result = step(*arguments)
            spent.append(time.thread_time() - start)
            return result
        setattr(problem, name, timed)
    return problem, spent


class Clock(paretofl.callbacks.Callback):
    """CPU seconds of this process, those in steps, and seconds, of each round without evaluation."""

    def __init__(self, spent):
        self.spent, self.rounds, self.last = spent, [], None

    def on_round(self, row):
        now = (time.process_time(), sum(self.spent), time.perf_counter())
        if self.last and "test" not in row:
            self.rounds.append([after - before for after, before in zip(now, self.last)])
        self.last = now


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=80)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--batch-size", type=int, default=BATCH)
    parser.add_argument("--channels-last", action="store_true", help="the module computes in this memory format of PyTorch's")
    parser.add_argument("--directory", type=Path, default=Path("runs/python_mnist_fmnist"))
    arguments = parser.parse_args()
    strategy = {"name": "fedcmoo", "cohort_size": 10, "local_steps": 10, "client_lr": 0.5, "server_lr": 1.2, "solver": {"name": "projected_gradient"},
                "compressor": {"name": "randomized_svd", "two_way": True}}
    built_in = {"workload": {"name": "mnist_fmnist", "clients": CLIENTS, "samples_per_client": SAMPLES, "dirichlet_alpha": 0.3,
                             "batch_size": arguments.batch_size, "rotation_degrees": DEGREES}, "data": {"root": str(arguments.data)}}
    memory_format = torch.channels_last if arguments.channels_last else torch.contiguous_format
    for seed in arguments.seeds:
        problem, spent = watched(make_problem(arguments.data, seed, memory_format, arguments.batch_size))
        for name, config in (("PyTorch module", problem), ("built-in", built_in)):
            clock = Clock(spent)
            run = paretofl.run(config, strategy=strategy, rounds=arguments.rounds, seed=seed, threads=arguments.threads, overwrite=True,
                               options={"evaluation.every": 10}, directory=arguments.directory / f"{name.split()[0]}-{seed}", callbacks=[clock])
            accuracy = {row["round"]: 100 * np.mean(list(row["test"]["accuracy"].values())) for row in run.metrics if "test" in row}
            shown = ", ".join(f"{accuracy[at]:.2f} % at {at}" for at in (20, 40, 80) if at in accuracy)
            cpu, inside, wall = (sum(column) for column in zip(*clock.rounds))
            share = f", {100 * (1 - inside / cpu):.1f} % of it outside of PyTorch's steps" if config is problem else ""
            print(f"seed {seed}, {name}: {shown}; {wall / len(clock.rounds):.2f} s and {cpu / len(clock.rounds):.2f} CPU s a round{share}", flush=True)


if __name__ == "__main__":
    main()
