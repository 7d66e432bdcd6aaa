#!/usr/bin/env python3
"""Rewards of FedMOA's and FedGRPO's models on test questions, from the runs of planes.sh: adds them to a CSV, which outlives the runs, a row for
every global model ("server") and every client's own model that was evaluated; prints Markdown with where the global models end, means over seeds
with FedMOA's differences from FedGRPO, paired by seed.

Usage: planes_table.py RUNS_FOLDER TABLE.csv
"""

import json
import sys
from pathlib import Path
from statistics import mean

sys.path.insert(0, str(Path(__file__).parents[1]))
from kept_rows import merge  # noqa: E402
from paired import differences, interval  # noqa: E402

CONFIGURATIONS = {"homo_homo": "Homo+Homo", "homo_heter": "Homo+Heter", "heter_heter": "Heter+Heter"}
METHODS = {"fedgrpo": "FedGRPO", "fedmoa": "FedMOA"}
REWARDS = ["accuracy", "format", "tag_count"]
LAST = 4  # rounds whose mean is where a run ends: one evaluation of 500 questions has a standard error of up to 2.2 points


def rows_of(folder):
    """The rows of a finished run, whose folder is called CONFIGURATION/METHOD-SEED. A reward that a client does not have is left empty."""
    method, seed = folder.name.rsplit("-", 1)
    key = [folder.parent.name, method, seed]
    names = json.loads((folder / "summary.json").read_text())["objectives"]
    places = [names.index(name) for name in REWARDS]
    rows = []
    for line in map(json.loads, (folder / "metrics.jsonl").read_text().splitlines()):
        rows.append([*key, str(line["round"]), "server", *(f"{line['test']['reward'][name]:.4f}" for name in REWARDS)])
        metrics = line["metrics"]
        for n, client in enumerate(metrics["cohort"] if "local_rewards" in metrics else []):
            own = [n * len(names) + k for k in places]
            rows.append([*key, str(line["round"]), f"{client:g}",
                         *(f"{metrics['local_rewards'][i]:.4f}" if metrics["client_lambda"][i] > 0 else "" for i in own)])
    return rows


def main():
    folder, table_file = Path(sys.argv[1]), Path(sys.argv[2])
    runs = merge(table_file, ["data", "method", "seed", "round", "model", *REWARDS], 3, [rows_of(path.parent) for path in sorted(folder.glob("*/*/summary.json"))])
    if not runs:
        sys.exit(f"planes: expected finished runs in {folder} or rows in {table_file}, found none")
    ends = {}
    for (data, method, seed), rows in runs.items():
        of_server = [[100 * float(figure) for figure in row[5:]] for row in rows if row[4] == "server"]
        ends.setdefault((data, method), {})[seed] = [mean(column) for column in zip(*of_server[-LAST:], strict=True)]
    print("| data and rewards | method | seeds | accuracy, % | less FedGRPO | format, % | less FedGRPO | tag count, % | less FedGRPO |\n" + "|---" * 9 + "|")
    for data, title in CONFIGURATIONS.items():
        for method, name in METHODS.items():
            by_seed = ends.get((data, method), {})
            if not by_seed:
                continue
            cells = []
            for k in range(len(REWARDS)):
                paired = differences(*({seed: figures[k] for seed, figures in ends.get((data, one), {}).items()} for one in (method, "fedgrpo")))
                cells += [f"{mean(figures[k] for figures in by_seed.values()):.1f}", interval(paired) if method != "fedgrpo" and len(paired) > 1 else ""]
            print(f"| {title} | {name} | {len(by_seed)} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
