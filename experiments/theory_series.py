"""Series of runs that differ in one setting, RUNS_FOLDER/SERIES/VALUE-SEED, as the theory.sh scripts leave them."""

import csv
import json
import math
import sys
from statistics import mean


def rows(run):
    return [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]


def squared_gradient(row):
    """lambda^T G lambda with the exact Gramian; lambda and theta of the same round."""
    weights, gramian = row["lambda"], row["exact_gramian"]
    size = len(weights)
    return sum(weights[i] * weights[j] * gramian[i * size + j] for i in range(size) for j in range(size))


def read_series(folder, figures):
    """figures(run), a list of numbers, of every finished run: {series: {value: {seed: figures}}}."""
    series = {}
    for path in folder.glob("*/*/summary.json"):
        value, seed = path.parent.name.rsplit("-", 1)
        series.setdefault(path.parent.parent.name, {}).setdefault(float(value), {})[int(seed)] = figures(path.parent)
    if not series:
        sys.exit(f"theory_table: expected finished runs in {folder}, found none")
    return {name: dict(sorted(values.items())) for name, values in series.items()}


def write_series(path, names, columns, series):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["series", "value", "seed", *columns])
        for name in names:
            for value, seeds in series.get(name, {}).items():
                writer.writerows([name, f"{value:g}", seed, *(f"{x:.6g}" for x in seeds[seed])] for seed in sorted(seeds))


def slope(points):
    """Least squares of log y against log x."""
    xs = [math.log(x) for x, _ in points]
    ys = [math.log(y) for _, y in points]
    return sum((x - mean(xs)) * (y - mean(ys)) for x, y in zip(xs, ys)) / sum((x - mean(xs)) ** 2 for x in xs)
