#!/usr/bin/env python3
"""1/T sum_t ||sum_k lambda_k grad F_k(x_t)||^2 of fedcmoo_theory's runs: writes a CSV, prints Markdown tables.

Usage: theory_table.py RUNS_FOLDER OUTPUT.csv
"""

import csv
import json
import math
import sys
from pathlib import Path
from statistics import mean

TITLES = {
    "T": "Rounds T, step sizes of Corollary 1.1",
    "beta": "Step size beta of lambda",
    "n": "Clients n that train",
    "tau": "Local steps tau, same effective rate, no noise, everyone takes part",
}


def mean_squared_gradient(metrics):
    """lambda^T G lambda with the exact Gramian, mean over rounds; lambda and x of the same round."""
    values = []
    for line in metrics.read_text().splitlines():
        row = json.loads(line)
        weights, gramian = row["lambda"], row["exact_gramian"]
        size = len(weights)
        values.append(sum(weights[i] * weights[j] * gramian[i * size + j] for i in range(size) for j in range(size)))
    return mean(values)


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
        figures[int(seed)] = mean_squared_gradient(path.parent / "metrics.jsonl")
    if not series:
        sys.exit(f"theory_table: expected finished runs in {folder}, found none")
    with open(sys.argv[2], "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["series", "value", "seed", "mean_squared_gradient"])
        for name in TITLES:
            for value, seeds in sorted(series.get(name, {}).items()):
                writer.writerows([name, f"{value:g}", seed, f"{figure:.6g}"] for seed, figure in sorted(seeds.items()))
    for name, title in TITLES.items():
        if name not in series:
            continue
        print(f"\n### {title}\n\n| {name} | mean | lowest seed | highest seed |\n|---|---|---|---|")
        for value, seeds in sorted(series[name].items()):
            figures = list(seeds.values())
            print(f"| {value:g} | {mean(figures):.4g} | {min(figures):.4g} | {max(figures):.4g} |")
        if name == "T":
            points = [(value, mean(seeds.values())) for value, seeds in sorted(series[name].items())]
            print(f"\nSlope of the logarithms: {slope(points):.3f} over all T, {slope(points[len(points) // 2:]):.3f} over the upper half.")


if __name__ == "__main__":
    main()
