#!/usr/bin/env python3
"""The fall of the clients' losses in their local steps, from the runs of local_progress.sh: adds a row for each round and objective to a CSV,
which outlives the runs, and prints Markdown with means over the rounds and their differences, paired by seed.

Usage: local_progress_table.py RUNS_FOLDER TABLE.csv
"""

import json
import sys
from itertools import product
from pathlib import Path
from statistics import mean

sys.path.insert(0, str(Path(__file__).parents[1]))
from kept_rows import merge  # noqa: E402
from paired import differences, interval  # noqa: E402

COLUMNS = ["rate", "workload", "seed", "round", "objective", "together", "separate"]
WORKLOADS = {"mnist_fmnist": ("MNIST+FMNIST", ("MNIST", "Fashion-MNIST")), "multimnist": ("MultiMNIST", ("first digit", "second digit"))}


def rows_of(folder):
    """The rows of a finished run, whose folder is called RATE-WORKLOAD-SEED."""
    rate, workload, seed = folder.name.split("-")
    rows = []
    for line in map(json.loads, (folder / "metrics.jsonl").read_text().splitlines()):
        pairs = zip(line["metrics"]["local_progress"], line["metrics"]["separate_local_progress"], strict=True)
        rows += [[rate, workload, seed, str(line["round"]), str(k), f"{together:.5f}", f"{separate:.5f}"] for k, (together, separate) in enumerate(pairs)]
    return rows


def main():
    folder, table_file = Path(sys.argv[1]), Path(sys.argv[2])
    runs = merge(table_file, COLUMNS, 3, [rows_of(path.parent) for path in sorted(folder.glob("*/summary.json"))])
    if not runs:
        sys.exit(f"local progress: expected finished runs in {folder} or rows in {table_file}, found none")
    print("| problem | objective | rate of FSMGDA's steps | seeds | fall with FedCMOO's steps | with FSMGDA's | difference | rounds in which FedCMOO's fall is larger |\n"
          "|---|---|---|---|---|---|---|---|")
    for workload, (title, objectives) in WORKLOADS.items():
        for rate, (k, words) in product(("own", "same"), [*enumerate(objectives), (None, "both")]):
            found = {seed: [(float(row[5]), float(row[6])) for row in rows if k is None or row[4] == str(k)]
                     for (of_rate, of, seed), rows in runs.items() if (of_rate, of) == (rate, workload)}
            if len(found) < 2:
                continue
            means = [{seed: mean(pair[side] for pair in pairs) for seed, pairs in found.items()} for side in (0, 1)]
            larger = mean(together > separate for pairs in found.values() for together, separate in pairs)
            diverged = abs(mean(means[1].values())) > 100
            separate, difference = ("diverges", "") if diverged else (f"{mean(means[1].values()):.3f}", interval(differences(*means), 3))
            print(f"| {title} | {words} | {rate} | {len(found)} | {mean(means[0].values()):.3f} | {separate} | {difference} | {100 * larger:.0f} % |")


if __name__ == "__main__":
    main()
