#!/usr/bin/env python3
"""The fall of the clients' losses in their local steps, from the runs of local_progress.sh: adds a row for each round and objective to a CSV,
which outlives the runs, and prints Markdown with means over the rounds and their differences, paired by seed.

Usage: local_progress_table.py RUNS_FOLDER TABLE.csv
"""

import json
import sys
from pathlib import Path
from statistics import mean

sys.path.insert(0, str(Path(__file__).parents[1]))
from kept_rows import merge  # noqa: E402
from paired import differences, interval  # noqa: E402

COLUMNS = ["workload", "seed", "round", "objective", "together", "separate"]
WORKLOADS = {"mnist_fmnist": ("MNIST+FMNIST", ("MNIST", "Fashion-MNIST")), "multimnist": ("MultiMNIST", ("first digit", "second digit"))}


def rows_of(folder):
    """The rows of a finished run, whose folder is called WORKLOAD-SEED."""
    workload, seed = folder.name.rsplit("-", 1)
    rows = []
    for line in map(json.loads, (folder / "metrics.jsonl").read_text().splitlines()):
        pairs = zip(line["metrics"]["local_progress"], line["metrics"]["separate_local_progress"], strict=True)
        rows += [[workload, seed, str(line["round"]), str(k), f"{together:.5f}", f"{separate:.5f}"] for k, (together, separate) in enumerate(pairs)]
    return rows


def main():
    folder, table_file = Path(sys.argv[1]), Path(sys.argv[2])
    runs = merge(table_file, COLUMNS, 2, [rows_of(path.parent) for path in sorted(folder.glob("*/summary.json"))])
    if not runs:
        sys.exit(f"local progress: expected finished runs in {folder} or rows in {table_file}, found none")
    print("| problem | objective | seeds | FedCMOO's steps | FSMGDA's steps | difference |\n|---|---|---|---|---|---|")
    for workload, (title, objectives) in WORKLOADS.items():
        for k, words in [*enumerate(objectives), (None, "mean of both")]:
            means = [{seed: mean(float(row[column]) for row in rows if k is None or row[3] == str(k)) for (of, seed), rows in runs.items() if of == workload}
                     for column in (4, 5)]
            if len(means[0]) > 1:
                print(f"| {title} | {words} | {len(means[0])} | {mean(means[0].values()):.3f} | {mean(means[1].values()):.3f} | "
                      f"{interval(differences(*means), 3)} |")


if __name__ == "__main__":
    main()
