#!/usr/bin/env python3
"""Simulated time to a given accuracy from the runs of stragglers.sh: adds them to a CSV, which outlives the runs, and prints Markdown.

The accuracy is the mean over the objectives on the test set, and the time is that of the first round which reaches it.
Usage: stragglers_table.py RUNS_FOLDER TABLE.csv
"""

import json
import sys
import tomllib
from pathlib import Path
from statistics import mean, stdev

sys.path.insert(0, str(Path(__file__).parents[1]))
from kept_rows import merge  # noqa: E402

TARGET = 0.85
COLUMNS = ["deadline_seconds", "over_sample", "seed", "rounds_to_target", "seconds_to_target", "seconds", "late", "accuracy_1", "accuracy_2"]
NAMES = {("0", "0"): "no limits", ("2", "0"): "deadline of 2 s", ("0", "0.5"): "half as many clients again", ("2", "0.5"): "both"}


def row_of(folder):
    runtime = tomllib.loads((folder / "config.toml").read_text())["runtime"]
    summary = json.loads((folder / "summary.json").read_text())
    seconds, reached = 0.0, None
    for line in (folder / "metrics.jsonl").read_text().splitlines():
        row = json.loads(line)
        seconds += row["simulated_seconds"]
        if reached is None and mean(row["test"]["accuracy"].values()) >= TARGET:
            reached = (str(row["round"]), f"{seconds:.1f}")
    if reached is None:
        sys.exit(f"{folder}: expected an accuracy of {TARGET}, found none")
    return [f"{runtime['deadline_seconds']:g}", f"{runtime['over_sample']:g}", str(summary["seed"]), *reached, f"{seconds:.1f}",
            str(summary["late"]), *(f"{x:.4f}" for x in summary["test"]["accuracy"].values())]


def spread(values, digits):
    return f"{mean(values):.{digits}f} ± {stdev(values):.{digits}f}" if len(values) > 1 else f"{values[0]:.{digits}f}"


def main():
    folder, table_file = Path(sys.argv[1]), Path(sys.argv[2])
    by_run = merge(table_file, COLUMNS, 3, [[row_of(path.parent)] for path in sorted(folder.glob("*/summary.json"))])
    if not by_run:
        sys.exit(f"stragglers: expected finished runs in {folder} or rows in {table_file}, found none")
    by_limits = {}
    for key, (row,) in by_run.items():
        by_limits.setdefault(key[:2], []).append([float(x) for x in row[3:]])
    print(f"| limits | seeds | rounds to {100 * TARGET:g} % | simulated seconds to it | simulated seconds in all | late replies "
          "| accuracy at the end, % |\n|---|---|---|---|---|---|---|")
    for limits in sorted(by_limits, key=list(NAMES).index):
        rounds, to_target, seconds, late, first, second = (list(column) for column in zip(*by_limits[limits]))
        accuracies = [50 * (a + b) for a, b in zip(first, second)]
        print(f"| {NAMES[limits]} | {len(rounds)} | {spread(rounds, 0)} | {spread(to_target, 0)} | {spread(seconds, 0)} | {mean(late):.0f} "
              f"| {spread(accuracies, 1)} |")


if __name__ == "__main__":
    main()
