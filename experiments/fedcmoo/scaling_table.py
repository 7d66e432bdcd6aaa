#!/usr/bin/env python3
"""Seconds per round and peak memory from run directories AXIS-VALUE: writes a CSV and prints Markdown tables.

Exponents are slopes of the least-squares line through log(figure) over log(value).

Usage: scaling_table.py RUNS_FOLDER OUTPUT.csv
"""

import csv
import json
import sys
from math import log
from pathlib import Path
from statistics import linear_regression

AXES = ("clients", "objectives", "parameters")


def read_runs(folder):
    """{axis: [(value, seconds per round, peak bytes)]} in order; seconds are the fastest round's."""
    runs = {}
    for path in folder.glob("*/summary.json"):
        axis, value = path.parent.name.split("-")
        rounds = [json.loads(line) for line in (path.parent / "metrics.jsonl").read_text().splitlines()]
        seconds = min(sum(row["seconds"].values()) for row in rounds)
        runs.setdefault(axis, []).append((int(value), seconds, json.loads(path.read_text())["peak_rss_bytes"]))
    return {axis: sorted(rows) for axis, rows in runs.items()}


def exponent(rows, column):
    if len(rows) < 2:
        return float("nan")
    return linear_regression([log(row[0]) for row in rows], [log(row[column]) for row in rows]).slope


def main():
    runs = read_runs(Path(sys.argv[1]))
    if not runs:
        sys.exit(f"scaling_table: expected finished runs in {sys.argv[1]}, found none")
    with open(sys.argv[2], "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["axis", "value", "seconds_per_round", "peak_rss_bytes"])
        for axis in AXES:
            for value, seconds, memory in runs.get(axis, []):
                writer.writerow([axis, value, f"{seconds:.4g}", memory])
    for axis in AXES:
        rows = runs.get(axis, [])
        if not rows:
            continue
        print(f"\n| {axis} | seconds per round | peak memory (MiB) |\n|---|---|---|")
        for value, seconds, memory in rows:
            print(f"| {value} | {seconds:.3g} | {memory / 2**20:.0f} |")
        print(f"| exponent, all | {exponent(rows, 1):.2f} | {exponent(rows, 2):.2f} |")
        print(f"| exponent, last two | {exponent(rows[-2:], 1):.2f} | {exponent(rows[-2:], 2):.2f} |")


if __name__ == "__main__":
    main()
