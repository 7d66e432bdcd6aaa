#!/usr/bin/env python3
"""A test figure of all objectives by round and by upload, and of each objective at the end beside the constant
predictor: adds runs to a CSV, which outlives them, and prints Markdown tables.

Usage: objectives_table.py RUNS_FOLDER METRIC TABLE.csv
"""

import json
import sys
import tomllib
from pathlib import Path
from statistics import mean

sys.path.insert(0, str(Path(__file__).parents[1]))
from kept_rows import merge  # noqa: E402


def rows_of(folder, metric):
    """The CSV's rows of one finished run directory, whose name begins with the method and a dash."""
    config = tomllib.loads((folder / "config.toml").read_text())
    summary = json.loads((folder / "summary.json").read_text())
    constant, uploaded = summary["constant_predictor"][metric], 0
    for line in (folder / "metrics.jsonl").read_text().splitlines():
        row = json.loads(line)
        uploaded += row["bytes_up"]
        for objective, figure in row.get("test", {}).get(metric, {}).items():
            yield [str(len(summary["objectives"])), folder.name.split("-")[0], str(config["seed"]), str(row["round"]), str(int(uploaded)),
                   objective, f"{figure:.4f}", f"{constant[objective]:.4f}"]


class Run:
    """The rows of one run."""

    def __init__(self, rows):
        self.strategy, self.seed = rows[0][1], int(rows[0][2])
        self.constant, self.points = {}, {}  # {objective: figure}, {round: (uploaded bytes so far, {objective: figure})}
        for _, _, _, number, uploaded, objective, figure, constant in rows:
            self.constant[objective] = float(constant)
            self.points.setdefault(int(number), (int(uploaded), {}))[1][objective] = float(figure)
        self.objectives = list(self.constant)

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
    folder, metric, table_file = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    header = ["objectives", "strategy", "seed", "round", "uploaded_bytes", "objective", f"test_{metric}", "constant"]
    by_run = merge(table_file, header, 3, [list(rows_of(path.parent, metric)) for path in sorted(folder.glob("*/summary.json"))])
    if not by_run:
        sys.exit(f"objectives_table: expected finished runs in {folder} or rows in {table_file}, found none")
    runs = [Run(rows) for _, rows in sorted(by_run.items())]
    print_by_round(metric, runs)
    print_by_objective(metric, runs)


if __name__ == "__main__":
    main()
