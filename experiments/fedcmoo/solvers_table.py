#!/usr/bin/env python3
"""Weight solvers inside fedcmoo, from run directories SOLVER-WORKLOAD-SEED: writes a CSV and prints Markdown tables.

The Pareto stationarity gap is the norm of the minimum-norm combination of the gradients at the end: of the exact
gradients on quadratics, of the last round's estimate on glyphs (`paretofl weights --solver min_norm`).

Usage: solvers_table.py RUNS_FOLDER OUTPUT.csv
"""

import csv
import json
import os
import subprocess
import sys
from math import sqrt
from pathlib import Path
from statistics import mean

METRIC = {"quadratics": "loss", "glyphs": "accuracy"}


def stationarity_gap(row):
    if "stationarity" in row.get("overall", {}):
        return sqrt(row["overall"]["stationarity"])
    flat = row["metrics"]["gramian"]
    count = round(sqrt(len(flat)))
    gramian = [flat[i * count : (i + 1) * count] for i in range(count)]
    command = [os.environ.get("PARETOFL", "build/paretofl"), "weights", "--solver", "min_norm", "-"]
    weights = json.loads(subprocess.run(command, input=json.dumps({"gramian": gramian}), capture_output=True, text=True, check=True).stdout)
    product = sum(a * g * b for a, line in zip(weights["lambda"], gramian) for g, b in zip(line, weights["lambda"]))
    return sqrt(max(product, 0))


def read_runs(folder):
    """{(workload, solver): [(seed, rounds, final figures by objective, gap)]}"""
    runs = {}
    for path in sorted(folder.glob("*/summary.json")):
        summary = json.loads(path.read_text())
        solver = path.parent.name.split("-")[0]
        last = json.loads((path.parent / "metrics.jsonl").read_text().splitlines()[-1])
        figures = list(last["test"][METRIC[summary["workload"]]].values())
        runs.setdefault((summary["workload"], solver), []).append((summary["seed"], summary["rounds"], figures, stationarity_gap(last)))
    return runs


def read_times(path):
    """{(solver, objectives): microseconds}"""
    if not path.exists():
        return {}
    rows = json.loads(path.read_text())["benchmarks"]
    return {tuple(row["name"].split("/")[1:3]): row["cpu_time"] for row in rows}


def print_runs(workload, runs):
    seeds = max(len(rows) for (of, _), rows in runs.items() if of == workload)
    rounds = max(row[1] for (of, _), rows in runs.items() if of == workload for row in rows)
    print(f"\n### {workload}: test {METRIC[workload]} of each objective after {rounds} rounds, mean of {seeds} seed(s)\n")
    print(f"| solver | {METRIC[workload]} by objective | mean | worst | stationarity gap |")
    print("|---|---|---|---|---|")
    worst = min if METRIC[workload] == "accuracy" else max
    for (of, solver), rows in sorted(runs.items()):
        if of == workload:
            figures = [mean(column) for column in zip(*(row[2] for row in rows))]
            gap = mean(row[3] for row in rows)
            print(f"| `{solver}` | {' / '.join(f'{x:.4g}' for x in figures)} | {mean(figures):.4g} | {worst(figures):.4g} | {gap:.3g} |")


def print_times(times):
    sizes = sorted({size for _, size in times}, key=int)
    print("\n### Microseconds of one solve (CPU), by number of objectives\n")
    print("| solver | " + " | ".join(sizes) + " |")
    print("|---" * (len(sizes) + 1) + "|")
    for solver in sorted({name for name, _ in times}):
        print(f"| `{solver}` | " + " | ".join(f"{times[solver, size]:.3g}" for size in sizes) + " |")


def main():
    runs = read_runs(Path(sys.argv[1]))
    if not runs:
        sys.exit(f"solvers_table: expected finished runs in {sys.argv[1]}, found none")
    times = read_times(Path(sys.argv[1]) / "times.json")
    with open(sys.argv[2], "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["workload", "solver", "seed", "rounds", "objective", "metric", "value", "stationarity_gap"])
        for (workload, solver), rows in sorted(runs.items()):
            for seed, rounds, figures, gap in sorted(rows):
                for objective, value in enumerate(figures):
                    writer.writerow([workload, solver, seed, rounds, objective, METRIC[workload], f"{value:.6g}", f"{gap:.6g}"])
        for (solver, size), microseconds in sorted(times.items()):
            writer.writerow(["benchmark", solver, "", "", size, "microseconds", f"{microseconds:.4g}", ""])
    for workload in sorted({key[0] for key in runs}):
        print_runs(workload, runs)
    if times:
        print_times(times)


if __name__ == "__main__":
    main()
