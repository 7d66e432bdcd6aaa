#!/usr/bin/env python3
"""What theory.sh's runs of tfirm measured, means over their rounds: writes a CSV, prints Markdown tables.

Usage: theory_table.py RUNS_FOLDER OUTPUT.csv
"""

import sys
from pathlib import Path
from statistics import mean

sys.path.insert(0, str(Path(__file__).parents[1]))
from theory_series import keep_series, read_series, rows, slope, squared_gradient

TITLES = {
    "T": "Local steps T",
    "beta": "Regularizer beta",
    "B": "Batch size B",
    "K": "Local steps K between two aggregations, 500 in all",
    "C": "Clients C",
}
FIGURES = ["squared_gradient", "disagreement_drift", "last_disagreement_drift", "lambda_spread", "update_spread"]


def measured(run):
    recorded = rows(run)
    return [mean(map(squared_gradient, recorded))] + [mean(row["metrics"][name] for row in recorded) for name in FIGURES[1:]]


def main():
    found = read_series(Path(sys.argv[1]), measured)
    series = keep_series(sys.argv[2], TITLES, FIGURES, found)
    for name, title in TITLES.items():
        if name not in series:
            continue
        print(f"\n### {title}\n\n| {name} | " + " | ".join(figure.replace("_", " ") for figure in FIGURES) + " |")
        print("|---" * (1 + len(FIGURES)) + "|")
        means = {value: [mean(column) for column in zip(*seeds.values())] for value, seeds in series[name].items()}
        for value, figures in means.items():
            print(f"| {value:g} | " + " | ".join(f"{x:.3g}" for x in figures) + " |")
        slopes = []
        for index, figure in enumerate(FIGURES):
            points = [(value, figures[index]) for value, figures in means.items() if value > 0]
            if len(points) > 1 and all(y > 0 for _, y in points):
                slopes.append(f"{slope(points):.2f} ({figure.replace('_', ' ')})")
        print(f"\nSlopes of the logarithms: {', '.join(slopes)}.")


if __name__ == "__main__":
    main()
