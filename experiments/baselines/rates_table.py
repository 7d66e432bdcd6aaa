#!/usr/bin/env python3
"""Validation accuracy after the last round of the runs of rates.sh, the mean over both objectives and the seeds: adds them to a CSV, which
outlives the runs, and prints Markdown. A run that ended with an error has no accuracy. With --best STRATEGY: prints the client learning rate
that is best for it.

Usage: rates_table.py RUNS_FOLDER TABLE.csv | --best STRATEGY TABLE.csv
"""

import csv
import json
import sys
from pathlib import Path
from statistics import mean

sys.path.insert(0, str(Path(__file__).parents[1]))
from kept_rows import merge  # noqa: E402

COLUMNS = ["strategy", "client_lr", "seed", "rounds", "validation_accuracy", "status"]


def row_of(folder):
    """The row of a run, whose folder is called STRATEGY-RATE-SEED."""
    strategy, rate, seed = folder.name.rsplit("-", 2)
    summary = json.loads((folder / "summary.json").read_text())
    completed = summary["status"] == "completed"
    accuracy = f"{mean(summary['validation']['accuracy'].values()):.4f}" if completed else ""
    return [strategy, rate, seed, str(summary["rounds"]), accuracy, summary["status"]]


def accuracies(rows):
    """{strategy: {rate: mean accuracy over the seeds, None if a run failed}}."""
    found = {}
    for strategy, rate, _, _, accuracy, _ in rows:
        found.setdefault(strategy, {}).setdefault(rate, []).append(float(accuracy) if accuracy else None)
    return {strategy: {rate: None if None in values else mean(values) for rate, values in rates.items()} for strategy, rates in found.items()}


def best(rates):
    return max((rate for rate in rates if rates[rate] is not None), key=lambda rate: rates[rate])


def main():
    if sys.argv[1] == "--best":
        strategy, path = sys.argv[2:]
        with open(path, newline="") as file:
            found = accuracies(list(csv.reader(file))[1:])
        if strategy not in found:
            sys.exit(f"rates: expected rates of {strategy} in {path}, found those of {', '.join(found)}")
        print(best(found[strategy]))
        return
    folder, path = map(Path, sys.argv[1:])
    merged = merge(path, COLUMNS, 3, [[row_of(file.parent)] for file in sorted(folder.glob("*/summary.json"))])
    if not merged:
        sys.exit(f"rates: expected finished runs in {folder} or rows in {path}, found none")
    found = accuracies([row for rows in merged.values() for row in rows])
    tried = sorted({rate for rates in found.values() for rate in rates}, key=float)
    print("| strategy | " + " | ".join(tried) + " | best |\n" + "|---" * (len(tried) + 2) + "|")
    for strategy, rates in found.items():
        cells = ["-" if rates.get(rate) is None else f"{100 * rates[rate]:.1f}" for rate in tried]
        print(f"| `{strategy}` | " + " | ".join(cells) + f" | {best(rates)} |")


if __name__ == "__main__":
    main()
