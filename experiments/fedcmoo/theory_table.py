#!/usr/bin/env python3
"""1/T sum_t ||sum_k lambda_k grad F_k(x_t)||^2 of fedcmoo_theory's runs: writes a CSV, prints Markdown tables.

Usage: theory_table.py RUNS_FOLDER OUTPUT.csv
"""

import sys
from pathlib import Path
from statistics import mean

sys.path.insert(0, str(Path(__file__).parents[1]))
from theory_series import keep_series, read_series, rows, slope, squared_gradient

TITLES = {
    "T": "Rounds T, step sizes of Corollary 1.1",
    "T_robust": "Rounds T, step sizes of Corollary 1.1, losses with bounded gradients that are not convex",
    "T_logistic": "Rounds T, step sizes of Corollary 1.1, logistic regression",
    "M": "Objectives M, step sizes of Corollary 1.1, 1024 rounds",
    "beta": "Step size beta of lambda",
    "n": "Clients n that train",
    "tau": "Local steps tau, same effective rate, no noise, everyone takes part",
    "bits": "Bits of the quantizer (fewer: a larger q), beta 0.3",
    "n_sketch": "Clients n' of each sketch, beta 0.3",
    "sigma": "Noise of the gradients, standard deviation per entry, beta 0.3",
}


def main():
    found = read_series(Path(sys.argv[1]), lambda run: [mean(map(squared_gradient, rows(run)))])
    series = keep_series(sys.argv[2], TITLES, ["mean_squared_gradient"], found)
    for name, title in TITLES.items():
        if name not in series:
            continue
        print(f"\n### {title}\n\n| {name} | mean | lowest seed | highest seed |\n|---|---|---|---|")
        for value, seeds in series[name].items():
            figures = [figure for (figure,) in seeds.values()]
            print(f"| {value:g} | {mean(figures):.4g} | {min(figures):.4g} | {max(figures):.4g} |")
        if name in ("T", "T_robust", "T_logistic", "M"):
            points = [(value, mean(figure for (figure,) in seeds.values())) for value, seeds in series[name].items()]
            print(f"\nSlope of the logarithms: {slope(points):.3f} over all {name[0]}, {slope(points[len(points) // 2:]):.3f} over the upper half.")


if __name__ == "__main__":
    main()
