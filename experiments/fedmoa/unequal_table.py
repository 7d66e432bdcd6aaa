#!/usr/bin/env python3
"""Test figures of FedMOA and FedGRPO where clients differ, from the runs of unequal.sh: adds them to a CSV, which outlives the runs, and prints
Markdown with the differences from FedGRPO, paired by seed, of the endpoint: the accuracy on the test questions of the model with the best
validation accuracy.

Usage: unequal_table.py RUNS_FOLDER TABLE.csv
"""

import json
import sys
from pathlib import Path
from statistics import mean, stdev

sys.path.insert(0, str(Path(__file__).parents[1]))
from kept_rows import merge  # noqa: E402
from paired import differences, interval  # noqa: E402

COLUMNS = ["method", "seed", "round", "accuracy", "last_accuracy", "format", "length", "last_weight", "share_of_wrong", "cpu_seconds"]
METHODS = {"fedgrpo": "FedGRPO", "adaptive": "adaptive weights", "fedmoa": "FedMOA", "fedmoa_cosine": "FedMOA, cosines",
           "fedgrpo_right": "FedGRPO, no wrong references"}


def row_of(folder):
    """The row of a finished run, whose folder is called METHOD-SEED. share_of_wrong: the mean over the rounds of the share that the clients
    with wrong references, every second one, had in the global model."""
    method, seed = folder.name.rsplit("-", 1)
    summary = json.loads((folder / "summary.json").read_text())
    rounds = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    shares = [zip(line["metrics"]["cohort"], line["metrics"]["client_share"], strict=True) for line in rounds]
    wrong = mean(sum(share for client, share in of_round if client % 2) for of_round in shares)
    rewards = summary["test"]["reward"]
    return [method, seed, str(summary["chosen"]["round"]), f"{summary['chosen']['overall']['accuracy']:.4f}", f"{summary['overall']['accuracy']:.4f}",
            f"{rewards['format']:.4f}", f"{rewards['length']:.4f}", f"{rounds[-1]['lambda'][summary['objectives'].index('accuracy')]:.4f}",
            f"{wrong:.4f}", f"{summary['cpu_seconds']:.0f}"]


def main():
    folder, table_file = Path(sys.argv[1]), Path(sys.argv[2])
    rows = merge(table_file, COLUMNS, 2, [[row_of(path.parent)] for path in sorted(folder.glob("*/summary.json"))])
    if not rows:
        sys.exit(f"unequal: expected finished runs in {folder} or rows in {table_file}, found none")
    by_method = {}
    for (method, seed), (row,) in rows.items():
        by_method.setdefault(method, {})[seed] = [100 * float(row[3]), 100 * float(row[4]), *map(float, row[5:9])]
    print("| method | seeds | accuracy, % | less FedGRPO | last round: accuracy, % | less FedGRPO | format | length | weight of accuracy | "
          "share of clients with wrong references |\n|---|---|---|---|---|---|---|---|---|---|")
    for method, title in METHODS.items():
        runs = by_method.get(method, {})
        if len(runs) < 2:
            continue
        less = ["", ""]
        for k in (0, 1):
            paired = differences(*({seed: values[k] for seed, values in some.items()} for some in (runs, by_method["fedgrpo"])))
            if method != "fedgrpo" and len(paired) > 1:
                less[k] = interval(paired)
        chosen, last, *others = zip(*runs.values(), strict=True)
        figures = " | ".join(f"{mean(column):.2f}" for column in others)
        print(f"| {title} | {len(runs)} | {mean(chosen):.1f} ± {stdev(chosen):.1f} | {less[0]} | {mean(last):.1f} ± {stdev(last):.1f} | {less[1]} | {figures} |")
    print(f"\n{sum(float(row[9]) for (row,) in rows.values()) / 3600:.1f} core hours.")


if __name__ == "__main__":
    main()
