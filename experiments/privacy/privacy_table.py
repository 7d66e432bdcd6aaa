#!/usr/bin/env python3
"""Accuracy against epsilon from the runs of privacy.sh: adds them to a CSV, which outlives the runs, and prints Markdown.

Usage: privacy_table.py RUNS_FOLDER TABLE.csv
"""

import sys
from pathlib import Path

from accuracy_tables import accuracies, column, difference, print_accuracy, spread

CELLS = {"1": "epsilon 1", "2": "epsilon 2", "4": "epsilon 4", "8": "epsilon 8", "none": "no noise"}
STRATEGIES = {"fedavg": "scalarized FedAvg", "fsmgda": "FSMGDA", "fedcmoo": "FedCMOO, small sketch"}
CLIPPING = {"fedcmoo": "each objective's sketch", "whole": "both sketches as one vector", "adaptive": "each objective's sketch, adaptive"}


def main():
    accuracy = accuracies(Path(sys.argv[1]), Path(sys.argv[2]))
    print_accuracy(accuracy, STRATEGIES, CELLS)
    print("\nFedCMOO at epsilon 4, by what is clipped:\n\n| clipping | seeds | MNIST | Fashion-MNIST | less the first, mean of both |\n|---|---|---|---|---|")
    for name, title in CLIPPING.items():
        cell = (name, "4")
        less = difference(accuracy, cell, ("fedcmoo", "4")) if name != "fedcmoo" else ""
        print(f"| {title} | {len(accuracy.get(cell, {}))} | {spread(column(accuracy, cell, lambda pair: pair[0]))} | "
              f"{spread(column(accuracy, cell, lambda pair: pair[1]))} | {less} |")


if __name__ == "__main__":
    main()
