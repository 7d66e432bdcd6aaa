#!/usr/bin/env python3
"""Federations of 100,000 clients, of whom 1,000 take part in a round: time, memory of each process and bytes, and what follows from these
constants for more clients and processes.

Usage: benchmarks/scale.py [--clients 100000] [--cohort 1000] [--rounds 5] [--data DIR] [--directory runs/scale]
Needs build/paretofl and build/benchmarks/replies_benchmark (scripts/build.sh release 2 paretofl_command benchmarks). Without --data (a folder
with mnist and fashion_mnist) the image clients are those of `glyphs`.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMAND = ROOT / "build" / "paretofl"
LINK = 10e9 / 8  # bytes a second of the server's link that the model assumes: 10 Gbit/s
LARGER = {"clients": 1_000_000, "cohort": 10_000, "ranks": 1_000, "parameters": 1_000_000}


def measured(arguments):
    """Runs a command and writes its peak memory beside the file named; a rank of mpirun does this for itself."""
    file, *command = arguments
    status = subprocess.run(command, stdout=subprocess.DEVNULL).returncode
    rank = os.environ.get("OMPI_COMM_WORLD_RANK", "0")
    Path(f"{file}.{rank}").write_text(str(1024 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
    sys.exit(status)


def run(name, settings, directory, ranks=1, threads=1):
    """The summary of a run, and the peak memory of each of its processes."""
    folder, memory = directory / name, directory / f"{name}.memory"
    shutil.rmtree(folder, ignore_errors=True)
    command = [sys.executable, __file__, "--measure", str(memory), str(COMMAND), "run", settings["config"], "--dir", str(folder)]
    for key, value in {**settings["set"], "runtime.threads": threads, "runtime.name": "mpi" if ranks > 1 else "threads"}.items():
        command += ["--set", f"{key}={value}"]
    if ranks > 1:
        command = ["mpirun", "--oversubscribe", "-np", str(ranks), *command]
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    subprocess.run(command, check=True, env=environment, stderr=subprocess.DEVNULL)
    summary = json.loads((folder / "summary.json").read_text())
    return summary, [int(Path(f"{memory}.{rank}").read_text()) for rank in range(ranks)]


def row(kind, processes, summary, memory):
    rounds = summary["rounds"]
    others = f"{max(memory[1:]) / 1e6:.0f}" if len(memory) > 1 else "-"
    print(f"| {kind} | {processes} | {summary['wall_seconds'] / rounds:.2f} | {summary['cpu_seconds'] / rounds:.2f} | {memory[0] / 1e6:.0f} | {others} | "
          f"{summary['bytes_down'] / rounds / 1e6:.1f} | {summary['bytes_up'] / rounds / 1e6:.1f} | {summary['parameters_sha256'][:8]} |", flush=True)


def reply_costs():
    """CPU milliseconds of one reply at the server, by parameters."""
    program = ROOT / "build" / "benchmarks" / "replies_benchmark"
    output = subprocess.run([program, "--benchmark_format=json", "--benchmark_repetitions=3", "--benchmark_report_aggregates_only=true"], check=True,
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    return {entry["run_name"]: entry["cpu_time"] for entry in json.loads(output)["benchmarks"] if entry["aggregate_name"] == "median"}


def problems(arguments):
    shared = {"strategy.cohort_size": arguments.cohort, "rounds": arguments.rounds, "evaluation.every": 1000, "checkpoint.every": 1000}
    quadratics = {"config": "fedcmoo-quadratics", "set": {**shared, "workload.clients": arguments.clients, "workload.dimension": 1000,
                                                          "workload.objectives": 2, "strategy.local_steps": 5}}
    images = {"config": "fedcmoo-mnist_fmnist" if arguments.data else "fedcmoo-glyphs",
              "set": {**shared, "rounds": 2, "workload.clients": arguments.clients, "workload.samples_per_client": 20, "workload.batch_size": 20,
                      "workload.validation_fraction": 0,
                      "strategy.local_steps": 1, "strategy.recompute_jacobian": "true", **({"data.root": arguments.data} if arguments.data else {})}}
    return {"quadratics, d = 1,000": quadratics, "images, LeNet": images}


def main():
    if sys.argv[1:2] == ["--measure"]:
        measured(sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=100_000)
    parser.add_argument("--cohort", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--data", default="")
    parser.add_argument("--directory", type=Path, default=Path("runs/scale"))
    arguments = parser.parse_args()
    arguments.directory.mkdir(parents=True, exist_ok=True)

    print("| clients' problem | processes x threads | wall s a round | CPU s a round (of rank 0) | MB of rank 0 | MB of the largest other rank | MB down a round | MB up a round | parameters |")
    print("|---|---|---|---|---|---|---|---|---|")
    sizes = {}
    for kind, settings in problems(arguments).items():
        for ranks, threads in ((1, 1), (1, 2), (2, 1), (4, 1)):
            summary, memory = run(f"{settings['config']}-{ranks}-{threads}", settings, arguments.directory, ranks, threads)
            row(kind, f"{ranks} x {threads}", summary, memory)
        sizes[kind] = settings

    few = arguments.clients // 10
    print(f"\n| clients' problem | bytes of a process for each client beyond {few:,} |\n|---|---|")
    per_client = {}
    for kind, settings in sizes.items():
        memory = {}
        for clients in (few, arguments.clients):
            changed = {"config": settings["config"], "set": {**settings["set"], "workload.clients": clients, "rounds": 1}}
            memory[clients] = run(f"{settings['config']}-{clients}", changed, arguments.directory)[1][0]
        per_client[kind] = (memory[arguments.clients] - memory[few]) / (arguments.clients - few)
        print(f"| {kind} | {per_client[kind]:.0f} |")

    costs = reply_costs()
    print("\n| server, CPU ms a reply | d = 10,000 | d = 1,000,000 | d = 100,000,000 |\n|---|---|---|---|")
    for name in ("receive", "unmask"):
        print(f"| {name} | " + " | ".join(f"{costs[key]:.3g}" if (key := f"{name}/{size}") in costs else "-" for size in (10_000, 1_000_000, 100_000_000)) + " |")
    predict(costs, max(per_client.values()))


def predict(costs, bytes_per_client):
    clients, cohort, ranks, parameters = LARGER.values()
    receive = costs[f"receive/{parameters}"] / 1e3 * cohort
    link = 8 * parameters * cohort / LINK
    print(f"\nModel: memory of a rank = {bytes_per_client:.0f} bytes x clients + the model and the clients at work; of a round, clients' work / processors, "
          f"the server's CPU = replies x cost, the server's link = 8 d bytes x replies / {8 * LINK / 1e9:.0f} Gbit/s; the larger of the last two bounds it, since "
          f"both are at rank 0.\nFor {clients:,} clients, {cohort:,} a round, {ranks:,} ranks, d = {parameters:,}: {bytes_per_client * clients / 1e9:.2f} GB for the "
          f"clients in each rank; {receive:.0f} s of CPU at the server and {link:.0f} s of its link in each exchange of updates.")
    first = "the server's link" if link > receive else "the one thread that receives"
    print(f"What breaks first: {first}. Beyond {ranks:,} ranks more of them do not help; a smaller update does.")


if __name__ == "__main__":
    main()
