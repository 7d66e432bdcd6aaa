#!/usr/bin/env python3
"""Accuracy against epsilon from the runs of privacy.sh: adds them to a CSV, which outlives the runs, and prints Markdown.

Usage: privacy_table.py RUNS_FOLDER TABLE.csv
"""

import json
import sys
from pathlib import Path
from statistics import mean, stdev

sys.path.insert(0, str(Path(__file__).parents[1]))
from kept_rows import merge  # noqa: E402

COLUMNS = ["run", "epsilon", "seed", "mnist", "fashion", "accounted_epsilon"]
EPSILONS = ["1", "2", "4", "8", "none"]
STRATEGIES = {"fedavg": "scalarized FedAvg", "fsmgda": "FSMGDA", "fedcmoo": "FedCMOO, small sketch"}
CLIPPING = {"fedcmoo": "each objective's sketch", "whole": "both sketches as one vector", "adaptive": "each objective's sketch, adaptive"}
T_975 = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 7: 2.365, 9: 2.262}  # quantiles of Student's distribution by degrees of freedom


def row_of(folder):
    name, epsilon, seed = folder.name.rsplit("-", 2)
    summary = json.loads((folder / "summary.json").read_text())
    accuracy = summary["test"]["accuracy"]
    accounted = f"{summary['epsilon']:.4f}" if "epsilon" in summary else ""
    if accounted and float(accounted) > float(epsilon) * (1 + 1e-6):
        sys.exit(f"{folder}: expected an epsilon of at most {epsilon}, found {accounted}")
    return [name, epsilon, seed, f"{accuracy['mnist']:.4f}", f"{accuracy['fashion']:.4f}", accounted]


def spread(values):
    return f"{mean(values):.1f} ± {stdev(values):.1f}" if len(values) > 1 else f"{values[0]:.1f}" if values else ""


def interval(differences):
    half = T_975[len(differences) - 1] * stdev(differences) / len(differences)**0.5
    return f"{mean(differences):+.1f} [{mean(differences) - half:.1f}, {mean(differences) + half:.1f}]"


def main():
    folder, table_file = Path(sys.argv[1]), Path(sys.argv[2])
    rows = merge(table_file, COLUMNS, 3, [[row_of(path.parent)] for path in sorted(folder.glob("*/summary.json"))])
    if not rows:
        sys.exit(f"privacy: expected finished runs in {folder} or rows in {table_file}, found none")
    accuracy = {}  # by run and epsilon, then by seed: both objectives in %
    for (name, epsilon, seed), ((*_, mnist, fashion, _),) in rows.items():
        accuracy.setdefault((name, epsilon), {})[seed] = (100 * float(mnist), 100 * float(fashion))

    def column(name, epsilon, pick):
        return [pick(pair) for _, pair in sorted(accuracy.get((name, epsilon), {}).items())]

    print("| strategy | objective | " + " | ".join("no noise" if e == "none" else f"epsilon {e}" for e in EPSILONS) + " |")
    print("|---|---|" + "---|" * len(EPSILONS))
    for name, title in STRATEGIES.items():
        for k, objective in enumerate(("MNIST", "Fashion-MNIST")):
            print(f"| {title} | {objective} | " + " | ".join(spread(column(name, e, lambda pair: pair[k])) for e in EPSILONS) + " |")
    print("\nAccuracy in %, mean ± standard deviation. Less scalarized FedAvg, mean of both objectives, paired by seed, with 95 % intervals:\n")
    print("| strategy | " + " | ".join("no noise" if e == "none" else f"epsilon {e}" for e in EPSILONS) + " |\n|---|" + "---|" * len(EPSILONS))
    for name in ("fsmgda", "fedcmoo"):
        cells = []
        for epsilon in EPSILONS:
            one, other = accuracy.get((name, epsilon), {}), accuracy.get(("fedavg", epsilon), {})
            differences = [mean(one[seed]) - mean(other[seed]) for seed in sorted(set(one) & set(other))]
            cells.append(interval(differences) if len(differences) > 1 else "")
        print(f"| {STRATEGIES[name]} | " + " | ".join(cells) + " |")
    print("\nFedCMOO at epsilon 4, by what is clipped:\n\n| clipping | seeds | MNIST | Fashion-MNIST | less the first, mean of both |\n|---|---|---|---|---|")
    for name, title in CLIPPING.items():
        one, first = accuracy.get((name, "4"), {}), accuracy.get(("fedcmoo", "4"), {})
        differences = [mean(one[seed]) - mean(first[seed]) for seed in sorted(set(one) & set(first))] if name != "fedcmoo" else []
        print(f"| {title} | {len(one)} | {spread(column(name, '4', lambda pair: pair[0]))} | {spread(column(name, '4', lambda pair: pair[1]))} | "
              f"{interval(differences) if len(differences) > 1 else ''} |")


if __name__ == "__main__":
    main()
