#!/usr/bin/env python3
"""Test loss of molecule runs by round and by upload: writes a CSV and prints Markdown tables.

Usage: qm9_table.py RUNS_FOLDER OUTPUT.csv
"""

import csv
import json
import sys
from pathlib import Path
from statistics import mean


def read_runs(folder):
    """{strategy: {seed: [(round, uploaded bytes so far, {objective: loss})]}}"""
    runs = {}
    for path in sorted(folder.glob("*/metrics.jsonl")):
        config = (path.parent / "config.toml").read_text()
        strategy = config.split("[strategy]")[1].split('name = "')[1].split('"')[0]
        seed = int(config.split("seed = ")[1].split()[0])
        uploaded, points = 0, []
        for line in path.read_text().splitlines():
            row = json.loads(line)
            uploaded += row["bytes_up"]
            if "test" in row:
                points.append((row["round"], uploaded, row["test"]["loss"]))
        runs.setdefault(strategy, {})[seed] = points
    return runs


def main():
    runs = read_runs(Path(sys.argv[1]))
    if not any(points for seeds in runs.values() for points in seeds.values()):
        sys.exit(f"qm9_table: expected evaluated runs in {sys.argv[1]}, found none")
    with open(sys.argv[2], "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["strategy", "seed", "round", "uploaded_bytes", "objective", "test_loss"])
        for strategy, seeds in sorted(runs.items()):
            for seed, points in sorted(seeds.items()):
                for number, uploaded, losses in points:
                    for objective, loss in losses.items():
                        writer.writerow([strategy, seed, number, int(uploaded), objective, f"{loss:.4f}"])
    by_round = {}
    for strategy, seeds in runs.items():
        for points in seeds.values():
            for number, uploaded, losses in points:
                by_round.setdefault(strategy, {}).setdefault(number, []).append((uploaded, mean(losses.values())))
    print("\nMean test loss over the objectives (mean over seeds), and megabytes uploaded until then:\n")
    numbers = sorted({number for rows in by_round.values() for number in rows})
    print("| strategy | " + " | ".join(f"round {n}" for n in numbers) + " |")
    print("|---" * (len(numbers) + 1) + "|")
    for strategy, rows in sorted(by_round.items()):
        cells = [f"{mean(x[1] for x in rows[n]):.3f} ({mean(x[0] for x in rows[n]) / 1e6:.0f} MB)" if n in rows else "-" for n in numbers]
        print(f"| {strategy} | " + " | ".join(cells) + " |")
    print("\nTest loss of every objective at the last round (mean over seeds); a constant predictor reaches 1:\n")
    strategies = sorted(runs)
    print("| objective | " + " | ".join(strategies) + " |")
    print("|---" * (len(strategies) + 1) + "|")
    last = {s: [points[-1][2] for points in seeds.values() if points] for s, seeds in runs.items()}
    for objective in last[strategies[0]][0]:
        print(f"| {objective} | " + " | ".join(f"{mean(x[objective] for x in last[s]):.3f}" for s in strategies) + " |")


if __name__ == "__main__":
    main()
