#!/usr/bin/env python3
"""One problem, five ways: 1 thread, 2 threads, 2 and 4 processes over MPI, and a federation over Flower on the loopback interface with TLS and
node authentication (1 SuperLink, 4 SuperNodes, each beside a process that has its own client's folder alone). Prints the SHA-256 of the
parameters, wall seconds, and bytes by our own count, which is of messages between server and clients, and by Flower's, which is of all that
passes its SuperLink.

Usage: benchmarks/federation_ways.py [--only NUMBER..] [--directory runs/federation_ways]
Needs `make build` and `make flower`. Exits with 1 unless each problem ends with the same parameters in every way.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMAND, PYTHON = ROOT / "build/paretofl", ROOT / "build/flower/bin/python"
EXAMPLE = ROOT / "examples/federated_module.py"
FLOWER = "Flower, 4 SuperNodes"
SHARED = ["rounds=2", "workload.clients=4", "checkpoint.every=2"]
ALL_CLIENTS = "strategy.cohort_size=4"  # personalized strategies always ask all of them
CONFIGS = {
    "FedCMOO, glyphs": ("fedcmoo/fedcmoo-glyphs.toml", ["workload.samples_per_client=40", "workload.batch_size=20", "workload.train_images=200",
                                                         "workload.test_images=40", "strategy.local_steps=2", ALL_CLIENTS]),
    "FIRM, quadratics": ("firm/firm-quadratics.toml", [ALL_CLIENTS]),
    "FedMOA, arithmetic": ("fedmoa/fedmoa-arithmetic.toml", ["workload.model=", "workload.grpo.max_new_tokens=4", "workload.evaluation_questions=20", ALL_CLIENTS]),
    "FedPref, Deep-Sea Treasure": ("fedpref/fedpref-deep_sea_treasure.toml", ["strategy.local_steps=40"]),
}
MODULE = "FedCMOO, PyTorch module"


def run_command(words):
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    done = subprocess.run(list(map(str, words)), env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"federation_ways: expected `{' '.join(map(str, words))}` to succeed, found:\n{done.stderr[-2000:]}")


def ways_of_config(config, settings, folder):
    """The commands, by way."""
    sets = [word for setting in [*SHARED, *settings] for word in ("--set", setting)]
    run = [COMMAND, "run", ROOT / "experiments" / config, *sets, "--dir", folder / "run"]
    mpi = ["--set", "runtime.name=mpi", "--set", "runtime.threads=1"]
    yield "1 thread", [*run, "--set", "runtime.threads=1"]
    yield "2 threads", [*run, "--set", "runtime.threads=2"]
    for ranks in (2, 4):
        yield f"mpirun -np {ranks}", ["mpirun", "--oversubscribe", "-np", ranks, *run, *mpi]
    yield FLOWER, [COMMAND, "federate", *run[2:], "--parties", 4]


def ways_of_module(folder):
    """The same for the PyTorch module, which the Python package runs."""
    run = [PYTHON, EXAMPLE, folder]
    for threads in (1, 2):
        yield f"{threads} thread{'s' if threads > 1 else ''}", [*run, "--carrier", "none", "--threads", threads]
    for ranks in (2, 4):
        yield f"mpirun -np {ranks}", None  # the package is built without MPI
    yield FLOWER, [*run, "--carrier", "flower"]


def megabytes(count):
    return f"{count / 1e6:.3f}"


def measured(problem, way, command, folder):
    """Prints a row, and returns the digest of the parameters."""
    if command is None:
        print(f"| {problem} | {way} | not in the package | | | | |", flush=True)
        return None
    shutil.rmtree(folder, ignore_errors=True)
    start = time.monotonic()
    run_command(command)
    wall = time.monotonic() - start
    run = folder / "run"
    summary = json.loads((run / "summary.json").read_text())
    flower = "-"
    if way == FLOWER:
        traffic = json.loads((run / "federation/flower.json").read_text())["flower_traffic"]
        flower = ", ".join(f"{name}: {megabytes(count)}" for name, count in traffic.items())
    digest = summary["parameters_sha256"]
    print(f"| {problem} | {way} | {digest[:16]} | {wall:.1f} | {megabytes(summary['bytes_down'])} | {megabytes(summary['bytes_up'])} | {flower} |",
          flush=True)
    return digest


def main():
    names = [*CONFIGS, MODULE]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", type=int, nargs="+", default=range(1, len(names) + 1), help="numbers of problems, from 1 to 5")
    parser.add_argument("--directory", type=Path, default=ROOT / "runs/federation_ways")
    arguments = parser.parse_args()
    print("| problem | way | parameters (SHA-256) | wall s | MB down | MB up | Flower's count, MB |\n|---|---|---|---|---|---|---|", flush=True)
    differing = []
    for number in arguments.only:
        name, folder = names[number - 1], arguments.directory / str(number)
        ways = ways_of_config(*CONFIGS[name], folder) if name in CONFIGS else ways_of_module(folder)
        digests = {measured(name, way, command, folder) for way, command in ways} - {None}
        if len(digests) > 1:
            differing.append(name)
    if differing:
        print(f"federation_ways: expected one set of parameters, found several for {', '.join(differing)}", file=sys.stderr)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
