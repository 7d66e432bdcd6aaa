#!/usr/bin/env python3
"""Test figures under weights of rewards that conflict, from the runs of conflict.sh: adds them to a CSV, which outlives the runs, and prints
Markdown with the differences from equal weights under the same scale, paired by seed.

Usage: conflict_table.py RUNS_FOLDER TABLE.csv
"""

import json
import sys
from pathlib import Path
from statistics import mean, stdev

sys.path.insert(0, str(Path(__file__).parents[1]))
from kept_rows import merge  # noqa: E402
from paired import differences, interval  # noqa: E402

COLUMNS = ["method", "seed", "round", "accuracy", "last_accuracy", "format", "length", "last_weight", "cpu_seconds"]
METHODS = {"batch_third": "equal", "batch_0.5": "fixed, 0.5", "batch_0.7": "fixed, 0.7", "batch_0.9": "fixed, 0.9",
           "batch_inner_product": "adaptive, inner products", "batch_cosine": "adaptive, cosines", "group_third": "equal", "group_0.9": "fixed, 0.9"}


def row_of(folder):
    """The row of a finished run, whose folder is called METHOD-SEED."""
    method, seed = folder.name.rsplit("-", 1)
    summary = json.loads((folder / "summary.json").read_text())
    last = json.loads((folder / "metrics.jsonl").read_text().splitlines()[-1])
    rewards = summary["test"]["reward"]
    return [method, seed, str(summary["chosen"]["round"]), f"{summary['chosen']['overall']['accuracy']:.4f}", f"{summary['overall']['accuracy']:.4f}",
            f"{rewards['format']:.4f}", f"{rewards['length']:.4f}", f"{last['lambda'][summary['objectives'].index('accuracy')]:.4f}",
            f"{summary['cpu_seconds']:.0f}"]


def main():
    folder, table_file = Path(sys.argv[1]), Path(sys.argv[2])
    rows = merge(table_file, COLUMNS, 2, [[row_of(path.parent)] for path in sorted(folder.glob("*/summary.json"))])
    if not rows:
        sys.exit(f"conflict: expected finished runs in {folder} or rows in {table_file}, found none")
    by_method = {}
    for (method, seed), (row,) in rows.items():
        by_method.setdefault(method, {})[seed] = [100 * float(row[3]), 100 * float(row[4]), *map(float, row[5:8])]
    print("| rewards scaled over | weights | seeds | accuracy, % | less equal weights | last round: accuracy, % | format | length | weight of accuracy |\n"
          "|---|---|---|---|---|---|---|---|---|")
    for method, title in METHODS.items():
        runs = by_method.get(method, {})
        if len(runs) < 2:
            continue
        scale = method.split("_")[0]
        chosen, last, *others = zip(*runs.values(), strict=True)
        paired = differences({seed: values[0] for seed, values in runs.items()}, {seed: values[0] for seed, values in by_method[f"{scale}_third"].items()})
        figures = " | ".join(f"{mean(column):.2f}" for column in others)
        less = "" if title == "equal" or len(paired) < 2 else interval(paired)
        print(f"| {scale} | {title} | {len(runs)} | {mean(chosen):.1f} ± {stdev(chosen):.1f} | {less} | {mean(last):.1f} | {figures} |")


if __name__ == "__main__":
    main()
