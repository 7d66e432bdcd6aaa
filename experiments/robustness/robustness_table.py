#!/usr/bin/env python3
"""Accuracy of each objective under clients that lie, from the runs of robustness.sh: adds them to a CSV, which outlives the runs, and prints
Markdown. A run that ended with an error, because the model had diverged, has no accuracy.

Usage: robustness_table.py RUNS_FOLDER TABLE.csv
"""

import json
import sys
import tomllib
from pathlib import Path
from statistics import mean

sys.path.insert(0, str(Path(__file__).parents[1]))
from kept_rows import merge  # noqa: E402
from paired import differences, interval  # noqa: E402

OBJECTIVES = ("mnist", "fashion")
COLUMNS = ["strategy", "adversary", "aggregator", "seed", *(f"accuracy_{name}" for name in OBJECTIVES), "status", "excluded", "cpu_seconds"]
STRATEGIES = {"fedcmoo": "FedCMOO", "fsmgda": "FSMGDA", "fedavg": "scalarized FedAvg"}
ADVERSARIES = {"none": "nobody lies", "sign_flip": "`sign_flip`", "scale": "`scale` by 100", "not_finite": "`not_finite`",
               "oversized": "`oversized`", "poison_objective": "`poison_objective` (MNIST)"}
AGGREGATORS = ("mean", "coordinate_median", "trimmed_mean", "geometric_median", "multi_krum", "norm_clipping")


def row_of(folder):
    config = tomllib.loads((folder / "config.toml").read_text())
    summary = json.loads((folder / "summary.json").read_text())
    completed = summary["status"] == "completed"
    accuracy = [f"{summary['test']['accuracy'][name]:.4f}" if completed else "" for name in OBJECTIVES]
    excluded = set()
    for line in (folder / "metrics.jsonl").read_text().splitlines():
        for name, clients in json.loads(line)["metrics"].items():
            excluded |= {int(client) for client in clients} if name.startswith("excluded_") else set()
    return [config["strategy"]["name"], config["adversary"]["name"], config["strategy"]["aggregator"]["name"], str(summary["seed"]), *accuracy,
            summary["status"], " ".join(map(str, sorted(excluded))), f"{summary['cpu_seconds']:.1f}"]


def accuracies(rows):
    """[seeds][objectives] of the runs that completed."""
    return [[100 * float(value) for value in row[4:6]] for row in rows if row[6] == "completed"]


def cell(rows):
    found = accuracies(rows)
    if len(rows) < 3:
        return "-"
    if not found:
        return "ended"
    text = " / ".join(f"{mean(column):.1f}" for column in zip(*found, strict=True))
    return text if len(found) == len(rows) else f"{text} ({len(rows) - len(found)} of {len(rows)} ended)"


def paired(by_cell, cell_of, reference):
    """Differences by seed of the smaller accuracy of the two objectives, in points; a run that ended with an error counts as chance."""
    smaller = lambda row: 100 * min(map(float, row[4:6])) if row[6] == "completed" else 10.0  # noqa: E731
    own, other = ({row[3]: smaller(row) for row in by_cell.get(key, [])} for key in (cell_of, reference))
    return differences(own, other)


def main():
    folder, table_file = Path(sys.argv[1]), Path(sys.argv[2])
    by_run = merge(table_file, COLUMNS, 4, [[row_of(path.parent)] for path in sorted(folder.glob("*/summary.json"))])
    if not by_run:
        sys.exit(f"robustness: expected finished runs in {folder} or rows in {table_file}, found none")
    by_cell = {}
    for key, (row,) in by_run.items():
        by_cell.setdefault(key[:3], []).append(row)
    for strategy, title in STRATEGIES.items():
        print(f"\n{title}, accuracy of MNIST / FashionMNIST in %:\n\n| clients that lie | " + " | ".join(f"`{name}`" for name in AGGREGATORS) +
              " |\n|---|" + "---|" * len(AGGREGATORS))
        for adversary, words in ADVERSARIES.items():
            print(f"| {words} | " + " | ".join(cell(by_cell.get((strategy, adversary, name), [])) for name in AGGREGATORS) + " |")
    print("\nThe smaller accuracy of the two objectives less that of the mean without liars, paired 95 % intervals in points:\n\n"
          "| strategy | clients that lie | " + " | ".join(f"`{name}`" for name in AGGREGATORS) + " |\n|---|---|" + "---|" * len(AGGREGATORS))
    for strategy, title in STRATEGIES.items():
        for adversary, words in ADVERSARIES.items():
            cells = [paired(by_cell, (strategy, adversary, name), (strategy, "none", "mean")) for name in AGGREGATORS]
            own = adversary == "none"
            shown = ["0" if own and name == "mean" else interval(values) if len(values) >= 3 else "-" for name, values in zip(AGGREGATORS, cells, strict=True)]
            print(f"| {title} | {words} | " + " | ".join(shown) + " |")
    unlike = [key for key, (row,) in by_run.items() if (key[1] in ("not_finite", "oversized")) != bool(row[7])]
    if unlike:
        sys.exit(f"robustness: expected exclusions where messages cannot be used and nowhere else, found otherwise in {unlike}")


if __name__ == "__main__":
    main()
