#!/usr/bin/env python3
"""Accuracies by learning rates from the runs of rates.sh: adds them to a CSV, which outlives the runs, and prints Markdown.

Validation is the mean of the last five evaluations, which is what the rates are chosen by: one evaluation alone moves by more than the
rates do.
Usage: rates_table.py RUNS_FOLDER TABLE.csv
"""

import json
import sys
import tomllib
from pathlib import Path
from statistics import mean

sys.path.insert(0, str(Path(__file__).parents[1]))
from kept_rows import merge  # noqa: E402

COLUMNS = ["server_lr", "client_lr", "seed", "validation_1", "validation_2", "test_1", "test_2"]


def row_of(folder):
    strategy = tomllib.loads((folder / "config.toml").read_text())["strategy"]
    lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    validations = [line["validation"]["accuracy"].values() for line in lines if "validation" in line][-5:]
    summary = json.loads((folder / "summary.json").read_text())
    figures = [*(mean(values) for values in zip(*validations)), *summary["test"]["accuracy"].values()]
    return [f"{strategy['server_lr']:g}", f"{strategy['client_lr']:g}", str(summary["seed"]), *(f"{x:.4f}" for x in figures)]


def main():
    folder, table_file = Path(sys.argv[1]), Path(sys.argv[2])
    by_run = merge(table_file, COLUMNS, 3, [[row_of(path.parent)] for path in sorted(folder.glob("*/summary.json"))])
    if not by_run:
        sys.exit(f"rates: expected finished runs in {folder} or rows in {table_file}, found none")
    by_rates = {}
    for key, (row,) in by_run.items():
        by_rates.setdefault(key[:2], []).append([100 * float(x) for x in row[3:]])
    print("| server, client learning rate | seeds | validation, %, last five evaluations | its mean | test, % at the end |\n|---|---|---|---|---|")
    for (server, client), rows in sorted(by_rates.items(), key=lambda item: -mean(row[0] + row[1] for row in item[1])):
        validation_1, validation_2, test_1, test_2 = (mean(column) for column in zip(*rows))
        print(f"| {server}, {client} | {len(rows)} | {validation_1:.1f} / {validation_2:.1f} | {(validation_1 + validation_2) / 2:.2f} "
              f"| {test_1:.1f} / {test_2:.1f} |")


if __name__ == "__main__":
    main()
