#!/usr/bin/env python3
"""Test accuracy by round from run directories: writes a CSV and prints Markdown tables.

Usage: accuracy_table.py RUNS_FOLDER OUTPUT.csv
"""

import csv
import json
import sys
from pathlib import Path
from statistics import mean

ROUNDS = (20, 40, 60, 80, 100, 150)
# Test accuracy of the authors' own code, one row per seed (first objective, second objective) by round.
OFFICIAL = {
    ("mnist_fmnist", "fedcmoo"): [
        {20: (0.813, 0.502), 40: (0.905, 0.643), 60: (0.932, 0.720), 80: (0.936, 0.731)},
        {20: (0.795, 0.456), 40: (0.891, 0.646), 60: (0.913, 0.736), 80: (0.927, 0.758), 100: (0.936, 0.729)},
        {20: (0.785, 0.509), 40: (0.899, 0.693), 60: (0.904, 0.691), 80: (0.923, 0.761), 100: (0.923, 0.768)},
    ],
    ("mnist_fmnist", "fsmgda"): [
        {20: (0.515, 0.435), 40: (0.772, 0.574), 60: (0.835, 0.615), 80: (0.900, 0.656)},
        {20: (0.581, 0.438), 40: (0.741, 0.610), 60: (0.835, 0.662), 80: (0.869, 0.686), 100: (0.884, 0.678)},
    ],
    ("multimnist", "fedcmoo"): [
        {20: (0.768, 0.723), 40: (0.879, 0.826), 60: (0.905, 0.863)},
        {20: (0.775, 0.680), 40: (0.893, 0.828), 60: (0.909, 0.865), 80: (0.920, 0.885), 100: (0.921, 0.893)},
    ],
    ("multimnist", "fsmgda"): [
        {20: (0.547, 0.537), 40: (0.778, 0.715), 60: (0.838, 0.780)},
        {20: (0.604, 0.547), 40: (0.795, 0.723), 60: (0.866, 0.794)},
    ],
}


def read_runs(folder):
    """{(workload, strategy): {seed: {round: (accuracy of each objective)}}}"""
    runs = {}
    for path in sorted(folder.glob("*/summary.json")):
        summary = json.loads(path.read_text())
        by_round = {}
        for line in (path.parent / "metrics.jsonl").read_text().splitlines():
            row = json.loads(line)
            if "test" in row:
                by_round[row["round"]] = tuple(row["test"]["accuracy"].values())
        runs.setdefault((summary["workload"], summary["strategy"]), {})[summary["seed"]] = by_round
    return runs


def cell(seeds, number):
    """Mean over the seeds that have this round, with the range over seeds, in percent."""
    values = [seed[number] for seed in seeds if number in seed]
    if not values:
        return "-"
    parts = []
    for objective in zip(*values):
        parts.append(f"{100 * mean(objective):.1f}" + (f" ({100 * min(objective):.1f}-{100 * max(objective):.1f})" if len(values) > 1 else ""))
    return " / ".join(parts)


def main():
    runs = read_runs(Path(sys.argv[1]))
    if not runs:
        sys.exit(f"accuracy_table: expected finished runs in {sys.argv[1]}, found none")
    with open(sys.argv[2], "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["workload", "strategy", "seed", "round", "objective", "test_accuracy"])
        for (workload, strategy), seeds in sorted(runs.items()):
            for seed, by_round in sorted(seeds.items()):
                for number, accuracies in sorted(by_round.items()):
                    for objective, accuracy in enumerate(accuracies):
                        writer.writerow([workload, strategy, seed, number, objective, f"{accuracy:.4f}"])
    for workload in sorted({key[0] for key in runs}):
        print(f"\n### {workload}\n")
        print("| strategy | code | seeds | " + " | ".join(f"round {n}" for n in ROUNDS) + " |")
        print("|---" * (len(ROUNDS) + 3) + "|")
        for (of, strategy), seeds in sorted(runs.items()):
            if of != workload:
                continue
            print(f"| {strategy} | ParetoFL | {len(seeds)} | " + " | ".join(cell(list(seeds.values()), n) for n in ROUNDS) + " |")
            official = OFFICIAL.get((workload, strategy))
            if official:
                print(f"| {strategy} | authors' | {len(official)} | " + " | ".join(cell(official, n) for n in ROUNDS) + " |")


if __name__ == "__main__":
    main()
