"""Series of runs that differ in one setting, RUNS_FOLDER/SERIES/VALUE-SEED, as the theory.sh scripts leave them."""

import json
import math
import sys
from pathlib import Path
from statistics import mean

from kept_rows import merge


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


def keep_series(path, names, columns, series):
    """Puts the series, each of which is named, into the CSV file in the place of what it had of the same runs. Returns what the file then has,
    as read_series does."""
    def order(key):
        return list(names).index(key[0]), float(key[1]), int(key[2])

    runs = [[[name, f"{value:g}", str(seed), *(f"{x:.6g}" for x in figures)]]
            for name, values in series.items() for value, seeds in values.items() for seed, figures in seeds.items()]
    merged = merge(Path(path), ["series", "value", "seed", *columns], 3, runs, order)
    kept = {}
    for name, value, seed in sorted(merged, key=order):
        kept.setdefault(name, {}).setdefault(float(value), {})[int(seed)] = [float(x) for x in merged[name, value, seed][0][3:]]
    return kept


def slope(points):
    """Least squares of log y against log x."""
    xs = [math.log(x) for x, _ in points]
    ys = [math.log(y) for _, y in points]
    return sum((x - mean(xs)) * (y - mean(ys)) for x, y in zip(xs, ys)) / sum((x - mean(xs)) ** 2 for x in xs)
