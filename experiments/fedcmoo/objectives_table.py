#!/usr/bin/env python3
"""A test figure of all objectives by round and by upload, and of each objective at the end beside the constant
predictor: writes a CSV and prints Markdown tables.

Usage: objectives_table.py RUNS_FOLDER METRIC OUTPUT.csv
"""

import csv
import json
import sys
import tomllib
from pathlib import Path
from statistics import mean


class Run:
    """One finished run directory."""

    def __init__(self, folder, metric):
        config = tomllib.loads((folder / "config.toml").read_text())
        summary = json.loads((folder / "summary.json").read_text())
        self.strategy, self.seed = config["strategy"]["name"], config["seed"]
        self.objectives = summary["objectives"]
        self.constant = summary["constant_predictor"][metric]
        self.points, uploaded = {}, 0  # {round: (uploaded bytes so far, {objective: figure})}
        for line in (folder / "metrics.jsonl").read_text().splitlines():
            row = json.loads(line)
            uploaded += row["bytes_up"]
            if "test" in row:
                self.points[row["round"]] = (uploaded, row["test"][metric])

    @property
    def last(self):
        return self.points[max(self.points)][1]


def spread(values):
    """Mean, with the range over seeds where there are several."""
    text = f"{mean(values):.3f}"
    return text + (f" ({min(values):.3f}-{max(values):.3f})" if len(values) > 1 else "")


def grouped(runs, key):
    groups = {}
    for run in runs:
        groups.setdefault(key(run), []).append(run)
    return sorted(groups.items())


def table(header, rows):
    print("\n| " + " | ".join(header) + " |\n" + "|---" * len(header) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")


def print_by_round(metric, runs):
    print(f"\nMean test {metric} over the objectives, mean over seeds (range), and megabytes uploaded until then:")
    numbers = sorted({number for run in runs for number in run.points})
    numbers = [n for i, n in enumerate(numbers) if (len(numbers) - 1 - i) % max(1, round(len(numbers) / 6)) == 0]
    rows = []
    for (objectives, strategy), seeds in grouped(runs, lambda run: (len(run.objectives), run.strategy)):
        cells = []
        for number in numbers:
            points = [run.points[number] for run in seeds if number in run.points]
            cells.append(f"{spread([mean(p[1].values()) for p in points])}, {mean(p[0] for p in points) / 1e6:.0f} MB" if points else "-")
        rows.append([str(objectives), strategy, str(len(seeds)), f"{mean(mean(run.constant.values()) for run in seeds):.3f}"] + cells)
    table(["objectives", "strategy", "seeds", "constant"] + [f"round {n}" for n in numbers], rows)


def print_by_objective(metric, runs):
    for _, of_size in grouped(runs, lambda run: len(run.objectives)):
        strategies = grouped(of_size, lambda run: run.strategy)
        last = ", ".join(f"{strategy} {max(seeds[0].points)}" for strategy, seeds in strategies)
        print(f"\nTest {metric} of every objective at the last round ({last}), mean over seeds:")
        rows = []
        for objective in of_size[0].objectives:
            cells = [f"{mean(run.last[objective] for run in seeds):.3f}" for _, seeds in strategies]
            rows.append([objective, f"{mean(run.constant[objective] for run in of_size):.3f}"] + cells)
        table(["objective", "constant"] + [strategy for strategy, _ in strategies], rows)


def main():
    folder, metric, output = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    runs = [Run(path.parent, metric) for path in sorted(folder.glob("*/summary.json"))]
    if not runs:
        sys.exit(f"objectives_table: expected finished runs in {folder}, found none")
    with open(output, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["objectives", "strategy", "seed", "round", "uploaded_bytes", "objective", f"test_{metric}"])
        for run in runs:
            for number, (uploaded, figures) in run.points.items():
                for objective, figure in figures.items():
                    writer.writerow([len(run.objectives), run.strategy, run.seed, number, int(uploaded), objective, f"{figure:.4f}"])
    print_by_round(metric, runs)
    print_by_objective(metric, runs)


if __name__ == "__main__":
    main()
