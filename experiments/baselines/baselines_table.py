#!/usr/bin/env python3
"""Accuracies by objective and by client of the runs of baselines.sh: adds them to a CSV, which outlives the runs, and prints Markdown. A
client's accuracy is the mean over the objectives of the accuracies on the images that it holds out. A run that ended with an error has none.

Usage: baselines_table.py RUNS_FOLDER TABLE.csv
"""

import json
import sys
import tomllib
from pathlib import Path
from statistics import mean, pstdev

sys.path.insert(0, str(Path(__file__).parents[1]))
from kept_rows import merge  # noqa: E402

KEY = ["problem", "strategy", "rounds", "seed"]
FIGURES = ["accuracy_0", "accuracy_1", "clients_mean", "clients_worst", "clients_deviation", "mb_up", "mb_down", "mb_measured", "cpu_seconds"]
COLUMNS = [*KEY, *FIGURES, "status"]
STRATEGIES = {"fedavg": "scalarized FedAvg", "fedcmoo": "FedCMOO", "fsmgda": "FSMGDA", "moco": "MoCo", "modo": "MoDo", "famo": "FAMO",
              "cr_mogm": "CR-MOGM", "stimulus": "STIMULUS", "fedmgda_plus": "FedMGDA+", "afl": "AFL",
              "qffl": "q-FedAvg", "fedfv": "FedFV", "fedmdfg": "FedMDFG", "scaffold": "SCAFFOLD", "feddyn": "FedDyn",
              "fedexp": "FedExP", "ditto": "Ditto, the clients' own models"}
PROBLEMS = {"mnist_fmnist": ("MNIST+FashionMNIST", "MNIST", "Fashion"), "multimnist": ("MultiMNIST", "left", "right"),
            "mixed": ("MNIST+FashionMNIST, MNIST on the squared error", "MNIST", "Fashion"),
            "tuned": ("MNIST+FashionMNIST, the client learning rates of rates.md", "MNIST", "Fashion")}


def client_accuracies(federated):
    """[n] of the clients that hold something out."""
    rows = zip(*federated["by_client"]["accuracy"].values(), strict=True)
    return [mean(row) for row in rows if None not in row]


def measured_bytes(folder):
    rows = (json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines())
    return sum(row.get("measurement_bytes", 0) for row in rows)


def row_of(folder):
    """The row of a run, whose folder is called PRESET-PROBLEM-SEED."""
    config = tomllib.loads((folder / "config.toml").read_text())
    summary = json.loads((folder / "summary.json").read_text())
    workload = config["workload"]
    problem = "mixed" if workload.get("losses") == "l2_first" else "tuned" if "-tuned-" in folder.name else workload["name"]
    figures = [""] * 5
    if summary["status"] == "completed":
        clients = client_accuracies(summary["federated"])
        own = [*summary["test"]["accuracy"].values(), mean(clients), min(clients), pstdev(clients)]
        figures = [f"{value:.4f}" for value in own]
    sent = (summary["bytes_up"], summary["bytes_down"], measured_bytes(folder))
    return [problem, folder.name.rsplit("-", 2)[0], str(config["rounds"]), str(summary["seed"]), *figures,
            *(f"{count / 1e6:.2f}" for count in sent), f"{summary['cpu_seconds']:.1f}", summary["status"]]


def cell(rows, figure, scale=1, digits=1):
    """The mean over the seeds, with the range in brackets."""
    values = [scale * float(row[COLUMNS.index(figure)]) for row in rows if row[COLUMNS.index(figure)]]
    if not values:
        return "-"
    text = f"{mean(values):.{digits}f}"
    return text if len(values) == 1 else f"{text} ({min(values):.{digits}f} to {max(values):.{digits}f})"


def main():
    folder, table_file = Path(sys.argv[1]), Path(sys.argv[2])
    by_run = merge(table_file, COLUMNS, len(KEY), [[row_of(path.parent)] for path in sorted(folder.glob("*/summary.json"))])
    if not by_run:
        sys.exit(f"baselines: expected finished runs in {folder} or rows in {table_file}, found none")
    cells = {}
    for (problem, strategy, rounds, _), (row,) in by_run.items():
        cells.setdefault((problem, int(rounds)), {}).setdefault(strategy, []).append(row)
    for (problem, rounds), found in sorted(cells.items()):
        title, first, second = PROBLEMS[problem]
        print(f"\n{title}, {rounds} rounds: test accuracies and accuracies of the clients on their own held-out images in %, megabytes of all "
              "clients, CPU seconds; mean over seeds, in brackets the range:\n\n"
              f"| strategy | {first} | {second} | clients' mean | worst client | standard deviation over clients | up | down | CPU s | seeds |\n"
              "|---|---|---|---|---|---|---|---|---|---|")
        for strategy, name in STRATEGIES.items():
            # Where the best rate is the preset's, the runs with the presets are the tuned ones.
            rows = found.get(strategy) or (cells.get(("mnist_fmnist", rounds), {}).get(strategy, []) if problem == "tuned" else [])
            if not rows:
                continue
            ended = sum(row[-1] != "completed" for row in rows)
            seeds = f"{len(rows)}" + (f" ({ended} ended)" if ended else "")
            shown = [cell(rows, figure, 100) for figure in FIGURES[:5]]
            shown += [cell(rows, "mb_up"), cell(rows, "mb_down"), cell(rows, "cpu_seconds", digits=0)]
            print(f"| {name} | " + " | ".join([*shown, seeds]) + " |")


if __name__ == "__main__":
    main()
