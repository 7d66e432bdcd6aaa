#!/usr/bin/env python3
"""Accuracy against rounds and against simulated time from the runs of exchanges.sh: adds them to a CSV, which outlives the runs, and prints
Markdown. The accuracy is the mean over the objectives on the test set.

Usage: exchanges_table.py RUNS_FOLDER TABLE.csv
"""

import json
import sys
import tomllib
from pathlib import Path
from statistics import mean, stdev

sys.path.insert(0, str(Path(__file__).parents[1]))
from kept_rows import merge  # noqa: E402
from paired import differences, interval_of  # noqa: E402

ROUNDS = (20, 40, 60, 80, 100)
TARGET = 0.70
COLUMNS = ["exchanges", "seed", *(f"accuracy_{number}" for number in ROUNDS), "rounds_to_target", "seconds_to_target", "seconds"]
NAMES = {"3": "three (two-way sketches)", "2": "two (one-way sketches)", "1": "one (Gramian of the round before)"}


def row_of(folder):
    strategy = tomllib.loads((folder / "config.toml").read_text())["strategy"]
    exchanges = 1 if strategy["exchanges"] == "one" else 3 if strategy["compressor"]["two_way"] else 2
    summary = json.loads((folder / "summary.json").read_text())
    seconds, reached, accuracy = 0.0, ("", ""), {}
    for line in (folder / "metrics.jsonl").read_text().splitlines():
        row = json.loads(line)
        seconds += row["simulated_seconds"]
        if "test" not in row:
            continue
        accuracy[row["round"]] = mean(row["test"]["accuracy"].values())
        if reached == ("", "") and accuracy[row["round"]] >= TARGET:
            reached = (str(row["round"]), f"{seconds:.0f}")
    return [str(exchanges), str(summary["seed"]), *(f"{accuracy[number]:.4f}" for number in ROUNDS), *reached, f"{seconds:.0f}"]


def spread(values, digits=0):
    return f"{mean(values):.{digits}f} ± {stdev(values):.{digits}f}" if len(values) > 1 else f"{values[0]:.{digits}f}"


def main():
    folder, table_file = Path(sys.argv[1]), Path(sys.argv[2])
    by_run = merge(table_file, COLUMNS, 2, [[row_of(path.parent)] for path in sorted(folder.glob("*/summary.json"))])
    if not by_run:
        sys.exit(f"exchanges: expected finished runs in {folder} or rows in {table_file}, found none")
    by_mode = {}
    for key, (row,) in by_run.items():
        by_mode.setdefault(key[0], {})[key[1]] = row[2:]
    print("| exchanges a round | seeds | " + " | ".join(f"round {number}, %" for number in ROUNDS) +
          f" | rounds to {100 * TARGET:g} % | simulated seconds to it |\n|---|---|" + "---|" * (len(ROUNDS) + 2))
    for mode in sorted(by_mode, reverse=True):
        rows = list(by_mode[mode].values())
        accuracies = [spread([100 * float(row[i]) for row in rows], 1) for i in range(len(ROUNDS))]
        reached = [row[len(ROUNDS):] for row in rows if row[len(ROUNDS)]]
        to_target = [spread([float(row[i]) for row in reached]) if len(reached) == len(rows) else f"reached by {len(reached)}" for i in (0, 1)]
        print(f"| {NAMES[mode]} | {len(rows)} | " + " | ".join([*accuracies, *to_target]) + " |")
    for mode in ("1", "2"):
        last = len(ROUNDS) - 1
        found = differences(*({seed: 100 * float(row[last]) for seed, row in by_mode.get(key, {}).items()} for key in (mode, "3")))
        if len(found) < 3:
            continue
        middle, lowest, highest = interval_of(found)
        print(f"\nAfter {ROUNDS[-1]} rounds, {NAMES[mode]} less {NAMES['3']}: {middle:+.2f} points, paired 95 % interval "
              f"[{lowest:.2f}, {highest:.2f}], {len(found)} seeds.")


if __name__ == "__main__":
    main()
