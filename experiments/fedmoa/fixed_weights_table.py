#!/usr/bin/env python3
"""Test accuracy under fixed weights of the rewards, from the runs of fixed_weights.sh: adds them to a CSV, which outlives the runs, and
prints Markdown with the differences from equal weights, paired by seed.

Usage: fixed_weights_table.py RUNS_FOLDER TABLE.csv
"""

import json
import sys
from pathlib import Path
from statistics import mean, stdev

sys.path.insert(0, str(Path(__file__).parents[1]))
from kept_rows import merge  # noqa: E402
from paired import differences, interval  # noqa: E402

COLUMNS = ["weight", "seed", "round", "accuracy", "last_accuracy", "format", "tag_count", "cpu_seconds"]
EQUAL = "third"
WEIGHTS = {EQUAL: "1/3, 1/3, 1/3", "0.5": "0.5, 0.25, 0.25", "0.7": "0.7, 0.15, 0.15", "0.9": "0.9, 0.05, 0.05"}


def row_of(folder):
    """The row of a finished run, whose folder is called WEIGHT-SEED."""
    weight, seed = folder.name.rsplit("-", 1)
    summary = json.loads((folder / "summary.json").read_text())
    chosen = summary["chosen"]
    rewards = chosen["test"]["reward"]
    return [weight, seed, str(chosen["round"]), f"{chosen['overall']['accuracy']:.4f}", f"{summary['overall']['accuracy']:.4f}",
            f"{rewards['format']:.4f}", f"{rewards['tag_count']:.4f}", f"{summary['cpu_seconds']:.0f}"]


def main():
    folder, table_file = Path(sys.argv[1]), Path(sys.argv[2])
    rows = merge(table_file, COLUMNS, 2, [[row_of(path.parent)] for path in sorted(folder.glob("*/summary.json"))])
    if not rows:
        sys.exit(f"fixed_weights: expected finished runs in {folder} or rows in {table_file}, found none")
    accuracy, last, kept = {}, {}, {}
    for (weight, seed), (row,) in rows.items():
        accuracy.setdefault(weight, {})[seed] = 100 * float(row[3])
        last.setdefault(weight, {})[seed] = 100 * float(row[4])
        kept.setdefault(weight, []).append([float(row[5]), float(row[6])])
    print("| weights of accuracy, format, tag count | seeds | accuracy, % | less equal weights | after the last round, % | less equal weights "
          "| format, tag count |\n|---|---|---|---|---|---|---|")
    for weight, title in WEIGHTS.items():
        if len(accuracy.get(weight, {})) < 2:
            continue
        cells = []
        for by_weight in (accuracy, last):
            values = list(by_weight[weight].values())
            paired = differences(by_weight[weight], by_weight[EQUAL])
            cells += [f"{mean(values):.1f} ± {stdev(values):.1f}", "" if weight == EQUAL or len(paired) < 2 else interval(paired)]
        rewards = ", ".join(f"{mean(column):.3f}" for column in zip(*kept[weight], strict=True))
        print(f"| {title} | {len(accuracy[weight])} | {' | '.join(cells)} | {rewards} |")


if __name__ == "__main__":
    main()
