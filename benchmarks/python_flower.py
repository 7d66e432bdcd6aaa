#!/usr/bin/env python3
"""FedAvg on the PyTorch module of benchmarks/python_mnist_fmnist.py by paretofl.torch.Problem and by a simulation of Flower's: seconds and
CPU seconds a round (of all processes), without the first round. Both train the same module on the same data: 10 of 100 clients a round,
10 steps on batches of 128 by SGD with learning rate 0.3 on the mean of both losses, with as many workers at a time as --threads says and
one thread in each. The measurements take turns.

Usage: benchmarks/python_flower.py DATA [--rounds 6] [--threads 2] [--repeats 3]
DATA holds the folders mnist and fashion_mnist. Needs: pip install . torch psutil "flwr[simulation]==1.42.0"
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

os.environ.update(OMP_NUM_THREADS="1", FLWR_TELEMETRY_ENABLED="0", FLWR_DISABLE_UPDATE_CHECK="1", RAY_DEDUP_LOGS="0")
sys.path.insert(0, str(Path(__file__).resolve().parent))

import psutil
import torch
from python_mnist_fmnist import BATCH, CLIENTS, LeNet, make_problem, read_clients
from torch.nn import functional

COHORT, STEPS, RATE, SEED = 10, 10, 0.3, 1


class Clock:
    """Wall and CPU seconds of this process and its children at every mark."""

    def __init__(self):
        self.marks = []

    def mark(self):
        me = psutil.Process()
        times = [process.cpu_times() for process in (me, *me.children(recursive=True))]
        self.marks.append((time.perf_counter(), sum(each.user + each.system for each in times)))

    def print(self):
        (start, cpu_start), *_, (end, cpu_end) = self.marks
        rounds = len(self.marks) - 1
        print(json.dumps({"seconds": (end - start) / rounds, "cpu_seconds": (cpu_end - cpu_start) / rounds}))


def ours(root, rounds, threads):
    import paretofl
    from paretofl.callbacks import Callback

    class Marks(Callback):
        def __init__(self):
            self.clock = Clock()

        def on_round(self, row):
            self.clock.mark()

    marks = Marks()
    paretofl.run(make_problem(root, SEED), strategy={"name": "fedavg", "cohort_size": COHORT, "local_steps": STEPS, "client_lr": RATE}, rounds=rounds,
                 seed=SEED, threads=threads, overwrite=True, directory="runs/python_flower", options={"evaluation.every": rounds + 1}, callbacks=[marks])
    marks.clock.print()


def train(model, images, digits, garments):
    optimizer = torch.optim.SGD(model.parameters(), lr=RATE)
    model.train()
    step = 0
    while step < STEPS:
        for batch in torch.randperm(len(images)).split(BATCH):
            if len(batch) == BATCH and step < STEPS:
                digit, garment = model(images[batch])
                loss = (functional.cross_entropy(digit, digits[batch]) + functional.cross_entropy(garment, garments[batch])) / 2
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                step += 1


def flower(root, rounds, threads):
    from flwr.app import ArrayRecord, Message, MetricRecord, RecordDict
    from flwr.clientapp import ClientApp
    from flwr.serverapp import ServerApp
    from flwr.serverapp.strategy import FedAvg
    from flwr.simulation import run_simulation

    client, server, clock = ClientApp(), ServerApp(), Clock()

    @client.train()
    def _(message, context):
        torch.set_num_threads(1)
        model, data = LeNet(), read_clients(root, SEED)[0][context.node_config["partition-id"]]
        model.load_state_dict(message.content["arrays"].to_torch_state_dict())
        train(model, *data)
        metrics = MetricRecord({"num-examples": len(data[0])})
        return Message(RecordDict({"arrays": ArrayRecord(model.state_dict()), "metrics": metrics}), reply_to=message)

    class Marked(FedAvg):
        def aggregate_train(self, server_round, replies):
            result = super().aggregate_train(server_round, replies)
            clock.mark()
            return result

    @server.main()
    def _(grid, context):
        strategy = Marked(fraction_train=COHORT / CLIENTS, fraction_evaluate=0, min_train_nodes=COHORT, min_available_nodes=CLIENTS)
        strategy.start(grid=grid, initial_arrays=ArrayRecord(LeNet().state_dict()), num_rounds=rounds)

    run_simulation(server, client, CLIENTS, backend_config={"init_args": {"num_cpus": threads}, "client_resources": {"num_cpus": 1}})
    clock.print()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--side", choices=["ours", "flower"], help="one measurement, in this process")
    arguments = parser.parse_args()
    if arguments.side:
        torch.set_num_threads(1)
        return {"ours": ours, "flower": flower}[arguments.side](arguments.data, arguments.rounds, arguments.threads)
    measured = {"ours": [], "flower": []}
    for _ in range(arguments.repeats):
        for side, results in measured.items():
            command = [sys.executable, __file__, str(arguments.data), "--rounds", str(arguments.rounds), "--threads", str(arguments.threads), "--side", side]
            results.append(json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()[-1]))
    for key, unit in (("seconds", "s"), ("cpu_seconds", "CPU s")):
        middle = {side: sorted(result[key] for result in results)[len(results) // 2] for side, results in measured.items()}
        print(f"{arguments.threads} workers: ours {middle['ours']:.2f} {unit} a round, Flower {middle['flower']:.2f} {unit}: "
              f"{middle['flower'] / middle['ours']:.2f} times as long")


if __name__ == "__main__":
    main()
