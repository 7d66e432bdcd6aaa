#!/usr/bin/env python3
"""Hypervolume of one run of pareto_manifold and of sweeps over five preferences by rounds and CPU seconds of training, from the runs of fronts.sh:
adds their points to a CSV, which outlives the runs, and prints Markdown.

Usage: fronts_table.py RUNS_FOLDER TABLE.csv
"""

import json
import sys
from pathlib import Path
from statistics import mean

sys.path.insert(0, str(Path(__file__).parents[1]))
from kept_rows import merge  # noqa: E402
from paired import differences, interval  # noqa: E402

COLUMNS = ["workload", "method", "seed", "run", "round", "seconds", "preference", "first", "second"]
METHODS = {"manifold_linear": "`pareto_manifold`, `linear`, one run", "manifold_smooth_tchebycheff": "`pareto_manifold`, `smooth_tchebycheff`, one run",
           "manifold_kl_preference": "`pareto_manifold`, `kl_preference`, one run", "fedcmoo_pref": "FedCMOO-Pref, five runs",
           "fedavg": "FedAvg's weighted sum, five runs"}
METRICS = {"robust_quadratics": "loss", "mnist_fmnist": "accuracy"}
POINTS = 5


def rows_of(folder):
    """One row per evaluated round and model; CPU seconds of training so far: the wall time of the rounds without the evaluations, times the
    whole run's CPU seconds per second of wall time, so that other work on the machine does not count."""
    workload, method, seed, *index = folder.name.split("-")
    metric, seconds, rows = METRICS[workload], 0.0, []
    summary = json.loads((folder / "summary.json").read_text())
    share = summary["cpu_seconds"] / summary["wall_seconds"]
    preferences = json.loads((folder.parent / f"{folder.name}.asked").read_text().split("=[")[1].split("]")[0].join("[]")) if index else None
    for line in (folder / "metrics.jsonl").read_text().splitlines():
        row = json.loads(line)
        seconds += share * sum(value for phase, value in row["seconds"].items() if phase != "evaluate")
        if "test" not in row:
            continue
        front = row.get("front")
        points = zip(front["preferences"], front[metric], strict=True) if front else [(preferences, list(row["test"][metric].values()))]
        rows += [[workload, method, seed, *(index or ["0"]), str(row["round"]), f"{seconds:.4f}", " ".join(f"{r:g}" for r in preference),
                  *(f"{value:.6g}" for value in point)] for preference, point in points]
    return rows


def hypervolume(points, reference):
    """Of points in two objectives that are minimized."""
    volume, bound = 0.0, reference[1]
    for first, second in sorted(points):
        if first < reference[0] and second < bound:
            volume += (reference[0] - first) * (bound - second)
            bound = second
    return volume


def minimized(workload, row):
    point = [float(value) for value in row[7:9]]
    return point if METRICS[workload] == "loss" else [-value for value in point]


def evenly(rows, count):
    """That many evenly spaced ones of the rows, the ends among them."""
    step = (len(rows) - 1) / (count - 1)
    return [rows[round(i * step)] for i in range(count)] if len(rows) > count else rows


class Fronts:
    """The models of one workload, by (method, seed, round)."""

    def __init__(self, workload, by_run):
        self.workload, self.models = workload, {}
        for (_, method, seed, _), rows in by_run.items():
            for row in rows:
                self.models.setdefault((method, seed, int(row[4])), []).append(row)
        self.rounds = sorted({key[2] for key in self.models})
        self.seeds = sorted({key[1] for key in self.models})

    def reference(self, seed):
        """Chance for accuracies; for losses the worst value of each objective over the seed's models at the end."""
        if METRICS[self.workload] == "accuracy":
            return [-0.1, -0.1]
        last = [minimized(self.workload, row) for (_, of, at), rows in self.models.items() if of == seed and at == self.rounds[-1] for row in rows]
        return [max(column) for column in zip(*last, strict=True)]

    def volumes(self, method, at, count=None):
        """{seed: hypervolume} of that many of the models after that round; all: None."""
        volumes = {}
        for seed in self.seeds:
            rows = self.models.get((method, seed, at), [])
            if rows:
                chosen = evenly(rows, count) if count else rows
                volumes[seed] = hypervolume([minimized(self.workload, row) for row in chosen], self.reference(seed))
        return volumes

    def seconds(self, method, at):
        """Mean over the seeds of the seconds of all runs of the method up to that round."""
        totals = [sum({row[3]: float(row[5]) for row in self.models[method, seed, at]}.values()) for seed in self.seeds]
        return mean(totals)


def main():
    folder, table_file = Path(sys.argv[1]), Path(sys.argv[2])
    by_run = merge(table_file, COLUMNS, 4, [rows_of(path.parent) for path in sorted(folder.glob("*/summary.json"))])
    if not by_run:
        sys.exit(f"fronts: expected finished runs in {folder} or rows in {table_file}, found none")
    for workload, metric in METRICS.items():
        fronts = Fronts(workload, {key: rows for key, rows in by_run.items() if key[0] == workload})
        if not fronts.models:
            continue
        print(f"\n`{workload}`, hypervolume by test {metric} of {POINTS} models (CPU seconds of training, all runs of the method, estimated from the rounds' wall time):\n")
        print("| method | " + " | ".join(f"{at} rounds" for at in fronts.rounds) + " | all models of the run |")
        print("|---|" + "---|" * (len(fronts.rounds) + 1))
        last = fronts.rounds[-1]
        for method, words in METHODS.items():
            cells = [f"{mean(fronts.volumes(method, at, POINTS).values()):.3f} ({fronts.seconds(method, at):.2f} s)" for at in fronts.rounds]
            every = f"{mean(fronts.volumes(method, last).values()):.3f}" if method.startswith("manifold") else "-"
            print(f"| {words} | " + " | ".join(cells) + f" | {every} |")
        print(f"\nAfter {last} rounds, {POINTS} models of one run less the sweep of five runs, paired 95 % intervals over {len(fronts.seeds)} seeds:\n")
        print("| one run | less FedCMOO-Pref | less FedAvg's weighted sum |\n|---|---|---|")
        for method in METHODS:
            if method.startswith("manifold"):
                own = fronts.volumes(method, last, POINTS)
                found = [differences(own, fronts.volumes(other, last)) for other in ("fedcmoo_pref", "fedavg")]
                print(f"| `{method.removeprefix('manifold_')}` | " + " | ".join(interval(values, 3) if len(values) > 1 else "-" for values in found) + " |")


if __name__ == "__main__":
    main()
