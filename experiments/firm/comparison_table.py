#!/usr/bin/env python3
"""What comparison.sh's runs reached: writes a CSV, prints a Markdown table of means over seeds.

Usage: comparison_table.py RUNS_FOLDER OUTPUT.csv VARIANT...
"""

import csv
import json
import sys
from pathlib import Path
from statistics import mean

FIGURES = ["return of objective 0", "return of objective 1", "stationarity", "spread of lambda", "change of lambda, one step",
           "one client's mean", "all clients' mean", "disagreement drift", "at the last step", "cosine of the gradients"]


def change_of_lambda(rows, name):
    """Mean over rounds of |lambda_0 - lambda_0 of the round before|, and over all rows [.., M] of the figure."""
    weights = [row["metrics"][name][:: len(row["lambda"])] for row in rows]
    return mean(abs(a - b) for before, after in zip(weights, weights[1:]) for a, b in zip(before, after))


def measured(folder):
    rows = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    last = rows[-1]
    drift, last_drift = (mean(row["metrics"].get(name, 0) for row in rows)  # one lambda for all clients: none
                         for name in ("disagreement_drift", "last_disagreement_drift"))
    if any("client_step_lambda" not in row["metrics"] for row in rows):
        sys.exit(f"comparison_table: expected a run with strategy.record_steps, found one without in {folder}; remove it to run it again")
    return [*last["test"]["return"].values(), last["overall"]["stationarity"], mean(row["metrics"]["lambda_spread"] for row in rows),
            change_of_lambda(rows, "client_step_lambda"), change_of_lambda(rows, "client_lambda"),
            mean(abs(a["lambda"][0] - b["lambda"][0]) for a, b in zip(rows, rows[1:])), drift, last_drift,
            mean(mean(row["metrics"]["step_cosine"]) for row in rows)]


def main():
    table = {}
    for variant in sys.argv[3:]:
        table[variant] = {int(path.parent.name): measured(path.parent) for path in Path(sys.argv[1], variant).glob("*/summary.json")}
        if not table[variant]:
            sys.exit(f"comparison_table: expected finished runs in {sys.argv[1]}/{variant}, found none")
    with open(sys.argv[2], "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["variant", "seed", *FIGURES])
        for name, seeds in table.items():
            writer.writerows([name, seed, *(f"{x:.6g}" for x in figures)] for seed, figures in sorted(seeds.items()))
    print("| | " + " | ".join(FIGURES) + " |")
    print("|---" * (1 + len(FIGURES)) + "|")
    for name, seeds in table.items():
        print(f"| {name} | " + " | ".join(f"{mean(column):.3g}" for column in zip(*seeds.values())) + " |")


if __name__ == "__main__":
    main()
