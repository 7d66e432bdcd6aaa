#!/usr/bin/env python3
"""Adjusted Rand index between FedPref's final clusters and the groups of equal preferences: a CSV, a Markdown table.

Rows of the CSV whose runs are gone are kept as they are.
Usage: validation_table.py RUNS_FOLDER OUTPUT.csv
"""

import csv
import json
import sys
from collections import Counter
from math import comb
from pathlib import Path
from statistics import mean


def adjusted_rand_index(labels, others):
    """Hubert and Arabie 1985; 1 for two partitions into one or into single elements."""
    pairs = sum(comb(count, 2) for count in Counter(zip(labels, others)).values())
    of_labels = sum(comb(count, 2) for count in Counter(labels).values())
    of_others = sum(comb(count, 2) for count in Counter(others).values())
    chance = of_labels * of_others / comb(len(labels), 2)
    most = (of_labels + of_others) / 2
    return 1.0 if most == chance else (pairs - chance) / (most - chance)


COLUMNS = ["workload", "group_sizes", "seed", "rounds", "clusters", "adjusted_rand_index", "cluster_of_each_client"]


def load(folder):
    """(workload, group sizes, seed) -> the other columns, of every finished run."""
    found = {}
    for path in folder.glob("*/summary.json"):
        workload, sizes, seed = path.parent.name.rsplit("-", 2)
        groups = [group for group, size in enumerate(sizes.split(",")) for _ in range(int(size))]
        last = json.loads((path.parent / "metrics.jsonl").read_text().splitlines()[-1])
        clusters = [int(cluster) for cluster in last["metrics"]["clusters"]]
        found[(workload, sizes, int(seed))] = [last["round"], len(set(clusters)), adjusted_rand_index(groups, clusters),
                                               " ".join(map(str, clusters))]
    return found


def main():
    folder, output = Path(sys.argv[1]), Path(sys.argv[2])
    rows = {}
    if output.exists():
        with output.open(newline="") as file:
            for row in csv.DictReader(file):
                rows[(row["workload"], row["group_sizes"], int(row["seed"]))] = [
                    int(row["rounds"]), int(row["clusters"]), float(row["adjusted_rand_index"]), row["cluster_of_each_client"]]
    rows |= load(folder)
    if not rows:
        sys.exit(f"validation_table: expected finished runs in {folder} or rows in {output}, found none")
    with output.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows([*key, *rows[key]] for key in sorted(rows))
    print("| workload | group sizes | adjusted Rand index by seed | mean | clusters |")
    print("|---|---|---|---|---|")
    for workload, sizes in sorted({key[:2] for key in rows}):
        own = [rows[key] for key in sorted(rows) if key[:2] == (workload, sizes)]
        indices = [row[2] for row in own]
        print(f"| {workload} | {sizes} | {', '.join(f'{x:.2f}' for x in indices)} | {mean(indices):.2f} | "
              f"{', '.join(str(row[1]) for row in own)} |")


if __name__ == "__main__":
    main()
