#!/usr/bin/env python3
"""Weight solvers inside fedcmoo, from run directories SOLVER-WORKLOAD-SEED: adds them to a CSV, which outlives them, and prints Markdown
tables.

The Pareto stationarity gap is the norm of the minimum-norm combination of the gradients at the end: of the exact
gradients on quadratics, of the last round's estimate on glyphs (`paretofl weights --solver min_norm`).

Usage: solvers_table.py RUNS_FOLDER OUTPUT.csv
"""

import json
import os
import subprocess
import sys
from math import sqrt
from pathlib import Path
from statistics import mean

sys.path.insert(0, str(Path(__file__).parents[1]))
from kept_rows import merge  # noqa: E402

COLUMNS = ["workload", "solver", "seed", "rounds", "objective", "metric", "value", "stationarity_gap"]
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


def rows_of(folder):
    """The CSV's rows of one finished run directory."""
    summary = json.loads((folder / "summary.json").read_text())
    workload = summary["workload"]
    last = json.loads((folder / "metrics.jsonl").read_text().splitlines()[-1])
    gap = f"{stationarity_gap(last):.6g}"
    return [[workload, folder.name.split("-")[0], str(summary["seed"]), str(summary["rounds"]), str(objective), METRIC[workload], f"{value:.6g}",
             gap] for objective, value in enumerate(last["test"][METRIC[workload]].values())]


def times_of(path):
    """The CSV's rows of a benchmark's times, each in a list of its own."""
    if not path.exists():
        return []
    rows = json.loads(path.read_text())["benchmarks"]
    return [[["benchmark", *row["name"].split("/")[1:2], "", "", row["name"].split("/")[2], "microseconds", f"{row['cpu_time']:.4g}", ""]]
            for row in rows]


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
    folder, table = Path(sys.argv[1]), Path(sys.argv[2])
    found = [rows_of(path.parent) for path in sorted(folder.glob("*/summary.json"))]
    by_solver = {}
    for rows in times_of(folder / "times.json"):
        by_solver.setdefault(rows[0][1], []).extend(rows)
    kept = merge(table, COLUMNS, 3, [*found, *by_solver.values()])
    if not kept:
        sys.exit(f"solvers_table: expected finished runs in {folder} or rows in {table}, found none")
    runs, times = {}, {}
    for (workload, solver, _), rows in kept.items():
        if workload == "benchmark":
            times.update({(solver, row[4]): float(row[6]) for row in rows})
        else:
            runs.setdefault((workload, solver), []).append((rows[0][2], int(rows[0][3]), [float(row[6]) for row in rows], float(rows[0][7])))
    for workload in sorted({key[0] for key in runs}):
        print_runs(workload, runs)
    if times:
        print_times(times)


if __name__ == "__main__":
    main()
