#!/usr/bin/env python3
"""Validation accuracies after the last round of the runs of steps.sh: adds them to a CSV, which outlives the runs, and prints Markdown with
the mean of each objective over the seeds. A run that ended with an error has none.

Usage: steps_table.py RUNS_FOLDER TABLE.csv
"""

import json
import sys
from pathlib import Path
from statistics import mean

sys.path.insert(0, str(Path(__file__).parents[1]))
from kept_rows import merge  # noqa: E402

COLUMNS = ["method", "step_size", "seed", "rounds", "mnist", "fashion", "status"]


def row_of(folder):
    """The row of a run, whose folder is called METHOD-STEP-SEED."""
    method, step, seed = folder.name.rsplit("-", 2)
    summary = json.loads((folder / "summary.json").read_text())
    completed = summary["status"] == "completed"
    accuracies = [f"{value:.4f}" for value in summary["validation"]["accuracy"].values()] if completed else ["", ""]
    return [method, step, seed, str(summary["rounds"]), *accuracies, summary["status"]]


def main():
    folder, path = map(Path, sys.argv[1:])
    merged = merge(path, COLUMNS, 3, [[row_of(file.parent)] for file in sorted(folder.glob("*/summary.json"))])
    if not merged:
        sys.exit(f"steps: expected finished runs in {folder} or rows in {path}, found none")
    found = {}
    for rows in merged.values():
        for method, step, _, _, *accuracies, _ in rows:
            found.setdefault((method, step), []).append(accuracies)
    print("| method | step size of the weights | MNIST | Fashion | mean | seeds |\n|---|---|---|---|---|---|")
    for (method, step), accuracies in sorted(found.items(), key=lambda item: (item[0][0], float(item[0][1]))):
        if any("" in pair for pair in accuracies):
            cells = ["-"] * 3
        else:
            first, second = (100 * mean(float(pair[k]) for pair in accuracies) for k in (0, 1))
            cells = [f"{value:.1f}" for value in (first, second, (first + second) / 2)]
        print(f"| `{method}` | {step} | " + " | ".join(cells) + f" | {len(accuracies)} |")


if __name__ == "__main__":
    main()
