#!/usr/bin/env python3
"""What theory.sh's runs of tfirm measured, means over their rounds: writes a CSV, prints Markdown tables.

Usage: theory_table.py RUNS_FOLDER OUTPUT.csv
"""

import csv
import json
import math
import sys
from pathlib import Path
from statistics import mean

TITLES = {
    "T": "Local steps T",
    "beta": "Regularizer beta",
    "B": "Batch size B",
    "K": "Local steps K between two aggregations, 500 in all",
    "C": "Clients C",
}
FIGURES = ["squared_gradient", "disagreement_drift", "lambda_spread", "update_spread"]


def squared_gradient(row):
    """lambda^T G lambda with the exact Gramian; lambda and theta of the same round."""
    weights, gramian = row["lambda"], row["exact_gramian"]
    size = len(weights)
    return sum(weights[i] * weights[j] * gramian[i * size + j] for i in range(size) for j in range(size))


def measured(metrics):
    rows = [json.loads(line) for line in metrics.read_text().splitlines()]
    return [mean(map(squared_gradient, rows))] + [mean(row["metrics"][name] for row in rows) for name in FIGURES[1:]]


def slope(points):
    """Least squares of log y against log x."""
    xs = [math.log(x) for x, _ in points]
    ys = [math.log(y) for _, y in points]
    return sum((x - mean(xs)) * (y - mean(ys)) for x, y in zip(xs, ys)) / sum((x - mean(xs)) ** 2 for x in xs)


def main():
    folder = Path(sys.argv[1])
    series = {}
    for path in folder.glob("*/*/summary.json"):
        value, seed = path.parent.name.rsplit("-", 1)
        figures = series.setdefault(path.parent.parent.name, {}).setdefault(float(value), {})
        figures[int(seed)] = measured(path.parent / "metrics.jsonl")
    if not series:
        sys.exit(f"theory_table: expected finished runs in {folder}, found none")
    with open(sys.argv[2], "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["series", "value", "seed", *FIGURES])
        for name in TITLES:
            for value, seeds in sorted(series.get(name, {}).items()):
                writer.writerows([name, f"{value:g}", seed, *(f"{x:.6g}" for x in seeds[seed])] for seed in sorted(seeds))
    for name, title in TITLES.items():
        if name not in series:
            continue
        print(f"\n### {title}\n\n| {name} | " + " | ".join(figure.replace("_", " ") for figure in FIGURES) + " |")
        print("|---" * (1 + len(FIGURES)) + "|")
        means = {value: [mean(column) for column in zip(*seeds.values())] for value, seeds in sorted(series[name].items())}
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
