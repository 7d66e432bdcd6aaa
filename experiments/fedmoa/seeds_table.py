#!/usr/bin/env python3
"""FedMOA beside FedGRPO, from the runs of seeds.sh: adds them to a CSV, which outlives the runs, and prints Markdown with the differences,
paired by seed, of the endpoint: the accuracy on the test questions, as a mean over the tasks, of the model with the best validation accuracy.

Usage: seeds_table.py RUNS_FOLDER TABLE.csv
"""

import json
import sys
from pathlib import Path
from statistics import mean, stdev

sys.path.insert(0, str(Path(__file__).parents[1]))
from kept_rows import merge  # noqa: E402
from paired import differences, interval  # noqa: E402

COLUMNS = ["data", "method", "seed", "round", "accuracy", "last_accuracy", "reward", "weight_4", "weight_16", "volatility", "response_length", "cpu_seconds"]
DATA = {"homo_homo": "Homo+Homo", "homo_heter": "Homo+Heter", "heter_heter": "Heter+Heter"}


def row_of(folder):
    """The row of a finished run, whose folder is called DATA/METHOD-SEED. volatility: the mean change, up or down, of the clients' mean training
    accuracy from one round to the next."""
    method, seed = folder.name.rsplit("-", 1)
    summary = json.loads((folder / "summary.json").read_text())
    rounds = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    weights = [f"{rounds[at]['lambda'][summary['objectives'].index('accuracy')]:.4f}" for at in (3, -1)]
    trained = [line["metrics"]["reward_accuracy"] for line in rounds]
    volatility = mean(abs(after - before) for before, after in zip(trained, trained[1:]))
    chosen = summary["chosen"]["overall"]
    reward = mean(value for name, value in chosen.items() if name.startswith("reward_"))
    return [folder.parent.name, method, seed, str(summary["chosen"]["round"]), f"{chosen['accuracy']:.4f}", f"{summary['overall']['accuracy']:.4f}",
            f"{reward:.4f}", *weights, f"{volatility:.4f}", f"{chosen['response_length']:.2f}", f"{summary['cpu_seconds']:.0f}"]


def main():
    folder, table_file = Path(sys.argv[1]), Path(sys.argv[2])
    rows = merge(table_file, COLUMNS, 3, [[row_of(path.parent)] for path in sorted(folder.glob("*/*/summary.json"))])
    if not rows:
        sys.exit(f"seeds: expected finished runs in {folder} or rows in {table_file}, found none")
    print("| data and rewards | method | seeds | accuracy, % | less FedGRPO | after the last round, % | less FedGRPO | reward | "
          "weight of accuracy, rounds 4 and 16 | volatility | less FedGRPO | response length |\n|---|---|---|---|---|---|---|---|---|---|---|---|")
    for data, title in DATA.items():
        runs = {name: {seed: [float(value) for value in row[4:11]] for (of, method, seed), (row,) in rows.items() if (of, method) == (data, name)}
                for name in ("fedgrpo", "fedmoa")}
        for name, words in (("fedgrpo", "FedGRPO"), ("fedmoa", "FedMOA")):
            if len(runs[name]) < 2:
                continue
            less = [""] * 6
            if name == "fedmoa":
                less = [interval([100 * value for value in differences(*({seed: values[k] for seed, values in some.items()}
                                                                         for some in (runs["fedmoa"], runs["fedgrpo"])))]) for k in range(6)]
            chosen, last, reward, early, late, volatility, length = zip(*runs[name].values(), strict=True)
            print(f"| {title} | {words} | {len(chosen)} | {100 * mean(chosen):.1f} ± {100 * stdev(chosen):.1f} | {less[0]} | {100 * mean(last):.1f} ± "
                  f"{100 * stdev(last):.1f} | {less[1]} | {mean(reward):.3f} | {mean(early):.2f}, {mean(late):.2f} | {100 * mean(volatility):.1f} | {less[5]} | {mean(length):.1f} |")
    print(f"\n{sum(float(row[11]) for (row,) in rows.values()) / 3600:.1f} core hours.")


if __name__ == "__main__":
    main()
