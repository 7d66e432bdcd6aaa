#!/usr/bin/env python3
"""Accuracy against the epsilon of single examples from the runs of examples.sh: adds them to a CSV, which outlives the runs, and prints Markdown.

Usage: examples_table.py RUNS_FOLDER TABLE.csv
"""

import sys
from pathlib import Path

from accuracy_tables import accuracies, print_accuracy

CELLS = {"1": "epsilon 1", "4": "epsilon 4", "none": "clipped, no noise"}
STRATEGIES = {"fedavg": "scalarized FedAvg", "fsmgda": "FSMGDA", "fedcmoo": "FedCMOO"}


def main():
    print_accuracy(accuracies(Path(sys.argv[1]), Path(sys.argv[2])), STRATEGIES, CELLS)


if __name__ == "__main__":
    main()
